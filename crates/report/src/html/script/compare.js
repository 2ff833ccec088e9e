
// --- Two runs side by side ---

/** One number per epoch of both runs, with the attributes of our figures. */
function curves(runs, name) {
  const [left, top, right, bottom] = [58, 10, 618, 190];
  const of = (run) => run.epochs.map((epoch, at) => [epoch, run.scalars[name]?.[at]]).filter(([, y]) => typeof y === "number");
  const lines = runs.map(of);
  const [[x0, x1], [low, high]] = [0, 1].map((part) => ends(lines.flat().map((point) => point[part])));
  const log = low > 0 && high / low > 100;
  const [division, gap] = log ? ["log", 1.2] : ["linear", (high - low) / 20 || 1];
  const [y0, y1] = log ? [low / gap, high * gap] : [low - gap, high + gap];
  const [x, y] = [axisOf("linear", x0, x1, left, right), axisOf(division, y0, y1, bottom, top)];
  const axes = { x: "epoch", "x-scale": "linear", "x-low": x0, "x-high": x1, "y-scale": division, "y-low": y0, "y-high": y1, kind: "axes" };
  const told = (data) => Object.fromEntries(Object.entries({ ...data, panel: headingOf(name) }).map(([key, value]) => [`data-${key}`, value]));
  const line = (points, at) => {
    const { rule, key } = runs[at];
    const d = points.map(([epoch, value]) => `${x.place(epoch).toFixed(2)} ${y.place(value).toFixed(2)}`).join("L");
    return path(`M${d}`, { ...LINE, ...told({ kind: "line", series: name, rule, modifiers: key }), stroke: records.rules[rule].colour, "stroke-width": 1.4, "stroke-dasharray": at ? "5 2" : null });
  };
  return figureOf(name, headingOf(name), right + 12, bottom + 32,
    ...ticks(y0, y1, log).flatMap((tick) => [path(`M${left} ${y.place(tick)}H${right}`, { ...LINE, stroke: "#ddd" }), label(left - 6, y.place(tick) + 3, digits(tick, 2), "end")]),
    path(`M${left} ${top}L${right} ${top}L${right} ${bottom}L${left} ${bottom}Z`, { ...LINE, ...told(axes) }),
    ...lines.map(line), ...ticks(x0, x1).map((tick) => label(x.place(tick), bottom + 13, tick)), label((left + right) / 2, bottom + 27, "Epoch"));
}

function showCompare() {
  const runs = get("compare").map((key) => byKey.get(key)).filter(Boolean);
  const section = $("#compare");
  section.hidden = runs.length < 2;
  if (runs.length < 2) return;
  const names = [...new Set(runs.flatMap(({ scalars, layers }) => Object.keys({ ...scalars, ...layers })))];
  const name = [...get("show"), "test_accuracy", ...names].find((name) => names.includes(name));
  redraw(section, `${get("compare")} ${name}`, () => {
    const cells = (row) => [...row.cells].map((cell) => cell.textContent.trim());
    const facts = runs.map(({ index }) => new Map($$(`#run-${index} table:not(:has(thead)) tr`).map(cells)));
    const all = [...new Set(facts.flatMap((of) => [...of.keys()]))];
    const rows = [["verdict", ...runs.map((run) => run.verdict)], ...all.map((fact) => [fact, ...facts.map((of) => of.get(fact) ?? "–")])];
    const alike = rows.filter(([, a, b]) => a === b).map(([fact, value]) => `${fact} ${value}`);
    const swap = (at) => (key) => choose("compare", runs.map((run, place) => (place === at ? key : run.key)));
    const pick = (run, at) => choice(`run ${at + 1}`, records.runs.map(({ key }) => [key, key]), run.key, swap(at));
    const table = grid(["", ...runs.map(({ key }) => key)], rows.filter(([, a, b]) => a !== b));
    const layered = runs.filter((run) => run.layers?.[name]);
    const scale = layered.length && scaleOf(name, valuesOf(layered, name));
    const row = make("div", { class: "row" }, ...runs.map(pick), choice("quantity", names.map((of) => [of, headingOf(of)]), name, (of) => choose("show", [of])), button("Close", () => choose("compare", [])));
    const figures = scale ? layered.map((run) => heat(run, name, scale)) : name ? [[curves(runs, name)]] : [];
    return [row, table, make("p", { class: "notes" }, alike.length ? `Alike: ${alike.join(", ")}.` : ""), ...figures];
  });
}
