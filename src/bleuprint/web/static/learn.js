/**
 * Learn: a lesson in six steps. Python makes each of them; this script asks for it, slides the window over the n-grams, and hides
 * results until somebody has guessed.
 */
import { watchProjector } from "./projector.js";

const $ = (id) => document.getElementById(id);
const LOADING = "Python is still loading; the lesson follows.";

/** The lesson and the step that the address names. */
function readAddress() {
  const [mode, lesson, step] = location.hash.slice(1).split("/");
  return mode === "learn" && lesson ? { lesson, step } : null;
}

export function watchMode(desk) {
  const step = $("learn-step");
  const buttons = [...$("learn-steps").querySelectorAll("button")];
  const names = buttons.map((button) => button.dataset.step);
  /** What is shown; what is asked for, which may be ahead of it; the texts that the lesson began with. */
  let state = {};
  let wanted = {};
  let began = null;
  let address = "";
  let newest = 0;
  let waiting = false;
  /** What somebody has asked to see, though they predict first. */
  let revealed = new Set();
  let place = 0;

  async function ask(changed) {
    wanted = { ...wanted, ...changed };
    waiting = !desk.ready();
    if (waiting) return (step.textContent = LOADING);
    const turn = ++newest;
    const answer = await desk.call({ action: "learn", ...wanted });
    if (turn !== newest) return;
    desk.showProblem(answer.ok ? null : answer.error);
    if (!answer.ok) return (wanted = state);
    wanted = state = answer.state;
    began ??= JSON.stringify(state.segments);
    address = answer.address;
    show(answer);
    desk.notePlace();
  }

  /** Begin another lesson, or the same with other texts. */
  function begin(texts) {
    wanted = {};
    began = null;
    return ask(texts);
  }

  function show({ html, announced }) {
    const { activeElement } = document;
    const focused = step.contains(activeElement) ? activeElement.id : "";
    step.innerHTML = html;
    revealed = new Set();
    place = 0;
    fillTokenizers();
    if ($("learn-reset")) $("learn-reset").hidden = JSON.stringify(state.segments) === began;
    $("learn-lesson").value = state.lesson;
    for (const button of buttons) {
      if (button.dataset.step === state.step) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    $("learn-back").disabled = state.step === names[0];
    $("learn-next").disabled = state.step === names.at(-1);
    conceal();
    const said = step.querySelector(".learn-said:not([hidden])")?.textContent ?? "";
    $("learn-status").textContent = `${announced} ${said}`;
    if (activeElement.disabled) step.focus({ preventScroll: true }); // the end of the steps
    if (focused) ($(focused) ?? step.querySelector(".learn-out:last-of-type") ?? step).focus({ preventScroll: true });
    document.body.dataset.taught = String(Number(document.body.dataset.taught ?? 0) + 1);
  }

  /** Offer the tokenizers that this host has, as the options do. */
  function fillTokenizers() {
    const select = $("learn-tokenizer");
    if (!select) return;
    const { chosen } = select.dataset;
    select.append(...[...$("tokenizer").options].map((option) => option.cloneNode(true)));
    if (![...select.options].some((option) => option.value === chosen)) select.add(new Option(chosen, chosen));
    select.value = chosen;
  }

  const isHidden = (name) => $("learn-predict").checked && !revealed.has(name);

  /** Hide what is to be predicted, and offer to show it. */
  function conceal() {
    for (const part of step.querySelectorAll("[data-answer]")) part.toggleAttribute("hidden", isHidden(part.dataset.answer));
    for (const button of step.querySelectorAll(".learn-reveal")) button.hidden = !isHidden(button.dataset.reveal);
    step.querySelector(".learn-grams")?.classList.toggle("learn-concealed", isHidden("matches"));
    showWindow();
  }

  /** Frame the tokens under the window, and light up where references have the same. */
  function showWindow() {
    const list = step.querySelector(".learn-grams");
    if (!list) return;
    const order = Number(list.dataset.order);
    const grams = [...list.querySelectorAll(".learn-gram")];
    const gram = grams[place];
    const [own, ...others] = step.querySelectorAll("[data-window]");
    mark(own, "learn-window", [place], order);
    const starts = gram.dataset.references.split(";").map((places) => places.split(" ").filter(Boolean).map(Number));
    others.forEach((text, which) => mark(text, "learn-lit", isHidden("matches") ? [] : (starts[which] ?? []), order));
    grams.forEach((one, which) => one.setAttribute("aria-pressed", String(which === place)));
    $("learn-slide-back").disabled = place === 0;
    $("learn-slide-on").disabled = place === grams.length - 1;
    const where = isHidden("matches") ? "" : `: ${gram.dataset.said}`;
    $("learn-window").textContent = `${place + 1} of ${grams.length}, “${gram.textContent}”${where}`;
  }

  function mark(text, name, starts, order) {
    [...text.children].forEach((token, which) => {
      token.classList.toggle(name, starts.some((start) => start <= which && which < start + order));
      token.classList.toggle(`${name}-first`, starts.includes(which));
      token.classList.toggle(`${name}-last`, starts.includes(which - order + 1));
    });
  }

  function slide(to) {
    place = to;
    showWindow();
  }

  function move(by) {
    const next = names[names.indexOf(wanted.step) + by];
    if (next) ask({ step: next });
  }

  /** The segment at hand with another candidate. */
  const withCandidate = (candidate) => state.segments.map((pair, which) => (which === state.focus ? [candidate, pair[1]] : pair));

  async function leaveOut(token) {
    const [candidate, references] = state.segments[state.focus];
    const answer = await desk.call({ action: "edit", place: token, candidate, references, recipe: state.recipe });
    desk.showProblem(answer.ok ? null : answer.error);
    if (answer.ok) ask({ segments: withCandidate(answer.candidate) });
  }

  function addWord() {
    const word = $("learn-word").value.trim();
    if (word) ask({ segments: withCandidate(`${state.segments[state.focus][0]} ${word}`.trim()) });
  }

  function useTexts() {
    const references = $("learn-references").value.split("\n").filter((line) => line.trim());
    begin({ lesson: "own", segments: [[$("learn-candidate").value, references]], recipe: state.recipe, step: state.step });
  }

  function press({ id, dataset, classList }) {
    if (dataset.reveal) reveal(dataset.reveal);
    if (classList.contains("learn-gram")) slide([...step.querySelectorAll(".learn-gram")].findIndex((one) => one.dataset === dataset));
    if (classList.contains("learn-way")) ask({ recipe: { base: dataset.recipe } });
    if (classList.contains("learn-out")) leaveOut(Number(dataset.place));
    const presses = {
      "learn-slide-back": () => slide(place - 1),
      "learn-slide-on": () => slide(place + 1),
      "learn-add": addWord,
      "learn-reset": () => ask({ segments: JSON.parse(began) }),
      "learn-use": useTexts,
    };
    presses[id]?.();
  }

  function reveal(name) {
    revealed.add(name);
    conceal();
    const shown = [...step.querySelectorAll("[data-answer]:not([hidden])")].find((part) => part.matches(`.learn-said[data-answer="${name}"]`));
    $("learn-status").textContent = shown?.textContent ?? "";
    (step.querySelector(".learn-reveal:not([hidden])") ?? $("learn-next")).focus({ preventScroll: true });
  }

  step.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button) press(button);
  });
  step.addEventListener("change", ({ target }) => {
    const { number, axisOf } = target.dataset;
    if (number) ask({ [number]: Number(target.value) });
    if (axisOf) ask({ recipe: { base: state.recipe.base, [axisOf]: target.value } });
  });
  step.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.id === "learn-word") addWord();
  });
  $("learn-lesson").addEventListener("change", () => begin({ lesson: $("learn-lesson").value, step: state.step }));
  $("learn-predict").addEventListener("change", () => {
    revealed = new Set();
    conceal();
  });
  for (const button of buttons) button.addEventListener("click", () => ask({ step: button.dataset.step }));
  $("learn-back").addEventListener("click", () => move(-1));
  $("learn-next").addEventListener("click", () => move(1));
  const projector = watchProjector(move);

  return {
    show: () => {
      const named = readAddress();
      return named ? begin(named) : ask({});
    },
    start: () => waiting && ask({}),
    leave: () => {
      waiting = false;
      newest += 1;
      projector.close();
    },
    touched: () => {},
    changed: () => {},
    state: () => ({ mode: "learn", address, ...state }),
    restore: ({ lesson, segments, recipe, step: at, focus, order }) => begin({ lesson, segments, recipe, step: at, focus, order }),
    export: () => null,
  };
}
