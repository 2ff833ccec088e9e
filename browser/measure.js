// How fast a page of many runs opens and what it takes: prints, and judges nothing. The runs are the kept ones, copied; pages that are
// named are opened in turns instead, for a comparison.
// usage: CREDITSCOPE_BIN=… CREDITSCOPE_CHROMIUM=… CREDITSCOPE_BROWSER=FOLDER node browser/measure.js [COPIES | PAGE.html…]

import { statSync } from "node:fs";
import { loadavg } from "node:os";
import { pathToFileURL } from "node:url";
import { copies, launch, ready, renderer, report } from "./tools.js";

const TURNS = 7;

/** Opens a page in a browser of its own. */
async function opened(file) {
  const browser = await launch();
  const page = await browser.newPage();
  const started = performance.now();
  await page.goto(pathToFileURL(file).href);
  const found = { loaded: performance.now() - started };
  await ready(page);
  found.read = performance.now() - started;
  [found.memory, found.processor] = await renderer(browser);
  const click = performance.now();
  await page.locator("#bar [data-name=rule]").first().click();
  found.filtered = performance.now() - click;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let top = 0; top < height; top += 800) await page.evaluate((top) => new Promise((drawn) => (scrollTo(0, top), requestAnimationFrame(drawn))), top);
  [found.seen] = await renderer(browser);
  found.runs = await page.locator("#run-table tbody tr").count();
  await browser.close();
  return found;
}

const asked = process.argv.slice(2);
const pages = asked.some((word) => word.endsWith(".html")) ? asked : [];
if (!pages.length) {
  const begun = performance.now();
  pages.push(report("many", copies(Number(asked[0] ?? 5), "docs/results"), "--full"));
  console.log(`made in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}
const found = new Map(pages.map((page) => [page, []]));
for (let turn = 0; turn < TURNS; turn++) for (const page of pages) found.get(page).push(await opened(page));

for (const [page, turns] of found) {
  const part = (name, digits = 0) => {
    const all = turns.map((turn) => turn[name]).sort((a, b) => a - b);
    return `${all[TURNS >> 1].toFixed(digits)} (${all[0].toFixed(digits)})`;
  };
  console.log(`${page}: ${turns[0].runs} runs, ${(statSync(page).size / 1e6).toFixed(2)} MB. Median and (best) of ${TURNS}, load ${loadavg()[0].toFixed(1)}:`);
  console.log(`  loaded after ${part("loaded")} ms, every figure read after ${part("read")} ms, ${part("processor", 2)} s of the renderer's processor time`);
  console.log(`  ${part("memory")} MB in the renderer, ${part("seen")} MB once all was in view; filtered in ${part("filtered")} ms`);
}
