"""What a call of the program imports."""

import subprocess
import sys
from pathlib import Path

import bleuprint
import bleuprint._kernel

SOURCE = Path(bleuprint.__file__).parent.parent
HEAVY = {
    "click", "rich", "jinja2", "pyarrow", "numpy", "argparse", "ast", "asyncio", "copy", "csv", "ctypes",
    "dataclasses", "email", "gzip", "hashlib", "html", "importlib.metadata", "importlib.util", "inspect", "json",
    "logging", "lzma", "multiprocessing", "pathlib", "random", "shutil", "socket", "subprocess", "tempfile",
    "threading", "unittest", "urllib", "xml", "zipfile",
}  # fmt: skip
if sys.version_info >= (3, 14):
    HEAVY -= {"ast"}  # typing imports it for each NamedTuple


PROGRAM_TEXT = """
import builtins, sys
sys.path.insert(0, {source!r})
import bleuprint
compiled, compile_really = [], compile
def compile_watched(source, name, *rest, **options):
    if name == "<string>":
        compiled.append(f"compiled:{{source}}".replace(" ", ""))
    return compile_really(source, name, *rest, **options)
builtins.compile = compile_watched
bleuprint.__path__.append({kernel!r})
before = set(sys.modules)
sys.argv = ["bleuprint", *{arguments!r}]
from bleuprint.cli import main
try:
    main()
except SystemExit as stop:
    assert stop.code == 0
print(*sorted(set(sys.modules) - before), *compiled)
"""


def imports_of(*arguments):
    """Run a command in a Python without site-packages, and list what it imported; click cannot be among it.

    Sources that it compiled are listed, too. A NamedTuple compiles each of its annotations where these are postponed.
    """
    kernel = str(Path(bleuprint._kernel.__file__).parent)
    text = PROGRAM_TEXT.format(source=str(SOURCE), kernel=kernel, arguments=arguments)
    command = [sys.executable, "-I", "-S", "-c", text]
    *_, listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return set(listed.split())
