/**
 * Examples: those of one segment, and the one of every other mode. Texts of somebody's own that one replaces stay one
 * step back in the browser's history.
 */
import { restore } from "./addresses.js";
import { call } from "./engine.js";
import { readState } from "./modes.js";
import { beginPlace, isSame, keepPlace, where } from "./places.js";
import { say, showProblem } from "./result.js";
import { update } from "./segment.js";
import { readForm, writeForm } from "./segment_form.js";

const FORMS = [...document.querySelectorAll(".lesson")].map(({ dataset }) => JSON.parse(dataset.form));
/** The texts of all examples that were shown: modes share them, and whoever takes one along has written nothing. */
const shownTexts = new Set();

export function handle({ type, target }) {
  if (type !== "click") return;
  const lesson = target.closest(".lesson");
  if (lesson) openLesson(JSON.parse(lesson.dataset.form));
  else showExample();
}

function openLesson(form) {
  replaceTexts(isOwn(readForm()), () => {
    writeForm(form);
    update();
  });
}

/** Whether somebody wrote these texts: they are neither blank nor those of an example. */
function isOwn({ candidate, references }) {
  const isExample = FORMS.some((form) => isSame([form.candidate, form.references], [candidate, references]));
  return !isExample && [candidate, ...references].some((text) => text.trim());
}

const listTexts = ({ files }, systems = []) => [...files, ...systems].map(({ text }) => text);

/** Fill the mode in with its example. */
async function showExample() {
  const answer = await call({ action: "example", mode: where.mode });
  if (!answer.ok) return showProblem(answer.error);
  const { corpus, own } = readState();
  const texts = listTexts(corpus, own?.systems);
  replaceTexts(texts.some((text) => text.trim() && !shownTexts.has(text)), () => {
    for (const text of listTexts(answer.state, answer.state.systems)) shownTexts.add(text);
    restore(answer.state, { isExample: true });
  });
}

/** Leave texts of somebody's own behind as an entry of the history, before others take their place. */
function replaceTexts(areOwn, replace) {
  if (areOwn) {
    keepPlace(readState(), false);
    beginPlace(readState());
  }
  replace();
  if (areOwn) say("Your texts are one step back: the browser's Back brings them.");
}
