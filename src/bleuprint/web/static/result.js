/**
 * The place of a result, whichever mode it is of: what stands there, whether it is outdated, and what went wrong.
 */
import { where } from "./places.js";

const $ = (id) => document.getElementById(id);
/** What shows a result, and is marked when that is outdated. */
const OF_RESULT = ["result-html", "texts-html", "what-if-html", "summary-html", "more"];

/** The mode whose result is shown. */
let shownFor = "segment";
/** Whether somebody has asked for a result by a button or a key, and waits for it. */
let awaited = false;
let afterProblem = () => {};

/** Call back when a problem was shown, or taken away. */
export function watchProblems(act) {
  afterProblem = act;
}

/** Say what went wrong, or take away what was said. Each of its `remedies` has a button, by the words on it. */
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

/** Say in words that the result shown belongs to another form than the one that stands here now, and what to do. */
export function markOutdated(wanted, remedy = "") {
  const outdated = wanted && !isInviting();
  $("outdated").hidden = !outdated;
  $("outdated").textContent = outdated ? `Outdated: this is not the result of the texts and options as they are now. ${remedy}` : "";
  for (const part of OF_RESULT) $(part).classList.toggle("stale", outdated);
  $("score-bar").classList.toggle("outdated", outdated);
}

/** Put a result in place; it is the mode's own, and up to date. What stands below the texts is there for one segment. */
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

/** Go to the result when it comes, or to the problem that comes in its place. */
export function awaitResult() {
  awaited = true;
}

/** Say what to do, in the place of a result. */
export function invite(text) {
  showHtml("");
  $("result-html").append(Object.assign(document.createElement("p"), { className: "invitation", textContent: text }));
}

/** Whether there is an invitation in the place of a result. */
export function isInviting() {
  return Boolean($("result-html").querySelector(".invitation"));
}

/** Whether the result shown, or the invitation, is that of the mode. */
export function isOwn() {
  return shownFor === where.mode;
}

export function say(text) {
  $("said").textContent = text;
}
