// What all parts of the script use: the data, what the reader chose, and how numbers and names are written.
const find = (id) => document.getElementById(id);
const data = JSON.parse(find("data").textContent);
const { systems, unit } = data;
const count = data.segments, withTexts = data.references !== null;
const view = { shown: [], sort: "segment", descending: false, active: 0, opened: -1, hidden: new Set(),
  printAll: false, pinned: data.baseline === null ? "" : `score-${data.baseline}`,
  first: data.focus[0] ?? 0, second: data.focus[1] ?? -1, influence: -1, shading: data.focus[0] ?? 0, height: 36 };
const box = find("rows"), body = find("table").tBodies[0], head = find("table").tHead;

const unpack = (packed) => typeof packed === "string" ? Array.from(packed, (digit) => parseInt(digit, 36)) : packed;
// As write_decimals in Python does it.
const decimals = (value, digits) => digits <= data.decimals.most || Math.abs(value) >= data.decimals.least ? value.toFixed(Math.min(digits, 100))
  : value === 0 ? "0" : value.toExponential(Math.max(0, digits + Math.floor(Math.log10(Math.abs(value)))));
const score = (value, { digits } = data.recipes[0]) => value > 0 && value < 0.5 * 10 ** -digits ? String(value) : decimals(value, digits);
const signed = (value, digits) => {
  const text = decimals(Math.abs(value), digits);
  return Number(text) === 0 ? text : (value < 0 ? "\u2212" : "+") + text;
};
// As round in Python does it: toFixed rounds ties up, Python to the even digit. A tie is a multiple of a power of two.
function rounded(value, digits) {
  const places = Math.min(digits, 100), text = value.toFixed(places);
  const isTie = Math.abs(value * 2 ** (places + 1)) % 2 === 1;
  return Number(isTie && /[13579]$/.test(text) ? (value * (1 - Number.EPSILON)).toFixed(places) : text);
}
const grouped = (number) => number.toLocaleString("en-US");
const paired = () => view.second >= 0;

// Every text is put in as text, never as markup.
function make(tag, settings = {}, ...children) {
  const { data: own, on, ...rest } = settings;
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(rest)) {
    if (name in element && name !== "form") element[name] = value; else element.setAttribute(name, value);
  }
  Object.assign(element.dataset, own ?? {});
  for (const [name, act] of Object.entries(on ?? {})) element.addEventListener(name, act);
  element.append(...children);
  return element;
}

function makeDrawn(tag, settings = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(settings)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// As the macro of the templates does it: what is read aloud, found and printed is the whole name.
function nameTag({ name, short }) {
  if (short === null) return make("span", { dir: "auto" }, name);
  return make("span", { className: "bp-name", title: name },
    make("span", { className: "bp-whole-name", dir: "auto" }, name),
    make("span", { className: "bp-short-name", dir: "auto", "aria-hidden": "true" }, short));
}
