"""The layout of rows: the names of their columns, and the options that decided the numbers.

Every table and every sum has a layout, so rows of different metrics, orders or options are never added by accident.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self

from bleuprint.errors import BleuprintError
from bleuprint.values import Value, keep

if TYPE_CHECKING:  # only type checkers know a default before Python 3.13; where any metric will do, it is left out
    from typing_extensions import TypeVar

    Stats = TypeVar("Stats", default=Any)
else:
    from typing import TypeVar

    Stats = TypeVar("Stats")


class Threshold(NamedTuple):
    """Something to count about rows: how many of them have less than ``bound`` in a column."""

    name: str
    column: int
    bound: int


class Layout(Value, Generic[Stats]):
    """The columns of a row, and how it was counted. Rows of equal layouts can be added."""

    __match_args__ = (
        "metric", "order", "counting", "columns", "thresholds", "read", "read_census", "pretokenized", "cased",
    )  # fmt: skip
    __slots__ = (*__match_args__, "_hash", "census_columns", "text_kind", "width")
    metric: str
    order: int
    """The highest order counted. If two layouts count alike, the higher order includes the lower one."""
    counting: Any
    """The options that decided the numbers; None if they are unknown."""
    columns: tuple[str, ...]
    thresholds: tuple[Threshold, ...]
    """What is counted about rows besides their sums."""
    read: Callable[[Sequence[int]], Stats]
    """Return the numbers of a row by name."""
    read_census: Callable[[Sequence[int]], Any]
    """Return the numbers of a census by name; ``segments`` is one of them."""
    pretokenized: bool
    cased: bool
    """Whether texts are sequences of tokens, and whether their case is changed before they are counted."""
    text_kind: Mapping[str, bool]
    """Both, as keywords of ``pair_segments``."""
    _hash: int
    width: int
    """The number of columns."""
    census_columns: tuple[str, ...]
    """The names of the numbers of a census: the number of rows, and the number below each threshold."""

    def __init__(
        self,
        metric: str,
        order: int,
        counting: Any,
        columns: tuple[str, ...],
        thresholds: tuple[Threshold, ...],
        read: Callable[[Sequence[int]], Stats],
        read_census: Callable[[Sequence[int]], Any],
        pretokenized: bool = False,
        cased: bool = False,
    ) -> None:
        fields = (metric, order, counting, columns, thresholds, read, read_census, pretokenized, cased)
        for name, value in zip(self.__match_args__, fields, strict=True):
            keep(self, name, value)
        keep(self, "text_kind", {"pretokenized": pretokenized, "cased": cased})
        keep(self, "width", len(columns))
        keep(self, "_hash", hash((metric, order, counting)))  # an engine looks layouts up for every segment
        keep(self, "census_columns", ("segments", *(threshold.name for threshold in thresholds)))

    def take_census(self, row: Sequence[int]) -> tuple[int, ...]:
        """Return the census of a single row."""
        return (1, *(int(row[column] < bound) for _, column, bound in self.thresholds))

    @property
    def parts(self) -> dict[str, tuple[str, ...]]:
        """The columns after the two lengths, by the order that they belong to.

        >>> from bleuprint.metrics.bleu.counting import bleu_layout
        >>> bleu_layout(1).parts
        {'1-grams': ('matches_1', 'totals_1')}
        """
        return _group_columns(self.columns)

    def __eq__(self, other: object) -> bool:
        """Compare metric, order and counting, which decide all the rest."""
        if not isinstance(other, Layout):
            return NotImplemented
        return self is other or self._decisive() == other._decisive()

    def __hash__(self) -> int:
        return self._hash

    def _decisive(self) -> tuple[object, ...]:
        return self.metric, self.order, self.counting

    def __str__(self) -> str:
        return f"{self.metric} up to order {self.order}"


class Statistics:
    """The numbers of a row by name, which a ``Value`` keeps. They add."""

    __slots__ = ()

    @property
    def order(self) -> int:
        """The number of orders counted."""
        raise NotImplementedError

    def to_row(self) -> tuple[int, ...]:
        """Return the numbers as a row."""
        raise NotImplementedError

    @classmethod
    def from_row(cls, row: Sequence[int]) -> Self:
        """Read a row back."""
        raise NotImplementedError

    def is_possible(self, segments: int) -> bool:
        """Whether the texts of so many segments could have these numbers."""
        raise NotImplementedError

    def __add__(self, other: Self) -> Self:
        if self.order != other.order:
            raise BleuprintError(
                f"Statistics of order {self.order} and of order {other.order} cannot be added.",
                "Count both with the same recipe.",
            )
        return self.from_row(tuple(map(add, self.to_row(), other.to_row())))


class OrderStatistics(Statistics):
    """Statistics with several numbers per order, and two lengths. The fields of orders come first."""

    __slots__ = ()
    _read_fields: ClassVar[Any]

    @classmethod
    def zero(cls, order: int) -> Self:
        """Return the statistics of no text at all, the zero of addition."""
        fields = cls.__match_args__  # type: ignore[attr-defined]  # declared here, it would hide those of the classes
        return cls.from_row((0,) * (2 + (len(fields) - 2) * order))

    @property
    def order(self) -> int:
        """The number of orders counted."""
        first: tuple[int, ...] = self._read_fields(self)[0]
        return len(first)

    def to_row(self) -> tuple[int, ...]:
        """Return the numbers as a row: both lengths, then the numbers of each field, by order."""
        *groups, candidate, reference = self._read_fields(self)
        return (candidate, reference, *chain(*groups))


@lru_cache(maxsize=64)
def _group_columns(columns: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    parts: dict[str, tuple[str, ...]] = {}
    for column in columns[2:]:
        name = column.rpartition("_")[2]
        title = f"{name}-grams" if name.isdigit() else name
        parts[title] = (*parts.get(title, ()), column)
    return parts
