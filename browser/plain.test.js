// Without script, in the dark, on paper, on a phone, for those who do not see it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, launch, log, open, report } from "./tools.js";

let browser, file;
before(async () => {
  browser = await launch();
  file = report("main", "docs/results/main");
});
after(() => browser.close());

const words = (locator) => locator.evaluateAll((tables) => tables.map((table) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))));

test("without script there are the same verdicts, final values and tables", async () => {
  const [plain, full] = [await open(browser, file, { javaScriptEnabled: false }), await open(browser, file)];
  for (const tables of ["#verdicts table", "#runs table"]) assert.deepEqual(await words(plain.page.locator(tables)), await words(full.page.locator(tables)));
  const { page } = plain;
  assert.match(await page.locator("#verdicts").innerText(), /dfa fails D1, D2 and D3/);
  assert.ok(await page.locator("#bar").isHidden());
  assert.equal(await page.getByRole("button").count(), 0);
  await page.locator("summary", { hasText: "bp-s42" }).click();
  const run = page.locator("details.run[open]");
  assert.match(await run.innerText(), new RegExp(`test accuracy\\s+\\${log("main/bp-s42").at(-1).test.accuracy.toFixed(3).slice(1)}`));
  assert.ok(await run.locator("svg").isVisible());
  assertQuiet(plain);
  await plain.close();
  await full.close();
});

/** Text that has less contrast with what is behind it than 4.5 to 1, as WCAG computes it. */
function pale() {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/, 0\)$/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const texts = [...document.querySelectorAll("body *:not(svg *, script, style)")].filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) && element.checkVisibility());
  const found = texts.map((element) => {
    const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), element.outerHTML.slice(0, 90)];
  });
  return { read: found.length, pale: found.filter(([contrast]) => contrast < 4.5) };
}

for (const colorScheme of ["light", "dark"]) {
  test(`all text can be read, ${colorScheme}; figures stay on paper`, async () => {
    const opened = await open(browser, file, { colorScheme, hash: "#rule=dfa&compare=dfa-s42,bp-s42&open=dfa-s42&sort=accuracy" });
    const { page } = opened;
    const result = await page.evaluate(pale);
    assert.ok(result.read > 300);
    assert.deepEqual(result.pale, []);
    const colour = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).backgroundColor);
    assert.equal(await colour(".paper"), "rgb(255, 255, 255)");
    const [r] = (await colour("body")).match(/\d+/g);
    assert.equal(r < 60, colorScheme === "dark");
    assertQuiet(opened);
    await opened.close();
  });
}

test("on paper every run is open, and nothing that only a screen can do is printed", async () => {
  const opened = await open(browser, file);
  const { page } = opened;
  const pdf = await page.pdf({ format: "A4" });
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  assert.ok(pdf.length > 100_000);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("details.run > table:visible").count(), 18);
  assert.equal(await page.locator("#bar:visible, .tools:visible, nav:visible, button:not(th button):visible").count(), 0);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  assertQuiet(opened);
  await opened.close();
});

test("a phone scrolls tables, not the page", async () => {
  const opened = await open(browser, file, { viewport: { width: 360, height: 740 }, hash: "#open=dfa-s42&compare=dfa-s42,bp-s42" });
  const { page } = opened;
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  assert.ok(await page.locator("#bar > div").isHidden());
  await page.locator("#bar > summary").click();
  assert.ok(await page.locator("#bar > div").isVisible());
  const cell = page.locator("#run-table tbody td").first();
  const before = (await cell.boundingBox()).x;
  await page.locator("#runs > .scroll").evaluate((part) => (part.scrollLeft = 200));
  assert.equal((await cell.boundingBox()).x, before, "the name of a run stays in view");
  assertQuiet(opened);
  await opened.close();
});

test("everything has a name, and the keyboard reaches it", async () => {
  const opened = await open(browser, file, { hash: "#compare=dfa-s42,bp-s42&open=dfa-s42" });
  const { page } = opened;
  const unnamed = await page.locator("button, select, input, [role=application], [role=group], a, summary").evaluateAll((parts) =>
    parts.filter((part) => !(part.getAttribute("aria-label") || part.textContent.trim() || part.closest("label")?.textContent.trim())).map((part) => part.outerHTML));
  assert.deepEqual(unnamed, []);
  assert.equal(await page.locator("svg[role=img]:not(:has(> title))").count(), 0);
  const kinds = new Set();
  for (let i = 0; i < 140; i++) {
    await page.keyboard.press("Tab");
    kinds.add(await page.evaluate(() => document.activeElement.getAttribute("role") ?? document.activeElement.localName));
  }
  for (const kind of ["a", "button", "select", "input", "application", "summary"]) assert.ok(kinds.has(kind), `${kind} of ${[...kinds]}`);
  assertQuiet(opened);
  await opened.close();
});
