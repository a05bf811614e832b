/**
 * The worker of the static site: starts Python from the site's own files, then answers {id, request} with {id, answer}.
 * Request and answer are JSON texts. It posts {progress} while it loads, {complete, engine} when the files that it
 * fetches after the start have arrived, and {failure} if one of them cannot be fetched.
 */

const ROOT = new URL("../", import.meta.url);
const WEBASSEMBLY = "pyodide/pyodide.asm.wasm";
const SNAPSHOT = "snapshot.bin";
const KERNEL = "kernel.wasm";
/** Modules that Python has not loaded yet, and where it looks for them. */
const ARCHIVES = { "pyodide/python_stdlib.zip": "/lib/python314.zip", "package.zip": "/package.zip" };
const addressOf = (name) => new URL(name, ROOT).href;
const network = self.fetch.bind(self);

let fail;
/** Rejects with the first error. Pyodide itself only warns on the console, and waits. */
const failed = new Promise((_, reject) => (fail = reject));
failed.catch(() => {});

/** The list of the files with their sizes, written when the site was built. */
const manifest = request("manifest.json").then((response) => response.json());
manifest.catch(fail);
let loaded = 0;
/** One promise for each large file that is being counted. @type {Promise<void>[]} */
const counts = [];

/** Fetch a file of the site. An error names the file. */
async function request(name) {
  const response = await network(addressOf(name), { cache: "no-cache" }).catch((error) => {
    throw new Error(`${name} could not be fetched: ${error.message}`);
  });
  if (!response.ok) throw new Error(`${name} could not be fetched: the host answered with status ${response.status}.`);
  return response;
}

/** Fetch a large file, report its progress, and pass the response to `use`. */
async function fetchCounted(name, use) {
  const response = await request(name);
  const count = countBytes(name, response.clone());
  count.catch(fail);
  counts.push(count);
  return use(response).catch(async (error) => {
    await count; // a wrong size explains more than the error that follows from it
    throw error;
  });
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
  checkSize(name, size, files);
  if (loaded === total) postMessage({ progress: { loaded, total, stage: "starting Python" } });
}

function checkSize(name, size, files) {
  if (size === files[name]) return;
  throw new Error(`${name} is not the file of this site: expected ${files[name]} bytes, got ${size}.`);
}

/** Import a script of the site. An error names the script and its media type. */
async function importScript(name) {
  try {
    return await import(addressOf(name));
  } catch (error) {
    const type = (await request(name)).headers.get("Content-Type");
    throw new Error(`${name} could not be run as a script (the host calls it ${type}): ${error.message}`);
  }
}

/** Compile while other files arrive. */
async function compile(response) {
  const headers = { "Content-Type": "application/wasm" }; // compileStreaming requires it
  const right = response.headers.get("Content-Type") === headers["Content-Type"];
  return WebAssembly.compileStreaming(right ? response : new Response(response.body, { headers })).catch((error) => {
    throw new Error(`WebAssembly does not start: ${error.message}`);
  });
}

/** Unpack the memory of a Python that has the package loaded already. */
async function unpack(response) {
  const unpacked = new Response(response.body.pipeThrough(new DecompressionStream("gzip")));
  return unpacked.arrayBuffer().catch(() => {
    throw new Error(`${SNAPSHOT} could not be unpacked. Was it changed after the site was built?`);
  });
}

/** Start Python from the snapshot. */
async function load() {
  if (typeof WebAssembly === "undefined") throw new Error("This browser has no WebAssembly, or blocks it.");
  const [compiled, snapshot] = [fetchCounted(WEBASSEMBLY, compile), fetchCounted(SNAPSHOT, unpack)];
  for (const file of [compiled, snapshot]) file.catch(fail);
  const [{ loadPyodide }, { default: createPyodideModule }, { lock }] = await Promise.all([
    importScript("pyodide/pyodide.js"),
    importScript("pyodide/pyodide.asm.js"),
    manifest,
  ]);
  // Pyodide would fetch these and wait. The first is compiled already, the second is loaded later.
  const given = new Map([WEBASSEMBLY, "pyodide/python_stdlib.zip"].map((name) => [addressOf(name), new Response("")]));
  self.fetch = async (resource, options) => given.get(String(resource)) ?? network(resource, options);
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await compiled;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  return loadPyodide({
    indexURL: addressOf("pyodide/"),
    stdLibURL: addressOf("pyodide/python_stdlib.zip"),
    packageBaseUrl: addressOf("pyodide/"),
    lockFileContents: lock,
    createPyodideModule,
    _loadSnapshot: snapshot,
  }).catch((error) => {
    throw new Error(`Python does not start from ${SNAPSHOT}: ${error.message.split("\n")[0]}`);
  });
}

/** Fetch the archives of modules that the snapshot does not have, and put them on Python's path. */
async function loadArchives(pyodide) {
  const { files } = await manifest;
  const fetchOne = async ([name, place]) => {
    const bytes = new Uint8Array(await (await request(name)).arrayBuffer());
    checkSize(name, bytes.length, files);
    pyodide.FS.writeFile(place, bytes);
  };
  await Promise.all(Object.entries(ARCHIVES).map(fetchOne));
  complete = true;
}

/** The WASI functions that the kernel imports: time, random bytes, and files, of which there are none. */
function hostOf(memory) {
  const [done, noSuchFile] = [0, 8];
  return {
    clock_time_get: (_clock, _precision, place) => {
      new DataView(memory().buffer).setBigUint64(place, BigInt(Math.round(performance.now() * 1e6)), true);
      return done;
    },
    random_get: (place, size) => {
      crypto.getRandomValues(new Uint8Array(memory().buffer, place, size));
      return done;
    },
    fd_close: () => noSuchFile,
    fd_seek: () => noSuchFile,
    fd_write: () => noSuchFile,
  };
}

/** Replace the Python engine with the kernel. Without a usable kernel, Python continues to count and keeps the reason. */
async function loadKernel(pyodide) {
  const { start, do_without: doWithout } = pyodide.pyimport("bleuprint.engines.browser");
  try {
    const { files } = await manifest;
    if (!files[KERNEL]) throw new Error("this site was built without it");
    const bytes = await (await request(KERNEL)).arrayBuffer();
    checkSize(KERNEL, bytes.byteLength, files);
    const module = await WebAssembly.compile(bytes);
    const { _log: log, _exp: exp } = pyodide._module;
    const python = { log, exp }; // Python's own, so that scores have the same last bit
    return start(() => {
      const wasi_snapshot_preview1 = hostOf(() => exports.memory);
      const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1, python });
      exports._initialize();
      return { exports, view: (address, size) => new Uint8Array(exports.memory.buffer, address, size) };
    });
  } catch (error) {
    return doWithout(lastLine(error.message));
  }
}

/** Answer a request. If it fails before the archives are loaded, they may be the reason, so try again with them. */
async function answer(handle, { id, request }) {
  try {
    postMessage({ id, answer: handle(request) });
  } catch (error) {
    if (!complete) return archives.then(() => answer(handle, { id, request }), () => {});
    postMessage({ id, failure: `Python stopped at an error in bleuprint: ${lastLine(error.message)}` });
  }
}

/** The line of a Python traceback that names the error. */
function lastLine(message) {
  return message.trim().split("\n").at(-1);
}

let archives;
let complete = false;
try {
  const pyodide = await Promise.race([load(), failed]);
  const handle = pyodide.pyimport("bleuprint.web.bridge").handle_json;
  await Promise.all(counts); // no progress of downloads after "ready"
  self.onmessage = ({ data }) => answer(handle, data);
  const { total } = await manifest;
  postMessage({ progress: { loaded: total, total, stage: "ready" } });
  archives = loadArchives(pyodide);
  await archives;
  postMessage({ complete, engine: await loadKernel(pyodide) });
} catch (error) {
  postMessage({ failure: lastLine(error.message) });
}
