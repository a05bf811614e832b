/** The engine of the static site: the installed package itself, run by Pyodide in a worker of this page. */

const ROOT = new URL("../", import.meta.url);
/** Loading fails after so many milliseconds without progress. */
const PATIENCE = 60_000;

let worker = null;
let lastId = 0;
/** The callback for the answer of each call in flight, by id. @type {Map<number, function(object): void>} */
const waiting = new Map();

let tellCounter;
/** The engine that counts, as a text. It resolves when everything has been loaded. */
export const counter = new Promise((resolve) => (tellCounter = resolve));

/** The latest progress of loading, which may precede the first listener. */
let progress = null;
let tellProgress = () => {};
let tellFailure = () => {};

/** Loading starts with the first import of this module, so the page can start it before its own scripts. */
const loading = load();
loading.catch(() => {});

/**
 * Wait for the engine.
 * @param {function({loaded: number, total: number, stage: "downloading" | "starting Python" | "ready"}): void} [onProgress]
 *   called while bytes arrive, then when Python starts
 * @param {function(Error): void} [onFailure] called if Python must stop later, because some files are fetched after its start
 * @returns {Promise<void>} resolves when `call` may be called; rejects with the reason why loading failed
 */
export function start(onProgress = () => {}, onFailure = () => {}) {
  tellProgress = onProgress;
  tellFailure = onFailure;
  if (progress) tellProgress(progress);
  return loading;
}

function load() {
  return new Promise((resolve, reject) => {
    let timer = 0;
    const giveUp = (message) => {
      clearTimeout(timer);
      worker?.terminate();
      worker = null;
      reject(new Error(message));
    };
    const keepWaiting = () => {
      clearTimeout(timer);
      timer = setTimeout(giveUp, PATIENCE, `Nothing happened for ${PATIENCE / 1000} seconds. Reload to try again.`);
    };
    const receive = ({ data }) => {
      if (data.failure) return giveUp(data.failure);
      keepWaiting();
      progress = data.progress;
      tellProgress(progress);
      if (progress.stage !== "ready") return;
      clearTimeout(timer);
      worker.onmessage = settle;
      worker.onerror = (event) => abandonCalls(event.message);
      resolve();
    };
    keepWaiting();
    try {
      worker = startWorker();
    } catch (error) {
      return giveUp(`The browser does not start a worker: ${error.message}`);
    }
    worker.onmessage = receive;
    worker.onerror = (event) => giveUp(event.message || "The worker stopped. Does the browser know module workers?");
  });
}

/**
 * Send a request to bleuprint.web.bridge. Several may be in flight.
 * @param {object} request
 * @returns {Promise<object>} its answer, or an answer with an error if the engine itself fails
 */
export function call(request) {
  if (!worker) return Promise.resolve(problem("Python is not running. Reload the page."));
  return new Promise((resolve) => {
    lastId += 1;
    waiting.set(lastId, resolve);
    worker.postMessage({ id: lastId, request: JSON.stringify(request) });
  });
}

function settle({ data }) {
  if (data.complete) {
    tellCounter(data.engine);
    return keepForOffline();
  }
  if (!data.id) return stop(data.failure);
  waiting.get(data.id)(data.failure ? problem(data.failure) : JSON.parse(data.answer));
  waiting.delete(data.id);
}

function stop(reason) {
  worker.terminate();
  worker = null;
  abandonCalls(reason);
  tellFailure(new Error(reason));
}

function abandonCalls(reason) {
  for (const resolve of waiting.values()) resolve(problem(reason || "Python stopped. Reload the page."));
  waiting.clear();
}

function problem(message) {
  return { ok: false, error: { message } };
}

/**
 * Start worker.js through a blob: module. A worker started from a URL has the policy that its own response carries, and
 * on a host that sends no headers that is none; one started from a blob has the policy of this page.
 */
function startWorker() {
  const script = JSON.stringify(new URL("worker.js", import.meta.url).href);
  const source = `import(${script}).catch((error) => postMessage({ failure: "static/worker.js: " + error.message }));`;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const started = new Worker(address, { type: "module" });
  started.addEventListener("message", () => URL.revokeObjectURL(address), { once: true });
  return started;
}

/** Keep the files for visits without a network. If the browser cannot do that, the page still works. */
function keepForOffline() {
  navigator.serviceWorker?.register(new URL("service-worker.js", ROOT), { updateViaCache: "none" }).catch(() => {});
}
