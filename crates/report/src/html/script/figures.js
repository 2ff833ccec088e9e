
// --- Figures: read-outs, one epoch and one layer in all panels, series on and off, downloads ---

/** Reads a figure, which keeps what is found, and adds its buttons. What the script drew brings panels and values with it. */
function wake(figure, drawn) {
  if (figure.found) return;
  const svg = $(".paper svg", figure);
  const { name } = figure.dataset;
  const [chosen, hovered, ring] = [path("", { class: "chosen" }), path("", { class: "hovered" }), draw("circle", { r: 3.6 })];
  const found = { ...(drawn ?? marksOf(svg)), svg, name, chosen, hovered, ring };
  figure.found = found;
  svg.append(draw("g", { class: "overlay" }, chosen, hovered, ring));
  const series = new Map(found.marks.filter(({ data }) => !/guide|value/.test(data.kind)).map((mark) => [mark.series, mark.colour]));
  const chip = ([words, colour]) => {
    const word = `${name}/${words}`;
    return dress(button("", () => toggle("off", word), "chip"), { "data-word": word }, dot(colour), words);
  };
  const rows = ({ name, points }) => points.map(({ mark, words, value }) => [name, mark.series, mark.data.seed ?? "", words, value]);
  const table = () => [["panel", "series", "seed", "at", "value"], ...found.panels.flatMap(rows)];
  const values = () => copy($(".values pre", figure)?.textContent ?? table());
  dress($(".paper", figure), {
    tabindex: 0,
    role: "application",
    "aria-label": `${name}: arrow keys read values`,
    pointermove: (event) => hover(found, nearest(found, event)),
    pointerleave: () => hover(found),
    blur: () => hover(found),
    click: (event) => pin(nearest(found, event)),
    keydown: (event) => walk(found, event),
  }).after(make("div", { class: "tools" }, ...(series.size > 1 ? [...series].map(chip) : []), button("Copy CSV", values), button("Download SVG", () => download(found))));
  hover(found);
  paint(figure);
}

/** Marks an epoch and a unit in all panels that show them. */
function rule(line, panels, epoch, unit) {
  const upright = (panel) => {
    const { left, right, top, bottom } = panel.area;
    const place = placeOf(panel, epoch, unit);
    return place > left - 1 && place < right + 1 ? `M${place} ${top}V${bottom}` : "";
  };
  dress(line, { d: panels.map(upright).join("") });
}

/** Shows what is chosen in one figure, if it was read. */
function paint(figure) {
  if (!figure.found) return;
  const { name, panels, marks, chosen } = figure.found;
  rule(chosen, panels, get("epoch")[0], get("layer").map(unitOf)[0]);
  for (const mark of marks) {
    const isOut = (field) => mark.data[field] && get(field).length && !has(field, mark.data[field]);
    mark.type = has("off", `${name}/${mark.series}`) ? "off" : isOut("rule") || isOut("seed") ? "faded" : "";
    dress(mark.element, { class: mark.type });
  }
  for (const chip of $$("[data-word]", figure)) dress(chip, { "aria-pressed": `${!has("off", chip.dataset.word)}` });
}

const visible = ({ mark }) => !mark.type;
const place = ({ x, epoch, unit }) => Math.round(epoch ?? unit ?? x);
const column = (point) => point.mark.panel.points.filter((other) => visible(other) && place(other) === place(point));

/** The value under the cursor: where panels show epochs or layers, that of the nearest one. */
function nearest({ svg, panels }, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const isOver = ({ area: { left, right, top, bottom } }) => at.x > left - 6 && at.x < right + 6 && at.y > top - 6 && at.y < bottom + 6;
  const far = ({ x, y, epoch, unit }) => ((epoch ?? unit) == null ? 1 : 1000) * Math.abs(x - at.x) + Math.abs(y - at.y);
  return panels.find(isOver)?.points.filter(visible).sort((a, b) => far(a) - far(b))[0];
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
  const isMixed = points.some(({ mark }) => mark.data.series !== point.mark.data.series);
  const words = ({ data, series }) => {
    const drawn = list(isMixed && data.rule && headingOf(data.series), series, data.seed && `seed ${data.seed}`);
    return list(drawn, data.null?.replace("_", " "), data.reliable && "unreliable", data.inert && "inert");
  };
  const all = says === "number" ? [point] : column(point);
  const from = Math.max(0, Math.min(all.indexOf(point) - 6, all.length - 12));
  const cells = (other) => [dot(other.mark.colour), words(other.mark), digits(other.value)].map((part) => make("td", {}, part));
  const rows = all.slice(from, from + 12).map((other) => make("tr", { class: other === point && "strong" }, ...cells(other)));
  tip.replaceChildren(make("p", {}, list(name, point.words)), make("table", {}, ...rows), all.length > 12 ? `… of ${all.length}` : "");
  const at = new DOMPoint(point.x, point.y).matrixTransform(found.svg.getScreenCTM());
  dress(tip, { class: at.x > innerWidth / 2 ? "left" : "" });
  Object.assign(tip.style, { left: `${at.x}px`, top: `${Math.min(Math.max(at.y, 130), innerHeight - 130)}px` });
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
  const isOnward = (point) => point.mark.panel !== now.mark.panel || lineOf(point) === lineOf(now);
  if (step < 0) all.reverse();
  const next = !now ? all[0] : /Right|Left/.test(event.key) ? all.slice(all.indexOf(now) + 1).find(isOnward) : column(now)[column(now).indexOf(now) + step];
  if (!next) return;
  hover(found, next);
  say(list($("#tip p").innerText, $("#tip .strong").innerText), "unseen");
}

/** The picture as a file of its own, with what it shares with the others of the page. */
function download({ svg, name }) {
  const file = svg.cloneNode(true);
  $$(".overlay, .off", file).forEach((part) => part.remove());
  const used = new Set(file.outerHTML.match(/#[\w-]+/g));
  file.prepend(draw("defs", {}, ...$$(".glyphs [id]").filter(({ id }) => used.has(`#${id}`)).map((part) => part.cloneNode(true))));
  const blob = new Blob([new XMLSerializer().serializeToString(file)]);
  make("a", { href: URL.createObjectURL(blob), download: `${name}.svg` }).click();
}
