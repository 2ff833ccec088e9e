
// --- Start ---

/** Shows what is chosen, everywhere. */
async function show() {
  showRuns();
  $$("figure").forEach(paint);
  await Promise.all([showHeat(), showCompare()]);
}

/** Reads the page: once, and again when a server has sent a new one. */
async function begin() {
  await load();
  document.documentElement.classList.remove("no-script");
  for (const chip of $$("#bar [data-word]")) chip.onclick = () => toggle(chip.dataset.name, chip.dataset.word);
  for (const field of $$("#bar [data-keep]")) field.oninput = () => choose(field.dataset.keep, field.value ? [field.value] : []);
  $("#reset").onclick = () => ((state = new Map()), choose("at", []));
  dressRuns();
  $$("main .scroll > table").filter((table) => !table.closest("details")).forEach(addCopy);
  for (const figure of $$("#figures figure")) setTimeout(wake, 0, figure);
}

begin().then(() => {
  $("#bar").open = innerWidth > 700;
  restore();
  const { live, refresh } = document.body.dataset;
  if (live) poll();
  // Other than the browser's own, this keeps the address and the place.
  if (refresh) setTimeout(() => location.reload(), refresh * 1000);
}, () => $("header").append("This browser cannot unpack the records."));
addEventListener("hashchange", restore);
