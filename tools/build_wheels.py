"""Build wheels into dist/, and try them: ``python tools/build_wheels.py PYTHON ...``, which ``make wheels`` does.

Every Python gets a wheel of its own, and one of the stable ABI is for those that come later. By cibuildwheel, which on
Linux needs Docker. Without it they are built by the given Pythons, as far as they are here, and get the tag that
auditwheel grants on this machine.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from release_check import ROOT, STABLE, TOOLS, describe, repair, run, stable_builds

DIST = ROOT / "dist"
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")


def answers(*command: str | Path) -> bool:
    """Whether a command is here and does what it is asked for."""
    return shutil.which(command[0]) is not None and subprocess.run(command, capture_output=True).returncode == 0


def can_keep_to_it(python: str) -> bool:
    """Whether a Python can build and take a wheel of the stable ABI."""
    known = f"sys.version_info >= (3, {STABLE.removeprefix('cp3')}) and not sysconfig.get_config_var('Py_GIL_DISABLED')"
    return answers(python, "-c", f"import sys, sysconfig; sys.exit(not ({known}))")


def build(python: str, *options: str) -> Path:
    """Build a wheel for this machine."""
    with tempfile.TemporaryDirectory() as folder:
        run(python, *PIP, "wheel", "--no-deps", f"--wheel-dir={folder}", *options, ".", environment=os.environ)
        [wheel] = Path(folder).iterdir()
        return repair(wheel, DIST)


def try_out(wheel: Path, python: str) -> None:
    """Install a wheel in a fresh environment, and use it."""
    print(f"{python} with {wheel.name}:", flush=True)
    print(run("sh", "tools/try_wheel.sh", shutil.which(python) or python, wheel, environment=os.environ), flush=True)


def build_here(pythons: list[str]) -> None:
    """Build and try what this machine can."""
    here = [python for python in pythons if answers(python, "-c", "")]
    for python in pythons:
        if python in here:
            try_out(build(python), python)
        else:
            print(f"{python} is not on this machine: nothing is built or tried with it.", flush=True)
    if able := [python for python in here if can_keep_to_it(python)]:
        wheel = build(able[0], f"--config-settings=wheel.py-api={STABLE}")
        for python in able:
            try_out(wheel, python)


def build_everywhere() -> None:
    """Build what pyproject.toml says, then the wheel of the stable ABI, which all that can take it try."""
    later = {"CIBW_BUILD": " ".join(stable_builds()), "CIBW_CONFIG_SETTINGS": f"wheel.py-api={STABLE}"}
    for more in ({}, later):
        subprocess.run([TOOLS / "cibuildwheel", "--output-dir", DIST], cwd=ROOT, env=os.environ | more, check=True)


def main(pythons: list[str]) -> None:
    """Build wheels in place of those that are there, and say what they are."""
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    if sys.platform != "linux" or answers("docker", "info"):
        build_everywhere()
    else:
        print("No Docker engine here: wheels for this machine alone.", flush=True)
        build_here(pythons)
    print(*map(describe, sorted(DIST.iterdir())), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
