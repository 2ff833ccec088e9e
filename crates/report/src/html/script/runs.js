
// --- Runs: filters, order, and what opens beneath ---

/** Adds what needs a script to the table of runs and to each run. */
function dressRuns() {
  for (const head of $$("#run-table th")) {
    const word = head.textContent;
    head.replaceChildren(button(word, () => choose("sort", [has("sort", word) ? `-${word}` : word]), ""));
  }
  for (const row of $$("#run-table tbody tr")) {
    const { key, id } = records.runs[row.dataset.run];
    const change = () => {
      choose("compare", get("compare").slice(has("compare", key) ? -2 : -1));
      toggle("compare", key);
      if (get("compare")[1]) go("compare");
    };
    row.cells[0].prepend(make("input", { type: "checkbox", "aria-label": `Compare ${id}`, "data-keep": key, change }));
  }
  for (const details of $$("details.run")) details.ontoggle = () => opened(details);
}

function showRuns() {
  const sort = get("sort")[0] ?? "";
  const step = sort[0] === "-" ? -1 : 1;
  const heads = $$("#run-table th");
  const column = heads.findIndex((head) => head.textContent === sort.replace(/^-/, ""));
  heads.forEach((head, at) => dress(head, { "aria-sort": at !== column ? "none" : step < 0 ? "descending" : "ascending" }));
  const words = (row) => row.cells[column]?.textContent.trim() ?? "";
  const keyed = $$("#run-table tbody tr").map((row) => [parseFloat(words(row).replace("inf", "Infinity")), words(row), +row.dataset.run, row]);
  // What is no number comes last.
  keyed.sort(([a, s, i], [b, t, j]) => isNaN(a) - isNaN(b) || step * (isNaN(a) ? s.localeCompare(t) : a - b) || i - j);
  $("#run-table tbody")?.append(...keyed.map((row) => row[3]));
  const left = records.runs.map(passes);
  for (const part of $$("[data-run]")) part.hidden = !left[part.dataset.run];
  for (const box of $$("#run-table input")) box.checked = has("compare", box.dataset.keep);
  for (const details of $$("details.run")) details.open = has("open", records.runs[details.dataset.run].key);
  for (const chip of $$("#bar [data-word]")) dress(chip, { "aria-pressed": `${has(chip.dataset.name, chip.dataset.word)}` });
  for (const field of $$("#bar [data-keep]")) field.value = get(field.dataset.keep)[0] ?? "";
  const count = left.filter(Boolean).length;
  $("#count").textContent = count < left.length ? `${count} of ${left.length} runs` : "";
}

/** Epoch by epoch, once a run is opened. */
async function opened(details) {
  const run = records.runs[details.dataset.run];
  if (details.open !== has("open", run.key)) toggle("open", run.key);
  if (!details.open) return;
  await withCourse(run);
  if ($("button", details)) return;
  const layers = button("Layer by layer", () => (choose("heat", [run.key, ...get("heat").slice(1)]), go("layers")));
  $("summary", details).after(run.layered ? layers : "");
  const names = Object.keys(run.scalars);
  const row = (epoch, at) => [epoch, ...names.map((name) => digits(run.scalars[name][at]))];
  if (names.length) details.append(grid(["epoch", ...names.map(headingOf)], run.epochs.map(row), "tall"));
  $$(".scroll > table", details).forEach(addCopy);
}

function grid(heading, rows, type = "") {
  const row = (tag) => (words) => make("tr", {}, ...words.map((word) => make(tag, {}, word)));
  const [head, body] = [make("thead", {}, row("th")(heading)), make("tbody", {}, ...rows.map(row("td")))];
  return make("div", { class: `scroll ${type}` }, make("table", { class: "grid numbers" }, head, body));
}

const cells = (row) => [...row.cells].map((cell) => cell.textContent.trim());

function addCopy(table) {
  const rows = () => $$("tr:not([hidden])", table).map(cells);
  if (table.tHead) table.parentElement.after(button("Copy CSV", () => copy(rows()), "quiet copy"));
}
