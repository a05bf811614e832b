/**
 * Long work in steps, with progress and a button to cancel. Only the work that was started last is shown.
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
   * Run an asynchronous function that does the work in steps.
   * @param {function(function(object): Promise<object>, function(number, string): void): Promise<void>} steps
   *   gets two functions: `ask` calls the engine, and throws if the work was cancelled or the answer is an error, which it
   *   shows; `tell` shows the progress
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

  /** Called after Cancel: moves the focus to the button that starts the work again. */
  let again = () => {};
  $("work-cancel").addEventListener("click", () => {
    cancel();
    again();
  });

  return { run, cancel, whenCancelled: (act) => (again = act) };
}
