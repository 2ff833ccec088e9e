
// --- Marks: what figures show, read from their data- attributes ---

const numbers = (d) => d.match(/-?[\d.]+/g).map(Number);

/** The smallest box around a mark; markers share outlines around their centres. */
function boxOf(mark) {
  const outline = mark.localName === "use" ? $(mark.getAttribute("href")) : mark;
  const all = numbers(outline.getAttribute("d"));
  const along = (side, odd) => all.filter((_, at) => at % 2 === odd).map((place) => place + +mark.getAttribute(side));
  const [xs, ys] = ["x", "y"].map(along);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** An axis between two places on the page. */
function axisOf(division, low, high, from, to) {
  const [kind, least] = division.split(" ");
  const on = { log: Math.log10, signed: (v) => Math.sign(v) * Math.log10(1 + Math.abs(v) / least) }[kind] ?? Number;
  const back = { log: (c) => 10 ** c, signed: (c) => Math.sign(c) * least * (10 ** Math.abs(c) - 1) }[kind] ?? Number;
  const [start, end] = [on(+low), on(+high)];
  return {
    place: (value) => from + ((on(value) - start) / (end - start)) * (to - from),
    value: (place) => back(start + ((place - from) / (to - from)) * (end - start)),
  };
}

function panelOf(frame) {
  const data = frame.dataset;
  const area = boxOf(frame);
  const upright = (side) =>
    data[`${side}Scale`] && axisOf(data[`${side}Scale`], data[`${side}Low`], data[`${side}High`], area.bottom, area.top);
  const x = axisOf(data.xScale, data.xLow, data.xHigh, area.left, area.right);
  const names = data.xNames?.replace(/[$\\{}]/g, "").split("|");
  return { name: data.panel, says: data.x, names, area, x, y: upright("y"), right: upright("right"), points: [] };
}

/** What a place along the horizontal axis stands for. */
function meaningOf({ says, names, x }, place, data) {
  const value = Math.round(x.value(place));
  if (says === "epoch") return { epoch: value, words: `epoch ${value}` };
  if (says === "state") return { unit: value, words: `h_${value}` };
  const unit = names ? value : value + 1;
  if (says === "unit") return { unit, words: unitTitle(unit) };
  return { words: names?.[value] ?? (data.x ? `x = ${digits(+data.x)}` : "") };
}

/** Where a panel shows an epoch or a unit, if it does. */
function placeOf({ says, names, x }, epoch, unit) {
  const at = { epoch, state: unit, unit: names ? unit : unit - 1 }[says];
  return at == null ? NaN : x.place(at);
}

/** Which series a mark belongs to, whatever its seed. */
function seriesOf({ rule, series, kind, penalty, frozen, modifiers, source }) {
  const name = rule ? titleOf(rule) : headingOf(series ?? kind);
  return list(name, penalty && `λ = ${+penalty}`, frozen && "frozen", modifiers, source);
}

const lineOf = ({ mark }) => `${mark.series} ${mark.data.seed}`;

const across = (a, b) => a.x - b.x || a.y - b.y;

/** Panels and marks of a figure. Exact values stand on the marks; what lies between is read off the lines. */
function marksOf(svg) {
  const panels = $$("[data-kind=axes]", svg).map(panelOf);
  const marks = $$("[data-kind]:not([data-kind=axes])", svg).map((element) => {
    const data = element.dataset;
    const [fill, stroke] = ["fill", "stroke"].map((name) => element.getAttribute(name));
    const colour = ["none", "#ffffff"].includes(fill) || data.kind === "bar" ? stroke : fill;
    return { element, data, colour, series: seriesOf(data), panel: panels.find((panel) => panel.name === data.panel) };
  });
  marks.forEach(addPoints);
  for (const { points } of panels) points.sort(across);
  return { panels, marks };
}

function addPoints(mark) {
  const { data, panel, element } = mark;
  const add = (x, y, value, exact) => panel.points.push({ x, y, value, exact, mark, ...meaningOf(panel, x, data) });
  if (data.value == null && data.low == null) {
    if (data.kind !== "line") return;
    const all = numbers(element.getAttribute("d"));
    const axis = data.right ? panel.right : panel.y;
    for (let at = 0; at < all.length; at += 2) add(all[at], all[at + 1], +axis.value(all[at + 1]).toPrecision(3));
  } else if (data.kind !== "guide") {
    const { left, right, top, bottom } = boxOf(element);
    const x = (left + right) / 2;
    const y = data.kind !== "bar" ? (top + bottom) / 2 : data.value < 0 ? bottom : top;
    // It stands for the place of the line under it.
    const under = (point) => lineOf(point) === lineOf({ mark }) && Math.hypot(point.x - x, point.y - y) < 0.8;
    panel.points = panel.points.filter((point) => point.exact || !under(point));
    add(x, y, data.value ? +data.value : `${digits(+data.low)} … ${digits(+data.high)}`, true);
  }
}
