/**
 * The form of one segment: a candidate and its references, each in a box that says how long it is.
 */
import { limits } from "./limits.js";
import { readOptions, showChoices } from "./options.js";
import { isSame, where } from "./places.js";

const $ = (id) => document.getElementById(id);

function referenceBoxes() {
  return [...document.querySelectorAll("#references textarea")];
}

export function readForm() {
  return {
    candidate: $("candidate").value,
    references: referenceBoxes().map((box) => box.value),
    recipe: readOptions(),
  };
}

/** Fill the form in from an example, a link or an opened segment. */
export function writeForm({ candidate, references, recipe }) {
  $("opened-segment").hidden = true;
  $("candidate").value = candidate;
  while (referenceBoxes().length > references.length) referenceBoxes().at(-1).closest(".box").remove();
  while (referenceBoxes().length < references.length) addReference();
  referenceBoxes().forEach((box, place) => (box.value = references[place]));
  if (recipe) showChoices({ base: recipe.base, changes: recipe });
  nameReferences();
  showCounts();
}

/** Whether the form is that of the first example, which is on the page already; it need not be computed again. */
export function isFirstExample() {
  return isSame(readForm(), JSON.parse(document.querySelector(".lesson").dataset.form));
}

function addReference() {
  $("references").append($("reference-template").content.cloneNode(true));
}

export function nameReferences() {
  const boxes = [...document.querySelectorAll("#references .box")];
  boxes.forEach((box, place) => {
    const name = `reference-${place + 1}`;
    box.querySelector("label").textContent = `Reference ${place + 1}`;
    box.querySelector("label").htmlFor = name;
    const area = box.querySelector("textarea");
    area.id = name;
    area.setAttribute("aria-describedby", `${name}-count`);
    box.querySelector(".count").id = `${name}-count`;
    const remove = box.querySelector(".remove");
    remove.hidden = boxes.length === 1;
    remove.setAttribute("aria-label", `Remove reference ${place + 1}`);
  });
  $("add-reference").disabled = boxes.length >= limits.references;
}

/** Show the lengths of the texts: in characters, and in tokens if the engine or the first example has counted them. */
export function showCounts(lengths = isFirstExample() ? JSON.parse($("first-lengths").dataset.lengths) : undefined) {
  offerCorpus();
  const areas = [$("candidate"), ...referenceBoxes()];
  const counts = lengths ? [lengths.candidate, ...lengths.references] : [];
  areas.forEach((area, place) => {
    const length = [...area.value].length; // characters, as Python counts them
    const most = limits.characters;
    const count = area.closest(".box").querySelector(".count");
    const known = describeCount(counts[place]);
    count.textContent = `${known}${length.toLocaleString("en")} of ${most.toLocaleString("en")} characters`;
    count.classList.toggle("over", length > most);
    area.setAttribute("aria-invalid", String(length > most));
  });
}

/** The length of a box as the engine counted it, such as its tokens; null is a blank reference. */
function describeCount(counted) {
  if (counted === undefined) return "";
  return counted === null ? "blank, so left out; " : `${counted}, `;
}

/** Mark the references that the engine left out, by their numbers. */
export function showLeftOut(numbers) {
  showCounts({ references: referenceBoxes().map((box, place) => (numbers.includes(place + 1) ? null : undefined)) });
}

/** The candidate, and the references that are not blank. */
export function filledTexts() {
  const { candidate, references } = readForm();
  return [candidate, ...references.filter((text) => text.trim())];
}

/** The number of lines of a text. A trailing line break does not start another. */
const linesOf = (text) => text.replace(/\n$/, "").split("\n").length;

/** Several lines may be several segments: show how they are read, and offer to score a corpus. */
export function offerCorpus() {
  const [lines, ...others] = filledTexts().map(linesOf);
  const alike = others.length > 0 && others.every((count) => count === lines);
  $("lines").hidden = where.mode !== "segment" || lines < 2;
  $("lines-corpus").hidden = !alike;
  $("lines-corpus").textContent = `Score them as a corpus of ${lines} segments`;
  const counts = alike
    ? `Each text has ${lines} lines`
    : `The candidate has ${lines} lines, the references ${others.join(", ") || "none"}`;
  $("lines").querySelector("span").textContent = `${counts}; here they are one segment.`;
}

/** Register callbacks for typing, and for adding or removing a box. */
export function watchSegmentForm({ typed, changed }) {
  $("segment-texts").addEventListener("input", typed);
  $("add-reference").addEventListener("click", () => {
    addReference();
    nameReferences();
    referenceBoxes().at(-1).focus();
    changed();
  });
  $("references").addEventListener("click", (event) => {
    if (!event.target.matches(".remove")) return;
    event.target.closest(".box").remove();
    nameReferences();
    $("add-reference").focus();
    changed();
  });
}
