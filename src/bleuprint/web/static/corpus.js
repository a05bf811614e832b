/**
 * Corpus mode: read the lines, count them chunk by chunk (so that it can be watched and cancelled), show the result.
 */
const CHUNK = 100;
const $ = (id) => document.getElementById(id);

/** Read a file as text, or say that it is none. */
export async function decode(file) {
  const bytes = await file.arrayBuffer();
  try {
    return { name: file.name, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    const message = `${file.name}: UTF-8 expected, other bytes found. Convert the file to UTF-8.`;
    return { name: file.name, problem: { message } };
  }
}

export function watchCorpus({ readOptions, showChoices, showProblem, open, isChosen, touched }) {
  let engine;
  let files = [];
  let corpus = null;
  let counted = null;
  let run = 0;
  let restored = false;
  let view = { sort: "segment", descending: false, page: 0 };

  const busy = (share, text) => {
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

  const given = () => ({ action: "corpus-read", files: files.length ? files : pasted() });

  async function count(turn, segments) {
    const rows = [];
    let plain = null;
    for (let start = 0; start < segments.length; start += CHUNK) {
      busy(start / segments.length, `${start} of ${segments.length} segments`);
      const part = await ask(turn, { action: "corpus-count", segments: segments.slice(start, start + CHUNK) });
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
    const texts = await ask(turn, given());
    const sums = texts && (await count(turn, texts.segments));
    if (!sums) return;
    corpus = texts;
    counted = { ...sums, documents: corpus.documents, recipe: readOptions() };
    view = { sort: "segment", descending: false, page: 0 };
    const answer = await ask(turn, { action: "corpus-result", ...counted, ...view, segments: corpus.segments });
    busy(null);
    if (!answer) return;
    $("result-html").innerHTML = answer.html;
    showChoices(answer);
    $("signature").textContent = answer.signature;
    $("derivation-html").innerHTML = answer.derivation;
    $("corpus-table").innerHTML = answer.documents + answer.table;
    document.body.dataset.corpus = String(turn);
  }

  async function turnTable() {
    const answer = await ask(run, { action: "corpus-result", ...counted, ...view });
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
    touched();
  }

  const take = async (list) => use(await Promise.all([...list].map(decode)));

  /** Take the files away, and the result that was theirs. */
  function clear() {
    cancel();
    $("corpus-files").value = "";
    use([]);
    corpus = counted = null;
    $("corpus-table").replaceChildren();
    if (isChosen()) invite();
    $("corpus-files").focus();
  }

  function invite() {
    $("result-html").replaceChildren(
      Object.assign(document.createElement("p"), { textContent: "Score the corpus to see its result here." }),
    );
    $("derivation-html").replaceChildren();
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
      const [candidate, references] = corpus.segments[Number(button.dataset.segment)];
      open(candidate, references);
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
    state: () => ({ files: files.length ? files : pasted(), pasted: files.length === 0 }),
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
    /** Come back to corpus mode: the result shown is the corpus' again, or a word on what to do. */
    show: (now = false) => {
      if (counted || now) return score();
      invite();
    },
    /** Another recipe: show its choices, and count again what was counted. */
    changed: async () => {
      if (counted) return score();
      const answer = engine && (await ask(run, { action: "recipe" }));
      if (answer) showChoices(answer);
    },
    /** Leave corpus mode: what is still being counted is not shown. */
    leave: () => {
      restored = false;
      cancel();
    },
    export: (request) =>
      counted ? engine.call({ action: "corpus-export", ...request, ...counted, segments: corpus.segments }) : null,
  };
}
