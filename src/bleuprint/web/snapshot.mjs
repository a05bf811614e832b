// Starts Python with the package, lets snapshot.py use it, and stores the memory, so that a browser need not do it again:
// node snapshot.mjs PYODIDE_FOLDER STDLIB_ZIP PACKAGE_ZIP TARGET
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [folder, stdLibURL, archive, target] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const lock = JSON.parse(readFileSync(join(folder, "pyodide-lock.json"), "utf8"));
const common = {
  indexURL: folder,
  stdLibURL,
  packageBaseUrl: folder,
  lockFileContents: { info: lock.info, packages: {} },
  _sysExecutable: "python",
};

// Stop the clocks, which also seed random numbers: the same package must give the same bytes.
performance.now = () => 0;
globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length ? given : [0]));
  }
  static now() {
    return 0;
  }
};

const pyodide = await loadPyodide({
  ...common,
  env: { PYTHONPATH: "/package.zip", PYTHONHASHSEED: "0" },
  fsInit: (files) => files.writeFile("/package.zip", readFileSync(archive)),
  _makeSnapshot: true,
});
pyodide.FS.writeFile("snapshot.py", readFileSync(join(dirname(fileURLToPath(import.meta.url)), "snapshot.py")));
pyodide.runPython("import snapshot, sys; snapshot.warm_up(); del snapshot, sys.modules['snapshot'], sys");
overwriteFreeMemory(pyodide._module);
const memory = pyodide.makeMemorySnapshot();

// Python starts with a fixed amount of memory and cannot be given more before the snapshot is put there.
try {
  const again = await loadPyodide({ ...common, _loadSnapshot: memory });
  again.pyimport("bleuprint.web.bridge").handle_json('{"action": "recipe"}');
} catch (error) {
  const reason = error instanceof RangeError ? `${memory.length} bytes do not fit the memory that Python starts with` : error;
  console.error(`Error: the snapshot cannot be used: ${reason}`);
  process.exit(1);
}
writeFileSync(target, memory);

/** Fill what was freed with zeros, which compress to nothing. */
function overwriteFreeMemory(module) {
  const { _malloc, _free, _sbrk } = module;
  const end = _sbrk(0);
  const blocks = [];
  for (let size = 2 ** 16; size >= 32; size = Math.floor(size * 0.8)) {
    let place = _malloc(size);
    for (; place < end; place = _malloc(size)) {
      module.HEAPU8.fill(0, place, place + size);
      blocks.push(place);
    }
    _free(place); // not freed memory but new
  }
  blocks.forEach((place) => _free(place));
}
