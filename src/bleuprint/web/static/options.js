/**
 * The options: which recipe the form states. It is a base (a dialect or a signature) and the axes changed since.
 */
import { call, isReady } from "./engine.js";
import { fetchMarkup, insist, once, putInPlace } from "./late.js";

const $ = (id) => document.getElementById(id);

let base = $("base").value;
/** @type {Record<string, string>} */
let changes = {};

/** Until somebody chooses a recipe, one segment and a corpus each have their own to start with. */
const started = { segment: { base, changes }, corpus: { base: $("base").dataset.corpusRecipe, changes } };
let current = "segment";
let chosen = false;

let metric = chosenMetric();
/** What the engine said last of every axis. */
let told = null;
/** The form of every axis, once it has come. */
let allChoices = null;

/** The recipe is somebody's choice from now on: it stays, wherever they go. */
export function keepRecipe() {
  chosen = true;
}

/** Whether the recipe is somebody's choice. */
export function isKept() {
  return chosen;
}

/**
 * Come to the texts of one segment, or to those of a corpus.
 * @returns {boolean} whether another recipe holds now
 */
export function startTexts(texts) {
  const before = current;
  current = texts;
  if (chosen || before === texts) return false;
  started[before] = { base, changes };
  ({ base, changes } = started[texts]);
  $("base").value = base;
  return true;
}

/** Give the recipe as the bridge takes it. */
export function readOptions() {
  return { base, ...changes };
}

/** Show the options that a metric has, and no others. */
function showMetric(name) {
  metric = name;
  for (const part of document.querySelectorAll("#options [data-metric]:not(optgroup)")) part.hidden = part.dataset.metric !== name;
}

/** The metric of the dialect that the picker shows; none for a recipe of one's own, whose metric the engine tells. */
function chosenMetric() {
  return $("base").selectedOptions[0]?.closest("optgroup")?.dataset.metric;
}

/**
 * Set the state (base and changes), or show what the engine made of it (choices on every axis).
 */
export function showChoices({ base: newBase, changes: newChanges, metric: newMetric, choices, dialects }) {
  if (newBase) {
    base = newBase;
    changes = Object.fromEntries(Object.entries(newChanges ?? {}).filter(([key]) => key !== "base"));
    allChoices?.writeWeights(changes.weights);
  }
  if (!choices) return;
  told = choices;
  showMetric(newMetric);
  showAxes($("options"));
  $("lowercase").checked = choices.case !== "mixed";
  if ("order" in choices && document.activeElement !== $("order")) $("order").value = choices.order;
  if ("smoothing" in choices) $("epsilon").checked = choices.smoothing.startsWith("epsilon");
  showName(dialects ?? []);
}

function showAxes(part) {
  for (const control of part.querySelectorAll("[data-axis]")) {
    if (control.dataset.axis in told) choose(control, told[control.dataset.axis]);
  }
  allChoices?.show(told);
}

/** Show a value; one that came with a signature and is not in the list, such as a model of one's own, is added. */
function choose(select, value) {
  if (select.matches("input")) {
    if (document.activeElement !== select) select.value = value;
    return;
  }
  if (![...select.options].some((option) => option.value === value)) select.add(new Option(value, value));
  select.value = value;
}

function showName(dialects) {
  const select = $("base");
  const own = select.querySelector("[value=own]");
  const name = dialects.includes(base) ? base : (dialects[0] ?? "own");
  own.hidden = name !== "own";
  select.value = name;
  $("recipe-text").textContent = select.selectedOptions[0]?.title ?? "";
}

/** Show the choices of the recipe that holds now, where no result does so. */
export async function showRecipe() {
  const recipe = readOptions();
  const answer = isReady() && (await call({ action: "recipe", recipe }));
  if (answer.ok && JSON.stringify(recipe) === JSON.stringify(readOptions())) showChoices(answer);
}

/** Bring the form of every axis when somebody opens it; it shows the recipe as it is by then. */
function watchFold(set) {
  const fold = $("all-choices");
  const bring = once(async () => {
    const [{ watchAllChoices }, markup] = await Promise.all([import("./all_choices.js"), fetchMarkup("all_choices")]);
    putInPlace(markup);
    allChoices = watchAllChoices(set);
    allChoices.writeWeights(changes.weights);
    showMetric(metric);
    if (told) showAxes(fold);
  });
  const look = () => fold.open && insist(bring, "All choices");
  fold.addEventListener("toggle", look);
  look(); // it may have been opened before there was a script
}

/** Call back after every change of an option. */
export function watchOptions(changed) {
  const set = (field, value, inPlaceOf) => {
    keepRecipe();
    delete changes[inPlaceOf];
    if (value === "") delete changes[field];
    else changes[field] = value;
    changed();
  };
  $("base").addEventListener("change", () => {
    keepRecipe();
    base = $("base").value;
    changes = {};
    allChoices?.writeWeights();
    showMetric(chosenMetric());
    changed();
  });
  $("options").addEventListener("input", ({ target }) => target.dataset.axis && set(target.dataset.axis, target.value));
  $("order").addEventListener("input", () => {
    allChoices?.writeWeights();
    set("order", $("order").value, "weights");
  });
  $("lowercase").addEventListener("change", () => set("case", $("lowercase").checked ? "lower" : "mixed"));
  $("epsilon").addEventListener("change", () => set("smoothing", $("epsilon").checked ? "epsilon" : "none"));
  watchFold(set);
}
