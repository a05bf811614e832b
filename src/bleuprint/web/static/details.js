/**
 * The details of one segment: pages of n-grams, the dialects, how texts are shaded.
 */
import { call } from "./engine.js";
import { keepRecipe, showChoices } from "./options.js";
import { showProblem } from "./result.js";
import { holdTurn, shading, update } from "./segment.js";
import { readForm } from "./segment_form.js";

const $ = (id) => document.getElementById(id);

export const onDetails = {
  click: ({ target }) => {
    const page = target.closest(".bp-turn");
    const dialect = target.closest(".bp-dialect");
    if (page) turnPage(page);
    if (dialect) useDialect(dialect.dataset.dialect);
    if (target.matches(".bp-all-metrics")) showAllMetrics(target);
    if (target.closest(".bp-all-tokens")) showTexts(true);
  },
  change: async ({ target }) => {
    if (!target.closest(".bp-shading")) return;
    shading.order = target.value ? Number(target.value) : null;
    await showTexts();
    $("texts-html").querySelector(".bp-shading :checked")?.focus();
  },
};

async function turnPage(turn) {
  const request = { order_shown: Number(turn.dataset.order), page: Number(turn.dataset.page) };
  const answer = await call({ action: "ngrams", ...request, ...readForm() });
  if (!answer.ok) return showProblem(answer.error);
  const table = turn.closest("details");
  const forward = turn.nextElementSibling === null;
  turn.closest(".bp-ngram-page").outerHTML = answer.html;
  const buttons = [...table.querySelectorAll(".bp-turn:not(:disabled)")];
  (forward ? buttons.at(-1) : buttons[0])?.focus();
}

function useDialect(base) {
  keepRecipe();
  showChoices({ base, changes: {} });
  update();
  $("result").focus();
}

/** Show the dialects of every metric for texts that are too long to do so after each key. */
async function showAllMetrics(button) {
  button.disabled = true;
  const isHeld = holdTurn();
  const answer = await call({ action: "dialects", all_metrics: true, ...readForm() });
  if (!isHeld()) return;
  showProblem(answer.ok ? null : answer.error);
  if (answer.ok) $("dialects-html").innerHTML = answer.html;
}

/** Show the texts again: all of their tokens, or shaded in another way. */
async function showTexts(all = false) {
  const isHeld = holdTurn();
  const answer = await call({ action: "details", all_tokens: all, shade_order: shading.order, ...readForm() });
  if (!isHeld()) return;
  if (answer.ok) $("texts-html").innerHTML = answer.html.texts;
  else showProblem(answer.error);
}
