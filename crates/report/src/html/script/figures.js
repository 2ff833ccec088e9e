
// --- Figures: read-outs, one epoch and one layer in all panels, series on and off, downloads ---

const seen = new Map();

/** Reads a figure and adds its buttons. What the script drew brings panels and values with it. */
function wake(figure, drawn) {
  if (seen.has(figure)) return;
  const svg = $(".paper svg", figure);
  const { name } = figure.dataset;
  const [chosen, hovered, ring] = [path("", { class: "chosen" }), path("", { class: "hovered" }), draw("circle", { r: 3.6 })];
  const found = { ...(drawn ?? marksOf(svg)), svg, name, figure, chosen, hovered, ring };
  const { marks } = found;
  svg.append(draw("g", { class: "overlay" }, chosen, hovered, ring));
  seen.set(figure, found);
  const series = new Map(marks.filter(({ data }) => data.kind !== "guide").map((mark) => [mark.series, mark.colour]));
  const chip = ([words, colour]) => {
    const word = `${name}/${words}`;
    return dress(button("", () => toggle("off", word), "chip"), { "data-word": word }, dot(colour), words);
  };
  const fields = [...new Set(marks.flatMap(({ data }) => Object.keys(data)))];
  const table = () => [fields, ...marks.map(({ data }) => fields.map((field) => data[field] ?? ""))];
  const actions = [
    button("Copy CSV", () => copy(drawn?.values ?? $(".values pre", figure)?.textContent ?? table())),
    dress(button("SVG", () => download(found)), { "aria-label": `Download ${name}` }),
  ];
  dress($(".paper", figure), {
    tabindex: 0,
    role: "application",
    "aria-label": `${name}: arrow keys read values, Enter marks an epoch or a layer`,
    pointermove: (event) => hover(found, nearest(found, event)),
    pointerleave: () => hover(found),
    blur: () => hover(found),
    click: (event) => pin(nearest(found, event)),
    keydown: (event) => walk(found, event),
  }).after(make("div", { class: "tools" }, ...(series.size > 1 ? [...series].map(chip) : []), make("span"), ...actions));
  hover(found);
  paint(found);
}

/** Marks an epoch and a unit in all panels that show them. */
function rule(line, panels, epoch, unit) {
  const within = ({ area }, place) => place > area.left - 1 && place < area.right + 1;
  const upright = (panel) => {
    const place = placeOf(panel, epoch, unit);
    return within(panel, place) ? `M${place} ${panel.area.top}V${panel.area.bottom}` : "";
  };
  dress(line, { d: panels.map(upright).join("") });
}

/** Shows what is chosen in one figure. */
function paint({ name, figure, panels, marks, chosen }) {
  rule(chosen, panels, get("epoch")[0], get("layer").map(unitOf)[0]);
  for (const mark of marks) {
    const isOut = (field) => mark.data[field] && get(field).length && !has(field, mark.data[field]);
    mark.type = has("off", `${name}/${mark.series}`) ? "off" : isOut("rule") || isOut("seed") ? "faded" : "";
    dress(mark.element, { class: mark.type });
  }
  for (const chip of $$("[data-word]", figure)) dress(chip, { "aria-pressed": String(!has("off", chip.dataset.word)) });
}

const visible = ({ mark }) => !mark.type;
const column = (point) => point.mark.panel.points.filter((other) => visible(other) && Math.abs(other.x - point.x) < 0.4);

/** The value under the cursor: where panels show epochs or layers, that of the nearest one. */
function nearest({ svg, panels }, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const isOver = ({ left, right, top, bottom }) => at.x > left - 6 && at.x < right + 6 && at.y > top - 6 && at.y < bottom + 6;
  const far = ({ x, y, epoch, unit }) => ((epoch ?? unit) == null ? 1 : 1000) * Math.abs(x - at.x) + Math.abs(y - at.y);
  const closer = (best, point) => (best && far(best) <= far(point) ? best : point);
  return panels.find(({ area }) => isOver(area))?.points.filter(visible).reduce(closer, null);
}

/** Shows a value and those above and below it; without one, nothing. */
function hover(found, point) {
  found.point = point;
  const tip = $("#tip");
  tip.hidden = !point;
  dress(found.ring, { visibility: point ? "visible" : "hidden", cx: point?.x, cy: point?.y });
  rule(found.hovered, found.panels, point?.epoch, point?.unit);
  if (!point) return;
  const { name, says, points } = point.mark.panel;
  const isMixed = new Set(points.map(({ mark }) => mark.data.series)).size > 1;
  const words = ({ data, series }) => {
    const parts = [isMixed && data.rule && headingOf(data.series), series, data.seed && `seed ${data.seed}`, data.null?.replace("_", " ")];
    return [...parts, data.reliable && "unreliable", data.inert && "inert"].filter(Boolean).join(", ");
  };
  const all = says === "number" ? [point] : column(point);
  const from = Math.max(0, Math.min(all.indexOf(point) - 6, all.length - 12));
  const row = (other) =>
    make("tr", { class: other === point && "strong" }, ...[dot(other.mark.colour), words(other.mark), other.value].map((part) => make("td", {}, part)));
  const heading = make("p", {}, [name, point.words].filter(Boolean).join(", "));
  tip.replaceChildren(heading, make("table", {}, ...all.slice(from, from + 12).map(row)), all.length > 12 ? `… of ${all.length}` : "");
  const at = new DOMPoint(point.x, point.y).matrixTransform(found.svg.getScreenCTM());
  const { offsetWidth: width, offsetHeight: height } = tip;
  tip.style.left = `${Math.max(4, at.x + 18 + width > innerWidth ? at.x - width - 18 : at.x + 18)}px`;
  tip.style.top = `${Math.max(4, Math.min(at.y - height / 2, innerHeight - height - 4))}px`;
}

/** Marks the epoch and the layer of a value in all panels, or takes the mark away. */
function pin(point) {
  const mark = (name, word) => choose(name, has(name, word) ? [] : [word]);
  if (point?.epoch != null) mark("epoch", String(point.epoch));
  if (point?.unit != null) mark("layer", unitWord(point.unit));
}

/** Right and left follow a series through all panels, up and down go to the values above and below. */
function walk(found, event) {
  const all = found.panels.flatMap((panel) => panel.points.filter(visible));
  const now = found.point;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1, Enter: 0, Escape: 0 }[event.key];
  if (step == null || !all.length || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (!step) return event.key === "Enter" ? pin(now) : hover(found);
  const series = ({ mark }) => `${mark.series} ${mark.data.seed}`;
  const isOnward = (point) => point.mark.panel !== now.mark.panel || series(point) === series(now);
  const beyond = step > 0 ? all.slice(all.indexOf(now) + 1) : all.slice(0, all.indexOf(now)).reverse();
  const isAcross = /Right|Left/.test(event.key);
  const next = !now ? all[0] : isAcross ? beyond.find(isOnward) : column(now)[column(now).indexOf(now) + step];
  if (!next) return;
  hover(found, next);
  say(`${$("#tip p").textContent}: ${$("#tip .strong").innerText}`, "unseen");
}

/** The picture as a file of its own, with what it shares with the others of the page. */
function download({ svg, name }) {
  const file = svg.cloneNode(true);
  $$(".overlay, .off", file).forEach((part) => part.remove());
  const id = (part) => /#[\w-]+/.exec(["href", "clip-path", "fill"].map((field) => part.getAttribute(field)))[0];
  const used = new Set($$("use, [clip-path], [fill^=url]", file).map(id));
  file.prepend(draw("defs", {}, ...[...used].map((id) => $(`.glyphs ${id}`).cloneNode(true))));
  const blob = new Blob([new XMLSerializer().serializeToString(file)], { type: "image/svg+xml" });
  make("a", { href: URL.createObjectURL(blob), download: `${name}.svg` }).click();
}
