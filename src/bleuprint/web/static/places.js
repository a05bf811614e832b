/**
 * Where somebody is: every entry of the browser's history carries mode, texts and recipe, so that Back, Forward and
 * reload bring them back. Entries stay in the browser; the address has the name of the mode, of a lesson and its step, or a shared link.
 */
import { limits } from "./limits.js";

/** The mode by the name of its tab. */
export const where = { mode: "segment" };

/** The address of a mode, or of a place in it; the first one needs none. */
const addressOf = ({ mode, own }) => (mode === "segment" ? location.pathname + location.search : `#${own?.address || mode}`);

/**
 * What is more than a link may carry, too. Browsers copy what an entry carries: many millions of characters take seconds
 * each time, or are refused. So it is kept here, by the name that its entry carries in its place, until the page is left.
 */
const longStates = new Map();

/** Keep the state with the entry at hand. Once something has changed, its address is no longer that of a shared link. */
export function keepPlace(state, changed = true) {
  store("replaceState", state, changed ? addressOf(state) : location.href);
}

/** Begin a new entry. */
export function beginPlace(state) {
  store("pushState", state, addressOf(state));
}

/** What the entry at hand carries, if anything; only the mode where it was too long to outlive a reload. */
export function readPlace() {
  const { state } = history;
  return state?.mode ? (longStates.get(state.long) ?? state) : null;
}

/** Whether two states say the same. Texts are compared as they are, as they may be long. */
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
    // Browsers refuse too many changes in a row: the entry stays as it was.
  }
}

/** What an entry carries: the state, or the name of one that is too long. */
function entryOf(verb, state) {
  if (countCharacters(state) <= limits.link) return state;
  const before = verb === "replaceState" && history.state?.long;
  const long = longStates.has(before) ? before : `${performance.timeOrigin} ${longStates.size}`;
  longStates.set(long, state);
  return { mode: state.mode, long };
}
