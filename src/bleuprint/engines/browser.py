"""The engine of a browser: the native one, on the kernel's WebAssembly build that the page's worker has compiled."""

from __future__ import annotations

from typing import Any

from bleuprint.engines import find_engine
from bleuprint.engines.browser_kernel import BrowserKernel
from bleuprint.engines.browser_memory import LONGEST_FAILURE, Instance, StoppedError
from bleuprint.engines.native import find_native
from bleuprint.native_kernel import engine, hand_over


class PageInstance:
    """An instance that JavaScript has started, and starts again when it has stopped."""

    def __init__(self, start: Any) -> None:
        self._start = start
        self._begin()

    def _begin(self) -> None:
        self._running = self._start()
        self._functions: dict[str, Any] = {}

    def call(self, name: str, *arguments: float) -> int:
        """Call a function."""
        try:
            if name not in self._functions:  # asking JavaScript for one takes longer than many of them run
                self._functions[name] = getattr(self._running.exports, name)
            found = self._functions[name](*arguments)
        except Exception as error:  # JavaScript's own, of which every kind tells that the instance has stopped
            failure = self._failure()
            self._begin()
            raise StoppedError(failure or str(error)) from None
        return int(found or 0) & 0xFFFFFFFF  # JavaScript gives addresses a sign

    def write(self, address: int, content: bytes | memoryview) -> None:
        """Copy into the instance's memory."""
        self._running.view(address, len(content)).assign(content)

    def read(self, address: int, into: memoryview) -> None:
        """Copy from the instance's memory."""
        self._running.view(address, len(into)).assign_to(into)

    def _failure(self) -> str:
        try:
            text = bytearray(LONGEST_FAILURE)
            self.read(int(self._running.exports.failure_text()), memoryview(text))
        except Exception:  # it cannot say more than that it has stopped
            return ""
        return bytes(text).split(b"\0")[0].decode(errors="replace")


def start(start_instance: Any) -> str:
    """Count with instances that ``start_instance`` gives from now on; say who counts."""
    use(PageInstance(start_instance))
    return str(engine())


def use(instance: Instance) -> None:
    """Count with an instance of the WebAssembly build from now on."""
    hand_over(BrowserKernel(instance))
    find_native.cache_clear()
    find_engine.cache_clear()


def do_without(reason: str) -> str:
    """Count in Python; say who counts, and why."""
    hand_over(f"no kernel as WebAssembly: {reason}")
    find_engine.cache_clear()
    return str(engine())
