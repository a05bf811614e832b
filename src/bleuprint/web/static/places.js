/**
 * Where somebody is: every entry of the browser's history carries mode, texts and recipe, so that Back, Forward and
 * reload bring them back. Entries stay in the browser; the address has the name of the mode alone, or a shared link.
 */

/** The address of a mode; the first one needs none. */
const addressOf = (mode) => (mode === "segment" ? location.pathname + location.search : `#${mode}`);

/** Keep the state with the entry at hand. Once something has changed, its address is no longer that of a shared link. */
export function keepPlace(state, changed = true) {
  store("replaceState", state, changed ? addressOf(state.mode) : location.href);
}

/** Begin a new entry. */
export function beginPlace(state) {
  store("pushState", state, addressOf(state.mode));
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
