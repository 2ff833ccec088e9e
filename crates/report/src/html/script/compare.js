
// --- Two runs side by side ---

/** One number per epoch of both runs. */
function curves(runs, name) {
  const [left, top, right, bottom] = [58, 10, 618, 190];
  const lines = runs.map(({ epochs, scalars }) => epochs.map((epoch, at) => ({ epoch, value: scalars[name]?.[at] })).filter(({ value }) => isNumber(value)));
  const [[x0, x1], [low, high]] = ["epoch", "value"].map((part) => ends(lines.flat().map((point) => point[part])));
  const log = low > 0 && high / low > 100;
  const gap = (high - low) / 20 || 1;
  const [y0, y1] = log ? [low / 1.2, high * 1.2] : [low - gap, high + gap];
  const [x, y] = [axisOf("linear", x0, x1, left, right), axisOf(log ? "log" : "linear", y0, y1, bottom, top)];
  const panel = { name: headingOf(name), says: "epoch", area: { left, top, right, bottom }, x, points: [] };
  const line = (points, at) => {
    const mark = { panel, colour: records.rules[runs[at].rule].colour, series: runs[at].key, data: {} };
    const placed = points.map(({ epoch, value }) => ({ x: x.place(epoch), y: y.place(value), epoch, value, mark }));
    panel.points.push(...placed);
    const d = `M${placed.map((point) => `${point.x.toFixed(2)} ${point.y.toFixed(2)}`).join("L")}`;
    return path(d, { ...LINE, stroke: mark.colour, "stroke-width": 1.4, "stroke-dasharray": at ? "5 2" : null });
  };
  const height = (tick) => [path(`M${left} ${y.place(tick)}H${right}`, { ...LINE, stroke: "#ddd" }), label(left - 6, y.place(tick) + 3, tick, "end")];
  const paths = lines.map(line);
  return figureOf(name, `${headingOf(name)}: ${runs[0].key}, and dashed ${runs[1].key}`, panel, [x0, x1], bottom + 34, ...ticks(y0, y1, log).flatMap(height), ...paths);
}

async function showCompare() {
  const runs = get("compare").map(runOf).filter(Boolean);
  await redraw($("#compare"), list(...get("compare"), ...get("show")), runs[1] ? runs : [], () => {
    const names = [...new Set(runs.flatMap(({ scalars, layers }) => Object.keys({ ...scalars, ...layers })))];
    const name = [...get("show"), "test_accuracy", ...names].find((name) => names.includes(name));
    const facts = runs.map(({ index }) => new Map($$(`#run-${index} > table tr`).map(cells)));
    const all = [...new Set(facts.flatMap((of) => [...of.keys()]))];
    const rows = [["verdict", ...runs.map((run) => run.verdict)], ...all.map((fact) => [fact, ...facts.map((of) => of.get(fact) ?? "–")])];
    const alike = rows.filter(([, a, b]) => a === b).map(([fact, value]) => `${fact} ${value}`);
    const swap = (at) => (key) => choose("compare", runs.map((run, place) => (place === at ? key : run.key)));
    const pick = (run, at) => choice(`run ${at + 1}`, records.runs.map(({ key }) => key), run.key, swap(at));
    const table = grid(["", ...runs.map(({ key }) => key)], rows.filter(([, a, b]) => a !== b));
    const layered = runs.filter((run) => run.layers[name]);
    const scale = layered.length && scaleOf(name, valuesOf(layered, name));
    const row = make("div", { class: "row" }, ...runs.map(pick), choice("quantity", names.map((of) => [of, headingOf(of)]), name, (of) => choose("show", [of])), button("Close", () => choose("compare", [])));
    const figures = scale ? layered.map((run) => heat(run, name, scale)) : name ? [curves(runs, name)] : [];
    return [row, table, make("p", { class: "notes" }, `Alike: ${alike.join(", ")}.`), ...figures];
  });
}
