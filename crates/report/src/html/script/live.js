
// --- Pages of a running server: asked for news, and swapped when records have changed ---

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

const topOf = (part) => part?.getBoundingClientRect().top;

async function poll(silent, pause = 1000) {
  const live = $("#live");
  live.hidden = false;
  try {
    const news = await (await fetch("state")).json();
    live.replaceChildren(...parsed(news.live).body.childNodes);
    if (news.revision !== document.body.dataset.revision) await swap(news.revision);
    setTimeout(poll, news.ended ? 5000 : 1000);
  } catch {
    const since = silent ?? new Date().toTimeString().slice(0, 8);
    $("#silent")?.remove();
    live.prepend(make("p", { id: "silent", role: "alert" }, `The server does not answer since ${since}. What is below is what was known then.`));
    setTimeout(poll, pause, since, Math.min(5000, pause * 1.5));
  }
}

/** What a reader may have opened or be at, so that it is found again on the new page. */
const trace = (part) => part.id || [part.dataset.keep, part.closest("[id]")?.id, part.textContent.slice(0, 20)].join();

/** Takes over the new page. What is chosen, open, focused and in view stays. */
async function swap(revision) {
  const page = parsed(await (await fetch("./")).text());
  // What begins nearest to the top stays there; parts that were never in view guess their height.
  const parts = $$("main section[id], main figure[id]").filter((part) => part.clientHeight);
  const [near] = parts.sort((a, b) => Math.abs(topOf(a)) - Math.abs(topOf(b)));
  const top = topOf(near);
  const focus = trace(document.activeElement);
  const open = $$("details[open]").map(trace);
  for (const part of [".glyphs", "header", "#bar", "main", "footer", "#records"]) $(part)?.replaceWith($(part, page) ?? "");
  document.body.dataset.revision = revision;
  document.title = page.title;
  for (const details of $$("details")) details.open ||= open.includes(trace(details));
  await begin();
  await show();
  $$("#figures figure").forEach((figure) => wake(figure));
  scrollBy(0, topOf(document.getElementById(near?.id)) - top || 0);
  $$("a, button, select, input, summary, [tabindex]").find((part) => trace(part) === focus)?.focus({ preventScroll: true });
}
