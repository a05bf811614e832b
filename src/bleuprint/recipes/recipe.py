"""The recipe: one value that holds every choice which can change a digit of a score.

A recipe prints as one complete line, its signature, and that line parses back to an equal recipe. Its axes and the
recipes of existing tools are those of its metric.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, overload

from bleuprint.errors import Location, RecipeError, quote, unknown_name
from bleuprint.metrics import module_of
from bleuprint.recipes.registry import (
    DEFAULT_METRIC,
    check_metric,
    dialect_names,
    find_dialect,
    find_metric,
    find_name,
    list_metrics,
    nearest_dialect,
    recognise_line,
    releases_of,
)
from bleuprint.recipes.sacrebleu_lines import check_nrefs
from bleuprint.recipes.signatures import check_keys, find_signature, print_signature, split_signature
from bleuprint.values import keep
from bleuprint.views import show

_RECIPE = Location("recipe")
_LIST = "List them with: bleuprint recipes"

if TYPE_CHECKING:
    from typing import Unpack

    from bleuprint.counting.layout import Layout
    from bleuprint.metrics.bleu.recipe import BleuRecipe
    from bleuprint.metrics.chrf.recipe import ChrfRecipe
    from bleuprint.metrics.metric import Metric
    from bleuprint.metrics.ter.recipe import TerRecipe
    from bleuprint.recipes.names import BleuName, Choices, ChrfName, TerName


class Recipe:
    """Every choice that decides a score. Start from a name and change what you need.

    ``Recipe(tokenizer="intl")`` takes the choices of sacreBLEU for all that is not said.

    >>> recipe = Recipe.named("nltk").replace(order=2, smoothing="epsilon(0.1)")
    >>> recipe.choice("smoothing")
    'epsilon(0.1)'
    >>> Recipe.parse(str(recipe)) == recipe
    True
    """

    __slots__ = ("_hash", "_line", "counting", "is_for_one_segment", "layout", "metric", "order", "splitting")
    metric_key: ClassVar[str] = DEFAULT_METRIC
    shorthands: ClassVar[tuple[str, ...]] = ()
    """keywords besides the options, each of which stands for values of some of them"""
    metric: Metric
    """the metric that the recipe belongs to; stored, because scoring a segment needs it and what follows"""
    layout: Layout[Any]
    """the columns of the rows that this recipe is computed from"""
    counting: Hashable
    """the part of the recipe that decides the counts: recipes that share it can share statistics"""
    splitting: Hashable
    """the part of the recipe that decides how texts are split: recipes that share it can share tokens"""
    order: int
    """the highest order of n-grams that the score depends on"""
    is_for_one_segment: bool
    """whether the recipe is defined for single segments only"""
    _hash: int
    _line: str | None
    """the signature of a named recipe, which is printed with every score, once it was printed"""
    tokenizer: str | Callable[[str], Sequence[Hashable]]
    """for metrics that split texts into tokens; the others have no such option"""
    case: str

    def __new__(cls, **_choices: Unpack[Choices]) -> Self:
        """Make a recipe of the default metric, unless called on the class of another."""
        kind: Any = find_metric().recipe if cls is Recipe else cls
        made: Self = object.__new__(kind)
        return made

    def __init__(self, **choices: Unpack[Choices]) -> None:
        metric = find_metric(self.metric_key)
        chosen = {**metric.dialects[metric.default].choices, **self._read_keywords(dict(choices))}
        self._fill(axis.check(chosen[field]) for field, axis in metric.axes.items())

    def _fill(self, values: Iterable[object]) -> None:
        """Store checked values, in the order of the options, and what follows from them."""
        keep(self, "metric", find_metric(self.metric_key))
        for field, value in zip(self.metric.axes, values, strict=True):
            keep(self, field, value)
        keep(self, "_hash", hash((type(self), *self._values)))
        keep(self, "_line", None)
        layout, order, splitting, is_for_one_segment = self._derive()
        keep(self, "layout", layout)
        keep(self, "counting", layout.counting)
        keep(self, "order", order)
        keep(self, "splitting", splitting)
        keep(self, "is_for_one_segment", is_for_one_segment)

    def _derive(self) -> tuple[Layout[Any], int, Hashable, bool]:
        """Return what follows from the options: layout, order, splitting and is_for_one_segment."""
        raise NotImplementedError

    @overload
    @classmethod
    def named(cls, name: BleuName) -> BleuRecipe: ...
    @overload
    @classmethod
    def named(cls, name: ChrfName) -> ChrfRecipe: ...
    @overload
    @classmethod
    def named(cls, name: TerName) -> TerRecipe: ...
    @overload
    @classmethod
    def named(cls, name: str) -> Recipe: ...
    @classmethod
    def named(cls, name: str) -> Recipe:
        """Return the recipe of this name, such as ``"sacrebleu"``, ``"nltk-method1"`` or ``"sacrebleu@1.5"``."""
        known = find_name(name) if isinstance(name, str) else None
        if known is not None:
            return _build_named(known)
        if isinstance(name, str) and (releases := releases_of(name)):
            bare, _, release = name.partition("@")
            fix = f"Use one of: {', '.join(releases)}. The name alone stands for the newest release."
            raise unknown_name(f"release of {bare}", release, releases, fix, location=_RECIPE, error=RecipeError)
        raise RecipeError(
            f"Unknown recipe {quote(name)}.", _LIST, location=_RECIPE, suggestion=nearest_dialect(name),
            values=dialect_names(),
        )  # fmt: skip

    @classmethod
    def parse(cls, line: str) -> Recipe:
        """Read a signature: bleuprint's own, or one that sacreBLEU printed (long, short, or its 1.x form)."""
        if not isinstance(line, str) or ("|" not in line and find_name(line) is not None):
            raise RecipeError(
                f"expected a signature, got {quote(line)}.", "Recipe.of takes the name of a recipe, too.",
                where="Recipe.parse",
            )  # fmt: skip
        own = find_signature(line)
        if own is None:
            metric = recognise_line(line)
            return cls.named(metric.default).with_choices(module_of(metric, "sacrebleu").read_choices(line))
        key, found = split_signature(own)
        metric = find_metric(key)
        try:
            return metric.recipe._from_keys(found)
        except RecipeError as error:
            if error.location is None:
                raise
            raise error.reworded(where=f"signature, {metric.axes[error.location.option].key}") from None

    @overload
    @classmethod
    def of(cls, recipe: BleuRecipe | BleuName) -> BleuRecipe: ...
    @overload
    @classmethod
    def of(cls, recipe: ChrfRecipe | ChrfName) -> ChrfRecipe: ...
    @overload
    @classmethod
    def of(cls, recipe: TerRecipe | TerName) -> TerRecipe: ...
    @overload
    @classmethod
    def of(cls, recipe: Recipe | str) -> Recipe: ...
    @classmethod
    def of(cls, recipe: Recipe | str) -> Recipe:
        """Take a recipe in any of its forms: a Recipe, the name of a dialect, or a signature."""
        if type(recipe) is str and recipe in _NAMED:
            return _NAMED[recipe]
        if isinstance(recipe, Recipe):
            return recipe
        if not isinstance(recipe, str):
            expected = "the name of a recipe, a Recipe or a signature"
            raise RecipeError(f"expected {expected}, got {quote(recipe)}.", _LIST, location=_RECIPE)
        line = recipe.strip()
        if "|" in line or re.match(r"\w+\+[\w#]", line):  # sacreBLEU 1.x joins key.value by +
            return cls.parse(line)
        return cls.named(line)

    @classmethod
    def dialects(cls, metric: str | None = None) -> dict[str, Recipe]:
        """List the dialects, of all metrics or of one.

        Each has the name of an existing tool, and the recipe that reproduces its numbers.

        >>> "nltk" in Recipe.dialects(), "nltk" in Recipe.dialects("chrf")
        (True, False)
        """
        metrics = list_metrics() if metric is None else [check_metric(metric)]
        return {name: _build_named(name) for one in metrics for name in one.dialects}

    def replace(self, **changes: Unpack[Choices]) -> Self:
        """Return a copy with other choices on some axes; ``order=n`` stands for n equal weights."""
        return self.with_choices(changes)

    def with_choices(self, changes: Mapping[str, object]) -> Self:
        """Return a copy with other choices, as ``replace`` does, from a mapping of axes to choices."""
        if not changes:
            return self
        given = self._read_keywords(dict(changes))
        made = object.__new__(type(self))
        made._fill(
            axis.check(given[field]) if field in given else getattr(self, field)
            for field, axis in self.metric.axes.items()
        )
        return made

    def differing_axes(self, other: Recipe) -> list[str]:
        """Name the axes on which another recipe of the same metric differs, in the order of the signature."""
        if other.metric is not self.metric:
            raise RecipeError(
                f"A recipe of {self.metric.name} cannot be compared with a recipe of {other.metric.name}.",
                "Use two recipes of one metric.",
            )
        return [field for field in self.metric.axes if getattr(self, field) != getattr(other, field)]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the dialects that this recipe equals."""
        return tuple(name for name in self.metric.dialects if _build_named(name) == self)

    @property
    def label(self) -> str:
        """What a score of this recipe is called, such as ``BLEU-4``."""
        return self.metric.label(self)

    @property
    def may_stop(self) -> bool:
        """Whether the tool that the recipe stands for stops with an error on some texts, instead of giving a number."""
        return False

    @property
    def is_pretokenized(self) -> bool:
        """Whether texts are given as sequences of tokens."""
        return self.layout.pretokenized

    @property
    def text_kind(self) -> Mapping[str, bool]:
        """What kind of text the recipe reads, as ``pair_segments`` wants to know it."""
        return self.layout.text_kind

    def signature_on(self, testset: str) -> str:
        """The signature of a score: behind the recipe what decides none, the label of a test set where it has one."""
        return f"{self}|{testset}" if testset else str(self)

    def sacrebleu_signature(self, nrefs: int | str = 1) -> str:
        """Print this recipe as sacreBLEU prints it; refused when that line would not mean this recipe."""
        line = ""
        sacrebleu, nrefs = module_of(self.metric, "sacrebleu"), check_nrefs(nrefs)
        try:
            line = sacrebleu.print_choices({field: self.choice(field) for field in self.metric.axes}, nrefs)
            if Recipe.parse(line) != self or self.is_pretokenized:
                line = ""
        except RecipeError:
            line = ""
        if not line:
            raise RecipeError(
                f"sacreBLEU has no signature for {quote(str(self))}.", "Use str(recipe), which is always complete."
            )
        return line

    @classmethod
    def has_axis(cls, field: str) -> bool:
        """Whether a keyword of this name changes the recipe."""
        return field in find_metric(cls.metric_key).axes or field in cls.shorthands

    def choice(self, field: str) -> str:
        """Print the value of an option, as it stands in the signature."""
        return self.metric.axes[field].write(getattr(self, field))

    def _keys(self) -> dict[str, str]:
        """Return the keys and values of the signature."""
        printed = {axis.key: (self.choice(field), axis.unsaid) for field, axis in self.metric.axes.items()}
        return {key: value for key, (value, unsaid) in printed.items() if value != unsaid}

    @classmethod
    def _from_keys(cls, found: dict[str, str]) -> Self:
        """Build a recipe from the keys and values of a signature."""
        axes = find_metric(cls.metric_key).axes.values()
        found = {axis.key: axis.unsaid for axis in axes if axis.unsaid} | found
        check_keys(found, [axis.key for axis in axes], cls.metric_key)
        return cls(**{axis.field: axis.read(found[axis.key]) for axis in axes})

    @classmethod
    def _read_keywords(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Raise an error for keywords that name no option."""
        known = [*find_metric(cls.metric_key).axes, *cls.shorthands]
        for name in given:
            if name not in known:
                raise unknown_name("recipe option", name, known, error=RecipeError)
        return given

    @property
    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, field) for field in self.metric.axes)

    def __setattr__(self, name: str, _value: object) -> None:
        raise AttributeError(f"a recipe never changes: recipe.replace({name}=...) makes another one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a recipe never changes: it keeps its {name}")

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Recipe) or type(self) is not type(other):
            return NotImplemented
        return self._hash == other._hash and self._values == other._values

    def __hash__(self) -> int:
        return self._hash

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memory: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the choices as they are: what the other machine lacks it will say when the recipe is used."""
        return _restore, (type(self), self._values)

    def _repr_html_(self) -> str:
        return show("html", self)

    def __str__(self) -> str:
        if self._line:
            return self._line
        line = print_signature(self.metric_key, self._keys())
        if self in _NAMED.values():
            keep(self, "_line", line)
        return line

    def __repr__(self) -> str:
        return f"<Recipe {self}>"


def _build_named(name: str) -> Recipe:
    """Give the recipe of a dialect, which is built once."""
    if name not in _NAMED:
        metric = find_dialect(name)
        if metric is None:
            raise KeyError(name)
        _NAMED[name] = metric.recipe(**metric.dialects[name].choices)  # type: ignore[arg-type]
    return _NAMED[name]


_NAMED: dict[str, Recipe] = {}
"""The named recipes that were used so far: one is looked up for every segment that is scored."""


def _restore(kind: type[Recipe], values: tuple[object, ...]) -> Recipe:
    recipe: Recipe = object.__new__(kind)
    recipe._fill(values)
    return recipe
