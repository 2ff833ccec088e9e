// Records by strangers: what they call their runs and rules is text, wherever the page shows it.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { assertQuiet, cache, hash, launch, open, report, root } from "./tools.js";

const NAME = `</script><img src=x onerror="alert(1)">'"\`\${alert(2)}&amp;,=#+:% {{x}}`;
let browser, file;

before(async () => {
  browser = await launch();
  const folder = mkdtempSync(path.join(cache, "hostile-"));
  for (const [at, run] of ["bp-s42", "dfa-s42"].entries()) {
    const place = path.join(folder, `run${at}`);
    cpSync(path.join(root, "docs/results/main", run), place, { recursive: true });
    const edit = (name, change) => {
      const record = JSON.parse(readFileSync(path.join(place, name), "utf8"));
      change(record);
      writeFileSync(path.join(place, name), JSON.stringify(record));
    };
    edit("run.json", (record) => {
      record.id = `${NAME} ${at}`;
      record.provenance.machine.cpu = NAME;
      record.network.name = NAME;
      if (at) record.rule = NAME;
    });
    edit("audit.json", (audit) => {
      audit.subject.id = `${NAME} ${at}`;
      if (at) audit.subject.rule = NAME;
    });
    const recipe = path.join(place, "recipe.toml");
    writeFileSync(recipe, `# ${NAME}\n${readFileSync(recipe, "utf8")}`);
  }
  file = report("hostile", folder, "--title", NAME);
});
after(() => browser.close());

test("a hostile name stays text, in the page and in what the script adds", async () => {
  const opened = await open(browser, file);
  const { page } = opened;
  const names = await page.locator("#run-table a").allTextContents();
  assert.deepEqual(names, [`${NAME} 0`, `${NAME} 1`]);
  assert.equal(await page.locator("h1").textContent(), NAME);
  for (const name of names) await page.getByLabel(`Compare ${name}`, { exact: true }).check();
  assert.ok(await page.locator("#compare").isVisible());
  for (const name of names) await page.locator("#run-table").getByText(name, { exact: true }).click();
  await page.locator("details.run .tall").nth(1).waitFor();
  for (const box of await page.locator(".paper").all()) {
    await box.scrollIntoViewIfNeeded();
    await box.hover();
  }
  assert.equal(await page.locator("img, script:not([type]) ~ script").count(), 0);
  const chosen = await hash(page);
  await page.reload();
  await page.waitForSelector("#compare:not([hidden])");
  assert.equal(await hash(page), chosen, "the address holds any name");
  assert.equal(await page.locator("details.run[open]").count(), 2);
  assertQuiet({ ...opened, heard: opened.heard.filter((line) => !line.startsWith("request: file:")) });
  await opened.close();
});

test("a broken address does no harm", async () => {
  for (const broken of ["#rule=%zz", "#%", "#=&=&==", "#heat=:::&compare=a,b&epoch=x&layer=y&sort=constructor", "#__proto__=1&seed=__proto__"]) {
    const opened = await open(browser, file, { hash: broken });
    assert.ok(await opened.page.locator("#verdicts").isVisible());
    assertQuiet({ ...opened, heard: opened.heard.filter((line) => !line.startsWith("request: file:")) });
    await opened.close();
  }
});
