/**
 * What goes for the whole page: narrow screens, a key to run, files dropped anywhere, several lines in a box, paper.
 */
import { decode } from "./corpus.js";

const $ = (id) => document.getElementById(id);
/** A screen on which form and result stand one below the other. */
const narrow = matchMedia("(max-width: 60rem)");

/** Lines that a text has; a last line break begins none. */
const linesOf = (text) => text.replace(/\n$/, "").split("\n").length;

/**
 * @param {object} page
 * @param {function(): string} page.mode
 * @param {function(): {candidate: string, references: string[]}} page.readForm
 * @param {function({files: object[], pasted: boolean}, boolean): void} page.useCorpus take texts as a corpus, and score them `now`
 * @param {function(): void} page.update work out one segment
 * @param {function({message: string}): void} page.showProblem
 * @param {function(string): void} page.say
 */
export function watchFrame({ mode, readForm, useCorpus, update, showProblem, say }) {
  /** Whether somebody has asked for a result by a button or a key, and waits for it. */
  let awaited = false;

  const filled = () => {
    const { candidate, references } = readForm();
    return [candidate, ...references.filter((text) => text.trim())];
  };

  /** Several lines may be meant as several segments: say what happens to them, and offer the corpus. */
  function offerCorpus() {
    const [lines, ...others] = filled().map(linesOf);
    const alike = others.length > 0 && others.every((count) => count === lines);
    $("lines").hidden = mode() !== "segment" || lines < 2;
    $("lines-corpus").hidden = !alike;
    $("lines-corpus").textContent = `Score them as a corpus of ${lines} segments`;
    const counts = alike
      ? `Each text has ${lines} lines`
      : `The candidate has ${lines} lines, the references ${others.join(", ") || "none"}`;
    $("lines").querySelector("span").textContent = `${counts}; here they are one segment.`;
  }

  function useLines() {
    const files = filled().map((text, place) => ({ name: place ? `reference-${place}.txt` : "candidate.txt", text }));
    useCorpus({ files, pasted: files.length === 2 }, true);
  }

  async function takeFiles(list) {
    const files = await Promise.all([...list].map(decode));
    const problem = files.find((file) => file.problem)?.problem;
    if (problem) showProblem(problem);
    else useCorpus({ files, pasted: false }, false);
  }

  /** Press the button of the mode; one segment needs none. */
  function run() {
    awaited = true;
    if (mode() === "segment") update();
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
        if (target.matches(".primary")) awaited = true;
        if (!target.closest("#said")) say(""); // what was said stays in sight until somebody goes on
      },
      { capture: true },
    );
    $("lines-corpus").addEventListener("click", useLines);
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

  watchKeysAndClicks();
  watchDrops();
  watchPrinting();
  for (const fold of document.querySelectorAll(".fold")) {
    fold.open = !narrow.matches;
    fold.classList.add("watched");
  }
  return {
    offerCorpus,
    /** On a narrow screen go to the result that was asked for. */
    reveal: () => {
      if (awaited && narrow.matches) $("result").scrollIntoView();
      awaited = false;
    },
  };
}
