/**
 * Point at a token, a word, a character or an n-gram, or go to it with the keys: its places and its row are framed.
 */
import { call, isReady } from "./engine.js";
import { isShown } from "./segment.js";
import { readForm } from "./segment_form.js";

const MARK = "bp-here";
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/** Milliseconds that somebody stays with an n-gram before the table is turned to the page that has its row. */
const WAIT = 150;
let waiting;

export const onHighlights = {
  pointerover: ({ target }) => show(target),
  focusin: ({ target }) => show(target),
  keydown: step,
};
document.addEventListener("pointermove", showCharacter);
document.addEventListener("focusout", clear);
document.addEventListener("pointerout", () => {
  clear();
  show(document.activeElement); // scrolling, too, takes the pointer away from something
});

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

/** Within a run of characters no element tells one from the next. */
function showCharacter(event) {
  const text = event.target.closest?.(".bp-characters");
  const place = text ? findCharacter(text, event) : -1;
  if (place >= 0) frame(follow(text, place));
}

function show(target) {
  const word = target?.closest?.("[data-word]");
  if (word) return frameWord(word.dataset.word);
  const found = findNgram(target);
  if (found) frame(found);
}

/** A word of TER: wherever it stands, and the columns of the alignment that have it. */
function frameWord(number) {
  clear();
  for (const place of document.querySelectorAll(`#result [data-word="${number}"]`)) {
    mark(place);
    place.closest(".bp-alignment tr")?.classList.add(MARK);
  }
}

function frame(found) {
  clear();
  const characters = [];
  for (const text of document.querySelectorAll("#texts-html [data-side]")) {
    const places = found.places[text.dataset.side] ?? [];
    if (text.matches(".bp-characters")) characters.push(...findRanges(text, places, found.order));
    else for (const place of places) tokensOf(text).slice(place, place + found.order).forEach(mark);
  }
  if (characters.length && globalThis.CSS?.highlights) CSS.highlights.set(MARK, new Highlight(...characters));
  const rows = findRows(found);
  rows.forEach(mark);
  if (!rows.length) waiting = setTimeout(bringRow, WAIT, found);
}

/** Turn the table of an n-gram to the page on which it stands, unless somebody has gone to one of its rows. */
async function bringRow(found) {
  const table = document.querySelector(`#ngrams-html details[data-order="${found.order}"]`);
  const [side, [place]] = Object.entries(found.places).find(([, all]) => all.length) ?? ["", []];
  const held = table?.contains(document.activeElement) ? document.activeElement : null;
  if (!table?.querySelector(".bp-turn") || place === undefined || held?.matches(".bp-ngram")) return;
  const turn = waiting;
  const html = await askForPage({ order_shown: found.order, side, place });
  if (!html || turn !== waiting) return;
  table.querySelector(".bp-ngram-page").outerHTML = html;
  if (held?.matches(".bp-turn")) table.querySelector(".bp-turn:not(:disabled)").focus({ preventScroll: true });
  findRows(found).forEach(mark);
}

/** The page of a table with the n-gram at a place of a text. */
async function askForPage(request) {
  const answer = isReady() && isShown() ? await call({ action: "ngrams", ...request, ...readForm() }) : { ok: false };
  return answer.ok ? answer.html : "";
}

/** The n-gram at hand, with its places by the names of the texts. */
function findNgram(target) {
  const button = target?.closest?.(".bp-ngram");
  const token = target?.closest?.(".bp-token[role=button]");
  if (button) return readPlaces(button);
  const text = token?.closest("[data-side]");
  return text ? follow(text, tokensOf(text).indexOf(token)) : null;
}

function readPlaces({ dataset }) {
  const places = { candidate: placesIn(dataset.candidate) };
  const first = Number(dataset.reference ?? 0);
  dataset.references.split(";").forEach((list, number) => (places[`reference-${first + number}`] = placesIn(list)));
  return { order: Number(dataset.order), places };
}

/** What tells the parts of a text apart: the characters, or numbers of tokens, of which equal ones have the same. */
function partsOf(text) {
  if (!text.matches(".bp-characters")) return tokensOf(text).map(({ dataset }) => dataset.type);
  return charactersOf(text).map(([node, from, to]) => node.data.slice(from, to));
}

/** The n-gram that begins at a place of a text: of the order that shades the texts, else of one token or character. */
function follow(text, place) {
  const texts = [...document.querySelectorAll("#texts-html [data-side]")];
  const own = partsOf(text);
  const order = Math.min(Number(document.querySelector(".bp-shading :checked")?.value || 1), own.length);
  const start = Math.min(place, own.length - order);
  const wanted = own.slice(start, start + order);
  const findIn = (parts) =>
    parts.flatMap((_, at) => (wanted.every((part, further) => parts[at + further] === part) ? [at] : []));
  return { order, places: Object.fromEntries(texts.map((one) => [one.dataset.side, findIn(partsOf(one))])) };
}

/** The row of an n-gram: no other of its order stands in the same place. */
function findRows({ order, places }) {
  const [side, [place]] = Object.entries(places).find(([, all]) => all.length) ?? ["", []];
  const buttons = [...document.querySelectorAll(`#ngrams-html .bp-ngram[data-order="${order}"]`)];
  return buttons.filter((button) => readPlaces(button).places[side]?.includes(place)).map((button) => button.closest("tr"));
}

/** The characters of each text that is shown: a text that is worked out again is another element. */
const known = new WeakMap();

/** Where the characters of a text stand; those that do not count are left out. */
function charactersOf(text) {
  if (known.has(text)) return known.get(text);
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
  known.set(text, starts);
  return starts;
}

function rangeOf([node, from, to]) {
  const range = new Range();
  range.setStart(node, from);
  range.setEnd(node, to);
  return range;
}

const findRanges = (text, places, order) =>
  places.flatMap((place) => charactersOf(text).slice(place, place + order)).map(rangeOf);

/** The number of the character under the pointer; the gap that is nearest to it stands before or behind that one. */
function findCharacter(text, { clientX, clientY }) {
  const gap = document.caretPositionFromPoint?.(clientX, clientY) ?? document.caretRangeFromPoint?.(clientX, clientY);
  const [node, offset] = [gap?.offsetNode ?? gap?.startContainer, gap?.offset ?? gap?.startOffset];
  return charactersOf(text).findIndex((character) => {
    if (character[0] !== node || (character[1] !== offset && character[2] !== offset)) return false;
    const { left, right } = rangeOf(character).getBoundingClientRect();
    return left <= clientX && clientX <= right;
  });
}

function mark(element) {
  element.classList.add(MARK);
}

function clear() {
  clearTimeout(waiting);
  waiting = null;
  for (const element of document.querySelectorAll(`.${MARK}`)) element.classList.remove(MARK);
  globalThis.CSS?.highlights?.delete(MARK);
}
