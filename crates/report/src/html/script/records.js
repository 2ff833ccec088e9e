
// --- Records: what every run is, and its numbers epoch by epoch ---

let records;

async function load() {
  const element = $("#records");
  const text = element.textContent;
  if (element.dataset.packed) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    records = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
  } else records = JSON.parse(text);
  records.runs.forEach((run, index) => {
    // Runs of several studies may share a name; their directories differ.
    const isShared = records.runs.some((other) => other !== run && other.id === run.id);
    Object.assign(run, { index, key: isShared ? run.path : run.id });
  });
}

const runOf = (key) => records.runs.find((run) => run.key === key);
const titleOf = (rule) => records.rules[rule]?.title ?? rule;
const headingOf = (series) => records.series[series]?.heading ?? series.replaceAll("_", " ");

// Units from the bottom up: the embedding, block 0, …. State h_l is what unit l gives; a block owns what is measured at its input.
const unitWord = (unit) => (unit ? String(unit - 1) : "embed");
const unitTitle = (unit) => (unit ? `block ${unit - 1}` : "embed");
const unitOf = (word) => (word === "embed" ? 0 : Number(word) + 1);
const unitAt = (series, index) => index + (records.series[series].at === "block_input");

/** Whether a run is among those that the filters leave. */
function passes({ keys, rule, network, seed }) {
  const fields = Object.entries({ ...keys, rule, network, seed: `${seed}` });
  return fields.every(([name, value]) => !get(name).length || has(name, value));
}
