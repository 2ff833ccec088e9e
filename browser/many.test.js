// A thousand runs: what is out of view costs little, and is there all the same.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, copies, launch, log, open, renderer, report } from "./tools.js";

let browser, file;
before(async () => {
  browser = await launch();
  file = report("thousand", copies(56, "docs/results/main"), "--full");
});
after(() => browser.close());

/** Whether parts are laid out and drawn. */
const drawn = (page, selector) =>
  page.locator(selector).evaluateAll((parts) => parts.map((part) => part.checkVisibility({ contentVisibilityAuto: true })));

test("a page of a thousand runs opens in 250 MB, and draws what is in view", async () => {
  const opened = await open(browser, file);
  const { page } = opened;
  const [memory] = await renderer(browser);
  assert.ok(memory < 250, `${memory} MB`);
  assert.equal(await page.locator("#run-table tbody tr").count(), 56 * 18);
  const parts = ["#verdicts .sweep > *", "#figures .paper > svg", "#run-table"];
  for (const part of parts) assert.equal((await drawn(page, part)).at(-1), false, `${part} is far away`);
  for (const part of parts) {
    await page.locator(part).last().scrollIntoViewIfNeeded();
    await page.waitForFunction((part) => [...document.querySelectorAll(part)].at(-1).checkVisibility({ contentVisibilityAuto: true }), part);
  }
  await page.evaluate(() => scrollTo(0, 0));
  assert.ok(await page.evaluate(() => find("/copy55")), "what is out of view is found");
  assertQuiet(opened);
  await opened.close();
});

test("a run is unpacked when it is looked at", async () => {
  const opened = await open(browser, file, { before: () => {
    const Stream = DecompressionStream;
    globalThis.unpacked = 0;
    globalThis.DecompressionStream = function (format) {
      unpacked++;
      return new Stream(format);
    };
  } });
  const { page } = opened;
  const unpacked = () => page.evaluate(() => globalThis.unpacked);
  assert.equal(await unpacked(), 2, "what all share, and the run of the heat map");
  await page.locator("#run-table a").nth(700).click();
  const run = page.locator("details.run[open]");
  await run.locator(".tall").waitFor();
  assert.equal(await unpacked(), 3);
  const name = (await run.locator("summary").textContent()).split(" ")[0];
  assert.equal(await run.locator(".tall tbody tr").count(), log(`main/${name}`).length);
  assert.ok((await run.locator("table").count()) > 3, "its tables layer by layer");
  await run.locator("summary").click();
  await page.locator("#run-table a").nth(700).click();
  await run.locator(".tall").waitFor();
  assert.equal(await unpacked(), 3, "and not again");
  assertQuiet(opened);
  await opened.close();
});

test("on paper there is all of it", async () => {
  const opened = await open(browser, file);
  const { page } = opened;
  await page.emulateMedia({ media: "print" });
  for (const parts of ["#verdicts table", "#figures .paper > svg", "#run-table", "details.run > table"]) {
    const all = await drawn(page, parts);
    assert.ok(all.length && all.every(Boolean), `${parts}: ${all.filter((one) => !one).length} of ${all.length} are not drawn`);
  }
  await opened.close();
});
