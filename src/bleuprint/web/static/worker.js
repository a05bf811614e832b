/**
 * The worker of the static site: loads Pyodide and the package from the site's own files, then answers
 * {id, request} with {id, answer}, both texts of JSON. Says {progress} while it loads, {failure} if it cannot.
 */

const ROOT = new URL("../", import.meta.url);
const FILES = {
  "pyodide/pyodide.asm.wasm": "application/wasm",
  "pyodide/python_stdlib.zip": "application/zip",
  "package.zip": "application/zip",
};
const addressOf = (name) => new URL(name, ROOT).href;
const network = self.fetch.bind(self);

let fail;
/** Rejects with whatever goes wrong first: Pyodide itself only warns on the console, and waits. */
const failed = new Promise((_, reject) => (fail = reject));
failed.catch(() => {});

/** The list of the files with their sizes, written when the site was built. */
const manifest = request("manifest.json").then((response) => response.json());
let loaded = 0;
/** One promise for each large file that is being counted. @type {Promise<void>[]} */
const counts = [];

/** Fetch a file of the site, or say which one did not come. */
async function request(name) {
  const response = await network(addressOf(name), { cache: "no-cache" }).catch((error) => {
    throw new Error(`${name} could not be fetched: ${error.message}`);
  });
  if (!response.ok) throw new Error(`${name} could not be fetched: the host answered with status ${response.status}.`);
  return response;
}

/** Fetch a large file, counting its bytes as they come. */
async function fetchCounted(name, type) {
  const response = await request(name);
  const count = countBytes(name, response.clone());
  count.catch(fail);
  counts.push(count);
  if (response.headers.get("Content-Type") === type) return response;
  return new Response(response.body, { headers: { "Content-Type": type } }); // WebAssembly insists on its type
}

async function countBytes(name, response) {
  let size = 0;
  const { files, total } = await manifest;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    loaded += part.value.length;
    postMessage({ progress: { loaded, total, stage: "downloading" } });
  }
  if (size !== files[name]) {
    throw new Error(`${name} is not the file of this site: ${files[name]} bytes expected, ${size} found.`);
  }
  if (loaded === total) postMessage({ progress: { loaded, total, stage: "starting Python" } });
}

/** Import a script of the site, or say what is wrong with it. */
async function importScript(name) {
  try {
    return await import(addressOf(name));
  } catch (error) {
    const type = (await request(name)).headers.get("Content-Type");
    throw new Error(`${name} could not be run as a script (the host calls it ${type}): ${error.message}`);
  }
}

/** Report a failed compilation (a broken file, or a policy that forbids WebAssembly). */
function watchWebAssembly() {
  if (typeof WebAssembly === "undefined") throw new Error("This browser has no WebAssembly, or blocks it.");
  const instantiate = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = (...given) => {
    const made = instantiate.apply(WebAssembly, given);
    made.catch((error) => fail(new Error(`WebAssembly does not start: ${error.message}`)));
    return made;
  };
}

/** Load Python and the package; give bridge.handle_json. */
async function load() {
  watchWebAssembly();
  const fetched = new Map(Object.entries(FILES).map(([name, type]) => [addressOf(name), fetchCounted(name, type)]));
  for (const file of fetched.values()) file.catch(fail);
  // Pyodide fetches two of the files itself; it gets the responses that are already under way.
  self.fetch = (resource, options) => fetched.get(String(resource)) ?? network(resource, options);
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    importScript("pyodide/pyodide.js"),
    importScript("pyodide/pyodide.asm.js"),
  ]);
  const pyodide = await loadPyodide({
    indexURL: addressOf("pyodide/"),
    stdLibURL: addressOf("pyodide/python_stdlib.zip"),
    packageBaseUrl: addressOf("pyodide/"),
    lockFileContents: manifest.then(({ lock }) => lock),
    createPyodideModule,
    env: { PYTHONPATH: "/package.zip" },
    fsInit: async (files) => {
      const response = await fetched.get(addressOf("package.zip"));
      files.writeFile("/package.zip", new Uint8Array(await response.arrayBuffer()));
    },
  });
  return pyodide.pyimport("bleuprint.web.bridge").handle_json;
}

function answer(handle, { id, request }) {
  try {
    postMessage({ id, answer: handle(request) });
  } catch (error) {
    postMessage({ id, failure: `Python stopped at an error in bleuprint: ${lastLine(error.message)}` });
  }
}

/** The line of a Python traceback that names the error. */
function lastLine(message) {
  return message.trim().split("\n").at(-1);
}

try {
  const handle = await Promise.race([load(), failed]);
  await Promise.all(counts); // no word about the download after "ready"
  self.onmessage = ({ data }) => answer(handle, data);
  const { total } = await manifest;
  postMessage({ progress: { loaded: total, total, stage: "ready" } });
} catch (error) {
  postMessage({ failure: lastLine(error.message) });
}
