/**
 * The form of every axis, folded below the options: weights and smoothing, which are more than a choice from a list.
 */
const $ = (id) => document.getElementById(id);

function show(choices) {
  if ("weights" in choices) $("weights").placeholder = choices.weights;
  if (!("smoothing" in choices)) return;
  const [, kind, value] = /^([^(]+)(?:\((.+)\))?$/.exec(choices.smoothing);
  $("smoothing").value = kind;
  $("smoothing-value").disabled = value === undefined;
  if (document.activeElement !== $("smoothing-value")) $("smoothing-value").value = value ?? "";
}

/** @param {function(string, string, string=): void} set changes an axis, in place of another one if that is named */
export function watchAllChoices(set) {
  $("weights").addEventListener("input", () => set("weights", $("weights").value.trim(), "order"));
  $("smoothing").addEventListener("change", () => set("smoothing", $("smoothing").value));
  $("smoothing-value").addEventListener("input", () => {
    const value = $("smoothing-value").value;
    set("smoothing", value === "" ? $("smoothing").value : `${$("smoothing").value}(${value})`);
  });
  return { show, writeWeights: (weights = "") => ($("weights").value = weights) };
}
