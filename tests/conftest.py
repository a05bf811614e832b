from __future__ import annotations

import ast
import gc
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pytest
from hypothesis import is_hypothesis_test, settings

from loopback_files import LoopbackFiles, serving
from page.hosts import QUICKLY_PACKED, SUBFOLDER
from worker_sharing import locked, shared_folder

# The same examples on every run and every machine: a failure is a change in the code, not luck.
settings.register_profile("bleuprint", deadline=None, derandomize=True, database=None, max_examples=200)
settings.load_profile("bleuprint")
FEWER = 5
"""How many of a property's examples make one that is tried without the matrix."""
FEWEST = 20
LONGEST = ("test_spark.py", "test_browser_engine.py")
"""Files with a fixture, or one test, of half a minute."""

# Tests say themselves which engine counts, and how wide and in which colours is printed; what somebody has chosen for
# other work, or a CI for its logs, is not theirs.
for _chosen in ("BLEUPRINT_ENGINE", "COLUMNS", "FORCE_COLOR", "LINES", "NO_COLOR"):
    os.environ.pop(_chosen, None)
# What evaluate copies and caches goes into a folder of this run, never into somebody's home; it is made when needed.
os.environ["HF_HOME"] = str(Path(tempfile.gettempdir(), f"bleuprint-huggingface-{uuid4().hex}"))
# A run that is ended, by a time limit for one, ends its servers and browsers, and leaves nothing where that folder is.
signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_sessionstart() -> None:
    """Stop if there is no kernel, or one of other sources: half of the tests compare it with the definition."""
    import bleuprint
    from bleuprint.native_kernel import find_kernel

    kernel = find_kernel()
    stub = ast.parse(Path(bleuprint.__file__).with_name("_kernel.pyi").read_text(encoding="utf-8"))
    declared = {getattr(node, "name", "_") for node in stub.body}
    if kernel is not None and kernel.__spec__ and not {name for name in declared if name[0] != "_"} <= set(dir(kernel)):
        pytest.exit(
            "The compiled kernel was built from other sources. Build it again: "
            ".venv/bin/python -m pip install --no-deps --no-build-isolation -e .",
            returncode=2,
        )
    if kernel is None:
        pytest.exit(
            "the tests: expected an installation with the compiled kernel, got none. "
            "Install a C++20 compiler (on Debian: apt-get install g++), remove .venv/installed and say make test.",
            returncode=2,
        )


def pytest_sessionfinish() -> None:
    """Remove what evaluate has cached: a worker that takes long to end is killed by xdist, and would not come to it."""
    shutil.rmtree(os.environ["HF_HOME"], ignore_errors=True)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Try each property with some of its examples, and in the matrix with all of them."""
    if is_hypothesis_test(metafunc.function):
        metafunc.parametrize("examples", ["some", pytest.param("all", marks=pytest.mark.extended)], indirect=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave tests that need more packages to ``make test-all``, and start with the longest files."""
    for item in items:
        needed = [package for mark in item.iter_markers("needs") for package in mark.args]
        if needed:
            item.add_marker("extended")
        if missing := [package for package in needed if find_spec(package) is None]:
            item.add_marker(pytest.mark.skip(f"needs {', '.join(missing)}: make test-all installs what it needs"))
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection() -> None:
    """Thousands of tests and the packages that they import stay: nobody need look for garbage among them often."""
    gc.set_threshold(50_000, 20, 20)


def pytest_collection_finish() -> None:
    """Nor ever again."""
    gc.freeze()


@pytest.fixture(autouse=True)
def examples(request: pytest.FixtureRequest) -> Iterator[None]:
    """Lower the number of a property's examples. Hypothesis has no public place for that."""
    if getattr(request, "param", "all") == "all":
        yield
        return
    stated = request.function._hypothesis_internal_use_settings
    fewer = max(stated.max_examples // FEWER, min(stated.max_examples, FEWEST))
    request.function._hypothesis_internal_use_settings = settings(stated, max_examples=fewer)
    yield
    request.function._hypothesis_internal_use_settings = stated


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a host with the static site in a subfolder; built once for all workers, and changed by no test."""
    from bleuprint.web import pyodide_files
    from bleuprint.web.site import build_site

    root = shared_folder(tmp_path_factory) / "static-host"
    with locked(root.with_suffix(".lock")), pytest.MonkeyPatch.context() as hurry:
        hurry.setattr(pyodide_files, "EFFORT", QUICKLY_PACKED)
        if not root.exists():
            build_site(root / SUBFOLDER)
    return root


@pytest.fixture(scope="session")
def without_network() -> list[str]:
    """The command that runs another where no packet can leave the machine."""
    refusals = []
    for command in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"]):
        tried = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)
        if tried.returncode == 0:
            return command
        refusals.append(tried.stderr.strip())
    pytest.fail(f"expected a network namespace, none can be made on this machine: {'; '.join(refusals)}")


@pytest.fixture
def unaccelerated() -> Iterator[None]:
    """Nothing is accelerated before a test, nor after it."""
    from bleuprint.compat import restore

    restore()
    yield
    restore()


@pytest.fixture(scope="module")
def accelerated_torchmetrics() -> Iterator[None]:
    """Have torchmetrics count faster for all tests of a file."""
    from bleuprint.compat import accelerate

    with accelerate("torchmetrics"):
        yield


class Outcome(NamedTuple):
    """What came of a run of the program."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run the command line in this process, through the door that the program uses."""
    from bleuprint.cli import main

    def call(*arguments: object, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "argv", ["bleuprint", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        with pytest.raises(SystemExit) as stop:
            main()
        return Outcome(stop.value.code, *capsys.readouterr())

    return call


@pytest.fixture
def output(run: Callable[..., Outcome]) -> Callable[..., str]:
    """Run a call that must succeed, quietly, and give what it printed."""

    def call(*arguments: object, **options: bytes) -> str:
        outcome = run(*arguments, **options)
        assert (outcome.code, outcome.err) == (0, "")
        return outcome.out

    return call


@pytest.fixture
def testset_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without test sets."""
    for name, folder in {"SACREBLEU": "sacrebleu", "MT_METRICS_EVAL": "metrics", "BLEUPRINT_TESTSETS": "own"}.items():
        monkeypatch.setenv(name, str(tmp_path / folder))
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    return tmp_path


@pytest.fixture
def testset_server(testset_home: Path) -> Iterator[LoopbackFiles]:
    """A server beside that machine, for sets that are fetched."""
    with serving() as served:
        yield served
