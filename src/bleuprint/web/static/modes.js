/**
 * The modes: which one is chosen, what it shows, and which functions of the page it can use. All but the first are loaded lazily.
 */
import { call, isReady, whyNot } from "./engine.js";
import { fetchMarkup, fetchStyles, insist, once, putInPlace } from "./late.js";
import { isKept, readOptions, showChoices, showRecipe, startTexts } from "./options.js";
import { beginPlace, isSame, keepPlace, readPlace, where } from "./places.js";
import { invite, isInviting, markOutdated, say, showHtml, showProblem } from "./result.js";
import { dropTurn, segmentMode } from "./segment.js";
import { offerCorpus, readForm, showLeftOut } from "./segment_form.js";

const $ = (id) => document.getElementById(id);
const tabs = [...document.querySelectorAll("[role=tab]")];
const tabOf = (name) => $(`tab-${name}`);
/** Milliseconds after which a message says that a mode is being loaded. */
const SLOW = 500;

/** The texts of a mode: one segment, a corpus, either (chosen in the form), or its own. */
export const TEXTS = { segment: "segment", corpus: "corpus", compare: "corpus", reconcile: "either", identify: "either", learn: "own" };

/** Whether a mode uses the recipe of the options. One segment and a corpus have different defaults. */
export const hasRecipe = (name) => ["segment", "corpus"].includes(TEXTS[name]);

/** The boxes and files of a corpus, once they have been loaded. */
let corpusTexts = null;
const NO_LINES = { files: ["candidate lines", "reference lines"].map((name) => ({ name, text: "" })), pasted: true };

const bringTexts = once(async () => {
  const [{ watchTexts }, markup] = await Promise.all([import("./corpus_texts.js"), fetchMarkup("corpus_texts"), fetchStyles("modes.css")]);
  putInPlace(markup);
  corpusTexts = watchTexts(touchMode);
  showParts();
  return corpusTexts;
});

/** Wait for the boxes and files of a corpus. */
export const whenTexts = () => insist(bringTexts, "The form of a corpus");

/** Put texts of a corpus into their boxes. Nothing is loaded if there are neither boxes nor texts. */
export async function fillCorpus(state) {
  const isEmpty = !state?.files?.some(({ text }) => text !== "");
  if (corpusTexts || !isEmpty) (await whenTexts()).fill(state ?? NO_LINES);
}

/**
 * The modes by the names of their tabs. Each has `show` (its result), `leave`, `start` (the engine is ready), `changed`
 * (an option), `touched` (a text), `state` for a link, `restore` from it, `fill` (its form only) and `export`.
 */
export const MODES = {
  segment: segmentMode,
  corpus: loadLate("corpus"),
  compare: loadLate("compare", { styles: "report.css" }),
  reconcile: loadLate("reconcile"),
  identify: loadLate("identify"),
  learn: loadLate("learn", { script: "learning.js", styles: "learn.css" }),
};

/** A mode that is loaded when it is first needed. It shows nothing if the user has left it by then. */
function loadLate(name, { script = `${name}.js`, styles = null } = {}) {
  let made = null;
  /** The placeholder of a mode without a result area. */
  const waiting = document.createElement("p");
  if (TEXTS[name] === "own") $(`mode-${name}`).append(waiting);
  const load = once(async () => {
    const [{ watchMode }, markup] = await Promise.all([
      import(`./${script}`),
      fetchMarkup(name),
      styles && fetchStyles(styles),
      TEXTS[name] !== "own" && bringTexts(),
    ]);
    waiting.remove();
    putInPlace(markup);
    made = watchMode(desk);
    showParts();
    return made;
  });
  const isLeft = () => where.mode !== name;

  const whenLoaded = () => insist(load, tabOf(name).textContent, () => !isLeft());
  const wait = () => made || announce(TEXTS[name] === "own" ? waiting : clearResult());
  return {
    wait,
    show: async (now) => {
      wait();
      const mode = await whenLoaded();
      if (!isLeft()) await mode.show(now);
    },
    restore: async (state) => {
      const mode = await whenLoaded();
      const done = mode.restore(state);
      if (isLeft()) mode.leave();
      await done;
    },
    fill: async (own) => (await whenLoaded()).fill?.(own),
    state: async () => (await whenLoaded()).state(),
    export: async (request) => (await whenLoaded()).export(request),
    peek: () => made?.state(),
    start: () => made?.start(),
    leave: () => made?.leave(),
    touched: () => made?.touched(),
    changed: () => made?.changed?.(),
  };
}

/** Remove the result of another mode while the chosen one is being loaded. */
function clearResult() {
  desk.showInvitation("");
  $("derivation-html").replaceChildren();
  return $("result-html").firstChild;
}

function announce(paragraph) {
  paragraph.classList.add("waiting"); // hidden if there is a problem
  setTimeout(() => (paragraph.textContent ||= "This mode is being loaded."), SLOW);
}

/** A text of the form was changed. */
export const touchMode = () => MODES[where.mode].touched?.();

/** The functions of the page that modes use. */
const desk = {
  call,
  ready: isReady,
  source,
  unreadable: () => (source() === "corpus" ? corpusTexts?.unreadable() : null),
  textsRequest: () => (source() === "corpus" ? { action: "corpus-read", ...readTexts() } : { action: "segment-read", ...readForm() }),
  textsState: readTexts,
  readOptions,
  showChoices,
  say,
  showProblem,
  showResult: (html, more) => {
    showHtml(html);
    $("told-html").innerHTML = more;
  },
  showInvitation: (text) => {
    invite(text);
    $("told-html").replaceChildren();
  },
  markOutdated,
  notePlace,
  noteResult: () => keepPlace(readState(), false),
  chooseMode,
  showLeftOut,
};
export { desk };

/** Which texts are used. In a mode that accepts either, the form decides. */
export function source() {
  return TEXTS[where.mode] === "either" ? document.querySelector("[name=source]:checked").value : TEXTS[where.mode];
}

/** The texts as they are stored in a link. */
function readTexts() {
  if (source() === "corpus") return corpusTexts?.state() ?? NO_LINES;
  const { candidate, references } = readForm();
  return { candidate, references };
}

/** Show the sections of the page that belong to the mode and to its texts. */
export function showParts() {
  for (const part of document.querySelectorAll("[data-modes]")) part.hidden = !part.dataset.modes.split(" ").includes(where.mode);
  for (const part of document.querySelectorAll("[data-texts]")) part.hidden = part.dataset.texts !== source();
  offerCorpus();
  if (where.mode !== "learn") $("outdated").before($("problem"));
  else if ($("learn-step")) $("learn-step").before($("problem")); // where it is seen
  else $("mode-learn").prepend($("problem"));
}

/**
 * Go to a mode, with the texts of the mode before. `fill` replaces these texts, and `now` starts the work. Add an entry to
 * the history if `entry` is true.
 */
export function chooseMode(name, options = {}) {
  const { texts = (corpusTexts?.isEmpty() ?? true) ? "segment" : source(), now = false, fill = () => {}, entry = true, show = true } = options;
  if (entry) keepPlace(readState(), false);
  MODES[where.mode].leave();
  fill();
  where.mode = name;
  if (texts !== "own") document.querySelector(`[name=source][value=${texts}]`).checked = true;
  for (const tab of tabs) {
    const chosen = tab === tabOf(name);
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen) $("question").textContent = tab.dataset.question;
  }
  showParts();
  if (hasRecipe(name) && startTexts(TEXTS[name])) showRecipe();
  say("");
  dropTurn();
  $("result").setAttribute("aria-busy", "false");
  showProblem(whyNot());
  markOutdated(false);
  const shown = show ? MODES[name].show(now) : MODES[name].wait?.();
  if (entry) beginPlace(readState());
  return shown;
}

/** The state for an entry of the history: both kinds of texts, the recipe, and whether there was a result. */
export function readState() {
  const { mode } = where;
  const { candidate, references, recipe } = readForm();
  const worked = mode !== "segment" && !isInviting();
  const texts = { segment: { candidate, references }, corpus: corpusTexts?.state() ?? NO_LINES };
  return { mode, source: source(), ...texts, recipe, kept: isKept(), worked, own: MODES[mode].peek?.() };
}

/** Store the form in the entry of the history if it has changed. */
export function notePlace() {
  const state = readState();
  if (!isSame({ ...state, worked: null }, { ...readPlace(), worked: null })) keepPlace(state);
}
