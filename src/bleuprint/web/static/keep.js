/**
 * What one takes away from a result: signatures, links, files, a lesson. And the test of the worked examples.
 */
import { call, isReady, whyNotNow } from "./engine.js";
import { writeLink } from "./links.js";
import { chooseMode, desk, MODES, notePlace, source, TEXTS } from "./modes.js";
import { keepRecipe, readOptions, showChoices } from "./options.js";
import { where } from "./places.js";
import { say, showProblem } from "./result.js";

const $ = (id) => document.getElementById(id);

/** What the buttons do, by a selector each. */
const PRESSES = {
  "#copy-signature": () => copy($("signature").textContent, "Signature copied."),
  "#share, #learn-share": share,
  "#print": () => window.print(),
  "#selftest": checkExamples,
  "#teach": teach,
  ".export": exportResult,
  ".bp-copy": ({ dataset }) => copy(dataset.text, "Signature copied."),
  ".bp-use": useRecipe,
};

export function handle({ type, target }) {
  if (type !== "click") return;
  for (const [selector, press] of Object.entries(PRESSES)) {
    const button = target.closest(selector);
    if (button) press(button);
  }
}

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say(`Copy it from here: ${text}`);
  }
}

/** Copy a link to what is shown: it carries the texts and the recipe, or the name of a lesson. */
async function share() {
  const unreadable = desk.unreadable();
  if (unreadable) return say(unreadable.message);
  notePlace();
  const own = await MODES[where.mode].state();
  if (!own) return;
  if (own.address) return copy(location.href, "Link copied.");
  const refusal = writeLink({ ...(TEXTS[where.mode] !== "own" && { ...desk.textsState(), recipe: readOptions() }), ...own });
  if (refusal) return say(refusal);
  copy(location.href, "Link copied; your texts are part of it.");
}

async function checkExamples() {
  const answer = await call({ action: "selftest" });
  if (answer.ok) $("selftest-html").innerHTML = answer.html;
  else $("selftest-html").textContent = answer.error.message;
}

/** Take the texts and the recipe at hand through the steps of a lesson. */
async function teach() {
  const recipe = readOptions();
  const answer = await call(desk.textsRequest());
  if (!answer.ok) return tellProblem(answer.error);
  const lesson = { lesson: "own", segments: answer.segments, recipe };
  const first = await call({ action: "learn", ...lesson }); // what cannot be taught is said here
  if (!first.ok) return tellProblem(first.error);
  chooseMode("learn", { show: false });
  await MODES.learn.restore(lesson);
  if (where.mode !== "learn") return;
  $("mode-learn").scrollIntoView(); // the button stood far below it
  $("learn-step").focus({ preventScroll: true });
}

/** Show a problem to somebody who pressed a button far below its place. */
function tellProblem(error) {
  showProblem(error);
  if (error) $("problem").scrollIntoView({ block: "nearest" });
}

async function exportResult({ dataset }) {
  if (!isReady()) return tellProblem(whyNotNow());
  const answer = await MODES[where.mode].export({ format: dataset.format });
  if (!answer) return;
  tellProblem(answer.ok ? null : answer.error);
  if (answer.ok) download(answer);
}

/** Offer a file. */
function download({ name, type, text }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Take a recipe that was found into the calculator, with the same texts. */
async function useRecipe({ dataset: { recipe, remark } }) {
  keepRecipe();
  const texts = source();
  const shown = chooseMode(texts, { now: true, fill: () => showChoices({ base: recipe, changes: {} }) });
  $("result").focus();
  await shown;
  if (where.mode !== texts) return;
  say(remark ? `The recipe is used as usual here; the number came of it by: ${remark}.` : "The recipe is used.");
}
