/**
 * A segment of a corpus that was opened in the calculator: the one before, the next one, and the way back.
 */
import { keepRecipe } from "./options.js";
import { isSame } from "./places.js";
import { readForm, writeForm } from "./segment_form.js";

const $ = (id) => document.getElementById(id);

/**
 * @param {object} desk what the page lends to modes
 * @param {{focus: function(number): void}} table comes back to a segment
 */
export function watchOpenedSegment({ chooseMode, say }, table) {
  let segments = [];
  let place = 0;
  /** The texts of the boxes as the segment filled them. */
  let filled = null;

  function open(those, number) {
    [segments, place] = [those, number];
    const [candidate, references] = segments[place];
    keepRecipe();
    chooseMode("segment", { fill: () => writeForm({ candidate, references }) });
    filled = readTexts();
    $("result").focus();
    const blank = references.some((text) => text.trim() === "");
    say(blank ? "In the corpus this segment has an empty reference, which counts; a blank box here does not." : "");
    showWay();
  }

  function showWay() {
    $("opened-segment").hidden = false;
    tellName();
    $("previous-segment").disabled = place === 0;
    $("next-segment").disabled = place + 1 === segments.length;
    $("opened-segment").scrollIntoView({ block: "nearest" });
  }

  function readTexts() {
    const { candidate, references } = readForm();
    return [candidate, references];
  }

  /** Say which segment it is, and that it is another text by now. */
  function tellName() {
    if ($("opened-segment").hidden) return;
    const [number, count] = [place + 1, segments.length].map((one) => one.toLocaleString("en"));
    const change = isSame(filled, readTexts()) ? "" : ", changed here";
    $("opened-segment").querySelector("strong").textContent = `Segment ${number} of ${count}${change}`;
  }

  new MutationObserver(tellName).observe($("result-html"), { childList: true }); // every result, whatever was changed for it
  $("previous-segment").addEventListener("click", () => open(segments, place - 1));
  $("next-segment").addEventListener("click", () => open(segments, place + 1));
  $("back-to-corpus").addEventListener("click", async () => {
    await chooseMode("corpus");
    table.focus(place);
  });
  return { open };
}
