"""The engine of a browser: the native one, on the kernel's WebAssembly build that the page's worker has compiled."""

from __future__ import annotations

from array import array
from itertools import chain
from typing import Any, TypeVar

from bleuprint.engines import find_engine
from bleuprint.native_kernel import engine, hand_over

Numbers = TypeVar("Numbers", memoryview, "array[Any]")

LONGEST_FAILURE = 512
LARGEST_BLOCK = 1 << 30
"""One call hands over no more than that: an instance has 4 GiB of memory."""


class StoppedError(Exception):
    """The instance stopped in the middle of a call, and another one has taken its place."""

    def __init__(self, failure: str) -> None:
        super().__init__(failure or "the instance stopped")


class PageInstance:
    """A running build that JavaScript starts, and again if it stops. Addresses and results are integers."""

    def __init__(self, start: Any) -> None:
        self._start = start
        self._begin()

    def _begin(self) -> None:
        self._running = self._start()
        self._functions: dict[str, Any] = {}

    def call(self, name: str, *arguments: float) -> int:
        """Call a function. If that stops the instance, start another one and raise ``StoppedError``."""
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


class Room:
    """Memory of the instance that a call needs, given back at its end."""

    def __init__(self, instance: PageInstance) -> None:
        self._instance = instance
        self._taken: list[int] = []

    def take(self, size: int) -> int:
        """Ask for so many bytes."""
        address = self._instance.call("make_room", max(1, size)) if size <= LARGEST_BLOCK else 0
        if not address:
            raise MemoryError(f"{size:,} bytes for WebAssembly")
        self._taken.append(address)
        return address

    def reserve(self, results: memoryview | array[Any]) -> int:
        """Make room for results."""
        return self.take(memoryview(results).nbytes)

    def put(self, *parts: memoryview | array[Any]) -> int:
        """Copy buffers, one behind the other."""
        views = [memoryview(part).cast("B") for part in parts]
        address = self.take(sum(len(view) for view in views))
        place = address
        for view in views:
            self._instance.write(place, view)
            place += len(view)
        return address

    def put_bytes(self, content: bytes) -> int:
        """Copy bytes."""
        address = self.take(len(content))
        self._instance.write(address, content)
        return address

    def put_segments(self, candidates: list[str], references: list[tuple[str, ...]]) -> tuple[int, int, int, int]:
        """Copy texts. Returns the places of bytes and sizes, the number of segments, the place of reference counts."""
        if len(candidates) != len(references):
            raise ValueError("candidates and references differ in number")
        texts = [*candidates, *chain.from_iterable(references)]
        sizes = array("I", map(str.__len__, texts))  # in characters, so that all texts can be encoded at once
        of_each = array("I", map(len, references))
        address = self.put_bytes(b"".join((sizes, of_each, "".join(texts).encode(), b"\0")))
        behind_sizes = address + 4 * len(sizes)
        return behind_sizes + 4 * len(of_each), address, len(candidates), behind_sizes

    def put_tables(self, tables: list[memoryview], width: int) -> tuple[int, int, int, int]:
        """Copy tables of equal size. Returns where they are, how many, their rows and their columns."""
        for table in tables:
            check_size(table, len(tables[0]) // width * width)
        return self.put(*tables), len(tables), len(tables[0]) // width, width

    def adopt(self, address: int) -> None:
        """Give back with the rest what the instance has made."""
        self._taken.append(address)

    def read_numbers(self, address: int, count: int) -> array[int]:
        """Read 64-bit numbers."""
        numbers = array("q", bytes(8 * count))
        self.fetch(address, numbers)
        return numbers

    def fetch(self, address: int, into: memoryview | array[Any]) -> None:
        """Copy results back."""
        self._instance.read(address, memoryview(into).cast("B"))

    def give_back(self) -> None:
        """Let go of everything."""
        for address in self._taken:
            self._instance.call("give_back", address)


def check_size(buffer: Numbers, count: int) -> Numbers:
    """See that nothing is read or written beyond what is there."""
    if len(buffer) != count:
        raise ValueError("a buffer of another size is due here")
    return buffer


def start(start_instance: Any) -> str:
    """Count from now on with instances that ``start_instance`` starts. Returns the engine in a sentence."""
    use(PageInstance(start_instance))
    return str(engine())


def use(instance: PageInstance) -> None:
    """Count from now on with an instance of the WebAssembly build."""
    from bleuprint.engines.browser_kernel import BrowserKernel
    from bleuprint.engines.kernel_plans import plan_counting, plan_scoring

    hand_over(BrowserKernel(instance))
    for cached in (plan_counting, plan_scoring, find_engine):
        cached.cache_clear()


def do_without(reason: str) -> str:
    """Count in Python from now on. Returns the engine and the reason in a sentence."""
    hand_over(f"no kernel as WebAssembly: {reason}")
    find_engine.cache_clear()
    return str(engine())
