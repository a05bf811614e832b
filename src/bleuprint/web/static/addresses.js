/**
 * What the address or an entry of the history asks for: a mode by its name, a shared link, texts that were here before.
 */
import { insist } from "./late.js";
import { chooseMode, fillCorpus, hasRecipe, MODES, notePlace, readState, TEXTS } from "./modes.js";
import { keepRecipe, showChoices, startTexts } from "./options.js";
import { keepPlace, readPlace, where } from "./places.js";
import { isInviting, showProblem } from "./result.js";
import { writeForm } from "./segment_form.js";

const $ = (id) => document.getElementById(id);
const WAIT = 150;
const TOO_LONG = "The texts that stood here were too long to be kept while the page was loaded anew. Choose their files again.";

/** The entry that is being brought back; until it is, the form does not say what belongs to it. */
let recalling = null;

/** Show what the address asks for: a shared link, or a mode by its name. */
async function followAddress() {
  if (location.hash.startsWith("#s=")) return followLink();
  const [name] = decodeFragment().split("/"); // a mode may name its own places behind it
  if (Object.hasOwn(MODES, name)) chooseMode(name, { entry: false });
  else if (name && !$(name)) showProblem({ message: `address: expected the name of a mode behind #, got “${name}”. Nothing was changed.` });
}

async function followLink() {
  const { state, problem } = await readLink();
  if (state) await restore(state);
  else if (problem) showProblem(problem);
}

async function readLink() {
  const reader = await insist(bringReader, "What the link carries");
  return reader.readLink();
}

/** Fetch what reads a link; until it is there, the result shown is not the one that was asked for. */
function bringReader() {
  $("result").setAttribute("aria-busy", "true");
  return import("./links.js").finally(() => $("result").setAttribute("aria-busy", "false"));
}

function decodeFragment() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return location.hash.slice(1);
  }
}

/** Show what a link carries, or an example, whose recipe nobody has chosen. */
export async function restore(linked, { isExample = false } = {}) {
  if (TEXTS[linked.mode] === "own") {
    chooseMode(linked.mode, { entry: false });
    MODES[linked.mode].restore(linked);
    return;
  }
  if (!isExample) keepRecipe();
  const takesRecipe = !isExample || TEXTS[linked.mode] !== "either";
  if (linked.files && takesRecipe) showChoices({ base: linked.recipe.base, changes: linked.recipe });
  else if (!linked.files) writeForm(linked);
  const texts = linked.files ? "corpus" : "segment";
  const mode = ["either", texts].includes(TEXTS[linked.mode]) ? linked.mode : texts;
  chooseMode(mode, { texts, entry: false, show: false });
  if (linked.files) await fillCorpus(linked);
  if (where.mode !== mode) return;
  MODES[mode].show();
  MODES[mode].restore(linked);
}

/** Come back to an entry of the history; a result that is not there any more, as after a reload, is worked out again. */
async function recall(state) {
  recalling = state;
  if (state.kept) keepRecipe();
  else if (hasRecipe(state.mode)) startTexts(TEXTS[state.mode]);
  if (state.segment) writeForm({ ...state.segment, recipe: state.recipe });
  chooseMode(state.mode, { texts: state.source, entry: false, show: false });
  if (state.corpus) await fillCorpus(state.corpus);
  if (state.own) await MODES[state.mode].fill?.(state.own);
  if (recalling !== state) return;
  recalling = null;
  await showAgain(state);
  const { problem } = location.hash.startsWith("#s=") ? await readLink() : {};
  if (problem) showProblem(problem); // a damaged link is in the address still
  if (state.long) showProblem({ message: TOO_LONG });
}

async function showAgain(state) {
  const mode = MODES[where.mode];
  if (TEXTS[where.mode] === "own" && state.own) return mode.restore(state.own);
  await mode.show();
  if (where.mode !== state.mode || !state.worked || !isInviting()) return;
  mode.restore({ ...state.corpus, ...state.own });
}

/** Go where the entry or the address says, and follow the browser through the entries of its history from then on. */
export function watchPlaces() {
  let waiting;
  const follow = async () => {
    await followAddress();
    keepPlace(readState(), false);
  };
  const place = readPlace();
  if (place) recall(place);
  else follow();
  for (const kind of ["input", "change", "click"]) {
    $("form").addEventListener(kind, () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => recalling || notePlace(), WAIT);
    });
  }
  addEventListener("pagehide", () => recalling || keepPlace(readState(), false));
  addEventListener("popstate", () => {
    clearTimeout(waiting);
    const entry = readPlace();
    if (entry) recall(entry);
  });
  addEventListener("hashchange", () => readPlace() || follow());
}
