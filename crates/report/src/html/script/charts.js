
// --- Heat maps: layer by layer, epoch by epoch ---

const rect = (x, y, width, height) => `M${x} ${y}h${width}v${height}h${-width}z`;
const label = (x, y, words, anchor = "middle") => draw("text", { x, y, "text-anchor": anchor }, words >= 1e5 ? digits(words) : words);
const ends = (values) => values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
const LINE = { fill: "none", stroke: "#1a1a1a", "stroke-width": 0.7 };

/** Round values between two, each decade where the axis is logarithmic. */
function ticks(low, high, log) {
  const [from, to] = log ? [Math.log10(low), Math.log10(high)] : [low, high];
  const power = 10 ** Math.floor(Math.log10((to - from) / 6));
  const step = Math.max(log ? 1 : 0, [1, 2, 5, 10].map((k) => k * power).find((step) => step >= (to - from) / 6));
  const all = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((at) => +((Math.ceil(from / step - 1e-9) + at) * step).toPrecision(9));
  return all.filter((at) => at <= to + step / 1e6).map((at) => (log ? 10 ** at : at));
}

/** A figure over epochs, and what the cursor, the keyboard and the clipboard find in it. */
function figureOf(name, caption, panel, epochs, height, ...parts) {
  const { left, right, top, bottom } = panel.area;
  const width = right + 12;
  for (const point of panel.points) point.words = `epoch ${point.epoch}`;
  panel.points.sort(across);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, "font-size": 9 },
    path(rect(0, 0, width, height), { fill: "#fff" }), ...parts, path(rect(left, top, right - left, bottom - top), LINE),
    ...ticks(...epochs).map((epoch) => label(panel.x.place(epoch), bottom + 13, epoch)), label((left + right) / 2, bottom + 28, "Epoch"));
  const figure = make("figure", { class: "picture", "data-name": name }, make("figcaption", {}, caption), make("div", { class: "paper" }, svg));
  return [figure, { panels: [panel], marks: [] }];
}

/** What colours stand for: cosines go from −1 to 1, others from the least to the greatest value. */
function scaleOf(series, values) {
  const log = records.series[series].scale === "log";
  let [low, high] = ends(values.filter((value) => isNumber(value) && (!log || value > 0)));
  if (low > high) [low, high] = [0.1, 1];
  const signed = !log && (low < 0 || high <= 1.001);
  if (signed) [low, high] = [-Math.max(1, high, -low), Math.max(1, high, -low)];
  if (low === high) high += Math.abs(low) || 1;
  const ramp = records.ramp[signed ? "linear" : "log"];
  const { place } = axisOf(log ? "log" : "linear", low, high, 0, 1);
  return { log, low, high, ramp, place, colour: (value) => ramp[Math.round(place(value) * (ramp.length - 1))] };
}

// Cells that hold no value to rely on.
const DOUBTS = { u: "unreliable", x: "undefined", o: "off the scale" };
const hatch = (doubt) => `url(#hatch-${doubt})`;

/** A run's series layer by layer and epoch by epoch, with its values for the cursor and the keyboard. */
function heat(run, series, scale) {
  const { values, doubt } = run.layers[series];
  const at = records.series[series].places.slice(0, values.length);
  const [left, top, wide, high] = [58, 8, 560, 24];
  const bottom = top + high * at.length;
  const cell = wide / run.epochs.length;
  const panel = { name: headingOf(series), says: "epoch", area: { left, right: left + wide, top, bottom }, points: [] };
  // Epochs need not be evenly spaced; cells are.
  panel.x = { place: (epoch) => (run.epochs.includes(+epoch) ? left + (run.epochs.indexOf(+epoch) + 0.5) * cell : -99) };
  const edge = (index) => +(left + index * cell).toFixed(2);
  const paths = new Map();
  values.forEach((course, layer) => course.forEach((value, index) => {
    const beyond = typeof value === "string" || (scale.log && value <= 0) ? "o" : doubt?.[layer][index];
    const mark = value == null ? "x" : beyond;
    const colour = "xo".includes(mark) ? "#fff" : scale.colour(value);
    const [x, end, y] = [edge(index), edge(index + 1), bottom - (layer + 1) * high];
    for (const fill of DOUBTS[mark] ? [colour, hatch(mark)] : [colour])
      paths.set(fill, (paths.get(fill) ?? "") + rect(x, y, (end - x).toFixed(2), high));
    const where = { x: x + cell / 2, y: y + high / 2, epoch: run.epochs[index], unit: unitAt(series, layer) };
    panel.points.push({ ...where, value: list(value != null && digits(value), DOUBTS[mark]), mark: { panel, colour, series: at[layer], data: {} } });
  }));
  const foot = bottom + 44;
  const bar = axisOf(scale.log ? "log" : "linear", scale.low, scale.high, left, left + 220);
  const swatch = (doubt, at) => {
    const x = left + 270 + at * 100;
    return [path(rect(x, foot, 14, 12), { ...LINE, fill: hatch(doubt) }), label(x + 19, foot + 9.5, DOUBTS[doubt], "start")];
  };
  const step = 220 / scale.ramp.length;
  return figureOf(`${run.id}-${series}`, `${run.key}: ${headingOf(series)}`, panel, [0, run.epochs.at(-1)], foot + 32,
    // In this order, hatches lie on colours.
    ...[...paths].sort().map(([fill, d]) => path(d, { fill, "shape-rendering": "crispEdges" })),
    ...at.map((words, layer) => label(left - 6, bottom - (layer + 0.5) * high + 3, words, "end")),
    ...scale.ramp.map((fill, at) => path(rect(left + at * step, foot, step + 0.3, 12), { fill })),
    ...ticks(scale.low, scale.high, scale.log).map((tick) => label(bar.place(tick), foot + 23, tick)),
    ...Object.keys(DOUBTS).flatMap(swatch));
}

const valuesOf = (runs, series) => runs.flatMap((run) => run.layers[series].values.flat());

/** Draws the inside of a section again if what it shows has changed. Figures come with what is to be read from them. */
async function redraw(section, what, runs, parts) {
  section.hidden = !runs.length;
  if (section.hidden || section.dataset.shown === what) return;
  section.dataset.shown = what;
  await Promise.all(runs.map(withCourse));
  // Something else may have been chosen meanwhile.
  if (section.dataset.shown !== what) return;
  const made = parts();
  $("div", section).replaceChildren(...made.map((part) => part[0] ?? part));
  for (const part of made) if (part[0]) wake(...part);
  $$(".scroll > table", section).forEach(addCopy);
}

async function showHeat() {
  const able = records.runs.filter((run) => run.layered);
  const run = able.find(({ key }) => key === get("heat")[0]) ?? able.find((run) => !run.frozen && run.rule !== "bp") ?? able[0];
  await redraw($("#layers"), list(...get("heat")), run ? [run] : [], () => {
    const names = Object.keys(run.layers);
    const series = [get("heat")[1], "cosine", ...names].find((name) => names.includes(name));
    const runs = choice("run", able.map(({ key }) => key), run.key, (key) => choose("heat", [key, series]));
    const all = choice("series", names.map((name) => [name, headingOf(name)]), series, (name) => choose("heat", [run.key, name]));
    const about = make("p", { class: "notes" }, records.series[series].meaning);
    return [make("div", { class: "row" }, runs, all), about, heat(run, series, scaleOf(series, valuesOf([run], series)))];
  });
}
