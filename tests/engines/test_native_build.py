"""Building: without a compiler the package becomes pure Python and says so, and a wheel brings all notices."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

nanobind = pytest.importorskip("nanobind")

import bleuprint as bp

pytestmark = pytest.mark.needs("nanobind")


ROOT = Path(__file__).parents[2]
NEEDED = ("CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml", "kernel", "src")
CORPUS = (["the cat is on mat", "Ärger, 3.5"], ["the cat is on the mat", "Ärger 3.5"])
SCORE = f"import bleuprint as bp; print(bp.engine().name, bp.score(*{CORPUS}).score.hex())"


def run(*command, folder, **environment):
    kept = {name: value for name, value in os.environ.items() if name not in ("BLEUPRINT_ENGINE", "PYTHONPATH")}
    command = [*map(str, command)]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", cwd=folder, env=kept | environment, timeout=600
    )


def copy_tree(folder):
    if not (folder / "src").exists():
        for name in NEEDED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, folder / name)


def install(folder, *options, **environment):
    """Install a copy of the tree into ``folder/installed``, from what is on this machine alone."""
    copy_tree(folder)
    pip = ("-m", "pip", "install", "-v", "--no-build-isolation", "--no-deps", "--no-index", *options)
    return run(sys.executable, *pip, "--target", folder / "installed", folder, folder=folder, **environment)


def assert_works_as_pure_python(folder):
    """An isolated look (``-S``) at what was installed; the packages that it needs come from this environment."""
    packages = os.pathsep.join([str(folder / "installed"), *(path for path in sys.path if path.endswith("-packages"))])
    settings = {"PYTHONPATH": packages, "PYTHONUTF8": "1"}
    assert not list((folder / "installed").rglob("_kernel*.so"))
    said = run(sys.executable, "-S", "-m", "bleuprint", "--version", folder=folder, **settings)
    reason = "no compiled kernel: this installation is a wheel in pure Python, or was made without a C++20 compiler"
    advice = (  # pip would take the same wheel again, from its index or its cache
        "install a C++20 compiler, then bleuprint again from its sources: "
        "pip install --force-reinstall --no-deps --no-cache-dir --no-binary bleuprint bleuprint."
    )
    assert said.stdout.splitlines() == [
        f"bleuprint {bp.__version__}, engine: python ({reason})",
        f"The compiled kernel returns the same numbers many times as fast: {advice}",
    ], said.stderr
    scored = run(sys.executable, "-S", "-c", SCORE, folder=folder, **settings)
    assert scored.stdout == f"python {bp.score(*CORPUS).score.hex()}\n", scored.stderr
    asked = run(
        sys.executable, "-S", "-m", "bleuprint", "--version", folder=folder, BLEUPRINT_ENGINE="native", **settings
    )
    assert asked.returncode == 2
    assert "BLEUPRINT_ENGINE=native is not possible: no compiled kernel" in asked.stderr


@pytest.fixture(scope="module")
def made_by_a_broken_compiler(tmp_path_factory):
    """Give the folder of an install, and what pip said."""
    folder = tmp_path_factory.mktemp("broken")
    broken = folder / "broken-compiler"
    broken.write_text("#!/bin/sh\necho 'this compiler is broken' >&2\nexit 1\n")
    broken.chmod(0o755)
    done = install(folder, CXX=str(broken), CC=str(broken))
    assert done.returncode == 0, done.stderr
    return folder, done.stderr


def test_an_install_with_a_broken_compiler_succeeds_as_pure_python(made_by_a_broken_compiler):
    folder, said = made_by_a_broken_compiler
    assert "this compiler is broken" in said
    assert "installed without its compiled kernel: it works, but slower" in said
    assert_works_as_pure_python(folder)


def test_a_wheel_brings_the_notices_of_what_is_compiled_into_the_kernel(made_by_a_broken_compiler):
    [brought] = (made_by_a_broken_compiler[0] / "installed").glob("bleuprint-*.dist-info/licenses")
    notices = {
        file.relative_to(brought).as_posix(): file.read_text("utf-8") for file in brought.rglob("*") if file.is_file()
    }
    [theirs] = [file for file in distribution("nanobind").files if file.name == "LICENSE"]
    assert set(notices) == {"LICENSE", "kernel/licences/nanobind.txt", "kernel/licences/robin_map.txt"}
    assert notices["LICENSE"] == (ROOT / "LICENSE").read_text("utf-8")
    assert notices["kernel/licences/nanobind.txt"] == theirs.read_text("utf-8")
    header = Path(nanobind.__file__).parent / "ext/robin_map/include/tsl/robin_map.h"
    comment = header.read_text("utf-8").partition("*/")[0].replace("/**", "").replace("*", " ")
    assert notices["kernel/licences/robin_map.txt"].split() == comment.split()


@pytest.mark.extended
def test_an_install_without_cmake_says_so_and_succeeds_when_told_to_do_without(tmp_path):
    tools = tmp_path / "tools"  # all that is on the PATH
    tools.mkdir()
    (tools / "sh").symlink_to(shutil.which("sh"))
    refused = install(tmp_path, PATH=str(tools))
    assert refused.returncode != 0
    assert "Could not find CMake" in refused.stderr
    done = install(tmp_path, "--config-settings=wheel.cmake=false", PATH=str(tools))
    assert done.returncode == 0, done.stderr
    assert_works_as_pure_python(tmp_path)
