/**
 * Learn is two screens: the steps of a lesson, and exercises, whose script comes when they are first opened.
 */
import { fetchStyles, insist, once } from "./late.js";
import { watchMode as watchLesson } from "./learn.js";

const $ = (id) => document.getElementById(id);
const FIRST = { seed: "1", level: "1" };

const bringExercises = once(async () => (await Promise.all([import("./exercises.js"), fetchStyles("exercises.css")]))[0]);

/** The exercise that the address names, if it names one. */
function readAddress() {
  const [mode, part, seed = FIRST.seed, level = FIRST.level] = location.hash.slice(1).split("/");
  return mode === "learn" && part === "exercises" ? { seed, level } : null;
}

export function watchMode(desk) {
  const lesson = watchLesson(desk);
  let exercises = null;
  let isOpen = false;
  /** Whether the lesson has a step to come back to. */
  let hasLesson = false;

  function turn(wanted) {
    isOpen = wanted;
    $("exercises").hidden = !wanted;
    $("mode-learn").classList.toggle("exercising", wanted);
    $("open-exercises").setAttribute("aria-expanded", String(wanted));
  }

  async function open(wanted) {
    turn(true);
    const { watchExercises } = await insist(bringExercises, "Exercises", () => isOpen);
    exercises ??= watchExercises({ ...desk, close });
    if (isOpen) await exercises.show(wanted);
  }

  function showLesson() {
    turn(false);
    hasLesson = true;
    return lesson.show();
  }

  /** Go back to the step that was left, or begin. */
  function close() {
    turn(false);
    if (!hasLesson) history.replaceState(history.state, "", "#learn");
    if (hasLesson) desk.notePlace();
    else showLesson();
    $("open-exercises").focus();
  }

  $("open-exercises").addEventListener("click", async () => {
    if (isOpen) return close();
    await open(exercises?.state() ?? FIRST);
    $("exercise-level").focus();
  });

  $("learn-lesson").addEventListener("change", () => {
    hasLesson = true;
    turn(false);
  });

  return {
    ...lesson,
    show: () => {
      const named = readAddress();
      if (named) return open(named);
      return isOpen && !location.hash.startsWith("#learn/") ? desk.notePlace() : showLesson();
    },
    start: () => (isOpen ? exercises?.start() : lesson.start()),
    state: () => (isOpen && exercises?.state() ? { mode: "learn", address: exercises.address(), exercise: exercises.state() } : lesson.state()),
    restore: (state) => {
      if (state.exercise) return open(state.exercise);
      turn(false);
      hasLesson = true;
      return lesson.restore(state);
    },
  };
}
