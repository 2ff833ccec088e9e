// What the tests share: pages made by the program, and a browser that notes whatever it should not do.

import { execFileSync } from "node:child_process";
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

export const root = path.resolve(import.meta.dirname, "..");
export const cache = process.env.CREDITSCOPE_BROWSER;
const { chromium } = createRequire(path.join(cache, "package.json"))("playwright-core");

const flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
export const launch = () => chromium.launch({ executablePath: process.env.CREDITSCOPE_CHROMIUM, args: flags });

/** Makes a page of records by the program; returns its file. */
export function report(name, ...records) {
  mkdirSync(path.join(cache, "pages"), { recursive: true });
  const file = path.join(cache, "pages", `${name}.html`);
  execFileSync(process.env.CREDITSCOPE_BIN, ["report", ...records, "-o", file, "--quiet"], { cwd: root });
  return file;
}

/** A folder with the same records several times, which goes when the program does. */
export function copies(count, records) {
  const folder = mkdtempSync(path.join(cache, "many-"));
  for (let at = 0; at < count; at++) cpSync(path.join(root, records), path.join(folder, `copy${at}`), { recursive: true });
  process.on("exit", () => rmSync(folder, { recursive: true }));
  return folder;
}

/** What the page holds for itself in memory, in MB, and the processor time that it took, in seconds. The browser's program is shared. */
export async function renderer(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const resident = ({ id }) => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) / 1e3;
  const all = processInfo.filter(({ type }) => type === "renderer").map((process) => [resident(process), process.cpuTime]);
  return all.sort(([a], [b]) => b - a)[0];
}

/** The lines of a kept run's log. */
export const log = (run) => readFileSync(path.join(root, "docs/results", run, "metrics.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));

/** Waits until the script has dressed the page. It reads figures one after the other. */
export async function ready(page) {
  await page.waitForSelector("html:not(.no-script)");
  await page.waitForFunction(() => [...document.querySelectorAll("#figures figure")].every((figure) => figure.querySelector(".tools")));
}

/** Opens a page, before which it may run something, and notes messages, errors, requests and violations of the policy. */
export async function open(browser, where, { hash = "", before = () => {}, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const heard = [];
  page.on("console", (message) => heard.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => heard.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => heard.push(`dialog: ${dialog.message()}`));
  page.on("request", (request) => heard.push(`request: ${request.url()}`));
  if (options.javaScriptEnabled !== false)
    await page.addInitScript(() => addEventListener("securitypolicyviolation", (event) => console.log("violation", event.violatedDirective, event.blockedURI)));
  await page.addInitScript(before);
  const url = where.startsWith("http") ? where : pathToFileURL(where).href;
  await page.goto(url + hash);
  if (options.javaScriptEnabled !== false) await ready(page);
  return { page, heard, url, close: () => context.close() };
}

/** The page has loaded itself, and nothing else has happened that a reader did not ask for. */
export function assertQuiet({ heard, url }) {
  assert.deepEqual(heard.filter((line) => line !== `request: ${url}`), []);
}

/** Waits until parts that a scroll has brought near are laid out. */
export const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));

/** Where a value lies on the screen, from what the frame of its panel says. */
export async function placeOf(page, figure, panel, x, y) {
  const frame = page.locator(`${figure} [data-kind=axes][data-panel="${panel}"]`);
  await frame.scrollIntoViewIfNeeded();
  await settled(page);
  await page.evaluate((top) => scrollBy(0, top), (await frame.boundingBox()).y - 300);
  await settled(page);
  const area = await frame.boundingBox();
  const ends = await frame.evaluate(({ dataset: d }) => [d.xLow, d.xHigh, d.yLow, d.yHigh].map(Number));
  const share = (value, low, high) => (value - low) / (high - low);
  return { x: area.x + share(x, ends[0], ends[1]) * area.width, y: area.y + (1 - share(y, ends[2], ends[3])) * area.height };
}

export const hash = (page) => page.evaluate(() => decodeURIComponent(location.hash));
export const tip = async (page) => (await page.locator("#tip").isVisible()) ? page.locator("#tip").innerText() : "";
export const visibleRuns = (page) => page.locator("#run-table tbody tr:visible a").allInnerTexts();
