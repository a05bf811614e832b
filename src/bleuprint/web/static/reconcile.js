/**
 * Reconcile: why two tools disagree. Counts chunk by chunk for all recipes on the way, then asks for the steps.
 */
import { makeMode } from "./late_mode.js";

const TYPED = "a signature…";
const $ = (id) => document.getElementById(id);

export function watchMode(desk) {
  let all = false;

  const readEnd = (end) => ($(end).value === TYPED ? $(`${end}-signature`).value : $(end).value);

  /** Choose a dialect; anything else is a signature. */
  function writeEnd(end, name) {
    const known = [...$(end).options].some((option) => option.value === name && name !== TYPED);
    $(end).value = known ? name : TYPED;
    if (!known) $(`${end}-signature`).value = name;
    showBox(end);
  }

  function showBox(end) {
    $(`${end}-signature`).parentElement.hidden = $(end).value !== TYPED;
  }

  for (const [end, first] of [["from", "nltk"], ["to", "sacrebleu"]]) {
    $(end).append(...[...$("base").querySelectorAll("optgroup")].map((group) => group.cloneNode(true)));
    $(end).append(new Option(TYPED, TYPED));
    writeEnd(end, first);
  }

  const mode = makeMode(desk, {
    name: "reconcile",
    button: "reconcile-run",
    invitation: "Choose two recipes to see what lies between their scores, axis by axis.",
    pressed: () => (all = false),
    read: () => (all ? { all } : { from: readEnd("from"), to: readEnd("to") }),
    write: (state) => {
      all = state.all === true;
      for (const end of ["from", "to"]) if (typeof state[end] === "string") writeEnd(end, state[end]);
    },
    steps: async (form, ask, tell, chunk) => {
      const tables = [];
      const { length } = form.segments;
      const most = form.segments.reduce((known, [, references]) => Math.max(known, references.length), 1);
      if (form.all) form.most_references = most;
      for (let start = 0; start < length; start += chunk) {
        tell(start / length, `${start} of ${length} segments`);
        const segments = form.segments.slice(start, start + chunk);
        const part = await ask({ action: "reconcile-count", ...form, segments });
        part.tables.forEach((rows, place) => (tables[place] ??= []).push(...rows));
      }
      tell(1, "finding the causes");
      const request = { ...form, tables };
      return { request, answer: await ask({ action: "reconcile-result", ...request }) };
    },
  });

  $("reconcile-all").addEventListener("click", () => {
    all = true;
    mode.run();
  });
  for (const end of ["from", "to"]) {
    $(end).addEventListener("change", () => {
      showBox(end);
      if ($(end).value === TYPED) return $(`${end}-signature`).focus();
      if (mode.hasResult() && !all) mode.run();
    });
  }
  return mode;
}
