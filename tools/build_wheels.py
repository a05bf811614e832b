"""Build wheels into dist/, and try them: ``python tools/build_wheels.py PYTHON ...``, which ``make wheels`` does.

By cibuildwheel, which on Linux needs Docker. Without it they are built by the given Pythons, as far as they are here,
and get the tag that auditwheel grants on this machine. A Python that an earlier wheel fits only tries it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from release_check import ROOT, TOOLS, describe, repair, run

DIST = ROOT / "dist"
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")


def answers(*command: str | Path) -> bool:
    """Whether a command is here and does what it is asked for."""
    return shutil.which(command[0]) is not None and subprocess.run(command, capture_output=True).returncode == 0


def fits(wheel: Path, python: str) -> bool:
    """Whether a Python would install a wheel."""
    with tempfile.TemporaryDirectory() as folder:
        return answers(python, *PIP, "install", "--no-deps", "--no-index", f"--target={folder}", wheel)


def build(python: str) -> Path:
    """Build a wheel for this machine."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("--no-deps", f"--wheel-dir={folder}", "--config-settings=wheel.py-api=cp312")
        run(python, *PIP, "wheel", *options, ".", environment=os.environ)
        [wheel] = Path(folder).iterdir()
        return repair(wheel, DIST)


def build_here(pythons: list[str]) -> None:
    """Build and try what this machine can."""
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    for python in pythons:
        if not answers(python, "-c", ""):
            print(f"{python} is not on this machine: nothing is built or tried with it.", flush=True)
            continue
        wheel = next((wheel for wheel in sorted(DIST.iterdir()) if fits(wheel, python)), None) or build(python)
        print(f"{python} with {wheel.name}:", flush=True)
        print(
            run("sh", "tools/try_wheel.sh", shutil.which(python) or python, wheel, environment=os.environ), flush=True
        )
    print(*map(describe, sorted(DIST.iterdir())), sep="\n")


if __name__ == "__main__":
    if sys.platform != "linux" or answers("docker", "info"):
        sys.exit(subprocess.run([TOOLS / "cibuildwheel", "--output-dir", DIST], cwd=ROOT).returncode)
    print("No Docker engine here: wheels for this machine alone.", flush=True)
    build_here(sys.argv[1:])
