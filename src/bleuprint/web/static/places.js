/**
 * Where somebody is: every entry of the browser's history carries mode, texts and recipe, so that Back, Forward and
 * reload bring them back. Entries stay in the browser; the address has the name of the mode, of a lesson and its step, or a shared link.
 */

/** The mode by the name of its tab. */
export const where = { mode: "segment" };

/** The address of a mode, or of a place in it; the first one needs none. */
const addressOf = ({ mode, own }) => (mode === "segment" ? location.pathname + location.search : `#${own?.address || mode}`);

/** Keep the state with the entry at hand. Once something has changed, its address is no longer that of a shared link. */
export function keepPlace(state, changed = true) {
  store("replaceState", state, changed ? addressOf(state) : location.href);
}

/** Begin a new entry. */
export function beginPlace(state) {
  store("pushState", state, addressOf(state));
}

/** What the entry at hand carries, if anything. */
export function readPlace() {
  return history.state?.mode ? history.state : null;
}

function store(verb, state, address) {
  try {
    history[verb](state, "", address);
  } catch {
    // Browsers refuse what is too large, and too many changes in a row. The mode is kept even then.
    try {
      history[verb]({ mode: state.mode }, "", address);
    } catch {
      // The entry stays as it was.
    }
  }
}
