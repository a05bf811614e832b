/**
 * The page: collects the form, calls the engine, puts the answers in place. There is no metric in here.
 */
import { watchPlaces } from "./addresses.js";
import { startEngine } from "./engine.js";
import { watchFrame } from "./frame.js";
import { listenLate } from "./late.js";
import { LEFT_BEHIND, leaveBehind, MODES, notePlace, showRecipe, touchMode } from "./modes.js";
import { watchOptions } from "./options.js";
import { isSame, where } from "./places.js";
import { say } from "./result.js";
import { schedule, update, watchSegment } from "./segment.js";
import { isFirstExample, nameReferences, readForm, showCounts, watchSegmentForm, writeForm } from "./segment_form.js";

const $ = (id) => document.getElementById(id);
/** The parts of a result that one points at, opens and tries; and the buttons for what one takes away. */
const EXPLORED = ["texts", "what-if", "derivation", "ngrams", "dialects"].map((part) => `#${part}-html`).join(", ");
const KEPT = "#keep, #learn-share, #selftest, #example, .bp-copy, .bp-use";

function changeTexts() {
  if (where.mode === "segment") return schedule();
  showCounts();
  touchMode();
}

const examples = [...document.querySelectorAll(".lesson")].map(({ dataset }) => JSON.parse(dataset.form));

/** Whether somebody wrote these texts: they are neither blank nor those of an example. */
function isOwn({ candidate, references }) {
  const isExample = examples.some((form) => isSame([form.candidate, form.references], [candidate, references]));
  return !isExample && [candidate, ...references].some((text) => text.trim());
}

watchSegment(notePlace);
watchSegmentForm({ typed: () => (where.mode === "segment" ? schedule() : showCounts()), changed: changeTexts });
watchFrame();
watchOptions(() => MODES[where.mode].changed());
$("form").addEventListener("submit", (event) => event.preventDefault());
document.querySelector(".lessons").addEventListener("click", (event) => {
  const button = event.target.closest(".lesson");
  if (!button) return;
  const own = isOwn(readForm());
  if (own) leaveBehind();
  writeForm(JSON.parse(button.dataset.form));
  update();
  if (own) say(LEFT_BEHIND);
});
listenLate(EXPLORED, ["pointerover", "focusin", "click", "change", "keydown"], () => import("./explore.js"), "What shows and tries details");
listenLate(KEPT, ["pointerover", "focusin", "click"], () => import("./keep.js"), "What copies and exports");
nameReferences();
showCounts(isFirstExample() ? JSON.parse($("first-lengths").dataset.lengths) : undefined);
watchPlaces();
startEngine(() => {
  if (where.mode !== "segment") showRecipe();
  MODES[where.mode].start();
});
