/**
 * What if: try another choice, leave a token out or change it, see what that does to the score, and take it back.
 */
import { call } from "./engine.js";
import { showProblem } from "./result.js";
import { update, useTrials } from "./segment.js";
import { readForm, writeForm } from "./segment_form.js";

const $ = (id) => document.getElementById(id);
const CANDIDATE = "#texts-html [data-side=candidate] .bp-token[role=button]";
const TOKENS = `${CANDIDATE}, #what-if-html .bp-word`;

/** What was tried: the form before it, and its name. */
let steps = [];
let place = null;

async function attempt(step, changed) {
  steps.push({ step, form: readForm() });
  await write({ ...readForm(), ...changed });
}

async function write(form) {
  close();
  const { hidden } = $("opened-segment");
  writeForm(form);
  $("opened-segment").hidden = hidden; // it is the same segment still
  await update({ trying: true });
  $(steps.length ? "undo" : "result").focus();
}

function open(token) {
  const all = token.closest("[data-side], .bp-words").querySelectorAll("[role=button]");
  place = [...all].indexOf(token);
  $("edit-token").textContent = token.textContent;
  $("edit-text").value = token.textContent;
  $("edit").hidden = false;
}

function close() {
  place = null;
  $("edit").hidden = true;
}

async function edit(to) {
  const answer = await call({ action: "edit", place, to, ...readForm() });
  if (!answer.ok) return showProblem(answer.error);
  await attempt(answer.step, { candidate: answer.candidate });
}

function choose({ field, choice, step }) {
  const recipe = { ...readForm().recipe, [field]: choice };
  if (field === "order") delete recipe.weights; // they are one to an order
  return attempt(step, { recipe });
}

export const onTrials = {
  click: ({ target }) => {
    const token = target.closest(TOKENS);
    const trial = target.closest(".bp-trial");
    if (token) open(token);
    if (trial) choose(trial.dataset);
  },
  keydown: (event) => {
    if (!event.target.matches(TOKENS) || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    open(event.target);
    $("edit-out").focus();
  },
};

$("edit").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target === $("edit-text")) edit($("edit-text").value);
  if (event.key !== "Escape") return;
  close();
  document.querySelector(TOKENS)?.focus();
});
$("edit-out").addEventListener("click", () => edit(null));
$("edit-change").addEventListener("click", () => edit($("edit-text").value));
$("undo").addEventListener("click", () => write(steps.pop().form));

useTrials({
  /** The form before what was tried last. */
  before: () => steps.at(-1)?.form,
  /** Say what that did. */
  tell: (change) => {
    $("tried").hidden = !steps.length;
    $("tried-text").textContent = steps.length ? `${steps.at(-1).step}: ${change}` : "";
  },
  /** The form was changed in another way. */
  forget: () => {
    steps = [];
    close();
  },
});
