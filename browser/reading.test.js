// Values under the cursor, marks in all panels, series on and off, copies and downloads.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertQuiet, hash, launch, log, open, placeOf, report, tip } from "./tools.js";

let browser, file;
before(async () => {
  browser = await launch();
  file = report("main", "docs/results/main");
});
after(() => browser.close());

const seeds = [42, 123, 456];
const mean = (values) => values.reduce((a, b) => a + b) / values.length;
const accuracy = (rule, epoch) => mean(seeds.map((seed) => log(`main/${rule}-s${seed}`)[epoch].test.accuracy));
const number = (words) => Number(words.replace(/^(-?)\./, "$10."));

test("the value under the cursor is the one of the log", async () => {
  const opened = await open(browser, file);
  const { page } = opened;
  const at = await placeOf(page, "#figure-cifar-accuracy", "test", 50, accuracy("bp", 50));
  await page.mouse.move(at.x, at.y);
  assert.match(await tip(page), /test, epoch 50/);
  for (const rule of ["bp", "fa", "dfa"]) {
    const cell = page.locator("#tip tr", { has: page.getByText(rule.toUpperCase(), { exact: true }) }).locator("td").last();
    assert.ok(Math.abs(number(await cell.innerText()) - accuracy(rule, 50)) < 0.0011, `${rule} ${await cell.innerText()}`);
  }
  assert.match(await page.locator("#tip .strong").innerText(), /BP/);
  await page.mouse.move(2, 2);
  assert.equal(await tip(page), "");
  assertQuiet(opened);
  await opened.close();
});

test("one epoch is marked in all panels of epochs, one layer in all panels of layers", async () => {
  const opened = await open(browser, file);
  const { page } = opened;
  const at = await placeOf(page, "#figure-cifar-accuracy", "test", 30, 0.3);
  await page.mouse.click(at.x, at.y);
  assert.match(await hash(page), /epoch=30/);
  assert.equal(await page.locator("#bar input").inputValue(), "30");
  const marked = (figure) => page.locator(`${figure} .chosen`).getAttribute("d");
  assert.equal((await marked("#figure-cifar-accuracy")).match(/M/g).length, 2, "both panels");
  assert.equal(await marked("#figure-audit-hero"), "");
  await page.locator("#bar select[data-keep=layer]").selectOption({ label: "block 1" });
  assert.equal((await marked("#figure-audit-hero")).match(/M/g).length, 2, "of three panels, one is no panel of layers");
  assert.match(await hash(page), /layer=1/);
  await page.mouse.click(at.x, at.y);
  assert.doesNotMatch(await hash(page), /epoch/);
  assertQuiet(opened);
  await opened.close();
});

test("the keyboard reads and marks what the mouse does", async () => {
  const opened = await open(browser, file);
  const { page } = opened;
  const paper = page.locator("#figure-cifar-accuracy .paper");
  await paper.focus();
  await page.keyboard.press("ArrowRight");
  const first = await page.locator("#tip p").innerText();
  for (let i = 0; i < 10; i++) await page.keyboard.press("ArrowRight");
  assert.notEqual(await page.locator("#tip p").innerText(), first);
  const epoch = /epoch (\d+)/.exec(await tip(page))[1];
  assert.match(await page.locator("#said").textContent(), new RegExp(`epoch ${epoch}`), "it is said too");
  const strong = await page.locator("#tip .strong").innerText();
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await page.locator("#tip .strong").innerText(), strong);
  await page.keyboard.press("Enter");
  assert.match(await hash(page), new RegExp(`epoch=${epoch}`));
  await page.keyboard.press("Escape");
  assert.equal(await tip(page), "");
  assertQuiet(opened);
  await opened.close();
});

test("a series goes and comes back, with its rings", async () => {
  const opened = await open(browser, file);
  const { page } = opened;
  const figure = page.locator("#figure-cifar-diagnostics");
  const chip = figure.getByRole("button", { name: "DFA", exact: true });
  const shown = () => figure.locator("[data-rule=dfa]:visible, [data-rule=dfa] + use:not([data-kind]):visible").count();
  assert.ok((await shown()) > 0);
  await chip.click();
  assert.equal(await shown(), 0);
  assert.equal(await chip.getAttribute("aria-pressed"), "false");
  assert.match(await hash(page), /off=cifar-diagnostics\/DFA/);
  assert.ok((await page.locator("#figure-audit-hero [data-rule=dfa]:visible").count()) > 0, "other figures keep it");
  await chip.click();
  assert.ok((await shown()) > 0);
  assertQuiet(opened);
  await opened.close();
});

test("tables and figures are copied, and each figure is a file that stands alone", async () => {
  const opened = await open(browser, file);
  const { page } = opened;
  await page.evaluate(() => addEventListener("copy", (event) => (globalThis.copied = event.target.value)));
  await page.locator("#verdicts").getByRole("button", { name: "Copy CSV" }).first().click();
  assert.match(await page.evaluate(() => copied), /^rule,verdict,accuracy,.*\n✓ bp,PASS,/);
  const figure = page.locator("#figure-verdicts");
  await figure.getByRole("button", { name: "Copy CSV" }).click();
  assert.equal(await page.evaluate(() => copied), await figure.locator("pre").textContent());
  const [download] = await Promise.all([page.waitForEvent("download"), figure.getByRole("button", { name: "Download SVG" }).click()]);
  assert.equal(download.suggestedFilename(), "verdicts.svg");
  const svg = readFileSync(await download.path(), "utf8");
  const ids = new Set([...svg.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
  const used = [...svg.matchAll(/(?:href="|url\()#([\w-]+)/g)].map((match) => match[1]);
  assert.ok(used.length > 50 && used.every((id) => ids.has(id)));
  assert.ok(svg.startsWith("<svg") && svg.includes('xmlns="http://www.w3.org/2000/svg"') && !svg.includes("overlay"));
  await opened.close();
});
