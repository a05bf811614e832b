"""The layout of rows: what their columns are called, and the way of counting that fills them.

Whoever makes, stores, sends or reads back rows of whole numbers says which layout they have. So the rows of different
metrics, of different orders or of different ways of counting are never added by accident.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from bleuprint.values import Value, keep

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


class Layout(Value, Generic[Stats]):
    """The columns of a row, and how it was counted. Rows of equal layouts add up to something."""

    __match_args__ = ("metric", "order", "counting", "columns", "thresholds", "read", "pretokenized", "cased")
    __slots__ = (*__match_args__, "_hash", "census_columns", "text_kind", "width")
    metric: str
    order: int
    """How far was counted. Of two layouts that count alike, the one of higher order has all that the other has."""
    counting: Hashable
    """The choices that decided the numbers; None where nobody knows them any more."""
    columns: tuple[str, ...]
    thresholds: tuple[Threshold, ...]
    """What is counted about rows beside their sums."""
    read: Callable[[Sequence[int]], Stats]
    """Gives the numbers of a row their names."""
    pretokenized: bool
    cased: bool
    """Whether texts are given as tokens, and whether their case is changed before they are counted."""
    text_kind: Mapping[str, bool]
    """The same, as ``pair_segments`` wants to know it."""
    _hash: int
    width: int
    """The number of columns."""
    census_columns: tuple[str, ...]
    """The names of the numbers of a census: how many rows, and how many below each threshold."""

    def __init__(
        self,
        metric: str,
        order: int,
        counting: Hashable,
        columns: tuple[str, ...],
        thresholds: tuple[Threshold, ...],
        read: Callable[[Sequence[int]], Stats],
        pretokenized: bool = False,
        cased: bool = False,
    ) -> None:
        keep(self, "metric", metric)
        keep(self, "order", order)
        keep(self, "counting", counting)
        keep(self, "columns", columns)
        keep(self, "thresholds", thresholds)
        keep(self, "read", read)
        keep(self, "pretokenized", pretokenized)
        keep(self, "cased", cased)
        keep(self, "text_kind", {"pretokenized": pretokenized, "cased": cased})
        keep(self, "width", len(columns))
        keep(self, "_hash", hash((metric, order, counting)))  # an engine looks layouts up for every segment
        keep(self, "census_columns", ("segments", *(threshold.name for threshold in thresholds)))

    def __eq__(self, other: object) -> bool:
        """Metric, order and counting decide all the rest."""
        if not isinstance(other, Layout):
            return NotImplemented
        return self is other or self._decisive() == other._decisive()

    def __hash__(self) -> int:
        return self._hash

    def _decisive(self) -> tuple[object, ...]:
        return self.metric, self.order, self.counting

    def __str__(self) -> str:
        return f"{self.metric} up to order {self.order}"
