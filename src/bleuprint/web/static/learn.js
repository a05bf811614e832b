/**
 * Learn: a lesson in six steps. Python makes each of them; this script asks for it, slides the window over the n-grams, and hides
 * results until somebody has guessed.
 */
const $ = (id) => document.getElementById(id);
const LOADING = "Python is still loading; the lesson follows.";

/** The styles come with the first lesson. */
function loadStyles() {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("learn.css", import.meta.url).href });
  document.head.append(link);
  return new Promise((done) => (link.onload = link.onerror = done));
}

/** The lesson and the step that the address names. */
function readAddress() {
  const [mode, lesson, step] = decodeURIComponent(location.hash.slice(1)).split("/");
  return mode === "learn" && lesson ? { lesson, step } : null;
}

export function watchMode(desk) {
  const styles = loadStyles();
  const moves = [...$("learn-steps").querySelectorAll("button")];
  const names = moves.map((button) => button.dataset.step);
  /** What is shown; what is asked for, which may be further; and which answer is the newest. */
  let state = {};
  let wanted = {};
  let address = "";
  let newest = 0;
  let waiting = false;

  async function ask(changed) {
    wanted = { ...wanted, ...changed };
    waiting = !desk.ready();
    if (waiting) return ($("learn-step").textContent = LOADING);
    const turn = ++newest;
    const answer = await desk.call({ action: "learn", ...wanted });
    await styles;
    if (turn !== newest) return;
    desk.showProblem(answer.ok ? null : answer.error);
    if (!answer.ok) return (wanted = state);
    wanted = state = answer.state;
    address = answer.address;
    show(answer);
    desk.notePlace();
  }

  function show({ html, announced }) {
    $("learn-step").innerHTML = html;
    $("learn-lesson").value = state.lesson;
    $("learn-status").textContent = announced;
    for (const button of moves) {
      if (button.dataset.step === state.step) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    $("learn-back").disabled = state.step === names[0];
    $("learn-next").disabled = state.step === names.at(-1);
    document.body.dataset.taught = String(Number(document.body.dataset.taught ?? 0) + 1);
  }

  function move(by) {
    const step = names[names.indexOf(wanted.step) + by];
    if (step) ask({ step });
  }

  $("learn-lesson").addEventListener("change", () => {
    wanted = {};
    ask({ lesson: $("learn-lesson").value });
  });
  moves.forEach((button) => button.addEventListener("click", () => ask({ step: button.dataset.step })));
  $("learn-back").addEventListener("click", () => move(-1));
  $("learn-next").addEventListener("click", () => move(1));

  return {
    show: () => {
      const named = readAddress();
      if (named) wanted = named;
      return ask({});
    },
    start: () => waiting && ask({}),
    leave: () => {},
    touched: () => {},
    changed: () => {},
    state: () => ({ mode: "learn", address, ...state }),
    restore: ({ mode, address: _, ...linked }) => {
      wanted = {};
      return ask(linked);
    },
    export: () => null,
  };
}
