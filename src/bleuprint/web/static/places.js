/**
 * The browser's history: every entry stores mode, texts and recipe, so that Back, Forward and reload restore them. Entries
 * stay in the browser. The address has only the name of the mode, of a lesson and its step, or a shared link.
 */
import { limits } from "./limits.js";

/** The current mode, by the name of its tab. */
export const where = { mode: "segment" };

/** The address of a mode, or of a step in it. The first mode has an empty fragment. */
const addressOf = ({ mode, own }) => (mode === "segment" ? location.pathname + location.search : `#${own?.address || mode}`);

/**
 * States that are longer than a link may be. Browsers copy the state of an entry: many millions of characters take seconds
 * each time, or are refused. So these states are kept here until the page is left, and their entries store a key.
 */
const longStates = new Map();

/** Store the state in the current entry. After a change, its address is no longer that of a shared link. */
export function keepPlace(state, changed = true) {
  store("replaceState", state, changed ? addressOf(state) : location.href);
}

/** Add an entry. */
export function beginPlace(state) {
  store("pushState", state, addressOf(state));
}

/** The state of the current entry, if any. After a reload, a long state has only the mode. */
export function readPlace() {
  const { state } = history;
  return state?.mode ? (longStates.get(state.long) ?? state) : null;
}

/** Whether two states are equal. Texts may be long, so they are compared without serialising them. */
export function isSame(one, other) {
  if (one === other) return true;
  const areBoth = [one, other].every((value) => value && typeof value === "object");
  return areBoth && Object.keys({ ...one, ...other }).every((name) => isSame(one[name], other[name]));
}

function countCharacters(value) {
  if (typeof value === "string") return value.length;
  return value && typeof value === "object" ? Object.values(value).reduce((sum, part) => sum + countCharacters(part), 0) : 0;
}

function store(verb, state, address) {
  try {
    history[verb](entryOf(verb, state), "", address);
  } catch {
    // Browsers refuse too many changes in a row. The entry then stays as it was.
  }
}

/** What an entry stores: the state, or the key of a long one. */
function entryOf(verb, state) {
  if (countCharacters(state) <= limits.link) return state;
  const before = verb === "replaceState" && history.state?.long;
  const long = longStates.has(before) ? before : `${performance.timeOrigin} ${longStates.size}`;
  longStates.set(long, state);
  return { mode: state.mode, long };
}
