// How fast a page of many runs opens and what it takes: prints, and judges nothing. The runs are the kept ones, copied.
// usage: CREDITSCOPE_BIN=… CREDITSCOPE_CHROMIUM=… CREDITSCOPE_BROWSER=FOLDER node browser/measure.js [COPIES]

import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { cache, launch, report, root } from "./tools.js";

const copies = Number(process.argv[2] ?? 5);
const folder = mkdtempSync(path.join(cache, "many-"));
for (let at = 0; at < copies; at++) cpSync(path.join(root, "docs/results"), path.join(folder, `copy${at}`), { recursive: true });
const begun = performance.now();
const file = report("many", folder, "--full");
const made = performance.now() - begun;
rmSync(folder, { recursive: true });

const browser = await launch();
const page = await browser.newPage();
const session = await browser.newBrowserCDPSession();
const started = performance.now();
await page.goto(pathToFileURL(file).href);
const loaded = performance.now() - started;
await page.waitForFunction(() => [...document.querySelectorAll("#figures figure")].every((figure) => figure.querySelector(".tools")));
const ready = performance.now() - started;
const runs = await page.locator("#run-table tbody tr").count();
const heap = (await page.evaluate(() => performance.memory.usedJSHeapSize)) / 1e6;
const { processInfo } = await session.send("SystemInfo.getProcessInfo");
// What the page holds for itself; pages of the browser's program are shared.
const resident = (id) => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) / 1e3;
const renderer = Math.max(...processInfo.filter(({ type }) => type === "renderer").map(({ id }) => resident(id)));
const click = performance.now();
await page.locator("#bar [data-name=rule]").first().click();
const filtered = performance.now() - click;
console.log(`${runs} runs, ${(statSync(file).size / 1e6).toFixed(2)} MB: made in ${made.toFixed(0)} ms, loaded after ${loaded.toFixed(0)} ms, every figure read after ${ready.toFixed(0)} ms, filtered in ${filtered.toFixed(0)} ms; renderer ${renderer.toFixed(0)} MB, of which script ${heap.toFixed(0)} MB`);
await browser.close();
