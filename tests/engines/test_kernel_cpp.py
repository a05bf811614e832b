"""The kernel's own tests, in C++ and without Python: built by the compiler of this machine, and run."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.extended


ROOT = Path(__file__).parents[2]
COMPILER = next(filter(None, map(shutil.which, (os.environ.get("CXX", ""), "c++", "g++", "clang++"))), None)


def run(*command):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=600)


def assert_holds(program):
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("tests, 0 failures\n")
    assert int(done.stdout.split()[0]) >= 45


def test_the_kernel_holds_as_cmake_builds_it(tmp_path):
    configured = run(
        "cmake",
        "-S",
        ROOT,
        "-B",
        tmp_path,
        "-DBLEUPRINT_TESTS=ON",
        "-DCMAKE_BUILD_TYPE=Debug",
        f"-DCMAKE_CXX_COMPILER={COMPILER}",
    )
    assert configured.returncode == 0, configured.stderr
    built = run("cmake", "--build", tmp_path, "--parallel", "2")
    assert built.returncode == 0, built.stdout + built.stderr
    assert "warning" not in built.stdout + built.stderr
    assert_holds(tmp_path / "kernel_tests")


WATCHED = (
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
    "-D_GLIBCXX_SANITIZE_VECTOR",
    "-D_GLIBCXX_ASSERTIONS",
)


@pytest.mark.parametrize("flags", [(), pytest.param(WATCHED, marks=pytest.mark.extended)], ids=["plainly", "watched"])
def test_the_kernel_holds_also_with_every_address_and_operation_watched(tmp_path, flags):
    sources = sorted((ROOT / "kernel" / "tests").glob("*.cpp"))
    together = tmp_path / "all.cpp"
    together.write_text("".join(f'#include "{source}"\n' for source in sources))
    built = run(
        COMPILER, "-std=c++20", "-O0", "-ffp-contract=off", "-pthread", *flags, together, "-o", tmp_path / "all"
    )
    assert built.returncode == 0, built.stderr
    assert_holds(tmp_path / "all")
