"""The accumulator: a corpus score that grows as text arrives, in batches, processes or machines."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, cast, overload

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.engines import find_engine
from bleuprint.errors import BleuprintError, Location, RecipeError, quote, wrong_type
from bleuprint.metrics.score import AnyScore, OneScore
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.scoring.verbs import ReferenceTexts, pair_one_for
from bleuprint.text.faults import KINDS, Faults
from bleuprint.text.segments import Segments, Text, pair_segments
from bleuprint.wording import count_of

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.recipe import BleuRecipe
    from bleuprint.metrics.bleu.score import BleuScore
    from bleuprint.metrics.chrf.recipe import ChrfRecipe
    from bleuprint.metrics.chrf.score import ChrfScore
    from bleuprint.metrics.ter.recipe import TerRecipe
    from bleuprint.metrics.ter.score import TerScore
    from bleuprint.recipes.names import BleuName, ChrfName, TerName

SCHEMA = "bleuprint.accumulator/3"
MAGIC = f"{SCHEMA}\n".encode()
HIGHEST_COUNT = 2**63 - 1
"""The engines count in 64 bits."""
MOST_TIMES, LEAST_ROOM = 64, 1 << 20
"""Bytes may unpack to this many times their size, short ones to this many bytes."""
MOST_GAINS = 64
"""The number of gains that are kept before they are added up."""


class Gain(NamedTuple):
    """What was added at once, by part. None stands for everything without a part."""

    parts: Mapping[str | None, Sums]
    once: bool = False
    """whether parts count only once"""


def add_up(gains: Iterable[Gain]) -> dict[str | None, Sums]:
    """Add up gains in their order."""
    total: dict[str | None, Sums] = {}
    for gain in gains:
        for name, sums in gain.parts.items():
            if name not in total:
                total[name] = sums
            elif name is None or not gain.once:
                total[name] += sums
    return total


class Accumulator(Generic[OneScore]):
    """Add segments now, compute the score later. The order and the batches do not matter, because statistics add.

    With ``part`` everything is added under that name. A part that is merged twice counts once, so a task may run again.
    Two parts with one name and different numbers are an error. Threads, signal handlers and finalizers may add to one
    accumulator at the same time. A copy is independent.

    >>> total = Accumulator(recipe="paper")
    >>> total.add("the cat is on mat", "the cat is on the mat")
    >>> total.add_batch(["a b c d"], [["a b c d"]])
    >>> round(total.score().score, 2)
    73.58
    >>> for attempt in (1, 2):
    ...     total.add_part("day 2", ["a b c d"], ["a b c d"])
    >>> total.census.segments, total.parts
    (3, ('day 2',))
    """

    @overload
    def __init__(
        self: Accumulator[BleuScore], recipe: BleuRecipe | BleuName = ..., *, part: str | None = None
    ) -> None: ...
    @overload
    def __init__(self: Accumulator[ChrfScore], recipe: ChrfRecipe | ChrfName, *, part: str | None = None) -> None: ...
    @overload
    def __init__(self: Accumulator[TerScore], recipe: TerRecipe | TerName, *, part: str | None = None) -> None: ...
    @overload
    def __init__(self: Accumulator[AnyScore], recipe: Recipe | str, *, part: str | None = None) -> None: ...
    def __init__(self, recipe: Recipe | str = DEFAULT, *, part: str | None = None) -> None:
        self.recipe: Recipe = Recipe.of(recipe)
        self.part: str | None = part
        zero = Sums.zero(self.recipe.layout)
        self._keep({None: zero} if part is None else {None: zero, _checked_name(part): zero})

    def _keep(self, parts: Mapping[str | None, Sums]) -> None:
        """Replace everything.

        Adding appends a gain, which is atomic and never blocks: a signal handler or a finalizer that waited would wait
        for the thread that it interrupted. One caller at a time replaces the gains by their sum.
        """
        self._gains = [Gain(parts)]
        self._adding_up, self._merging = Lock(), RLock()

    def add(self, candidate: Text, references: Text | Iterable[Text | None]) -> None:
        """Add one segment."""
        self._count(pair_one_for(candidate, references, self.recipe))

    def add_batch(self, candidates: Iterable[Text], references: ReferenceTexts, *, threads: int | None = None) -> None:
        """Add many segments; if one is refused, none is added."""
        self._count(pair_segments(candidates, references, **self.recipe.text_kind), threads)

    def add_part(
        self, name: str, candidates: Iterable[Text], references: ReferenceTexts, *, threads: int | None = None
    ) -> None:
        """Add many segments under a name; added again under that name, they count once."""
        part = Accumulator(self.recipe, part=_checked_name(name))
        part.add_batch(candidates, references, threads=threads)
        self.merge(part)

    def add_table(self, table: StatsTable, skipped: Faults | None = None) -> None:
        """Add rows that were counted by this recipe, and the rows of data that were left out."""
        if not isinstance(table, StatsTable) or table.layout != self.recipe.layout:
            raise RecipeError(
                f"expected rows that were counted by {self.recipe}, got {quote(table)}.",
                "Count with the same recipe: statistics(candidates, references, recipe).",
                location=Location("table"),
            )
        self._gains.append(Gain({self.part: table.sums(skipped)}))
        if len(self._gains) > MOST_GAINS:
            self._added_up()

    def _count(self, segments: Segments, threads: int | None = None) -> None:
        self.add_table(find_engine().count(segments, self.recipe.layout, threads))

    def _added_up(self) -> dict[str | None, Sums]:
        """Add up everything of one moment, by part. Others may add at the same time."""
        if not self._adding_up.acquire(blocking=False):
            return add_up(self._gains.copy())
        try:
            gains = self._gains.copy()
            total = add_up(gains)
            self._gains[: len(gains)] = [Gain(total)]
            return total
        finally:
            self._adding_up.release()

    def merge(self, other: Accumulator) -> None:
        """Add everything that another accumulator of the same recipe has counted, except parts that are known."""
        if not isinstance(other, Accumulator) or other.recipe != self.recipe:
            raise RecipeError(
                f"expected an accumulator of {self.recipe}, got {quote(other, 200)}.",
                "Create both with the same recipe.",
                location=Location("other"),
            )
        parts = other._added_up()
        with self._merging:
            known = self._added_up()
            for name, sums in parts.items():
                if name is not None and name in known and known[name].numbers != sums.numbers:
                    found = ", then ".join(
                        f"{count_of(one.segments, 'segment')}: {one.row}" for one in (known[name], sums)
                    )
                    raise BleuprintError(
                        f"Part {quote(name)} was counted twice with different numbers ({found}).",
                        "Use one name for one part. If the data changed between two attempts, count all of it again.",
                        location=Location("part"),
                    )
            self._gains.append(Gain(parts, once=True))

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the parts."""
        return tuple(name for name in self._added_up() if name is not None)

    @property
    def stats(self) -> Any:
        """The statistics of everything added so far."""
        return self.sums.stats

    @property
    def census(self) -> Any:
        """How many segments there were (``census.segments``), and how many of them are a reason for a note."""
        return self.recipe.layout.read_census(self.sums.census)

    @property
    def skipped(self) -> Faults:
        """The malformed rows that were left out."""
        return self.sums.skipped

    @property
    def sums(self) -> Sums:
        """The sum of everything added so far."""
        total, *others = self._added_up().values()
        for sums in others:
            total += sums
        return total

    def score(self) -> OneScore:
        """Score everything added so far."""
        total = self.sums
        if not total.segments:
            raise BleuprintError("The accumulator is empty.", "Add segments with add or add_batch first.")
        return cast("OneScore", self.recipe.metric.score_sums(total, self.recipe))

    def to_json(self) -> str:
        """Write the state as JSON with a checksum. ``from_json`` reads it on any machine."""
        parts = {name: _as_data(sums) for name, sums in self._added_up().items()}
        state = {"schema": SCHEMA, "recipe": str(self.recipe), "part": self.part, **parts.pop(None), "parts": parts}
        return json.dumps(state | {"checksum": checksum_of(state)})

    @classmethod
    def from_json(cls, text: str) -> Accumulator:
        """Read what ``to_json`` wrote."""
        try:
            state = json.loads(text)
            checksum = state.pop("checksum")
            _require(state["schema"] == SCHEMA and checksum == checksum_of(state))
            restored = cls(state["recipe"])
            parts = {None: state, **state["parts"]}
            restored.part = state["part"]
            _require(restored.part in parts)
            restored._keep({name: _from_data(own, restored.recipe.layout) for name, own in parts.items()})
        except BleuprintError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            raise _refusal("json", text) from None
        return restored

    def to_bytes(self) -> bytes:
        """Write the state as bytes, smaller than JSON, with a checksum. ``from_bytes`` reads it on any machine."""
        text = self.to_json().encode()
        packed = zlib.compress(text)
        if len(text) >= _most_unpacked(packed):  # thousands of parts that are alike
            packed = zlib.compress(text, level=0)
        return MAGIC + sha256(packed).digest() + packed

    @classmethod
    def from_bytes(cls, data: bytes) -> Accumulator:
        """Read what ``to_bytes`` wrote."""
        if isinstance(data, (bytes, bytearray)) and data.startswith(MAGIC):
            start = len(MAGIC) + 32
            packed = bytes(data[start:])
            unpacker = zlib.decompressobj()
            with suppress(zlib.error, UnicodeDecodeError):
                if sha256(packed).digest() == data[len(MAGIC) : start]:
                    text = unpacker.decompress(packed, _most_unpacked(packed)).decode()
                    if unpacker.eof:
                        return cls.from_json(text)
        raise _refusal("bytes", data)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Accumulator):
            return NotImplemented
        return (self.recipe, self.part, self._added_up()) == (other.recipe, other.part, other._added_up())

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, object]:
        return {"recipe": self.recipe, "part": self.part, "parts": self._added_up()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.recipe, self.part = state["recipe"], state["part"]
        self._keep(state["parts"])

    def __repr__(self) -> str:
        return f"<Accumulator of {self.sums.segments} segments, {self.recipe}>"


def _most_unpacked(packed: bytes) -> int:
    """Return how many bytes a packed state may unpack to."""
    return max(LEAST_ROOM, MOST_TIMES * len(packed))


def checksum_of(state: Mapping[str, object]) -> str:
    """Return the SHA-256 of a state as JSON with sorted keys and without spaces."""
    return sha256(json.dumps(state, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _as_data(sums: Sums) -> dict[str, object]:
    return {"row": sums.row, "census": sums.census, "skipped": sums.skipped.to_dict()}


def _from_data(data: Any, layout: Layout) -> Sums:
    """Read sums. Wrong data raise any of the errors that ``from_json`` catches."""
    row, census = _read_counts(data["row"], layout.width), _read_counts(data["census"], len(layout.census_columns))
    counts, places = {}, {}
    for kind, found in data["skipped"].items():
        (counts[kind],) = _read_counts([found["rows"]], 1)
        places[kind] = tuple(found["first"])
        _require(kind in KINDS and all(isinstance(place, str) for place in places[kind]))
    sums = Sums(layout, row, census, Faults(counts, places))
    _require(sums.is_possible)
    return sums


def _read_counts(values: list[Any], length: int) -> tuple[int, ...]:
    _require(len(values) == length and all(type(number) is int and 0 <= number <= HIGHEST_COUNT for number in values))
    return tuple(values)


def _require(condition: bool) -> None:
    if not condition:
        raise ValueError


def _checked_name(name: object) -> str:
    if not isinstance(name, str):
        fix = "Use a name such as that of a file or a partition, the same one if the work is repeated."
        raise wrong_type("a name", name, fix, location=Location("part"))
    return name


def _refusal(form: str, given: object) -> BleuprintError:
    return BleuprintError(
        f"expected a state as to_{form} writes it ({SCHEMA}), got {quote(given)}.",
        "Pass it complete and unchanged.",
        where=f"Accumulator.from_{form}",
    )
