
// --- Records: what every run is, and its numbers epoch by epoch ---

let records = { rules: {}, series: {}, keys: [], runs: [] };
let byKey = new Map();

async function load() {
  const element = $("#records");
  const text = element.textContent;
  if (element.dataset.packed) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    records = await new Response(stream).json();
  } else records = JSON.parse(text);
  const count = new Map();
  for (const { id } of records.runs) count.set(id, (count.get(id) ?? 0) + 1);
  // Runs of several studies may share a name; their directories differ.
  records.runs.forEach((run, index) => Object.assign(run, { index, key: count.get(run.id) > 1 ? run.path : run.id }));
  byKey = new Map(records.runs.map((run) => [run.key, run]));
}

const titleOf = (rule) => records.rules[rule]?.title ?? rule;
const headingOf = (series) => records.series[series]?.heading ?? series.replaceAll("_", " ");

// Units from the bottom up: the embedding, block 0, …. State h_l is what unit l gives; a block owns what is measured at its input.
const unitWord = (unit) => (unit ? String(unit - 1) : "embed");
const unitTitle = (unit) => (unit ? `block ${unit - 1}` : "embed");
const unitOf = (word) => (word === "embed" ? 0 : Number(word) + 1);
const unitAt = (series, index) => index + (records.series[series].at === "block_input");

const fields = (run) => ({ ...run.keys, rule: run.rule, network: run.network, seed: String(run.seed) });

/** Whether a run is among those that the filters leave. */
function passes(run) {
  const of = fields(run);
  return Object.keys(of).every((name) => !get(name).length || has(name, of[name]));
}
