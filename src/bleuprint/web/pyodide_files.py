"""Pyodide for the static site: fetched once by npm, checked, its library turned into bytecode, kept in a cache.

Bytecode must be made by the very Python that reads it, so Pyodide itself compiles it, run by Node; and so it takes the
snapshot from which the browser starts.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bleuprint.errors import FileError, quote

PYODIDE_VERSION = "314.0.7"
INTEGRITY = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""SHA-512 of the package that npm delivers, as the registry states it."""
SHIPPED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
COMPILED = "python_stdlib.pyc.zip"
HERE = Path(__file__).parent
PROGRAM = ("precompile.mjs", "precompile.py")
"""What makes the files of the cache."""
PATIENCE = 300
"""Seconds for npm or Node to finish."""
EFFORT = 9
"""How hard gzip tries: everybody downloads the snapshot, and it is packed once."""


def provide_pyodide() -> Path:
    """Give the folder with Pyodide's files; the first time, make it."""
    require_tools()
    folder = cache_folder() / f"pyodide-{PYODIDE_VERSION}-{_program_hash()}"
    if not folder.is_dir():
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            _fill(folder)
        except OSError as error:
            raise FileError(
                where=str(folder.parent),
                wanted="a cache folder that can be written",
                got=quote(error.strerror or str(error), 200),
                next_step="Set XDG_CACHE_HOME to another folder.",
            ) from None
    return folder


def require_tools() -> None:
    """Refuse to go on without node and npm."""
    missing = [tool for tool in ("node", "npm") if shutil.which(tool) is None]
    if missing:
        raise FileError(
            where="site",
            wanted="node and npm, which fetch and prepare Pyodide",
            got=f"no {' and no '.join(missing)}",
            next_step="Install Node.js 20 or newer with npm (on Debian: apt-get install nodejs npm).",
        )


def cache_folder() -> Path:
    """Where the user's programs keep what they can make again."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache") / "bleuprint"


def lock_of(folder: Path) -> dict[str, Any]:
    """Give the lock file that Pyodide wants to see, without any package."""
    lock = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    return {"info": lock["info"], "packages": {}}


def compile_files(folder: Path, files: Mapping[str, bytes]) -> bytes:
    """Pack files into a zip archive with bytecode in place of the Python sources."""
    with tempfile.TemporaryDirectory() as scratch:
        source, target = Path(scratch, "source.zip"), Path(scratch, "target.zip")
        _write_zip(source, files)
        _compile(folder, COMPILED, source, target)
        return target.read_bytes()


def take_snapshot(folder: Path, package: bytes) -> bytes:
    """Give the memory of a Python that has the package loaded and used, packed by gzip."""
    with tempfile.TemporaryDirectory() as scratch:
        archive, target = Path(scratch, "package.zip"), Path(scratch, "snapshot")
        archive.write_bytes(package)
        hint = "Either Node.js is older than 20, or the package or Pyodide is not what was tested."
        _run_node("snapshot.mjs", hint, folder, folder / COMPILED, archive, target)
        return gzip.compress(target.read_bytes(), compresslevel=EFFORT, mtime=0)


def _program_hash() -> str:
    return hashlib.sha256(b"".join((HERE / name).read_bytes() for name in PROGRAM)).hexdigest()[:12]


def _fill(folder: Path) -> None:
    """Make the folder beside its place, then move it there: another process may be doing the same."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".pyodide-") as scratch:
        made = Path(scratch, "made")
        made.mkdir()
        _unpack(_fetch(Path(scratch)), made)
        shipped = made / "python_stdlib.zip"
        _compile(made, shipped.name, shipped, made / COMPILED)
        try:
            made.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise


def _fetch(scratch: Path) -> Path:
    command = ["npm", "pack", f"pyodide@{PYODIDE_VERSION}", "--silent", "--ignore-scripts"]
    _run(command, scratch, "Is the npm registry reachable?")
    archive = scratch / f"pyodide-{PYODIDE_VERSION}.tgz"
    found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode("ascii")
    if found != INTEGRITY:
        raise FileError(
            where=f"npm pack pyodide@{PYODIDE_VERSION}",
            wanted=f"a package with SHA-512 {INTEGRITY[:12]}...",
            got=f"{found[:12]}...",
            next_step="The registry delivered something else than was tested; nothing was written.",
        )
    return archive


def _unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as package:
        for name in SHIPPED:
            member = package.extractfile(f"package/{name}")
            assert member is not None  # the archive is the one that was tested
            (folder / name).write_bytes(member.read())


def _write_zip(path: Path, files: Mapping[str, bytes]) -> None:
    from zipfile import ZipFile, ZipInfo

    with ZipFile(path, "w") as archive:
        for name, data in sorted(files.items()):
            archive.writestr(ZipInfo(name), data)


def _compile(folder: Path, library: str, source: Path, target: Path) -> None:
    hint = "Node.js 20 or newer is needed; see node --version."
    _run_node(PROGRAM[0], hint, folder, folder / library, source, target)


def _run_node(program: str, hint: str, folder: Path, *paths: Path) -> None:
    _run(["node", str(HERE / program), *map(str, (folder, *paths))], folder, hint)


def _run(command: list[str], folder: Path, hint: str) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
        problem = _last_error(done.stderr or done.stdout) or f"exit code {done.returncode}" if done.returncode else ""
    except subprocess.TimeoutExpired:
        problem = f"no end after {PATIENCE} seconds"
    if problem:
        raise FileError(where=" ".join(command[:3]), wanted="success", got=problem, next_step=hint)


def _last_error(output: str) -> str:
    """Find the line that names the error; Node also prints the line of the program, which may be a megabyte long."""
    lines = [line.strip()[:200] for line in output.splitlines() if "rror" in line and len(line) < 1000]
    return lines[-1] if lines else ""
