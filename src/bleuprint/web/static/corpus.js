/**
 * Corpus mode: read the lines, count them chunk by chunk (so that it can be watched and cancelled), show the result.
 */
import { limits } from "./limits.js";
import { countLines } from "./lines.js";
import { watchTable } from "./segment_table.js";

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

  const references = () => [...$("corpus-references").querySelectorAll("textarea")];

  const pasted = () => [
    { name: "candidate lines", text: $("corpus-candidate").value },
    ...references().map(({ value }, place) => ({ name: `reference lines${place ? ` ${place + 1}` : ""}`, text: value })),
  ];

  function addReference(text = "") {
    $("corpus-references").append($("corpus-reference-template").content.cloneNode(true));
    references().at(-1).value = text;
    nameReferences();
  }

  function nameReferences() {
    references().forEach((area, place) => {
      countLines(area);
      if (!place) return;
      const box = area.closest(".box");
      area.id = `corpus-reference-${place + 1}`;
      area.setAttribute("aria-describedby", `${area.id}-count`);
      box.querySelector(".count").id = `${area.id}-count`;
      box.querySelector("label").htmlFor = area.id;
      box.querySelector("label").textContent = `Reference lines ${place + 1}`;
      box.querySelector(".remove").setAttribute("aria-label", `Remove reference lines ${place + 1}`);
    });
    showLimits();
  }

  /** Boxes wait while there are files. */
  function showLimits() {
    for (const area of [$("corpus-candidate"), ...references()]) area.disabled = files.length > 0;
    $("add-corpus-reference").disabled = files.length > 0 || references().length >= limits.references;
  }

  const state = () => ({ files: files.length ? files : pasted(), pasted: files.length === 0 });

  const given = () => ({ action: "corpus-read", ...state() });

  /** What the form asks for, to tell whether a result belongs to it. */
  const asked = () => JSON.stringify([state(), readOptions()]);

  async function count(turn, recipe, { segments, chunk }) {
    const rows = [];
    let plain = null;
    for (let start = 0; start < segments.length; start += chunk) {
      busy(start / segments.length, `${start} of ${segments.length} segments`);
      const part = await ask(turn, { action: "corpus-count", recipe, segments: segments.slice(start, start + chunk) });
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
    const sums = texts && (await count(turn, recipe, texts));
    if (!sums) return;
    const { segments, documents } = texts;
    const counted = { ...sums, documents, recipe };
    const answer = await ask(turn, { action: "corpus-result", ...counted, segments });
    busy(null);
    if (!answer) return;
    last = { key, segments, counted, answer };
    showChoices(answer);
    table.show(answer, segments);
    showLast();
  }

  /** Show the result; the table stays as somebody left it. */
  function showLast() {
    const { answer } = last;
    shown = true;
    if ($("corpus-table").childElementCount === 0) table.show(answer, last.segments);
    showHtml(answer.html);
    mark(); // the form may have changed while this was worked out
    $("signature").textContent = answer.signature;
    $("derivation-html").innerHTML = answer.derivation;
    document.body.dataset.corpus = String(Number(document.body.dataset.corpus ?? 0) + 1);
  }

  const mark = () => markOutdated(shown && last.key !== asked(), "Press “Score the corpus” for theirs.");

  const table = watchTable({
    turn: (view) => ask(run, { action: "corpus-result", ...last.counted, ...view }),
    open: openSegment,
  });

  /** Take a segment into the calculator, with a way back. */
  function openSegment(place) {
    const [candidate, texts] = last.segments[place];
    page.open(candidate, texts);
    const [number, count] = [place + 1, last.segments.length].map((one) => one.toLocaleString("en"));
    $("opened-segment").hidden = false;
    $("opened-segment").dataset.place = place;
    $("opened-segment").querySelector("strong").textContent = `Segment ${number} of ${count}`;
    $("previous-segment").disabled = place === 0;
    $("next-segment").disabled = place + 1 === last.segments.length;
    $("opened-segment").scrollIntoView({ block: "nearest" });
  }

  const openNeighbour = (step) => openSegment(Number($("opened-segment").dataset.place) + step);

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
    showLimits();
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
  $("add-corpus-reference").addEventListener("click", () => {
    addReference();
    references().at(-1).focus();
    page.touched();
  });
  $("corpus-texts").addEventListener("input", ({ target }) => target.matches("textarea") && countLines(target));
  $("corpus-references").addEventListener("click", ({ target }) => {
    if (!target.matches(".remove")) return;
    target.closest(".box").remove();
    nameReferences();
    $("add-corpus-reference").focus();
    page.touched();
  });
  $("previous-segment").addEventListener("click", () => openNeighbour(-1));
  $("next-segment").addEventListener("click", () => openNeighbour(1));
  $("back-to-corpus").addEventListener("click", () => {
    page.back();
    table.focus(Number($("opened-segment").dataset.place));
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
      if (!state.pasted) return;
      const [candidate, first, ...more] = state.files.map(({ text }) => text);
      [$("corpus-candidate").value, $("corpus-reference").value] = [candidate, first];
      for (const area of references().slice(1)) area.closest(".box").remove();
      more.forEach((text) => addReference(text));
      nameReferences();
      countLines($("corpus-candidate"));
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
