/**
 * Point at a token or an n-gram, or go to it with the keys: its places in candidate and references and its row are framed.
 */
const MARK = "bp-here";
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

export function watchHighlights() {
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, (event) => show(event.target));
  document.addEventListener("focusout", clear);
  document.addEventListener("pointerout", () => {
    clear();
    show(document.activeElement); // scrolling, too, takes the pointer away from something
  });
  document.addEventListener("keydown", step);
}

/** Go from token to token with the arrow keys, as the text runs: a text is one stop for the tab key. */
function step(event) {
  const token = event.target.closest?.(".bp-token[role=button], .bp-word");
  if (!token || !(event.key in STEPS || event.key === "Home" || event.key === "End")) return;
  event.preventDefault();
  const tokens = [...token.parentElement.querySelectorAll("[role=button]")];
  const forward = getComputedStyle(token.parentElement).direction === "rtl" ? -1 : 1;
  const place = tokens.indexOf(token) + (STEPS[event.key] ?? 0) * forward;
  const next = event.key === "Home" ? tokens[0] : event.key === "End" ? tokens.at(-1) : tokens[place];
  if (!next) return;
  token.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

const tokensOf = (text) => [...text.querySelectorAll(".bp-token")];
const placesIn = (list) => list.split(" ").filter(Boolean).map(Number);

function show(target) {
  const found = findNgram(target);
  if (!found) return;
  clear();
  const characters = [];
  for (const text of document.querySelectorAll("#texts-html [data-side]")) {
    const places = found.places[text.dataset.side] ?? [];
    if (text.matches(".bp-characters")) characters.push(...findRanges(text, places, found.order));
    else for (const place of places) tokensOf(text).slice(place, place + found.order).forEach(mark);
  }
  if (characters.length && globalThis.CSS?.highlights) CSS.highlights.set(MARK, new Highlight(...characters));
  findRows(found).forEach(mark);
}

/** The n-gram at hand, with its places by the names of the texts. */
function findNgram(target) {
  const button = target?.closest?.(".bp-ngram");
  const token = target?.closest?.(".bp-token[role=button]");
  return button ? readPlaces(button) : token ? followToken(token) : null;
}

function readPlaces({ dataset }) {
  const places = { candidate: placesIn(dataset.candidate) };
  const first = Number(dataset.reference ?? 0);
  dataset.references.split(";").forEach((list, number) => (places[`reference-${first + number}`] = placesIn(list)));
  return { order: Number(dataset.order), places };
}

/** The n-gram that begins with a token: of the order that shades the texts, else of one token; equal tokens have equal numbers. */
function followToken(token) {
  const texts = [...document.querySelectorAll("#texts-html [data-side]")];
  const own = tokensOf(token.closest("[data-side]"));
  const order = Math.min(Number(document.querySelector(".bp-shading :checked")?.value || 1), own.length);
  const start = Math.min(own.indexOf(token), own.length - order);
  const wanted = own.slice(start, start + order).map(({ dataset }) => dataset.type);
  const findIn = (types) =>
    types.flatMap((_, place) => (wanted.every((type, further) => types[place + further] === type) ? [place] : []));
  const places = texts.map((text) => [text.dataset.side, findIn(tokensOf(text).map(({ dataset }) => dataset.type))]);
  return { order, places: Object.fromEntries(places) };
}

/** The row of an n-gram: no other of its order stands in the same place. */
function findRows({ order, places }) {
  const [side, [place]] = Object.entries(places).find(([, all]) => all.length) ?? ["", []];
  const buttons = [...document.querySelectorAll(`#ngrams-html .bp-ngram[data-order="${order}"]`)];
  return buttons.filter((button) => readPlaces(button).places[side]?.includes(place)).map((button) => button.closest("tr"));
}

/** Stretches of a text of single characters; those that do not count have no number. */
function findRanges(text, places, order) {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const starts = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest(".bp-uncounted")) continue;
    let offset = 0;
    for (const character of node.data) {
      starts.push([node, offset, (offset += character.length)]);
    }
  }
  return places.flatMap((place) => starts.slice(place, place + order)).map(([node, from, to]) => {
    const range = new Range();
    range.setStart(node, from);
    range.setEnd(node, to);
    return range;
  });
}

function mark(element) {
  element.classList.add(MARK);
}

function clear() {
  for (const element of document.querySelectorAll(`.${MARK}`)) element.classList.remove(MARK);
  globalThis.CSS?.highlights?.delete(MARK);
}
