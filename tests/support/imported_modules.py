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
import sys
sys.path.insert(0, {source!r})
import bleuprint
bleuprint.__path__.append({kernel!r})
before = set(sys.modules)
sys.argv = ["bleuprint", *{arguments!r}]
from bleuprint.cli import main
try:
    main()
except SystemExit as stop:
    assert stop.code == 0
print(*sorted(set(sys.modules) - before))
"""


def imports_of(*arguments):
    """Run a command in a Python without site-packages, and return the modules that it imported and their packages."""
    kernel = str(Path(bleuprint._kernel.__file__).parent)
    text = PROGRAM_TEXT.format(source=str(SOURCE), kernel=kernel, arguments=arguments)
    command = [sys.executable, "-I", "-S", "-c", text]
    *_, listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {part for name in listed.split() for part in (name, name.partition(".")[0])}
