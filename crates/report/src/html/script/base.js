"use strict";
// The page is complete without this script. Words of records become text and attributes, never markup.

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

/** Sets attributes, listens where a value is a function, and appends children. */
function dress(element, attributes = {}, ...children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value != null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const make = (name, ...rest) => dress(document.createElement(name), ...rest);
const draw = (name, ...rest) => dress(document.createElementNS("http://www.w3.org/2000/svg", name), ...rest);
const list = (...parts) => parts.filter(Boolean).join(", ");
const path = (d, attributes) => draw("path", { d, ...attributes });
const dot = (fill) => draw("svg", { class: "dot", viewBox: "0 0 8 8" }, draw("circle", { cx: 4, cy: 4, r: 4, fill }));
const button = (words, click, type = "quiet") => make("button", { type: "button", class: type, click }, words);

/** A list of words, or of values with their words. */
function choice(name, options, chosen, pick) {
  const option = (of) => {
    const [value, words] = [of, of].flat();
    return make("option", { value, selected: value === chosen }, words);
  };
  const select = make("select", { "data-keep": name, change: () => pick(select.value) }, ...options.map(option));
  return make("label", {}, `${name} `, select);
}

const isNumber = (x) => typeof x === "number";

/** A number as tables write it: .551, 2.43e-6, 12.5. */
function digits(x, count = 3) {
  if (!isNumber(x)) return x ?? "–";
  const size = Math.abs(x);
  if (size > 0 && (size < 1e-3 || size >= 1e5)) return x.toExponential(count - 1).replace(/\.?0*e\+?/, "e");
  return (size >= 10 ** count ? String(Math.round(x)) : x.toPrecision(count)).replace(/^(-?)0\./, "$1.");
}

/** Tells those who listen and, unless they see it anyway, those who look. */
const say = (words, type) => $("#said").replaceChildren(make("span", { class: type }, words));

/** Copies rows of cells, or text as it is. The newer interface is missing on pages from another machine by plain http. */
function copy(rows) {
  const quoted = (cell) => (/[",\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell);
  const text = typeof rows === "string" ? rows : rows.map((row) => row.map(quoted).join() + "\n").join("");
  const area = document.body.appendChild(make("textarea", {}, text));
  area.select();
  document.execCommand("copy");
  area.remove();
  say("Copied.");
}
