import { isSame } from "./places.js";
import { watchWork } from "./work.js";

/** The modes share one bar of progress: only one of them works at a time. */
let work = null;

/**
 * What the modes that start by a button have in common: a result is kept with what it was made of, shown again when
 * somebody comes back, and marked when the form says something else by now.
 *
 * @param {object} desk what the page lends: see `desk` in modes.js
 * @param {object} own
 * @param {string} own.button the id of the button that starts it
 * @param {string} own.invitation what the result says before there is one
 * @param {string} own.name the name of the mode, and the beginning of its actions
 * @param {boolean} [own.documents] whether it takes the names of documents, too
 * @param {string} [own.exporting] what is said while a file is written
 * @param {function(): void} [own.pressed] called before the button starts it
 * @param {function(): object} own.read what the form asks for, beside the texts
 * @param {function(object): void} own.write put back what `read` gave, as far as a link carried it
 * @param {function(object, function, function, number): Promise<{request: object, answer: object}>} own.steps does the work;
 *   its last argument says how many segments to count in one call
 */
export function makeMode(desk, own) {
  work ??= watchWork(desk);
  let last = null;
  let shown = false;
  let waiting = false;
  const asked = () => [desk.textsState(), own.read()];
  const button = document.getElementById(own.button);

  async function run() {
    waiting = !desk.ready();
    if (waiting) return;
    desk.showProblem(desk.unreadable());
    if (desk.unreadable()) return;
    const key = asked();
    const form = own.read();
    work.whenCancelled(() => button.focus());
    await work.run(async (ask, tell) => {
      mark(); // what is shown meanwhile
      tell(0, "reading");
      const { segments, documents, left_out, chunk } = await ask(desk.textsRequest());
      desk.showLeftOut(left_out ?? []);
      last = { key, ...(await own.steps({ segments, ...(own.documents && { documents }), ...form }, ask, tell, chunk)) };
      showLast();
      desk.noteResult();
      document.body.dataset.worked = String(Number(document.body.dataset.worked ?? 0) + 1);
    });
  }

  /** Come to the mode: with the result that belongs to the form, or a word on how to get one. */
  function show() {
    if (last && isSame(last.key, asked())) return showLast();
    shown = false;
    desk.showInvitation(own.invitation);
  }

  function showLast() {
    shown = true;
    desk.showResult(last.answer.html, last.answer.more ?? "");
    mark(); // the form may have changed while this was worked out
  }

  const mark = () => desk.markOutdated(shown && !isSame(last.key, asked()), `Press “${button.textContent}” for theirs.`);

  button.addEventListener("click", () => {
    own.pressed?.();
    run();
  });
  return {
    run,
    show,
    /** Something in the form has changed: what is shown may not belong to it any more. */
    touched: mark,
    hasResult: () => Boolean(last),
    leave: () => {
      waiting = false;
      work.cancel();
    },
    start: () => waiting && run(),
    fill: own.write,
    state: () => ({ mode: own.name, ...own.read() }),
    restore: (state) => {
      own.write(state);
      return run();
    },
    export: async (request) => {
      if (!last || !isSame(last.key, asked())) {
        desk.say("Nothing was exported: there is no result of these texts and options yet.");
        return null;
      }
      desk.say(own.exporting ?? "");
      const answer = await desk.call({ action: `${own.name}-export`, ...request, ...last.request });
      desk.say("");
      return answer;
    },
  };
}
