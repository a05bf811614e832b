"""A plugin of pytest that lets the WebAssembly build count: what tests find as the kernel is it, run by wasmtime."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import pytest
import wasmtime

import bleuprint
from bleuprint.engines import browser
from bleuprint.engines.browser import LONGEST_FAILURE, StoppedError

BUILD = Path(bleuprint.__file__).parent / "web" / "kernel.wasm"
ELSEWHERE = {
    "kernel_splits": "it splits alone for these tests only",
    "code_point": "it splits alone for these tests only",
    "one_segment": "single segments are counted as a corpus of one",
    "refuses": "the host checks buffers",
    "does_not_fit": "the host checks buffers",
    "numbered_alone": "the host numbers words",
    "whole_rows_only": "the host checks buffers",
    "threads": "an instance has one",
    "processes": "a browser has none",
    "interpreter": "a browser has one",
    "arrow": "no Arrow in the browser",
    "columns": "no Arrow in the browser",
    "block_of_64_bytes": "it splits alone for these tests only",
    "cost_no_more": "steps are counted for these tests only",
    "single_segments": "single segments are counted as a corpus of one",
    "huge_text_does_not_stay": "memory is the instance's",
    "keeps_the_memory": "memory is the instance's",
    "no_more_calls_of_python": "Python lowers, numbers and joins texts in the browser",
    "environment_chooses": "the process that it starts has the compiled module",
    "nonsense_engine": "the process that it starts has the compiled module",
}
"""Parts of the names of tests that the compiled module alone can pass, and why."""


class WasmtimeInstance:
    """Runs the build outside a browser."""

    def __init__(self, build: Path) -> None:
        self._engine, self._module = _compile(build)
        self._linker = wasmtime.Linker(self._engine)
        self._linker.define_wasi()
        unary = wasmtime.FuncType([wasmtime.ValType.f64()], [wasmtime.ValType.f64()])
        for name in ("log", "exp"):
            self._linker.define_func("python", name, unary, getattr(math, name))
        self._begin()

    def _begin(self) -> None:
        self._store = wasmtime.Store(self._engine)
        self._store.set_wasi(wasmtime.WasiConfig())
        self._exports = self._linker.instantiate(self._store, self._module).exports(self._store)
        self._exports["_initialize"](self._store)

    def call(self, name: str, *arguments: float) -> int:
        """Call a function."""
        try:
            return int(self._exports[name](self._store, *map(_as_signed, arguments)) or 0) & 0xFFFFFFFF
        except wasmtime.Trap:
            text = bytearray(LONGEST_FAILURE)
            self.read(int(self._exports["failure_text"](self._store)), memoryview(text))
            self._begin()
            raise StoppedError(bytes(text).split(b"\0")[0].decode()) from None

    def write(self, address: int, content: bytes | memoryview) -> None:
        """Copy into the instance's memory."""
        self._exports["memory"].write(self._store, bytes(content), address)

    def read(self, address: int, into: memoryview) -> None:
        """Copy from the instance's memory."""
        into[:] = self._exports["memory"].read(self._store, address, address + len(into))


@cache
def _compile(build: Path) -> tuple[wasmtime.Engine, wasmtime.Module]:
    """Translate the build for this machine."""
    engine = wasmtime.Engine()
    return engine, wasmtime.Module.from_file(engine, str(build))


def _as_signed(argument: float) -> float:
    """WebAssembly's whole numbers have a sign; JavaScript turns them over by itself."""
    return argument - (1 << 32) if isinstance(argument, int) and argument >= 1 << 31 else argument


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run be short."""
    parser.addoption("--one-case", action="store_true", help="of each test the first case alone")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what has no meaning for the build, and where it is asked for all cases of a test but the first."""
    kept = [item for item in items if not any(part in item.name for part in ELSEWHERE)]
    if config.getoption("one_case"):
        kept = list({item.nodeid.partition("[")[0]: item for item in reversed(kept)}.values())[::-1]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def pytest_configure() -> None:
    """Hand the build over before anything asks for a kernel."""
    browser.use(WasmtimeInstance(BUILD))
