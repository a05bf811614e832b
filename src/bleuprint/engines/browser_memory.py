"""The memory of an instance of the kernel's WebAssembly build: how texts and numbers go over, and come back."""

from __future__ import annotations

from array import array
from itertools import chain
from typing import Any, Protocol, TypeVar

Numbers = TypeVar("Numbers", memoryview, "array[Any]")

LONGEST_FAILURE = 512
LARGEST_BLOCK = 1 << 30
"""One call hands over no more than that: an instance has 4 GiB of memory."""


class StoppedError(Exception):
    """The instance stopped in the middle of a call, and another one has taken its place."""

    def __init__(self, failure: str) -> None:
        super().__init__(failure or "the instance stopped")


class Instance(Protocol):
    """A running build. Addresses are whole numbers; what a call gives back is one, too."""

    def call(self, name: str, *arguments: float) -> int:
        """Call a function. Where that stops the instance, start another one and raise ``StoppedError``."""

    def write(self, address: int, content: bytes | memoryview) -> None:
        """Copy into the instance's memory."""

    def read(self, address: int, into: memoryview) -> None:
        """Copy from the instance's memory."""


class Room:
    """Memory of the instance that a call needs, given back at its end."""

    def __init__(self, instance: Instance) -> None:
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

    def put_names(self, *names: str) -> list[int]:
        """Copy names, each with a zero behind it."""
        written = [name.encode() + b"\0" for name in names]
        address, found = self.put_bytes(b"".join(written)), []
        for name in written:
            found.append(address)
            address += len(name)
        return found

    def put_corpus(self, candidates: list[str], references: list[tuple[str, ...]]) -> tuple[int, int, int, int, int]:
        """Copy texts: where their bytes are, their sizes, how many candidates, each entry's references, and entries."""
        texts = [*candidates, *chain.from_iterable(references)]
        sizes = array("I", map(str.__len__, texts))  # in characters, so that all texts can be encoded at once
        of_each = array("I", map(len, references))
        address = self.put_bytes(b"".join((sizes, of_each, "".join(texts).encode(), b"\0")))
        behind_sizes = address + 4 * len(sizes)
        return behind_sizes + 4 * len(of_each), address, len(candidates), behind_sizes, len(references)

    def put_segments(self, candidates: list[str], references: list[tuple[str, ...]]) -> tuple[int, int, int, int]:
        """Copy the texts of segments: candidate i and its references."""
        if len(candidates) != len(references):
            raise ValueError("candidates and references differ in number")
        return self.put_corpus(candidates, references)[:4]

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
