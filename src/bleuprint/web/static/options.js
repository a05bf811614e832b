/**
 * The options: which recipe the form states. It is a base (a dialect or a signature) and the axes changed since.
 */
const $ = (id) => document.getElementById(id);

let base = $("base").value;
/** @type {Record<string, string>} */
let changes = {};

/** Until somebody chooses a recipe, one segment and a corpus each have their own to start with. */
const started = { segment: { base, changes }, corpus: { base: $("base").dataset.corpusRecipe, changes } };
let current = "segment";
let chosen = false;

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

/** Show the options that the chosen metric has, and no others. */
function showMetric(metric) {
  for (const part of document.querySelectorAll("#options [data-metric]:not(optgroup)")) part.hidden = part.dataset.metric !== metric;
}

/** The metric of the dialect that the picker shows; none for a recipe of one's own, whose metric the engine tells. */
function chosenMetric() {
  return $("base").selectedOptions[0]?.closest("optgroup")?.dataset.metric;
}

/**
 * Set the state (base and changes), or show what the engine made of it (choices on every axis).
 */
export function showChoices({ base: newBase, changes: newChanges, metric, choices, dialects }) {
  if (newBase) {
    base = newBase;
    changes = Object.fromEntries(Object.entries(newChanges ?? {}).filter(([key]) => key !== "base"));
    $("weights").value = changes.weights ?? "";
  }
  if (!choices) return;
  showMetric(metric);
  for (const control of document.querySelectorAll("[data-axis]")) {
    if (control.dataset.axis in choices) choose(control, choices[control.dataset.axis]);
  }
  $("lowercase").checked = choices.case !== "mixed";
  if ("weights" in choices) showWeights(choices);
  if ("smoothing" in choices) showSmoothing(choices);
  showName(dialects ?? []);
}

function showWeights(choices) {
  if (document.activeElement !== $("order")) $("order").value = choices.order;
  $("weights").placeholder = choices.weights;
}

function showSmoothing(choices) {
  const [, kind, value] = /^([^(]+)(?:\((.+)\))?$/.exec(choices.smoothing);
  $("smoothing").value = kind;
  $("smoothing-value").disabled = value === undefined;
  if (document.activeElement !== $("smoothing-value")) $("smoothing-value").value = value ?? "";
  $("epsilon").checked = kind === "epsilon";
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

/** Call back after every change of an option. */
export function watchOptions(changed) {
  const set = (field, value) => {
    keepRecipe();
    if (value === "" || value === null) delete changes[field];
    else changes[field] = value;
    changed();
  };
  $("base").addEventListener("change", () => {
    keepRecipe();
    base = $("base").value;
    changes = {};
    $("weights").value = "";
    showMetric(chosenMetric());
    changed();
  });
  for (const control of document.querySelectorAll("[data-axis]")) {
    control.addEventListener("input", () => set(control.dataset.axis, control.value));
  }
  $("order").addEventListener("input", () => {
    $("weights").value = "";
    delete changes.weights;
    set("order", $("order").value);
  });
  $("weights").addEventListener("input", () => {
    delete changes.order;
    set("weights", $("weights").value.trim());
  });
  $("lowercase").addEventListener("change", () => set("case", $("lowercase").checked ? "lower" : "mixed"));
  $("epsilon").addEventListener("change", () => set("smoothing", $("epsilon").checked ? "epsilon" : "none"));
  $("smoothing").addEventListener("change", () => set("smoothing", $("smoothing").value));
  $("smoothing-value").addEventListener("input", () => {
    const value = $("smoothing-value").value;
    set("smoothing", value === "" ? $("smoothing").value : `${$("smoothing").value}(${value})`);
  });
}
