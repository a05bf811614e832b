/**
 * One segment: every change of its form is worked out at once, first the headline, then all that stands below it.
 */
import { call, isReady, whyNot } from "./engine.js";
import { showChoices, showRecipe } from "./options.js";
import { where } from "./places.js";
import { invite, isOwn, markOutdated, say, showHtml, showProblem, watchProblems } from "./result.js";
import { isFirstExample, readForm, showCounts } from "./segment_form.js";

const WAIT = 150;
/** Milliseconds after which a result that is still to come is announced. */
const SLOW = 500;
const REFUSED = "Nothing was exported: there is no result of these texts and options yet.";
const $ = (id) => document.getElementById(id);

let newest = 0;
let timer;
/** The form that the result shown belongs to. */
let shownForm = "";
let noted = () => {};
/** What was tried, once that script has come. */
let trials = { before: () => undefined, tell: () => {}, forget: () => {} };
/** The order of n-grams that alone shades the texts; none is the longest match. */
export const shading = { order: null };

/** Whether the result shown is that of the boxes as they are; the page opens with that of the first example. */
export function isShown() {
  return shownForm ? shownForm === JSON.stringify(readForm()) : isFirstExample();
}

/** Forget what is still being worked out. */
export function dropTurn() {
  newest += 1;
}

/** Give a test of whether what is shown now is still shown. */
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

/** Ask for the headline first, then for everything below it; an answer that came too late is dropped. */
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

/** A signature may go on in a new line after each of its parts. */
function showSignature(signature) {
  const parts = signature.split("|").map((part, place, all) => (place < all.length - 1 ? `${part}|` : part));
  $("signature").replaceChildren(...parts.flatMap((part) => [part, document.createElement("wbr")]));
}

/** Take away what belongs to another mode, or to a headline that is gone. */
function clear() {
  invite("There is no result of these texts.");
  clearDetails();
}

function clearDetails() {
  for (const part of ["texts", "what-if", "summary", "derivation", "ngrams", "dialects"]) $(`${part}-html`).replaceChildren();
}

async function updateDetails(form, turn) {
  /** Ask for a part; what could not be worked out is said, and nothing older is left in its place. */
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
