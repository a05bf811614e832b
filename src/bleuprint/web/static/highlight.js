/**
 * Point at an n-gram, or tab to it, and see its places in the candidate and in the references.
 */
const MARK = "bp-here";

export function watchHighlights() {
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, (event) => show(event.target));
  document.addEventListener("focusout", clear);
  document.addEventListener("pointerout", () => {
    clear();
    show(document.activeElement); // scrolling, too, takes the pointer away from something
  });
}

function show(target) {
  const button = target?.closest?.(".bp-ngram");
  if (!button) return;
  clear();
  const { order, candidate, references } = button.dataset;
  mark("candidate", candidate, Number(order));
  references.split(";").forEach((places, number) => mark(`reference-${number}`, places, Number(order)));
}

function mark(side, places, order) {
  const tokens = document.querySelectorAll(`[data-side="${side}"] .bp-token`);
  for (const place of places.split(" ").filter(Boolean).map(Number)) {
    for (let step = 0; step < order; step += 1) tokens[place + step]?.classList.add(MARK);
  }
}

function clear() {
  for (const token of document.querySelectorAll(`.${MARK}`)) token.classList.remove(MARK);
}
