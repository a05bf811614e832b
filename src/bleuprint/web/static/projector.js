/**
 * A lesson on a projector: the whole screen in large type, and the keys of a lecture: arrows, and the pages of a presenter's remote.
 */
const $ = (id) => document.getElementById(id);
const KEYS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1 };
/** Where arrow keys have another meaning. */
const TAKES_KEYS = "input:not([type=checkbox]), select, textarea, [role=tab]";

function takesKeys(target) {
  const scrolled = target.closest(".bp-scroll");
  return target.closest(TAKES_KEYS) || (scrolled && scrolled.scrollWidth > scrolled.clientWidth);
}

/** @param {function(number): void} move go to the next step, or to the one before */
export function watchProjector(move) {
  const panel = $("mode-learn");
  const button = $("learn-project");
  const isOpen = () => document.body.classList.contains("projected");

  function set(open) {
    document.body.classList.toggle("projected", open);
    button.setAttribute("aria-pressed", String(open));
    if (open) document.documentElement.requestFullscreen?.().catch(() => {}); // large type does without
    else if (document.fullscreenElement) document.exitFullscreen();
  }

  button.addEventListener("click", () => set(!isOpen()));
  document.addEventListener("fullscreenchange", () => document.fullscreenElement || !isOpen() || set(false));
  document.addEventListener("keydown", (event) => {
    if (panel.hidden || $("learn-step").checkVisibility() === false || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && isOpen()) return set(false);
    const isPage = event.key.startsWith("Page");
    if (!(event.key in KEYS) || (isPage && !isOpen()) || takesKeys(event.target)) return;
    event.preventDefault();
    move(KEYS[event.key]);
  });
  return { close: () => isOpen() && set(false) };
}
