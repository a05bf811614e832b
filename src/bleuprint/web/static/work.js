/**
 * Long work in steps: it can be watched and cancelled, and only what was begun last is shown.
 */
const $ = (id) => document.getElementById(id);
const STOPPED = new Error("stopped");

export function watchWork({ call, showProblem }) {
  let newest = 0;

  function tell(share, text) {
    const bar = $("work-progress");
    bar.hidden = share === null;
    if (share === null) return;
    bar.querySelector("progress").value = share;
    bar.querySelector("span").textContent = text;
  }

  function cancel() {
    newest += 1;
    tell(null);
  }

  /**
   * Work through steps.
   * @param {function(function(object): Promise<object>, function(number, string): void): Promise<void>} steps
   *   is given `ask`, which calls the engine and does not return if the work was cancelled or the answer is a refusal
   *   (which is shown), and `tell`, which shows how far it is
   */
  async function run(steps) {
    const turn = ++newest;
    const ask = async (request) => {
      const answer = await call(request);
      if (turn !== newest) throw STOPPED;
      if (answer.ok) return answer;
      showProblem(answer.error);
      throw STOPPED;
    };
    showProblem(null);
    try {
      await steps(ask, tell);
    } catch (error) {
      if (error !== STOPPED) throw error;
    } finally {
      if (turn === newest) tell(null);
    }
  }

  /** The work begun last is a word on how to begin again; the focus goes to the button that does it. */
  let again = () => {};
  $("work-cancel").addEventListener("click", () => {
    cancel();
    again();
  });

  return { run, cancel, whenCancelled: (act) => (again = act) };
}
