"""Values: small immutable objects with equality by fields.

The standard library's ``dataclasses`` writes these methods for every class. Importing it and compiling them takes
longer than scoring a test set, so the values that scoring needs use this class.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from operator import attrgetter
from typing import Any, ClassVar, Self

keep: Callable[[object, str, object], None] = object.__setattr__
"""Set a field of a value in ``__init__``."""


class Value:
    """The base class of values. A class lists its fields in ``__match_args__``, in the order of its ``__init__``.

    >>> from bleuprint.metrics.bleu.counting import BleuStats
    >>> BleuStats((1,), (2,), 2, 3).replace(matches=(2,))
    BleuStats(matches=(2,), totals=(2,), candidate_length=2, reference_length=3)
    """

    __slots__ = ()
    _read_fields: ClassVar[Any]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._read_fields = attrgetter(*cls._fields())

    @classmethod
    def _fields(cls) -> tuple[str, ...]:
        # A declaration here would hide those of the classes from type checkers.
        return cls.__match_args__  # type: ignore[attr-defined, no-any-return]

    def replace(self, **changes: object) -> Self:
        """Return a copy with other values of some fields."""
        return type(self)(**self._by_name() | changes)

    def _by_name(self) -> dict[str, object]:
        return dict(zip(self._fields(), self._read_fields(self), strict=True))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self is other or bool(self._read_fields(self) == self._read_fields(other))

    def __hash__(self) -> int:
        return hash(self._read_fields(self))

    def __repr__(self) -> str:
        fields = [f"{field}={value!r}" for field, value in self._by_name().items()]
        return f"{type(self).__qualname__}({', '.join(fields)})"

    def __setattr__(self, name: str, _value: object) -> None:
        raise AttributeError(f"cannot assign to {name!r}: a {type(self).__name__} never changes")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cannot delete {name!r}: a {type(self).__name__} never changes")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._read_fields(self)


def plain_data(value: Any) -> Any:
    """Return a value as data for JSON: named tuples as dictionaries, other tuples as lists, at every level.

    >>> from bleuprint.metrics.score import Note
    >>> plain_data((Note("zero", "The score is 0."), None))
    [{'code': 'zero', 'text': 'The score is 0.'}, None]
    """
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        own = [plain_data(one) for one in value]
        return own if fields is None else dict(zip(fields, own, strict=True))
    return value.value if isinstance(value, Enum) else value
