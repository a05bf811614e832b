"""Turn the sources in a zip archive into bytecode, so that a browser need not compile them at every start.

``precompile.mjs`` runs this file inside Pyodide, because bytecode belongs to one release of Python. So it imports
nothing but the standard library. The result depends on its input alone: names are sorted, times are fixed.
"""

from __future__ import annotations

import ast
import importlib.util
import marshal
import sys
import zipfile

UNCHECKED_HASH = (1).to_bytes(4, "little")
"""The flag of bytecode that is used without looking for its source (PEP 552)."""
DESCRIBED = ("_pyodide/", "pyodide/")
"""Packages that read their own docstrings."""
EARLIEST = (1980, 1, 1, 0, 0, 0)


def compile_zip(source: str, target: str) -> str:
    """Write the archive ``target``: bytecode for every module in ``source``, other files as they are; name the Python.

    Files are deflated, because hosts do not compress what is called ``.zip``. Python inflates only what it imports;
    from navigation to a callable function that made no difference against stored files.
    """
    with zipfile.ZipFile(source) as given, zipfile.ZipFile(target, "w") as made:
        for name in sorted(given.namelist()):
            if name.endswith("/"):
                continue
            data = given.read(name)
            if name.endswith(".py"):
                name, data = f"{name}c", compile_module(data, name)
            made.writestr(zipfile.ZipInfo(name, EARLIEST), data, zipfile.ZIP_DEFLATED, compresslevel=9)
    return sys.version.split()[0]


def compile_module(source: bytes, name: str) -> bytes:
    """Compile a module to the content of a ``.pyc`` file."""
    tree = ast.parse(source, name)
    if not name.startswith(DESCRIBED):
        _leave_docstrings(tree)
    code = compile(tree, name, "exec", dont_inherit=True)
    header = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH + importlib.util.source_hash(source)
    return header + marshal.dumps(code)


def _leave_docstrings(tree: ast.Module) -> None:
    """Take the docstrings of modules and functions out: nobody reads them in a browser, and everybody downloads them.

    Those of classes stay, as ``dataclass`` would write others in their place.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node, clean=False
        ):
            node.body = node.body[1:] or [ast.copy_location(ast.Pass(), node.body[0])]
