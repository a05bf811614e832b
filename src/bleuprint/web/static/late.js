/**
 * What comes when it is first needed: scripts, the controls of a mode, styles. What did not come can be asked for again.
 */
import { whyNot } from "./engine.js";
import { showProblem } from "./result.js";

/** How many parts are on their way. */
let underway = 0;
const addressOf = (name) => new URL(name, import.meta.url);

/** Load once; after a failure the next call tries again. */
export function once(load) {
  let coming = null;
  return () =>
    (coming ??= load().catch((error) => {
      coming = null;
      throw error;
    }));
}

/** Fetch controls; `putInPlace` shows them, once everything is there that makes them work. */
export async function fetchMarkup(name) {
  const response = await fetch(addressOf(`${name}.html`));
  if (!response.ok) throw new Error(`${name}.html came with status ${response.status}`);
  const holder = document.createElement("template");
  holder.innerHTML = await response.text();
  return holder.content;
}

export function putInPlace(markup) {
  for (const part of [...markup.children]) {
    if (part.matches("template")) document.body.append(part);
    else document.getElementById(part.dataset.into).append(...part.childNodes);
  }
}

/** Bring a style sheet, before what it is for is shown. */
export function fetchStyles(name) {
  const { href } = addressOf(name);
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      reject(new Error(`${name} did not come`));
    };
  });
}

/** Say on the page while something is on its way: what somebody has done meanwhile has no effect yet. */
function announce(load) {
  document.body.dataset.coming = underway += 1;
  return load().finally(() => (document.body.dataset.coming = underway -= 1));
}

/**
 * Wait for something to be loaded. If it does not come, that is said with a button that tries again
 * and leads back to where somebody asked for it, and the wait goes on.
 *
 * @param {function(): Promise} load
 * @param {string} what it is, in words
 * @param {function(): boolean} [isWanted] whether somebody is still there to be told
 */
export function insist(load, what, isWanted = () => true) {
  const cause = document.body.dataset.engine === "served" ? "Is `bleuprint serve` still running?" : "Is there a network?";
  const asking = document.activeElement;
  return new Promise((resolve) => {
    let remedies = { "Try again": () => again() };
    const attempt = () => announce(load).then(resolve, (error) => isWanted() && tell(error));
    const tell = (error) => {
      showProblem({ message: describe(error), remedies });
      document.getElementById("problem").scrollIntoView({ block: "nearest" });
    };
    const describe = ({ message }) => `${what} could not be loaded: ${message.replace(/\.$/, "")}. ${cause} Nothing you wrote is lost.`;
    const again = () => {
      // Firefox remembers that a script did not come for as long as the page is open.
      remedies = { ...remedies, "Load the page anew": () => location.reload() };
      showProblem(whyNot());
      (asking === document.body ? document.querySelector("[role=tab][aria-selected=true]") : asking).focus();
      attempt();
    };
    attempt();
  });
}

/** Where a key would scroll the page, or press something, before the script is there that knows what it is for. */
const takesKey = ({ type, key, target }) => type === "keydown" && key !== "Tab" && target.matches("[role=button]");

/**
 * Hand events in some parts of the page to a script that comes with the first of them; what came before it is not lost.
 *
 * @param {string} parts a selector
 * @param {string[]} kinds of events; `pointerover` and `focusin` announce others, so that nothing is said if nothing comes
 * @param {function(): Promise<{handle: function(Event): void}>} load
 * @param {string} what it is, in words
 */
export function listenLate(parts, kinds, load, what) {
  let handle = null;
  const bring = once(async () => ({ handle } = await load()));
  for (const kind of kinds) {
    const isAct = !["pointerover", "focusin"].includes(kind);
    document.addEventListener(kind, async (event) => {
      if (!event.target.closest?.(parts)) return;
      if (handle) return handle(event);
      if (takesKey(event)) event.preventDefault();
      await insist(bring, what, () => isAct);
      handle(event);
    });
  }
}
