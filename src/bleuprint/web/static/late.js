/**
 * Lazy loading of scripts, of the controls of a mode and of styles, with a button to try again after a failure.
 */
import { whyNot } from "./engine.js";
import { showProblem } from "./result.js";

/** The number of parts that are being loaded. */
let underway = 0;
const addressOf = (name) => new URL(name, import.meta.url);

/** Load once. After a failure, the next call tries again. */
export function once(load) {
  let coming = null;
  return () =>
    (coming ??= load().catch((error) => {
      coming = null;
      throw error;
    }));
}

/** Fetch controls. `putInPlace` shows them when their scripts have been loaded. */
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

/** Load a style sheet before its elements are shown. */
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

/** Count what is being loaded in `data-coming`: until then, actions have no effect. */
function announce(load) {
  document.body.dataset.coming = underway += 1;
  return load().finally(() => (document.body.dataset.coming = underway -= 1));
}

/**
 * Wait until something has been loaded. After a failure, show a button that tries again and restores the focus. The
 * promise stays pending until it works.
 *
 * @param {function(): Promise} load
 * @param {string} what its name for the message
 * @param {function(): boolean} [isWanted] whether to show a failure
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
      // Firefox does not request a script again that failed to load, as long as the page is open.
      remedies = { ...remedies, "Load the page anew": () => location.reload() };
      showProblem(whyNot());
      (asking === document.body ? document.querySelector("[role=tab][aria-selected=true]") : asking).focus();
      attempt();
    };
    attempt();
  });
}

/** Whether a key would scroll the page or press something before its script has been loaded. */
const takesKey = ({ type, key, target }) => type === "keydown" && key !== "Tab" && target.matches("[role=button]");

/**
 * Pass events in some parts of the page to a script that is loaded at the first event. Earlier events are not lost.
 *
 * @param {string} parts a selector
 * @param {string[]} kinds of events; for `pointerover` and `focusin`, which only precede others, no failure is shown
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
