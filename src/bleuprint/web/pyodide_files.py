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
from zipfile import ZipFile, ZipInfo

from bleuprint.errors import FileError, quote

PYODIDE_VERSION = "314.0.7"
INTEGRITY = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""SHA-512 of the package that npm delivers, as the registry states it."""
SHIPPED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
COMPILED = "python_stdlib.pyc.zip"
HERE = Path(__file__).parent
PROGRAMS = ("precompile.mjs", "precompile.py")
"""What makes the files of the cache."""
PATIENCE = 300
"""Seconds for npm or Node to finish."""
EFFORT = 9
"""How hard gzip tries: everybody downloads the snapshot, and it is packed once."""


def provide_pyodide() -> Path:
    """Return the folder with Pyodide's files; the first time, make it."""
    require_tools()
    programs = b"".join((HERE / name).read_bytes() for name in PROGRAMS)
    folder = cache_folder() / f"pyodide-{PYODIDE_VERSION}-{hashlib.sha256(programs).hexdigest()[:12]}"
    if not folder.is_dir():
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            _fill(folder)
        except OSError as error:
            message = f"The cache folder cannot be written ({quote(error.strerror or str(error), 200)})."
            raise FileError(message, "Set XDG_CACHE_HOME to another folder.", where=str(folder.parent)) from None
    return folder


def require_tools() -> None:
    """Raise an error if node or npm is missing."""
    missing = [tool for tool in ("node", "npm") if shutil.which(tool) is None]
    if missing:
        raise FileError(
            f"The site needs node and npm, which fetch and prepare Pyodide; missing: {', '.join(missing)}.",
            "Install Node.js 20 or newer with npm (on Debian: apt-get install nodejs npm).",
        )


def cache_folder() -> Path:
    """Where the user's programs keep what they can make again."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache") / "bleuprint"


def lock_of(folder: Path) -> dict[str, Any]:
    """Return the lock file that Pyodide expects, without any package."""
    lock = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))
    return {"info": lock["info"], "packages": {}}


def compile_files(folder: Path, files: Mapping[str, bytes]) -> bytes:
    """Pack files into a zip archive with bytecode in place of the Python sources."""
    with tempfile.TemporaryDirectory() as scratch:
        source, target = Path(scratch, "source.zip"), Path(scratch, "target.zip")
        with ZipFile(source, "w") as archive:
            for name, data in sorted(files.items()):
                archive.writestr(ZipInfo(name), data)
        _run_node("precompile.mjs", folder, folder / COMPILED, source, target)
        return target.read_bytes()


def take_snapshot(folder: Path, package: bytes) -> bytes:
    """Return the memory of a Python that has the package loaded and used, packed by gzip."""
    with tempfile.TemporaryDirectory() as scratch:
        archive, target = Path(scratch, "package.zip"), Path(scratch, "snapshot")
        archive.write_bytes(package)
        _run_node("snapshot.mjs", folder, folder / COMPILED, archive, target)
        return gzip.compress(target.read_bytes(), compresslevel=EFFORT, mtime=0)


def _fill(folder: Path) -> None:
    """Make the folder in a scratch folder, then move it into place: another process may be doing the same."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".pyodide-") as scratch:
        made = Path(scratch, "made")
        made.mkdir()
        with tarfile.open(_fetch(Path(scratch))) as package:
            for name in SHIPPED:
                member = package.extractfile(f"package/{name}")
                assert member is not None  # the archive is the one that was tested
                (made / name).write_bytes(member.read())
        library = made / "python_stdlib.zip"
        _run_node("precompile.mjs", made, library, library, made / COMPILED)
        try:
            made.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise


def _fetch(scratch: Path) -> Path:
    """Download Pyodide and check that it is the package that was tested."""
    _run(["npm", "pack", f"pyodide@{PYODIDE_VERSION}", "--silent", "--ignore-scripts"], scratch, "Check the network.")
    archive = scratch / f"pyodide-{PYODIDE_VERSION}.tgz"
    found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode("ascii")
    if found != INTEGRITY:
        message = f"expected the SHA-512 {INTEGRITY[:12]}..., got {found[:12]}..."
        fix = "The registry delivered something else than was tested. Nothing was written."
        raise FileError(message, fix, where=f"npm pack pyodide@{PYODIDE_VERSION}")
    return archive


def _run_node(program: str, folder: Path, *paths: Path) -> None:
    _run(["node", *map(str, (HERE / program, folder, *paths))], folder, "Node.js 20 or newer is needed.")


def _run(command: list[str], folder: Path, fix: str) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
        problem = _last_error(done.stderr or done.stdout) or f"exit code {done.returncode}" if done.returncode else ""
    except subprocess.TimeoutExpired:
        problem = f"no end after {PATIENCE} seconds"
    if problem:
        raise FileError(f"{problem}.", fix, where=" ".join(command[:3]))


def _last_error(output: str) -> str:
    """Find the line that names the error; Node also prints the line of the program, which may be a megabyte long."""
    lines = [line.strip()[:200] for line in output.splitlines() if "rror" in line and len(line) < 1000]
    return lines[-1] if lines else ""
