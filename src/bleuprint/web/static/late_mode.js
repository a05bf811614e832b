import { isSame } from "./places.js";
import { watchWork } from "./work.js";

/** The modes share one progress bar, because only one of them works at a time. */
let work = null;

/**
 * What the modes with a start button share. A result is kept with its input, shown again when the user returns to the
 * mode, and marked as outdated when the form has changed.
 *
 * @param {object} desk functions of the page: see `desk` in modes.js
 * @param {object} own
 * @param {string} own.button the id of the button that starts it
 * @param {string} own.invitation the text in place of a result
 * @param {string} own.name the name of the mode, and the prefix of its actions
 * @param {boolean} [own.documents] whether it uses the names of documents
 * @param {string} [own.exporting] the message while a file is written
 * @param {function(): void} [own.pressed] called before the button starts it
 * @param {function(): object} own.read returns the settings of the form, without the texts
 * @param {function(object): void} own.write restores settings that `read` returned; a link may lack some
 * @param {function(object, function, function, number): Promise<{request: object, answer: object}>} own.steps does the work;
 *   its last argument is the number of segments to count in one call
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
      mark(); // the old result is shown meanwhile
      tell(0, "reading");
      const { segments, documents, left_out, chunk } = await ask(desk.textsRequest());
      desk.showLeftOut(left_out ?? []);
      last = { key, ...(await own.steps({ segments, ...(own.documents && { documents }), ...form }, ask, tell, chunk)) };
      showLast();
      desk.noteResult();
      document.body.dataset.worked = String(Number(document.body.dataset.worked ?? 0) + 1);
    });
  }

  /** Show the mode: the result of this form, or how to get one. */
  function show() {
    if (last && isSame(last.key, asked())) return showLast();
    shown = false;
    desk.showInvitation(own.invitation);
  }

  function showLast() {
    shown = true;
    desk.showResult(last.answer.html, last.answer.more ?? "");
    mark(); // the form may have changed in the meantime
  }

  const mark = () => desk.markOutdated(shown && !isSame(last.key, asked()), `Press “${button.textContent}” for theirs.`);

  button.addEventListener("click", () => {
    own.pressed?.();
    run();
  });
  return {
    run,
    show,
    /** The form has changed, so the result may be outdated. */
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
