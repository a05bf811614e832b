/**
 * Corpus mode: read the lines, count them in chunks, with progress and a button to cancel, and show the result.
 */
import { watchOpenedSegment } from "./opened_segment.js";
import { isSame } from "./places.js";
import { invite, showHtml } from "./result.js";
import { watchTable } from "./segment_table.js";

const $ = (id) => document.getElementById(id);
const INVITATION = "Score the corpus to see its result here.";

export function watchMode(desk) {
  const { readOptions, showChoices, showProblem, say } = desk;
  /** The last result: its form, the texts, their counts, and the answer that is shown. */
  let last = null;
  let shown = false;
  let working = false;
  /** Whether the button had the focus, which it loses while it is disabled. */
  let focused = false;
  let run = 0;
  /** Whether to score as soon as the engine is ready. */
  let waiting = false;

  const busy = (share, text) => {
    working = share !== null;
    focused ||= document.activeElement === $("corpus-run");
    const bar = $("corpus-progress");
    bar.hidden = share === null;
    $("corpus-cancel").hidden = share === null;
    $("corpus-run").disabled = share !== null;
    if (share === null && focused && document.activeElement === document.body) $("corpus-run").focus({ preventScroll: true });
    focused &&= working;
    if (share === null) return;
    bar.querySelector("progress").value = share;
    bar.querySelector("span").textContent = text;
  };

  const ask = async (turn, request) => {
    const answer = await desk.call({ recipe: readOptions(), ...request });
    if (turn !== run) return null;
    if (answer.ok) return answer;
    busy(null);
    showProblem(answer.error);
    return null;
  };

  /** The state of the form, to test whether a result belongs to it. */
  const asked = () => [desk.textsState(), readOptions()];

  const mark = () => desk.markOutdated(shown && !isSame(last.key, asked()), "Press “Score the corpus” for theirs.");

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
    waiting = !desk.ready();
    if (waiting) return;
    const turn = ++run;
    showProblem(desk.unreadable());
    if (desk.unreadable()) return;
    busy(0, "reading");
    mark(); // the old result is shown meanwhile
    const key = asked();
    const recipe = readOptions();
    const texts = await ask(turn, { recipe, ...desk.textsRequest() });
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
    desk.noteResult();
  }

  /** Show the result. The table keeps its order and its filters. */
  function showLast() {
    const { answer } = last;
    shown = true;
    if ($("corpus-table").childElementCount === 0) table.show(answer, last.segments);
    showHtml(answer.html);
    mark(); // the form may have changed in the meantime
    $("signature").textContent = answer.signature;
    $("derivation-html").innerHTML = answer.derivation;
    document.body.dataset.corpus = String(Number(document.body.dataset.corpus ?? 0) + 1);
  }

  function showNothing() {
    shown = false;
    invite(INVITATION);
    $("derivation-html").replaceChildren();
    $("corpus-table").replaceChildren();
  }

  function cancel() {
    run += 1;
    busy(null);
  }

  const table = watchTable({
    turn: (view) => ask(run, { action: "corpus-result", ...last.counted, ...view }),
    open: (place) => opened.open(last.segments, place),
  });
  const opened = watchOpenedSegment(desk, table);

  $("corpus-run").addEventListener("click", score);
  $("corpus-cancel").addEventListener("click", () => {
    cancel();
    $("corpus-run").focus();
  });
  /** Clearing the files removes their result. */
  $("corpus-clear").addEventListener("click", () => {
    cancel();
    last = null;
    shown = false;
    if (!$("mode-corpus").hidden) showNothing();
  });

  return {
    start: () => waiting && score(),
    /** A link stores the texts separately, so there is nothing else. */
    state: () => ({}),
    /** Score the texts of a link, if there are any. */
    restore: (state) => (state.files.some(({ text }) => text !== "") ? score() : null),
    /** Show the mode: the result of this form, or an invitation. */
    show: (now = false) => {
      if (last && isSame(last.key, asked())) return showLast();
      showNothing();
      return last || now ? score() : null;
    },
    /** A text has changed, so the result may be outdated. */
    touched: mark,
    /** The recipe has changed: show its options, and score again if there is a result or work in progress. */
    changed: async () => {
      mark();
      if (last || working) return score();
      const answer = desk.ready() && (await ask(run, { action: "recipe" }));
      if (answer) showChoices(answer);
    },
    /** Leave the mode and cancel work in progress. */
    leave: () => {
      waiting = false;
      cancel();
    },
    export: (request) => {
      if (last && isSame(last.key, asked())) {
        return desk.call({ action: "corpus-export", ...request, ...last.counted, segments: last.segments });
      }
      say("Nothing was exported: there is no result of these texts and options yet.");
      return null;
    },
  };
}
