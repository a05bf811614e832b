/**
 * What goes for the whole page: narrow screens, a key to run, files dropped anywhere, several lines in a box, paper.
 */
import { insist } from "./late.js";
import { chooseMode, TEXTS, whenTexts } from "./modes.js";
import { awaitResult, narrow, say, showProblem } from "./result.js";
import { update } from "./segment.js";
import { filledTexts } from "./segment_form.js";
import { where } from "./where.js";

const $ = (id) => document.getElementById(id);

/** Take texts as a corpus, and score them `now`. */
async function useCorpus(state, now) {
  const texts = await whenTexts();
  const fill = () => texts.fill(state);
  if (TEXTS[where.mode] === "corpus" && !now) fill();
  else chooseMode("corpus", { texts: "corpus", now, fill });
}

function useLines() {
  const files = filledTexts().map((text, place) => ({ name: place ? `reference-${place}.txt` : "candidate.txt", text }));
  useCorpus({ files, pasted: files.length === 2 }, true);
}

async function takeFiles(list) {
  const given = [...list]; // the browser empties the list when the drop is over
  const { decode } = await insist(() => import("./files.js"), "What reads files");
  const files = await Promise.all(given.map(decode));
  const problem = files.find((file) => file.problem)?.problem;
  if (problem) showProblem(problem);
  else useCorpus({ files, pasted: false }, false);
}

/** Press the button of the mode; one segment needs none. */
function run() {
  awaitResult();
  if (where.mode === "segment") update();
  else [...document.querySelectorAll(".primary:not(:disabled)")].find((button) => button.checkVisibility())?.click();
}

function watchKeysAndClicks() {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  });
  document.addEventListener(
    "click",
    ({ target }) => {
      if (target.matches(".primary")) awaitResult();
      if (!target.closest("#said")) say(""); // what was said stays in sight until somebody goes on
    },
    { capture: true },
  );
  $("lines-corpus").addEventListener("click", useLines);
  $("print").addEventListener("click", () => window.print());
  $("score-bar").addEventListener("click", () => {
    $("result").scrollIntoView();
    $("result").focus({ preventScroll: true });
  });
}

function watchDrops() {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    const taken = event.defaultPrevented; // by a place of its own for files
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    if (!taken) takeFiles(event.dataTransfer.files);
  });
}

/** Paper shows what is folded. */
function watchPrinting() {
  let folded = [];
  const open = (wanted) => folded.forEach((one) => (one.open = wanted));
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("main .bp-explanation:not(.help) details:not([open])")];
    open(true);
  });
  addEventListener("afterprint", () => open(false));
}

export function watchFrame() {
  watchKeysAndClicks();
  watchDrops();
  watchPrinting();
  for (const fold of document.querySelectorAll(".fold")) {
    if (narrow.matches) fold.open = false;
    fold.dataset.ready = "yes"; // until now it looked folded, so that nothing moves
  }
}
