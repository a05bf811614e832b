/**
 * The table of a corpus' segments: sorted, filtered and turned by the engine; the texts are put beside its rows here.
 */
const $ = (id) => document.getElementById(id);
const WAIT = 200;
const FIRST = { sort: "segment", descending: false, page: 0, bin: null, among: null };

/**
 * @param {object} own
 * @param {function(object): Promise<object>} own.turn asks the engine for the table in another view
 * @param {function(number): void} own.open opens a segment
 */
export function watchTable({ turn, open }) {
  const place = $("corpus-table");
  let view = FIRST;
  let segments = [];
  let newest = 0;
  let timer;

  function fillTexts() {
    for (const cell of place.querySelectorAll(".bp-snippet")) {
      cell.textContent = segments[Number(cell.dataset.segment)][0];
      cell.title = cell.textContent;
    }
  }

  /** Show another view; the focus stays on the control that was used, or goes to its neighbour where that is spent. */
  async function change(changes, focused) {
    const own = ++newest;
    view = { ...view, page: 0, ...changes };
    const answer = await turn(view);
    if (!answer || own !== newest) return;
    place.querySelector(".bp-segment-page").outerHTML = answer.table;
    fillTexts();
    const same = focused && place.querySelector(focused);
    (same?.disabled ? place.querySelector(".bp-leaf:not(:disabled)") : same)?.focus();
  }

  /** The segments with a text that holds what is looked for, in any of its letters' cases. */
  function find(text) {
    const wanted = text.toLowerCase();
    const holds = ([candidate, references]) =>
      [candidate, ...references].some((one) => typeof one === "string" && one.toLowerCase().includes(wanted));
    return wanted ? segments.flatMap((segment, number) => (holds(segment) ? [number] : [])) : null;
  }

  place.addEventListener("click", ({ target }) => {
    const sort = target.closest(".bp-sort");
    const leaf = target.closest(".bp-leaf");
    const bin = target.closest(".bp-bin");
    const button = target.closest(".bp-open");
    if (sort) {
      const name = sort.dataset.sort;
      const descending = view.sort === name && !view.descending;
      change({ sort: name, descending }, `.bp-sort[data-sort="${name}"]`);
    } else if (leaf) {
      change({ page: Number(leaf.dataset.page) }, `.bp-leaf[data-turn="${leaf.dataset.turn}"]`);
    } else if (bin) {
      const number = Number(bin.dataset.bin);
      change({ bin: view.bin === number ? null : number }, `.bp-bin[data-bin="${number}"]`);
    } else if (button) {
      open(Number(button.dataset.segment));
    }
  });
  place.addEventListener("change", ({ target }) => {
    if (target.matches(".bp-page-number")) change({ page: Math.max(0, Number(target.value) - 1) }, ".bp-page-number");
  });
  place.addEventListener("input", ({ target }) => {
    if (!target.matches(".bp-find")) return;
    clearTimeout(timer);
    timer = setTimeout(() => change({ among: find(target.value) }), WAIT);
  });

  return {
    /** Show the table of a corpus that was counted. */
    show: (answer, own) => {
      newest += 1;
      view = FIRST;
      segments = own;
      place.innerHTML = answer.documents + answer.table;
      fillTexts();
    },
    /** Come back to a segment, if it is on the page that is shown. */
    focus: (number) => place.querySelector(`.bp-open[data-segment="${number}"]`)?.focus(),
  };
}
