// Makes the pictures of docs/report.md again, from the kept records.
// usage: CREDITSCOPE_BIN=… CREDITSCOPE_CHROMIUM=… CREDITSCOPE_BROWSER=FOLDER node browser/screenshots.js

import path from "node:path";
import { launch, open, placeOf, report, root } from "./tools.js";

const browser = await launch();
const file = report("main", "docs/results/main", "--title", "CIFAR-10, ResMLP: backpropagation, FA and DFA");

async function picture(name, height, hash, colorScheme, arrange) {
  const { page, close } = await open(browser, file, { hash, colorScheme, viewport: { width: 940, height } });
  await arrange(page);
  await page.screenshot({ path: path.join(root, "docs/report", name) });
  await close();
}

/** Puts the top of an element a little below that of the window. */
const show = (page, selector, below) =>
  page.evaluate(([selector, below]) => scrollTo(0, document.querySelector(selector).getBoundingClientRect().top + scrollY - below), [selector, below]);

await picture("figures.png", 700, "#epoch=40&layer=1", "light", async (page) => {
  const at = await placeOf(page, "#figure-cifar-accuracy", "test", 70, 0.39);
  await show(page, "#figure-cifar-accuracy", 120);
  const frame = await page.locator('#figure-cifar-accuracy [data-kind=axes][data-panel="test"]').boundingBox();
  await page.mouse.move(at.x, frame.y + 0.35 * frame.height);
});

await picture("layers.png", 640, "#rule=dfa,bp&compare=dfa-s42,bp-s42&heat=dfa-s42:update_cosine&epoch=40", "dark", async (page) => {
  await show(page, "#layers", 120);
  const map = await page.locator("#layers .paper").boundingBox();
  await page.mouse.move(map.x + 0.62 * map.width, map.y + 0.3 * map.height);
});

await browser.close();
