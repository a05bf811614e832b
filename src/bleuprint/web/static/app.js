/**
 * The page: collects the form, calls the engine, puts the answers in place. There is no metric in here.
 */
import { watchPlaces } from "./addresses.js";
import { startEngine } from "./engine.js";
import { watchFrame } from "./frame.js";
import { listenLate } from "./late.js";
import { MODES, notePlace, touchMode } from "./modes.js";
import { showRecipe, watchOptions } from "./options.js";
import { where } from "./places.js";
import { schedule, watchSegment } from "./segment.js";
import { nameReferences, showCounts, watchSegmentForm } from "./segment_form.js";

const $ = (id) => document.getElementById(id);
/** The parts of a result that one points at, opens and tries; and the buttons for what one takes away. */
const EXPLORED = ["texts", "what-if", "derivation", "ngrams", "dialects"].map((part) => `#${part}-html`).join(", ");
const KEPT = "#keep, #learn-share, #selftest, .bp-copy, .bp-use";

function changeTexts() {
  if (where.mode === "segment") return schedule();
  showCounts();
  touchMode();
}

watchSegment(notePlace);
watchSegmentForm({ typed: () => (where.mode === "segment" ? schedule() : showCounts()), changed: changeTexts });
watchFrame();
watchOptions(() => MODES[where.mode].changed());
$("form").addEventListener("submit", (event) => event.preventDefault());
listenLate(EXPLORED, ["pointerover", "focusin", "click", "change", "keydown"], () => import("./explore.js"), "What shows and tries details");
listenLate(KEPT, ["pointerover", "focusin", "click"], () => import("./keep.js"), "What copies and exports");
listenLate(".lesson, #example", ["pointerover", "focusin", "click"], () => import("./examples.js"), "What shows examples");
nameReferences();
showCounts();
watchPlaces();
startEngine(() => {
  if (where.mode !== "segment") showRecipe();
  MODES[where.mode].start();
});
