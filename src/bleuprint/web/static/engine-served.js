/** The engine behind the local server: each call is one POST to the server that sent this page. */

export async function start() {}

/**
 * @param {object} request what bridge.handle takes
 * @returns {Promise<object>} its answer
 */
export async function call(request) {
  let response;
  try {
    response = await fetch("bridge", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
  } catch {
    return problem("The server does not answer. Is `bleuprint serve` still running?");
  }
  try {
    const answer = await response.json();
    return "ok" in answer ? answer : { ok: false, error: answer.error };
  } catch {
    return problem(`The server answered with status ${response.status}.`);
  }
}

function problem(message) {
  return { ok: false, error: { message } };
}
