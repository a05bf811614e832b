/**
 * What goes for the whole page: tabs, narrow screens, a key to run, files dropped anywhere, several lines in a box, paper.
 */
import { fetchMarkup, insist, once, putInPlace } from "./late.js";
import { chooseMode, MODES, showParts, touchMode } from "./modes.js";
import { where } from "./places.js";
import { awaitResult, say } from "./result.js";
import { update } from "./segment.js";

const $ = (id) => document.getElementById(id);

const bringCorpus = () => insist(() => import("./to_corpus.js"), "What makes a corpus of texts");

const bringHelp = once(async () => putInPlace(await fetchMarkup("help")));

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
      // What was said stays in sight until somebody goes on.
      if (!target.closest("#said")) say("");
    },
    { capture: true },
  );
  $("lines-corpus").addEventListener("click", async () => (await bringCorpus()).useLines());
  $("score-bar").addEventListener("click", () => {
    $("result").scrollIntoView();
    $("result").focus({ preventScroll: true });
  });
}

function watchDrops() {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    // Taken by a place of its own for files. The browser empties the list when the drop is over.
    const taken = event.defaultPrevented;
    const files = [...event.dataTransfer.files];
    if (!files.length) return;
    event.preventDefault();
    if (!taken) (await bringCorpus()).takeFiles(files);
  });
}

/** The answers below “How it works” come when the first of them is opened, maybe before there was a script. */
function watchHelp() {
  const help = document.querySelector(".help");
  const look = () => help.querySelector("[id][open]") && insist(bringHelp, "The answer");
  help.addEventListener("toggle", look, { capture: true });
  look();
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

/** The tabs of the modes, by clicks and by keys; and whose texts are used, where a mode takes either. */
function watchTabs() {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const moves = {
    ArrowLeft: (place) => place - 1,
    ArrowRight: (place) => (place + 1) % tabs.length,
    Home: () => 0,
    End: () => -1,
  };
  tabs.forEach((tab, place) => {
    tab.addEventListener("click", () => tab.id === `tab-${where.mode}` || chooseMode(tab.id.slice(4)));
    tab.addEventListener("keydown", (event) => {
      if (!moves[event.key]) return;
      event.preventDefault();
      const other = tabs.at(moves[event.key](place));
      other.focus();
      other.click();
    });
  });
  $("source").addEventListener("change", () => {
    showParts();
    MODES[where.mode].show();
  });
  $("form").addEventListener("input", touchMode);
}

export function watchFrame() {
  watchTabs();
  watchKeysAndClicks();
  watchDrops();
  watchHelp();
  watchPrinting();
  for (const fold of document.querySelectorAll(".fold")) {
    // Where form and result stand one below the other. Until now it looked folded, so that nothing moves.
    if (matchMedia("(max-width: 60rem)").matches) fold.open = false;
    fold.dataset.ready = "yes";
  }
}
