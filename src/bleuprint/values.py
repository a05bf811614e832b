"""Values: small objects that never change, and are equal where all that they hold is equal.

The standard library's ``dataclasses`` would write these methods for every class. It takes longer to import, and to
compile them on every start, than a test set takes to be scored; so here they are, once for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

keep: Callable[[object, str, object], None] = object.__setattr__
"""How ``__init__`` fills a value: nothing else may."""


class Value:
    """What values have in common. A class names its fields, in the order of its ``__init__``, as ``__match_args__``.

    >>> from bleuprint.metrics.bleu.stats import Census
    >>> Census(2, (0, 1)).replace(segments=3)
    Census(segments=3, short=(0, 1), empty_candidates=0, empty_references=0)
    """

    __slots__ = ()

    def replace(self, **changes: object) -> Self:
        """Return a copy in which some fields hold something else."""
        return type(self)(**dict(zip(self._fields(), self._held(), strict=True)) | changes)

    def _fields(self) -> tuple[str, ...]:
        # Declared here, it would keep type checkers from knowing what the classes say.
        return self.__match_args__  # type: ignore[attr-defined, no-any-return]

    def _held(self) -> tuple[object, ...]:
        return tuple([getattr(self, field) for field in self._fields()])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Value) or type(other) is not type(self):
            return NotImplemented
        return self is other or self._held() == other._held()

    def __hash__(self) -> int:
        return hash(self._held())

    def __repr__(self) -> str:
        fields = zip(self._fields(), self._held(), strict=True)
        return f"{type(self).__qualname__}({', '.join(f'{field}={value!r}' for field, value in fields)})"

    def __setattr__(self, name: str, _value: object) -> None:
        raise AttributeError(f"cannot assign to {name!r}: a {type(self).__name__} never changes")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cannot delete {name!r}: a {type(self).__name__} never changes")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._held()
