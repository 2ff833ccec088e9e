
// --- Records: what every run is, and its numbers epoch by epoch ---

let records;

async function unpack(line) {
  const bytes = Uint8Array.from(atob(line), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).json();
}

async function load() {
  const [about, ...courses] = $("#records").textContent.split("\n");
  records = await unpack(about);
  records.runs.forEach((run, index) => Object.assign(run, { index, course: courses[index], scalars: {}, layers: {} }));
}

/** A run with its numbers, which are unpacked when it is first looked at; a very large page has none. */
async function withCourse(run) {
  if (!run.course) return;
  const { steps, scalars, layers } = await unpack(run.course);
  let epoch = 0;
  const epochs = steps.map((step) => (epoch += step));
  // What has a name in many runs has it once on the page.
  const named = (names, parts) => Object.fromEntries(parts.map(([at, part]) => [names[at], part]));
  Object.assign(run, { course: null, epochs, scalars: named(records.scalars, scalars), layers: named(records.names, layers) });
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
