/**
 * Corpus mode: read the lines, count them chunk by chunk (so that it can be watched and cancelled), show the result.
 */
/** Segments that are counted in one call. */
export const CHUNK = 100;
const $ = (id) => document.getElementById(id);

/** Read a file as text, or say that it is none. */
export async function decode(file) {
  const refuse = (message) => ({ name: file.name, problem: { message: `${file.name}: ${message}` } });
  let bytes;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return refuse("expected a file, got nothing that can be read. Folders cannot be dropped here: choose their files.");
  }
  try {
    return { name: file.name, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return refuse("expected UTF-8, got other bytes. Convert the file to UTF-8.");
  }
}

export function watchCorpus({ readOptions, showChoices, showProblem, showHtml, invite, markOutdated, say, ...page }) {
  let engine;
  let files = [];
  /** The last result: what was asked, the texts, their counts, and the answer that is shown. */
  let last = null;
  let shown = false;
  let working = false;
  let run = 0;
  let restored = false;
  let view = { sort: "segment", descending: false, page: 0 };

  const busy = (share, text) => {
    working = share !== null;
    const bar = $("corpus-progress");
    bar.hidden = share === null;
    $("corpus-cancel").hidden = share === null;
    $("corpus-run").disabled = share !== null;
    if (share === null) return;
    bar.querySelector("progress").value = share;
    bar.querySelector("span").textContent = text;
  };

  const ask = async (turn, request) => {
    const answer = await engine.call({ recipe: readOptions(), ...request });
    if (turn !== run) return null;
    if (answer.ok) return answer;
    busy(null);
    showProblem(answer.error);
    return null;
  };

  const pasted = () => [
    { name: "candidate lines", text: $("corpus-candidate").value },
    { name: "reference lines", text: $("corpus-reference").value },
  ];

  const state = () => ({ files: files.length ? files : pasted(), pasted: files.length === 0 });

  const given = () => ({ action: "corpus-read", ...state() });

  /** What the form asks for, to tell whether a result belongs to it. */
  const asked = () => JSON.stringify([state(), readOptions()]);

  async function count(turn, recipe, segments) {
    const rows = [];
    let plain = null;
    for (let start = 0; start < segments.length; start += CHUNK) {
      busy(start / segments.length, `${start} of ${segments.length} segments`);
      const part = await ask(turn, { action: "corpus-count", recipe, segments: segments.slice(start, start + CHUNK) });
      if (!part) return null;
      rows.push(...part.rows);
      plain = plain ? plain.map((sum, order) => sum + part.plain[order]) : part.plain;
    }
    return { rows, plain };
  }

  async function score() {
    const turn = ++run;
    showProblem(unreadable());
    if (unreadable()) return;
    busy(0, "reading");
    mark(); // what is shown meanwhile
    say("");
    const key = asked();
    const recipe = readOptions();
    const texts = await ask(turn, { recipe, ...given() });
    const sums = texts && (await count(turn, recipe, texts.segments));
    if (!sums) return;
    const { segments, documents } = texts;
    const counted = { ...sums, documents, recipe };
    const first = { sort: "segment", descending: false, page: 0 };
    const answer = await ask(turn, { action: "corpus-result", ...counted, ...first, segments });
    busy(null);
    if (!answer) return;
    last = { key, segments, counted, answer };
    showChoices(answer);
    showLast();
  }

  function showLast() {
    const { answer } = last;
    shown = true;
    view = { sort: "segment", descending: false, page: 0 };
    showHtml(answer.html);
    mark(); // the form may have changed while this was worked out
    $("signature").textContent = answer.signature;
    $("derivation-html").innerHTML = answer.derivation;
    $("corpus-table").innerHTML = answer.documents + answer.table;
    document.body.dataset.corpus = String(Number(document.body.dataset.corpus ?? 0) + 1);
  }

  const mark = () => markOutdated(shown && last.key !== asked(), "Press “Score the corpus” for theirs.");

  async function turnTable() {
    const answer = await ask(run, { action: "corpus-result", ...last.counted, ...view });
    if (!answer) return;
    const focused = document.activeElement?.closest(".bp-sort, .bp-leaf");
    $("corpus-table").querySelector(".bp-segments").outerHTML = answer.table;
    refocus(focused);
  }

  /** Keep the focus on the button that was used; on the first or last page, on its neighbour. */
  function refocus(old) {
    if (!old) return;
    const table = $("corpus-table");
    const same = old.matches(".bp-sort")
      ? table.querySelector(`.bp-sort[data-sort="${old.dataset.sort}"]`)
      : table.querySelectorAll(".bp-leaf")[old.nextElementSibling ? 0 : 1];
    (same?.disabled ? table.querySelector(".bp-leaf:not(:disabled)") : same)?.focus();
  }

  function cancel() {
    run += 1;
    busy(null);
  }

  const unreadable = () => files.find((file) => file.problem)?.problem;

  /** Use files in the place of pasted lines; none give way to the lines again. */
  function use(list) {
    files = list;
    showProblem(unreadable());
    $("corpus-clear").hidden = files.length === 0;
    $("corpus-list").replaceChildren(
      ...files.map(({ name }) => Object.assign(document.createElement("li"), { textContent: name })),
    );
    for (const id of ["corpus-candidate", "corpus-reference"]) $(id).disabled = files.length > 0;
    page.touched();
  }

  /** Use files that were chosen or dropped; something dropped that is no file changes nothing. */
  const take = async (list) => list.length && use(await Promise.all([...list].map(decode)));

  /** Take the files away, and the result that was theirs. */
  function clear() {
    cancel();
    $("corpus-files").value = "";
    use([]);
    last = null;
    shown = false;
    if (page.isChosen()) showNothing();
    $("corpus-files").focus();
  }

  function showNothing() {
    shown = false;
    invite("Score the corpus to see its result here.");
    $("derivation-html").replaceChildren();
    $("corpus-table").replaceChildren();
  }

  $("corpus-clear").addEventListener("click", clear);
  $("corpus-run").addEventListener("click", () => engine && score());
  $("corpus-cancel").addEventListener("click", () => {
    cancel();
    $("corpus-run").focus();
  });
  $("corpus-files").addEventListener("change", (event) => take(event.target.files));
  for (const kind of ["dragover", "drop"]) {
    $("drop").addEventListener(kind, (event) => {
      event.preventDefault();
      if (kind === "drop") take(event.dataTransfer.files);
    });
  }
  $("corpus-table").addEventListener("click", (event) => {
    const sort = event.target.closest(".bp-sort");
    const leaf = event.target.closest(".bp-leaf");
    const button = event.target.closest(".bp-open");
    if (sort) {
      const again = view.sort === sort.dataset.sort;
      view = { sort: sort.dataset.sort, descending: again && !view.descending, page: 0 };
      turnTable();
    } else if (leaf) {
      view = { ...view, page: Number(leaf.dataset.page) };
      turnTable();
    } else if (button) {
      const [candidate, references] = last.segments[Number(button.dataset.segment)];
      page.open(candidate, references);
    }
  });

  return {
    /** The engine is there (or, without one, gone). */
    start: (started) => {
      engine = started;
      if (engine && restored) score();
    },
    unreadable,
    isEmpty: () => files.length === 0 && pasted().every(({ text }) => text === ""),
    /** What a link carries. */
    state,
    /** What to ask for the segments. */
    request: given,
    /** Put back what a link carried. */
    fill: (state) => {
      use(state.pasted ? [] : state.files.map(({ name, text }) => ({ name, text })));
      if (state.pasted) [$("corpus-candidate").value, $("corpus-reference").value] = state.files.map(({ text }) => text);
    },
    /** Score what a link carried, when that can be done. */
    restore: (state) => {
      restored = state.files.some(({ text }) => text !== "");
      if (engine && restored) score();
    },
    /** Come back to corpus mode: the result shown is that of its texts again, or a word on what to do. */
    show: (now = false) => {
      if (last?.key === asked()) return showLast();
      showNothing();
      if (last || now) return score();
    },
    /** A text was changed or replaced: what is shown belongs to the one before. */
    touched: mark,
    /** Another recipe: show its choices, and count again what was counted or is being counted. */
    changed: async () => {
      mark();
      if (last || working) return score();
      const answer = engine && (await ask(run, { action: "recipe" }));
      if (answer) showChoices(answer);
    },
    /** Leave corpus mode: what is still being counted is not shown. */
    leave: () => {
      restored = false;
      cancel();
    },
    export: (request) => {
      if (last && last.key === asked()) {
        return engine.call({ action: "corpus-export", ...request, ...last.counted, segments: last.segments });
      }
      say("Nothing was exported: there is no result of these texts and options yet.");
      return null;
    },
  };
}
