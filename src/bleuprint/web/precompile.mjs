// Runs precompile.py inside Pyodide: node precompile.mjs PYODIDE_FOLDER STDLIB_ZIP SOURCE_ZIP TARGET_ZIP
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [folder, stdLibURL, source, target] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const lock = JSON.parse(readFileSync(join(folder, "pyodide-lock.json"), "utf8"));
const pyodide = await loadPyodide({
  indexURL: folder,
  stdLibURL,
  packageBaseUrl: folder,
  lockFileContents: { info: lock.info, packages: {} },
  env: { PYTHONHASHSEED: "0" },
});

const program = join(dirname(fileURLToPath(import.meta.url)), "precompile.py");
pyodide.FS.writeFile("precompile.py", readFileSync(program));
pyodide.FS.writeFile("source.zip", readFileSync(source));
const python = pyodide.pyimport("precompile").compile_zip("source.zip", "target.zip");
writeFileSync(target, pyodide.FS.readFile("target.zip"));
console.log(python);
