
// --- State: lists of words by name, kept in the address as #rule=dfa,fa&seed=42&sort=-accuracy ---

let state = new Map();
const get = (name) => state.get(name) ?? [];
const has = (name, word) => get(name).includes(word);
const separator = (name) => (name === "heat" ? ":" : ",");

/** Only what would be misread is escaped. */
const escaped = (word) => word.replace(/[%&=,#+:\s]/g, encodeURIComponent);

function parse(hash) {
  const parts = hash.slice(1).split("&").filter((part) => part.includes("=")).map((part) => part.split(/=(.*)/s));
  const words = (name, text) => text.split(separator(name)).filter(Boolean).map(decodeURIComponent);
  try {
    return new Map(parts.map(([name, text]) => [decodeURIComponent(name), words(name, text)]));
  } catch {
    // Cut off within an escape.
    return new Map();
  }
}

function write() {
  const part = ([name, words]) => `${escaped(name)}=${words.map(escaped).join(separator(name))}`;
  history.replaceState(null, "", `#${[...state].filter(([, words]) => words.length).map(part).join("&")}`);
}

function choose(name, words) {
  state.set(name, words);
  write();
  show();
}

const toggle = (name, word) => choose(name, has(name, word) ? get(name).filter((other) => other !== word) : [...get(name), word]);

/** Goes to a place, which opens if it can; so does the focus. */
function go(id) {
  const target = document.getElementById(id);
  if (!target) return;
  target.open = true;
  target.scrollIntoView();
  ($("summary", target) ?? dress(target, { tabindex: -1 })).focus({ preventScroll: true });
}

/** Shows what the address asks for. A hash without = is a place on the page, which is added to what is chosen. */
async function restore() {
  const hash = location.hash;
  if (/^#[^=]+$/.test(hash)) {
    state.set("at", [hash.slice(1)]);
    write();
  } else state = parse(hash);
  await show();
  go(get("at")[0]);
}
