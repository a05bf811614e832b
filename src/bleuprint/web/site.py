"""The static site: the page in a folder that any web host can serve, with Python for the browser beside it.

``build_site`` collects every file in memory as ``{path: bytes}`` and writes them whole or not at all. The same package,
Pyodide and environment give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import bleuprint
from bleuprint.errors import FileError, quote
from bleuprint.web import pyodide_files
from bleuprint.web.page import HEADERS, POLICY_STATIC, page_files, render_page

Files = dict[str, bytes]

MARKER = ".bleuprint-site"
LIBRARIES = ("jinja2", "markupsafe")
LEFT_OUT = (
    "cli", "__main__.py", "render/text.py",
    "web/static", "web/templates", "web/licences", "web/page.py",
    "web/server.py", "web/api.py", "web/answers.py", "web/guard.py", "web/listening.py",
    "web/workers.py", "web/site.py", "web/pyodide_files.py", "web/precompile.py", "web/precompile.mjs",
    "web/snapshot.py", "web/snapshot.mjs", "web/service-worker.js", "web/kernel.wasm",
)  # fmt: skip
"""What the browser never runs."""
SENT = {
    "pyodide/pyodide.js": "pyodide.mjs",
    "pyodide/pyodide.asm.js": "pyodide.asm.mjs",
    "pyodide/pyodide.asm.wasm": "pyodide.asm.wasm",
    "pyodide/python_stdlib.zip": pyodide_files.COMPILED,
}
"""Pyodide's files in the site and in the cache. Many hosts do not know ``.mjs``, and browsers run no script of unknown
type, so scripts are named ``.js``."""
SNAPSHOT = "snapshot.bin"
"""Compressed, but not called ``.gz``: some hosts declare such files as encoded, and browsers would unpack them."""
FIRST = ("pyodide/pyodide.asm.wasm", SNAPSHOT)
"""The files that ``worker.js`` shows progress for: with them Python can be called."""
LATER = ("pyodide/python_stdlib.zip", "package.zip")
"""The files that it fetches afterwards: modules that Python has not loaded yet."""
KERNEL = "kernel.wasm"
"""The kernel for browsers, fetched last. Released wheels have it. A clone, and what is installed or built from it, has
it only after ``make wasm``; without it the page counts in Python."""
NOT_KEPT = (MARKER, ".nojekyll", "_headers", "robots.txt", "LICENSES.txt", "service-worker.js", "index.html")
"""What the service worker leaves out; it keeps the page under the address of the folder."""


class Site(NamedTuple):
    """The folder that was built, and the size of each file."""

    directory: Path
    sizes: Mapping[str, int]


def build_site(directory: str | Path, *, force: bool = False) -> Site:
    """Build the static site in a folder that is new or empty, or with ``force`` in place of an older site."""
    target = Path(directory).resolve()
    _check_target(target, str(directory), force)
    pyodide_files.require_tools()
    files = collect_files()
    try:
        _write_folder(target, files)
    except OSError as error:
        message = f"The folder cannot be written ({quote(error.strerror or str(error), 200)})."
        raise FileError(message, "Choose another place. Nothing was changed.", where=str(directory)) from None
    return Site(target, {path: len(data) for path, data in sorted(files.items())})


def collect_files() -> Files:
    """Make every file of the site."""
    pyodide = pyodide_files.provide_pyodide()
    files = {path: (pyodide / name).read_bytes() for path, name in SENT.items()}
    files |= {f"static/{name}": data for name, data in page_files().items()}
    files["index.html"] = render_page("static").encode("utf-8")
    files["package.zip"] = pyodide_files.compile_files(pyodide, package_files())
    files[SNAPSHOT] = pyodide_files.take_snapshot(pyodide, files["package.zip"])
    kernel = pyodide_files.HERE / KERNEL
    if kernel.is_file():
        files[KERNEL] = kernel.read_bytes()
    files["manifest.json"] = _manifest(files, pyodide)
    files["LICENSES.txt"] = _licences().encode("utf-8")
    files["_headers"] = _headers().encode("utf-8")
    files["robots.txt"] = b"User-agent: *\nDisallow:\n"
    files[".nojekyll"] = b""
    files[MARKER] = f"Made by bleuprint {bleuprint.__version__}; `bleuprint site --force` may replace it.\n".encode()
    files["service-worker.js"] = _service_worker(files)
    return files


def package_files() -> Files:
    """Collect this package as installed, and the libraries that its HTML needs."""
    files = {path: data for path, data in _module_files("bleuprint") if not _is_left_out(path)}
    for name in LIBRARIES:
        files |= {path: data for path, data in _module_files(name) if path.endswith(".py")}
    return files


def _is_left_out(path: str) -> bool:
    inside = path.removeprefix("bleuprint/")
    return any(inside == entry or inside.startswith(f"{entry}/") for entry in LEFT_OUT)


def _module_files(name: str) -> Iterator[tuple[str, bytes]]:
    source = importlib.import_module(name).__file__
    assert source is not None  # these are packages with an __init__.py
    folder = Path(source).parent
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".so", ".pyd", ".c"):
            yield f"{name}/{path.relative_to(folder).as_posix()}", path.read_bytes()


def _manifest(files: Files, pyodide: Path) -> bytes:
    """State what the worker needs to know before it loads: sizes of the large files, and Pyodide's lock."""
    sizes = {path: len(files[path]) for path in (*FIRST, *LATER, KERNEL) if path in files}
    data = {
        "bleuprint": bleuprint.__version__,
        "pyodide": pyodide_files.PYODIDE_VERSION,
        "files": sizes,
        "total": sum(sizes[path] for path in FIRST),
        "lock": pyodide_files.lock_of(pyodide),
    }
    return (json.dumps(data, indent=1) + "\n").encode("utf-8")


def _service_worker(files: Files) -> bytes:
    kept = {path: _hash(data) for path, data in sorted(files.items()) if path not in NOT_KEPT}
    kept["./"] = _hash(files["index.html"])
    program = (pyodide_files.HERE / "service-worker.js").read_text(encoding="utf-8")
    version = hashlib.sha256(json.dumps([program, kept]).encode("utf-8")).hexdigest()[:16]
    constants = f'const VERSION = "{version}";\nconst FILES = {json.dumps(kept, indent=1)};\n'
    return f"{constants}{program}".encode()


def _hash(data: bytes) -> str:
    """Return a file's hash as browsers check it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(data).digest()).decode("ascii")


def _headers() -> str:
    """State the headers for hosts that read a ``_headers`` file (Netlify, Cloudflare Pages and others)."""
    headers = {"Content-Security-Policy": f"{POLICY_STATIC}; frame-ancestors 'none'", **HEADERS}
    return "/*\n" + "".join(f"  {name}: {value}\n" for name, value in headers.items())


def _licences() -> str:
    """Name every component with its version and licence, and quote the licences."""
    texts = pyodide_files.HERE / "licences"
    parts = [
        (f"bleuprint {bleuprint.__version__}: Apache-2.0", _licence_of("bleuprint")),
        *((f"{name} {metadata.version(name)}: BSD-3-Clause", _licence_of(name)) for name in LIBRARIES),
        (
            f"Pyodide {pyodide_files.PYODIDE_VERSION}: MPL-2.0. Unchanged; two files are named .js instead of .mjs. "
            f"Source code: https://github.com/pyodide/pyodide, tag {pyodide_files.PYODIDE_VERSION}.",
            (texts / "MPL-2.0.txt").read_text(encoding="utf-8"),
        ),
        (
            "CPython 3.14, part of Pyodide: PSF-2.0. Its standard library is here as bytecode. "
            "Source code: https://github.com/python/cpython.",
            (texts / "PSF-2.0.txt").read_text(encoding="utf-8"),
        ),
        ("Libraries inside Pyodide: see the list", (texts / "inside-pyodide.txt").read_text(encoding="utf-8")),
        ("Libraries inside kernel.wasm: see the list", (texts / "inside-kernel.txt").read_text(encoding="utf-8")),
    ]
    head = "What this site is made of.\n\n" + "\n".join(f"- {title}" for title, _ in parts)
    rule = "=" * 78
    return head + "\n" + "".join(f"\n{rule}\n{title}\n{rule}\n\n{text.strip()}\n" for title, text in parts)


def _licence_of(name: str) -> str:
    """Read the licence that came with an installed package."""
    # Those in folders below are of what is compiled into the kernel for Python, which the site does not have.
    entries = [entry for entry in metadata.files(name) or () if entry.parent.name == "licenses"]
    return "\n\n".join(entry.read_text(encoding="utf-8") for entry in entries) or "See the project's repository."


def _check_target(target: Path, shown: str, force: bool) -> None:
    is_site = (target / MARKER).is_file()
    if not target.exists() or (target.is_dir() and not any(target.iterdir())) or (is_site and force):
        return
    fix = "Add --force to replace it." if is_site else "Choose another place. --force replaces only sites."
    got = "an older site" if is_site else "a folder with other files" if target.is_dir() else "a file"
    raise FileError(f"expected a new or empty folder, got {got}.", fix, where=shown)


def _write_folder(target: Path, files: Files) -> None:
    """Write all files beside the target, then put the folder in its place."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as scratch:
        made = Path(scratch, "made")
        for path, data in files.items():
            place = made / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        if target.exists():
            target.rename(Path(scratch, "old"))
        try:
            made.rename(target)
        except OSError:
            if Path(scratch, "old").exists():
                Path(scratch, "old").rename(target)
            raise
