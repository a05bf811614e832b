"""The accumulator: a corpus score that grows as text arrives, in batches, processes or machines."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from hashlib import sha256
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, cast, overload

from bleuprint.counting.layout import Layout
from bleuprint.counting.rows import StatsTable
from bleuprint.counting.sums import Sums
from bleuprint.engines import find_engine
from bleuprint.errors import BleuprintError, InputTypeError, RecipeError, quote
from bleuprint.metrics import module_of
from bleuprint.metrics.score import AnyScore, OneScore
from bleuprint.recipes.options import DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import find_metric
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
MAGIC = b"bleuprint.accumulator/3\n"
HIGHEST_COUNT = 2**63 - 1
"""The highest count that is read back: what 64 bits hold, in which the engines count."""
MOST_TIMES, LEAST_ROOM = 64, 1 << 20
"""Bytes are read back to so many times their size. To so many bytes the shortest may unpack."""
MOST_GAINS = 64
"""So many are kept before they are added up; whoever asks adds them up, too."""


class Gain(NamedTuple):
    """What came in at once."""

    rest: Sums
    """what belongs to no part"""
    grown: Mapping[str, Sums] = {}
    """what is added to parts"""
    whole: Mapping[str, Sums] = {}
    """parts that count once"""


def add_up(gains: Iterable[Gain]) -> Gain:
    """Make one gain of several, in their order."""
    first, *others = gains
    rest, parts = first.rest, dict(first.grown)
    for gain in others:
        rest += gain.rest
        for name, sums in gain.grown.items():
            parts[name] = parts[name] + sums if name in parts else sums
        for name, sums in gain.whole.items():
            parts.setdefault(name, sums)
    return Gain(rest, parts)


class Accumulator(Generic[OneScore]):
    """Add segments now, ask for the score later; statistics add, so the order and the batches do not matter.

    With ``part`` everything is added under that name. Merging the same part twice counts it once, so that a task that
    was run again does no harm; two parts of one name and different numbers are an error. Threads may add to one
    accumulator, and so may a signal handler or a finalizer in the midst of that; a copy of it goes its own way.

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
        self._keep(Gain(zero, {} if part is None else {_checked_name(part): zero}))

    def _keep(self, gain: Gain) -> None:
        """Hold this and nothing else.

        Gains are appended, which cannot be interrupted halfway, so nobody waits who adds or asks: a handler or a
        finalizer would wait for the thread that it interrupted. One caller at a time puts their sum in their place.
        """
        self._gains = [gain]
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
        """Add rows that somebody counted by this recipe, and what was left out while counting."""
        if not isinstance(table, StatsTable) or table.layout != self.recipe.layout:
            raise RecipeError(
                where="Accumulator.add_table",
                wanted=f"rows that were counted by {self.recipe}",
                got=f"{quote(table)}, counted otherwise" if isinstance(table, StatsTable) else quote(table),
                next_step="Only counts made by one recipe can be added: statistics(candidates, references, recipe).",
            )
        self._add(table.sums(skipped))

    def _count(self, segments: Segments, threads: int | None = None) -> None:
        self.add_table(find_engine().count(segments, self.recipe.layout, threads))

    def _add(self, sums: Sums) -> None:
        own = Gain(sums) if self.part is None else Gain(Sums.zero(sums.layout), {self.part: sums})
        self._gains.append(own)
        if len(self._gains) > MOST_GAINS:
            self._added_up()

    def _added_up(self) -> Gain:
        """Add up what is in here at one moment, whoever is adding meanwhile."""
        if not self._adding_up.acquire(blocking=False):
            return add_up(self._gains.copy())
        try:
            gains = self._gains.copy()
            total = add_up(gains)
            self._gains[: len(gains)] = [total]
            return total
        finally:
            self._adding_up.release()

    def merge(self, other: Accumulator) -> None:
        """Take in what another accumulator of the same recipe has counted; parts that are here already count once."""
        if not isinstance(other, Accumulator) or other.recipe != self.recipe:
            raise RecipeError(
                where="Accumulator.merge",
                wanted=f"an accumulator of {self.recipe}",
                got=str(other.recipe) if isinstance(other, Accumulator) else quote(other),
                next_step="Only counts made by one recipe can be added; build both with the same one.",
            )
        rest, parts, _ = other._added_up()
        with self._merging:
            here = self._added_up().grown
            for name, sums in parts.items():
                known = here.get(name, sums)
                if known.numbers != sums.numbers:
                    raise _refuse_part(name, known, sums)
            self._gains.append(Gain(rest, whole=parts))

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the parts that are in here."""
        return tuple(self._added_up().grown)

    @property
    def stats(self) -> Any:
        """The statistics of everything added so far."""
        return self.sums.stats

    @property
    def census(self) -> Any:
        """How many segments there were (``census.segments``), and how many of them are a reason for a note."""
        return self.recipe.metric.read_census(self.sums.census)

    @property
    def skipped(self) -> Faults:
        """The malformed rows that were left out."""
        return self.sums.skipped

    @property
    def sums(self) -> Sums:
        """What everything added so far adds up to."""
        total, parts, _ = self._added_up()
        for sums in parts.values():
            total += sums
        return total

    def score(self) -> OneScore:
        """Score everything added so far."""
        total = self.sums
        if not total.segments:
            raise BleuprintError(
                where="Accumulator.score",
                wanted="at least one segment",
                got="none",
                next_step="Add segments with add or add_batch first.",
            )
        return cast("OneScore", self.recipe.metric.score_sums(total, self.recipe))

    def to_json(self) -> str:
        """Write the state as JSON, with a checksum, to be read by ``from_json`` anywhere."""
        rest, parts, _ = self._added_up()
        state = {
            "schema": SCHEMA,
            "recipe": str(self.recipe),
            "part": self.part,
            **_as_data(rest),
            "parts": {name: _as_data(sums) for name, sums in parts.items()},
        }
        return json.dumps(state | {"checksum": checksum_of(state)})

    @classmethod
    def from_json(cls, text: str) -> Accumulator:
        """Read what ``to_json`` wrote."""
        try:
            state = json.loads(text)
            checksum = state.pop("checksum", None) if isinstance(state, dict) else None
            found = checksum_of(state)
        except (ValueError, TypeError, RecursionError):
            state = checksum = found = None
        if not isinstance(state, dict) or state.get("schema") != SCHEMA:
            raise _refusal("from_json", text)
        if checksum != found:
            raise _refusal("from_json", f"a checksum that does not fit in {quote(text)}", quoted=True)
        restored = cls(state.get("recipe", ""))
        parts, own = state.get("parts"), state.get("part")
        if not isinstance(parts, dict) or not (own is None or (isinstance(own, str) and own in parts)):
            raise _refusal("from_json", text)
        restored.part = own
        rest, *others = [_from_data(sums, restored.recipe.layout) for sums in (state, *parts.values())]
        if rest is None or None in others:
            raise _refusal("from_json", text)
        restored._keep(Gain(rest, {name: sums for name, sums in zip(parts, others, strict=True) if sums is not None}))
        return restored

    def to_bytes(self) -> bytes:
        """Write the state as bytes, smaller than JSON, with a checksum, to be read by ``from_bytes`` anywhere."""
        text = self.to_json().encode()
        packed = zlib.compress(text)
        if len(text) >= _most_unpacked(packed):  # thousands of parts that are alike
            packed = zlib.compress(text, level=0)
        return MAGIC + sha256(packed).digest() + packed

    @classmethod
    def from_bytes(cls, data: bytes) -> Accumulator:
        """Read what ``to_bytes`` wrote."""
        if not isinstance(data, (bytes, bytearray)) or not bytes(data).startswith(MAGIC):
            raise _refusal("from_bytes", data)
        body = bytes(data)[len(MAGIC) :]
        checksum, packed = body[:32], body[32:]
        if sha256(packed).digest() != checksum:
            raise _refusal("from_bytes", f"{count_of(len(data), 'byte')} whose checksum does not fit", quoted=True)
        unpacker = zlib.decompressobj()
        try:
            text = unpacker.decompress(packed, _most_unpacked(packed)).decode()
        except (zlib.error, UnicodeDecodeError):
            raise _refusal("from_bytes", data) from None
        if not unpacker.eof:
            raise _refusal("from_bytes", data)
        return cls.from_json(text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Accumulator):
            return NotImplemented
        return (self.recipe, self.part, self._added_up()) == (other.recipe, other.part, other._added_up())

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, object]:
        return {"recipe": self.recipe, "part": self.part, "gain": self._added_up()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.recipe, self.part = state["recipe"], state["part"]
        self._keep(state["gain"])

    def __repr__(self) -> str:
        return f"<Accumulator of {self.sums.segments} segments, {self.recipe}>"


def _most_unpacked(packed: bytes) -> int:
    """Return how many bytes a packed state may unpack to."""
    return max(LEAST_ROOM, MOST_TIMES * len(packed))


def checksum_of(state: Mapping[str, object]) -> str:
    """Give the SHA-256 of a state as JSON with sorted keys and without spaces."""
    return sha256(json.dumps(state, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _as_data(sums: Sums) -> dict[str, object]:
    return {"row": sums.row, "census": sums.census, "skipped": sums.skipped.to_dict()}


def _from_data(data: Any, layout: Layout) -> Sums | None:
    """Read sums, or give None where they are none."""
    if not isinstance(data, dict):
        return None
    numbers, skipped = (data.get("row"), data.get("census")), data.get("skipped")
    lengths = (layout.width, len(layout.census_columns))
    if not all(map(_are_counts, numbers, lengths)) or not _are_faults(skipped):
        return None
    faults = Faults(
        {kind: found["rows"] for kind, found in data["skipped"].items()},
        {kind: tuple(found["first"]) for kind, found in data["skipped"].items()},
    )
    sums = Sums(layout, tuple(data["row"]), tuple(data["census"]), faults)
    return sums if module_of(find_metric(layout.metric), "counting").may_be(sums) else None


def _are_counts(values: object, length: int) -> bool:
    if not isinstance(values, list) or len(values) != length:
        return False
    return all(type(number) is int and 0 <= number <= HIGHEST_COUNT for number in values)


def _are_faults(values: object) -> bool:
    return isinstance(values, dict) and all(
        kind in KINDS
        and isinstance(found, dict)
        and _are_counts([found.get("rows")], 1)
        and isinstance(found.get("first"), list)
        and all(isinstance(place, str) for place in found["first"])
        for kind, found in values.items()
    )


def _checked_name(name: object) -> str:
    if not isinstance(name, str):
        raise InputTypeError(
            where="part",
            wanted="a name, such as that of a file or a partition",
            got=quote(name),
            next_step="The same work must get the same name each time it is done.",
        )
    return name


def _refuse_part(name: str, known: Sums, other: Sums) -> BleuprintError:
    return BleuprintError(
        where=f"Accumulator.merge, part {quote(name)}",
        wanted=f"the numbers it has already ({count_of(known.segments, 'segment')}, {known.row})",
        got=f"others ({count_of(other.segments, 'segment')}, {other.row})",
        next_step="Either two parts have one name, or the data changed between two attempts: count it again, whole.",
    )


def _refusal(where: str, given: object, *, quoted: bool = False) -> BleuprintError:
    return BleuprintError(
        where=f"Accumulator.{where}",
        wanted=f"what {where.replace('from', 'to')} wrote, of the schema {SCHEMA}, unchanged",
        got=str(given) if quoted else quote(given),
        next_step=f"Give it whole, as {where.replace('from', 'to')} wrote it.",
    )
