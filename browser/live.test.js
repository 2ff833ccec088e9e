// Pages of a server, which ask it for news, and pages that read themselves again.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { hash, launch, open, report, visibleRuns } from "./tools.js";

let browser, html;
before(async () => {
  browser = await launch();
  html = readFileSync(report("main", "docs/results/main"), "utf8");
});
after(() => browser.close());

/** A server as `serve` is one: the page, and its state. */
async function serve(state) {
  const page = () => html.replace("<body", `<body data-live="true" data-revision="${state.revision}"`).replace("default-src 'none'", "default-src 'none'; connect-src 'self'").replace("<h1>", `<h1>${state.revision}: `);
  const server = createServer((request, response) => {
    const isState = request.url === "/token/state";
    response.writeHead(200, { "content-type": isState ? "application/json" : "text/html; charset=utf-8", "cache-control": "no-store" });
    response.end(isState ? JSON.stringify(state) : page());
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { server, url: `http://127.0.0.1:${server.address().port}/token/` };
}

const stop = (server) => new Promise((done) => { server.closeAllConnections(); server.close(done); });

test("news appear, a new page takes the place of the old one, and nothing chosen is lost", async () => {
  const state = { revision: "one", live: "<p>epoch <b>3</b> of 9</p>", ended: false };
  const { server, url } = await serve(state);
  const { page, close, heard } = await open(browser, url, { hash: "#rule=dfa&sort=-accuracy&epoch=12" });
  await page.getByText("epoch 3 of 9").waitFor();
  await page.getByRole("link", { name: "dfa-s123", exact: true }).click();
  await page.locator("#figure-verdicts details summary").click();
  await page.evaluate(() => document.querySelector("#runs").scrollIntoView());
  const field = page.locator("#bar input");
  await field.focus();
  const place = () => page.locator("#run-table").evaluate((table) => table.getBoundingClientRect().top);
  const [top, runs] = [await place(), await visibleRuns(page)];
  Object.assign(state, { revision: "two", live: "<p>epoch <b>4</b> of 9</p>" });
  await page.getByText("epoch 4 of 9").waitFor();
  await page.locator("h1", { hasText: "two" }).waitFor();
  await page.waitForSelector("#figure-cifar-accuracy .tools");
  assert.deepEqual(await visibleRuns(page), runs);
  assert.match(await hash(page), /rule=dfa&sort=-accuracy&epoch=12/);
  assert.ok(Math.abs((await place()) - top) < 3, "no jump");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.keep), "epoch", "the focus stays");
  assert.equal(await page.locator("#figure-verdicts details[open], details.run[open]").count(), 2, "what was open is open");
  assert.deepEqual(heard.filter((line) => !line.startsWith("request: ")), []);
  assert.ok(heard.every((line) => line.startsWith(`request: ${url}`)), "it asks its own server alone");
  await close();
  await stop(server);
});

test("a server that is gone is said to be gone", async () => {
  const { server, url } = await serve({ revision: "one", live: "<p>epoch 3</p>", ended: true });
  const { page, close } = await open(browser, url);
  await page.getByText("epoch 3").waitFor();
  await stop(server);
  await page.getByText(/^The server does not answer since \d\d:\d\d:\d\d\. What is below is what was known then\.$/).waitFor({ timeout: 15000 });
  assert.ok(await page.getByText("epoch 3").isVisible());
  assert.equal(await page.locator("#silent").count(), 1);
  await close();
});

test("a page that reads itself again comes back as it was", async () => {
  const file = report("refreshed", "docs/results/main");
  writeFileSync(file, html.replace("<body", "<body data-refresh=\"2\""));
  const { page, close } = await open(browser, file);
  await page.locator("#bar").getByRole("button", { name: "DFA", exact: true }).click();
  await page.getByRole("link", { name: "dfa-s42", exact: true }).click();
  await page.evaluate(() => (globalThis.isOld = true));
  await page.waitForFunction(() => !globalThis.isOld && document.querySelector("details.run[open]"), null, { timeout: 10000 });
  assert.equal((await visibleRuns(page)).length, 6);
  assert.match(await hash(page), /rule=dfa/);
  await close();
});
