/**
 * The result area of all modes: the result or an invitation, whether it is outdated, and the error.
 */
import { where } from "./places.js";

const $ = (id) => document.getElementById(id);
/** The elements that are marked when the result is outdated. */
const OF_RESULT = ["result-html", "texts-html", "what-if-html", "summary-html", "more"];

/** The mode whose result is shown. */
let shownFor = "segment";
/** Whether to scroll to the next result, because a button or a key requested it. */
let awaited = false;
let afterProblem = () => {};

/** Register a callback for when an error was shown or removed. */
export function watchProblems(act) {
  afterProblem = act;
}

/** Show an error, or remove it if `error` is null. Each of its `remedies` becomes a button with that label. */
export function showProblem(error) {
  $("problem").hidden = !error;
  $("problem").textContent = error ? error.message : "";
  for (const [textContent, act] of Object.entries(error?.remedies ?? {})) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent });
    button.addEventListener("click", act);
    $("problem").append(" ", button);
  }
  afterProblem(error);
  if (error && awaited) $("problem").scrollIntoView({ block: "nearest" });
  awaited &&= !error;
}

/** Show that the result does not belong to the current form, and what to do. */
export function markOutdated(wanted, remedy = "") {
  const outdated = wanted && !isInviting();
  $("outdated").hidden = !outdated;
  $("outdated").textContent = outdated ? `Outdated: this is not the result of the texts and options as they are now. ${remedy}` : "";
  for (const part of OF_RESULT) $(part).classList.toggle("stale", outdated);
  $("score-bar").classList.toggle("outdated", outdated);
}

/** Show an up-to-date result of the current mode. Only one segment has a summary below the texts. */
export function showHtml(html, summary = "") {
  $("result-html").innerHTML = html;
  $("summary-html").innerHTML = summary;
  shownFor = where.mode;
  markOutdated(false);
  if (!html) return;
  const { top } = $("result").getBoundingClientRect();
  if (awaited && (top < 0 || top > innerHeight / 2)) $("result").scrollIntoView();
  awaited = false;
}

/** Scroll to the next result or error. */
export function awaitResult() {
  awaited = true;
}

/** Show an invitation instead of a result. */
export function invite(text) {
  showHtml("");
  $("result-html").append(Object.assign(document.createElement("p"), { className: "invitation", textContent: text }));
}

/** Whether an invitation is shown instead of a result. */
export function isInviting() {
  return Boolean($("result-html").querySelector(".invitation"));
}

/** Whether the result or the invitation belongs to the current mode. */
export function isOwn() {
  return shownFor === where.mode;
}

export function say(text) {
  $("said").textContent = text;
}
