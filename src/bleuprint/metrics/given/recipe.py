"""The recipe of given scores: what they are called and how they are read. Nothing in it can be chosen otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar, Self

from bleuprint.counting.layout import Layout
from bleuprint.errors import RecipeError
from bleuprint.metrics.given.metric import find_given
from bleuprint.metrics.given.scale import Scale
from bleuprint.metrics.given.stats import GivenStats
from bleuprint.recipes.recipe import Recipe
from bleuprint.values import keep


class GivenRecipe(Recipe):
    """The mean of scores that somebody gave, on the scale that they are on."""

    __slots__ = ("scale",)
    metric_key: ClassVar[str] = "given"
    scale: Scale
    layout: Layout[GivenStats]
    counting: Scale
    """rows of another scale do not add to these"""

    def __new__(cls, scale: Scale) -> Self:
        """Make one; no dialect and no axis plays a part."""
        return object.__new__(cls)

    def __init__(self, scale: Scale) -> None:
        keep(self, "scale", scale)
        keep(self, "metric", find_given(scale))
        keep(self, "_hash", hash((type(self), scale)))
        keep(self, "_line", f"given:{scale.name}|score:mean-of-segments|better:{scale.better}")
        self._settle()

    def _settle(self) -> None:
        keep(self, "order", 1)
        keep(self, "counting", self.scale)
        keep(self, "splitting", None)
        keep(self, "layout", _lay_out(self.scale))
        keep(self, "is_for_one_segment", False)

    def with_choices(self, changes: Mapping[str, object]) -> Self:
        """Refuse every choice."""
        if not changes:
            return self
        raise RecipeError(
            where=self.scale.name,
            wanted="no choices, as its scores were given",
            got=", ".join(changes),
            next_step="Only what is counted here can be counted otherwise.",
        )

    @classmethod
    def has_axis(cls, field: str) -> bool:
        """Whether it has an axis of this name: never."""
        return False

    @property
    def _values(self) -> tuple[Any, ...]:
        return (self.scale,)

    def __reduce__(self) -> tuple[object, ...]:
        return GivenRecipe, (self.scale,)


@lru_cache(maxsize=64)
def _lay_out(scale: Scale) -> Layout[GivenStats]:
    columns = (*(f"units_{limb}" for limb in range(1, scale.limbs + 1)), "segments")
    return Layout("given", 1, scale, columns, (), GivenStats)
