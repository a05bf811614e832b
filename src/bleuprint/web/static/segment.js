/**
 * One segment: every change of the form is computed at once, first the headline, then the details below it.
 */
import { call, isReady, whyNot } from "./engine.js";
import { showChoices, showRecipe } from "./options.js";
import { where } from "./places.js";
import { invite, isOwn, markOutdated, say, showHtml, showProblem, watchProblems } from "./result.js";
import { isFirstExample, readForm, showCounts } from "./segment_form.js";

const WAIT = 150;
/** Milliseconds after which the result is marked as outdated while the next one is computed. */
const SLOW = 500;
const REFUSED = "Nothing was exported: there is no result of these texts and options yet.";
const $ = (id) => document.getElementById(id);

let newest = 0;
let timer;
/** The form that the result shown belongs to. */
let shownForm = "";
let noted = () => {};
/** The trials of “What if”, once their script has been loaded. */
let trials = { before: () => undefined, tell: () => {}, forget: () => {} };
/** The order of n-grams that shades the texts; null shades the longest matches. */
export const shading = { order: null };

/** Whether the result belongs to the current texts. The page opens with the result of the first example. */
export function isShown() {
  return shownForm ? shownForm === JSON.stringify(readForm()) : isFirstExample();
}

/** Ignore the answers of requests in flight. */
export function dropTurn() {
  newest += 1;
}

/** Return a function that tests whether the current result is still shown. */
export function holdTurn() {
  const turn = newest;
  return () => turn === newest;
}

export function useTrials(those) {
  trials = those;
}

/** @param {function(): void} note called when a result was shown */
export function watchSegment(note) {
  noted = note;
  watchProblems((error) => where.mode === "segment" && markOutdated(Boolean(error) && !isShown()));
}

export function schedule() {
  showCounts();
  if (!isReady()) markOutdated(!isShown(), whyNot() ? "" : "Python is still loading.");
  clearTimeout(timer);
  timer = setTimeout(() => update(), WAIT);
}

/** Request the headline first, then the details. Answers that arrive too late are ignored. */
export async function update({ trying = false } = {}) {
  if (!trying) trials.forget();
  if (!isReady() || where.mode !== "segment") return;
  const turn = ++newest;
  const form = readForm();
  $("result").setAttribute("aria-busy", "true");
  const slow = setTimeout(() => turn === newest && markOutdated(!isShown(), "Theirs is being worked out."), SLOW);
  const answer = await call({ action: "explain", before: trials.before(), ...form });
  clearTimeout(slow);
  if (turn !== newest) return;
  $("result").setAttribute("aria-busy", "false");
  showProblem(answer.ok ? null : answer.error);
  if (!answer.ok) {
    trials.tell("there is no score");
    if (!isOwn()) clear();
    return showRecipe();
  }
  showHtml(answer.html, answer.summary);
  if (shownForm && JSON.stringify(JSON.parse(shownForm).recipe) !== JSON.stringify(form.recipe)) shading.order = null;
  shownForm = JSON.stringify(form);
  trials.tell(answer.change);
  $("score-bar").querySelector("span").textContent = answer.headline;
  showSignature(answer.signature);
  showChoices(answer);
  showCounts(answer.lengths);
  noted();
  document.body.dataset.shown = String(turn);
  await updateDetails(form, turn);
}

/** Show the signature, with a possible line break after each component. */
function showSignature(signature) {
  const parts = signature.split("|").map((part, place, all) => (place < all.length - 1 ? `${part}|` : part));
  $("signature").replaceChildren(...parts.flatMap((part) => [part, document.createElement("wbr")]));
}

/** Remove the result and its details. */
function clear() {
  invite("There is no result of these texts.");
  clearDetails();
}

function clearDetails() {
  for (const part of ["texts", "what-if", "summary", "derivation", "ngrams", "dialects"]) $(`${part}-html`).replaceChildren();
}

async function updateDetails(form, turn) {
  /** Request details and show them. After an error, show it and remove the old details. */
  const ask = async (request, show) => {
    const answer = await call({ ...request, ...form });
    if (turn !== newest) return false;
    if (answer.ok) return [show(answer.html)];
    clearDetails();
    $("problem").hidden = false;
    $("problem").textContent = answer.error.message;
    return false;
  };
  const put = (part, html) => ($(`${part}-html`).innerHTML = html);
  const putAll = (html) => ["texts", "derivation", "ngrams"].forEach((part) => put(part, html[part]));
  const complete =
    (await ask({ action: "details", shade_order: shading.order }, putAll)) &&
    (await ask({ action: "what-if" }, (html) => put("what-if", html))) &&
    (await ask({ action: "dialects" }, (html) => put("dialects", html)));
  if (complete) document.body.dataset.complete = String(turn);
}

export const segmentMode = {
  show: () => update(),
  leave: () => {},
  start: () => (isOwn() && isFirstExample()) || update(),
  changed: schedule,
  state: () => ({}),
  restore: () => {},
  export: async (request) => {
    if (!isShown()) await update();
    if (isShown()) return call({ action: "export", ...request, ...readForm() });
    say(REFUSED);
    return null;
  },
};
