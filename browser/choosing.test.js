// Filters, order, comparison, heat maps, and the address that keeps them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, hash, launch, log, open, report, settled, tip, visibleRuns } from "./tools.js";

let browser, file;
before(async () => {
  browser = await launch();
  file = report("main", "docs/results/main");
});
after(() => browser.close());

const rules = ["bp", "dfa", "fa"];
const names = rules.flatMap((rule) => ["-frozen", ""].flatMap((frozen) => [123, 42, 456].map((seed) => `${rule}${frozen}-s${seed}`)));
const last = (run) => log(`main/${run}`).at(-1);

test("runs are filtered by rule, seed and key", async () => {
  const opened = await open(browser, file);
  const { page } = opened;
  assert.deepEqual(await visibleRuns(page), names);
  const bar = page.locator("#bar");
  await bar.getByRole("button", { name: "DFA", exact: true }).click();
  await bar.getByRole("button", { name: "42", exact: true }).click();
  assert.deepEqual(await visibleRuns(page), ["dfa-frozen-s42", "dfa-s42"]);
  assert.equal(await page.locator("#count").textContent(), "2 of 18 runs");
  await bar.getByLabel("rule.frozen").selectOption("true");
  assert.deepEqual(await visibleRuns(page), ["dfa-frozen-s42"]);
  assert.equal(await hash(page), "#rule=dfa&seed=42&rule.frozen=true");
  const faded = page.locator("#figure-cifar-accuracy [data-rule=bp]").first();
  assert.equal(await faded.getAttribute("class"), "faded");
  await bar.getByRole("button", { name: "Reset" }).click();
  assert.equal((await visibleRuns(page)).length, 18);
  assertQuiet(opened);
  await opened.close();
});

test("runs are sorted by what a column says", async () => {
  const opened = await open(browser, file);
  const { page } = opened;
  const head = page.locator("#run-table").getByRole("button", { name: "accuracy" });
  const accuracies = async () => (await visibleRuns(page)).map((run) => last(run).test.accuracy);
  const isUp = (values) => values.every((value, at) => at === 0 || values[at - 1] <= value + 0.0005);
  await head.click();
  assert.ok(isUp(await accuracies()));
  assert.equal(await page.locator("#run-table th[aria-sort=ascending]").innerText().then((words) => words.trim()), "accuracy");
  await head.press("Enter");
  assert.ok(isUp((await accuracies()).reverse()));
  assert.equal(await hash(page), "#sort=-accuracy");
  assertQuiet(opened);
  await opened.close();
});

test("two runs stand side by side with what differs", async () => {
  const opened = await open(browser, file);
  const { page } = opened;
  for (const run of ["dfa-s42", "bp-s42"]) await page.getByLabel(`Compare ${run}`, { exact: true }).check();
  const section = page.locator("#compare");
  await section.waitFor();
  const rows = await section.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const row = (name) => rows.find((row) => row[0] === name);
  assert.deepEqual(row("rule.name"), ["rule.name", "dfa", "bp"]);
  assert.deepEqual(row("verdict").slice(1), ["FAIL(D1+D2+D3)", "PASS"]);
  const share = (run) => last(run).test.accuracy.toFixed(3).slice(1);
  assert.deepEqual(row("test accuracy").slice(1), ["dfa-s42", "bp-s42"].map(share));
  assert.equal(row("seed"), undefined);
  assert.match(await section.locator(".notes").textContent(), /Alike: .*seed 42/);
  assert.equal(await section.locator("figure").count(), 1, "one chart of both");
  await section.getByLabel("quantity").selectOption("cosine");
  assert.equal(await section.locator("figure").count(), 2, "one heat map each");
  assert.match(await hash(page), /compare=dfa-s42,bp-s42&show=cosine/);
  await section.getByRole("button", { name: "Close" }).click();
  assert.ok(await section.isHidden());
  assertQuiet(opened);
  await opened.close();
});

/** Moves the mouse onto a cell of the heat map and returns what is said of its layer. */
async function cell(page, epoch, unit, [epochs, units]) {
  const paper = page.locator("#layers .paper");
  await paper.scrollIntoViewIfNeeded();
  await settled(page);
  // The cells lie between 58 and 618 across, and from 8 on downwards, 24 each, with the first unit at the bottom.
  const { x, y, width } = await paper.locator("svg").first().boundingBox();
  const scale = width / 630;
  await page.mouse.move(x + (58 + ((epoch + 0.5) * 560) / epochs) * scale, y + (8 + (units - unit - 0.5) * 24) * scale);
  assert.match(await tip(page), new RegExp(`epoch ${epoch}\\b`));
  return page.locator("#tip .strong").innerText();
}

test("a heat map shows each value of a run, and which are not to be relied on", async () => {
  const opened = await open(browser, file, { hash: "#heat=dfa-s42:update_cosine" });
  const { page } = opened;
  const series = log("main/dfa-s42").map((epoch) => epoch.evaluation.series.update_cosine.values);
  const value = (measured) => (typeof measured === "number" ? measured : measured.value);
  const words = (x) => x.toPrecision(3).replace(/^(-?)0\./, "$1.");
  const sure = series.findIndex((values) => typeof values[2] === "number");
  const unsure = series.findIndex((values) => values[4].state === "unreliable");
  const size = [series.length, 5];
  assert.ok(unsure > 0, "the log has one");
  const first = await cell(page, sure, 2, size);
  assert.ok(first.includes("block 1") && first.includes(words(value(series[sure][2]))) && !first.includes("unreliable"), first);
  const second = await cell(page, unsure, 4, size);
  assert.ok(second.includes("block 3") && second.includes(words(value(series[unsure][4]))) && second.includes("unreliable"), second);
  assert.equal(await page.locator('#layers [fill="url(#hatch-u)"]').count(), 2, "on the map and in the legend");
  const fills = await page.locator("#layers [shape-rendering]").evaluateAll((paths) => paths.map((path) => path.getAttribute("fill")));
  assert.ok(fills.findIndex((fill) => fill.startsWith("url")) > fills.findLastIndex((fill) => fill.startsWith("#")), "hatches lie on colours");
  await page.locator("#layers select[data-keep=series]").selectOption("feedback_angle");
  assert.match(await cell(page, 7, 0, size), /embed\s+undefined/);
  assert.match(await hash(page), /heat=dfa-s42:feedback_angle/);
  const angle = value(log("main/dfa-s42")[7].evaluation.series.feedback_angle.values[4]);
  assert.ok((await cell(page, 7, 4, size)).includes(words(angle)));
  assertQuiet(opened);
  await opened.close();
});

test("the address brings everything back", async () => {
  const address = "#rule=dfa,fa&seed=42&sort=-accuracy&compare=dfa-s42,fa-s42&epoch=12&layer=2&heat=fa-s42:cosine&off=cifar-accuracy/FA&open=fa-s42";
  const opened = await open(browser, file, { hash: address });
  const { page } = opened;
  const check = async () => {
    assert.deepEqual(await visibleRuns(page), ["fa-s42", "fa-frozen-s42", "dfa-frozen-s42", "dfa-s42"]);
    assert.equal(await page.locator("#bar input").inputValue(), "12");
    assert.equal(await page.locator("#bar select[data-keep=layer]").inputValue(), "2");
    assert.ok(await page.locator("#compare").isVisible());
    assert.match(await page.locator("#layers figcaption").textContent(), /fa-s42: cosine/);
    assert.equal(await page.locator("#figure-cifar-accuracy [data-rule=fa]:visible").count(), 0);
    assert.equal(await page.locator("details.run[open]").count(), 1);
  };
  await check();
  await page.reload();
  await page.waitForSelector("#figure-cifar-accuracy .tools");
  await check();
  await page.getByRole("link", { name: "Words" }).click();
  await page.waitForFunction(() => location.hash.includes("at=words"));
  assert.ok((await page.locator("#words").boundingBox()).y < 450, "links of the page still lead somewhere");
  await check();
  assertQuiet({ ...opened, heard: opened.heard.filter((line) => !line.startsWith("request: ")) });
  await opened.close();
});

test("a run opens from the table, with its numbers epoch by epoch", async () => {
  const opened = await open(browser, file);
  const { page } = opened;
  await page.getByRole("link", { name: "dfa-s123", exact: true }).click();
  const run = page.locator("details.run[open]");
  await run.locator(".tall").waitFor();
  const epochs = log("main/dfa-s123");
  assert.equal(await run.locator(".tall tbody tr").count(), epochs.length);
  const heads = await run.locator(".tall th").allTextContents();
  const cells = await run.locator(".tall tbody tr").nth(60).locator("td").allTextContents();
  assert.equal(cells[heads.indexOf("epoch")], "60");
  assert.equal(cells[heads.indexOf("test accuracy")], epochs[60].test.accuracy.toPrecision(3).slice(1));
  assert.match(await hash(page), /open=dfa-s123/);
  assertQuiet(opened);
  await opened.close();
});
