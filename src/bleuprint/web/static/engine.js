/**
 * The engine: Python behind the local server, or in a worker of this page. It is loaded after the page.
 */
import { showProblem } from "./result.js";

const $ = (id) => document.getElementById(id);
const LOADING = { message: "Python is still loading. Try again in a moment." };

/** @type {{call: (request: object) => Promise<object>} | null} */
let engine = null;
/** The problem if loading failed. */
let failure = null;

export const isReady = () => Boolean(engine);
export const whyNot = () => failure;
/** Why it cannot be called now: loading failed or is not done. */
export const whyNotNow = () => failure ?? LOADING;

/** Call the engine. Without one, the answer is an error. */
export async function call(request) {
  return engine ? engine.call(request) : { ok: false, error: whyNotNow() };
}

function showProgress({ loaded, total, stage }) {
  $("engine").hidden = false;
  $("engine-progress").value = total ? loaded / total : 0;
  $("engine-text").textContent = stage ?? "";
}

function giveUp(error) {
  $("engine").hidden = true;
  engine = null;
  failure = { message: `Python could not be loaded: ${error.message}` };
  showProblem(failure);
}

/** Load the engine. Call `started` when it can be called. */
export async function startEngine(started) {
  const served = document.body.dataset.engine === "served";
  try {
    const module = await (served ? import("./engine-served.js") : import("./engine-static.js"));
    await module.start(showProgress, giveUp);
    engine = module;
  } catch (error) {
    return giveUp(error);
  }
  $("engine").hidden = true;
  engine.counter?.then((words) => ($("counter").textContent = `Counted by the engine ${words}.`));
  if ($("problem").textContent === LOADING.message) showProblem(null);
  document.body.dataset.ready = "yes";
  started();
}
