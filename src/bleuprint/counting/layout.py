"""The layout of rows: what their columns are called, and the way of counting that fills them.

Whoever makes, stores, sends or reads back rows of whole numbers says which layout they have. So the rows of different
metrics, of different orders or of different ways of counting are never added by accident.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

if TYPE_CHECKING:  # only type checkers know a default before Python 3.13; where any metric will do, it is left out
    from typing_extensions import TypeVar

    Stats = TypeVar("Stats", default=Any)
else:
    from typing import TypeVar

    Stats = TypeVar("Stats")


class Threshold(NamedTuple):
    """A number worth knowing about many rows: how many of them have less than ``bound`` in a column."""

    name: str
    column: int
    bound: int


@dataclass(frozen=True)
class Layout(Generic[Stats]):
    """The columns of a row, and how it was counted. Rows of equal layouts add up to something."""

    metric: str
    order: int
    """How far was counted. Of two layouts that count alike, the one of higher order has all that the other has."""
    counting: Hashable
    """The choices that decided the numbers; None where nobody knows them any more."""
    columns: tuple[str, ...] = field(compare=False)
    thresholds: tuple[Threshold, ...] = field(compare=False)
    """What is counted about rows beside their sums."""
    read: Callable[[Sequence[int]], Stats] = field(compare=False, repr=False)
    """Gives the numbers of a row their names."""
    pretokenized: bool = field(default=False, compare=False)
    cased: bool = field(default=False, compare=False)
    """Whether texts are given as tokens, and whether their case is changed before they are counted."""

    @cached_property
    def width(self) -> int:
        """The number of columns."""
        return len(self.columns)

    @cached_property
    def census_columns(self) -> tuple[str, ...]:
        """The names of the numbers of a census: how many rows, and how many below each threshold."""
        return ("segments", *(threshold.name for threshold in self.thresholds))

    @property
    def text_kind(self) -> dict[str, bool]:
        """What kind of text is counted, as ``pair_segments`` wants to know it."""
        return {"pretokenized": self.pretokenized, "cased": self.cased}

    def __str__(self) -> str:
        return f"{self.metric} up to order {self.order}"
