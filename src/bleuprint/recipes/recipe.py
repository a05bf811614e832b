"""The recipe: one value that holds every choice which can change a digit of a score.

A recipe prints as one complete line, its signature, and that line parses back to an equal recipe. Its axes and the
recipes of existing tools are those of its metric.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, overload

from bleuprint.advice import Advice
from bleuprint.errors import Location, RecipeError, name_list, nearest, quote
from bleuprint.metrics import module_of
from bleuprint.recipes.registry import (
    DEFAULT_METRIC,
    METRICS,
    dialect_names,
    find_dialect,
    find_metric,
    find_name,
    list_metrics,
    nearest_dialect,
    recognise_line,
    releases_of,
)
from bleuprint.recipes.signatures import find_signature, print_signature, split_signature
from bleuprint.values import keep
from bleuprint.views import show

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
    """keywords beside the axes, each of which stands for choices on some of them"""
    metric: Metric
    """the metric that the recipe belongs to; it and what follows is asked for with every segment that is scored"""
    layout: Layout[Any]
    """what the rows hold that this recipe is computed from"""
    counting: Hashable
    """the part of the recipe that decides the counts: recipes that share it can share statistics"""
    splitting: Hashable
    """the part of the recipe that decides how texts are split: recipes that share it can share tokens"""
    order: int
    """the highest order of n-grams that the score looks at"""
    is_for_one_segment: bool
    """whether the recipe is defined for single segments only"""
    _hash: int
    _line: str | None
    """the signature of a dialect, once it was printed; dialects are printed with every score"""
    tokenizer: str | Callable[[str], Sequence[Hashable]]
    """of metrics that split texts into tokens; the others have no such axis"""
    case: str

    def __new__(cls, **_choices: Unpack[Choices]) -> Self:
        """Make a recipe of the default metric, unless it is asked for one of its own kind."""
        own = find_metric(cls.metric_key).recipe
        if cls is not Recipe and not issubclass(cls, own):
            raise RecipeError(
                where=cls.__name__,
                wanted=f"a kind of {own.__name__}, the recipe of {find_metric(cls.metric_key).name}",
                got="a kind of Recipe alone",
                next_step=f"Derive it from {own.__name__}.",
            )
        kind: Any = own if cls is Recipe else cls
        made: Self = object.__new__(kind)
        return made

    def __init__(self, **choices: Unpack[Choices]) -> None:
        metric = find_metric(self.metric_key)
        chosen = {**metric.dialects[metric.default].choices, **self._read_keywords(dict(choices), "Recipe")}
        self._fill([self._check_choice(field, chosen[field]) for field in metric.axes])

    def _fill(self, values: Iterable[object]) -> None:
        """Take choices over that were checked, in the order of the axes."""
        keep(self, "metric", find_metric(self.metric_key))
        for field, value in zip(self.metric.axes, values, strict=True):
            keep(self, field, value)
        keep(self, "_hash", hash((type(self), *self._values)))
        keep(self, "_line", None)
        self._settle()

    def _settle(self) -> None:
        """Work out what follows from the choices: the order, and how texts are split and counted."""
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
        """Return the recipe of a dialect, such as ``"sacrebleu"``, ``"nltk-method1"`` or ``"sacrebleu@1.5"``."""
        known = find_name(name) if isinstance(name, str) else None
        if known is None:
            if isinstance(name, str) and "@" in name and releases_of(name):
                raise RecipeError(
                    where=Location("recipe"),
                    wanted=f"a release that is known: {name_list(releases_of(name))}",
                    got=quote(name),
                    next_step="The name alone stands for the newest of them.",
                )
            raise RecipeError(
                where=Location("recipe"),
                wanted=f"one of the dialects {name_list(dialect_names())}, or a signature",
                got=quote(name),
                suggestion=nearest_dialect(name),
                next_step=Advice.LIST_RECIPES,
            )
        return _build_named(known)

    @classmethod
    def parse(cls, line: str) -> Recipe:
        """Read a signature: bleuprint's own, or one that sacreBLEU printed (long, short, or its 1.x form)."""
        if not isinstance(line, str) or ("|" not in line and find_name(line) is not None):
            raise RecipeError(
                where="Recipe.parse",
                wanted="a signature",
                got=quote(line),
                next_step="Recipe.named takes the name of a dialect, Recipe.of a recipe in any form.",
            )
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
            raise RecipeError(
                where=Location("recipe"),
                wanted="the name of a dialect, a Recipe or a signature",
                got=quote(recipe),
                next_step=Advice.LIST_RECIPES,
            )
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
        if metric is not None and metric not in METRICS:
            raise RecipeError(
                where="Recipe.dialects",
                wanted=name_list(METRICS),
                got=quote(metric),
                suggestion=nearest(metric, METRICS),
                next_step="Without a metric those of all are listed.",
            )
        metrics = list_metrics() if metric is None else [find_metric(metric)]
        return {name: _build_named(name) for one in metrics for name in one.dialects}

    def replace(self, **changes: Unpack[Choices]) -> Self:
        """Return a copy with other choices on some axes; ``order=n`` stands for n equal weights."""
        return self.with_choices(changes)

    def with_choices(self, changes: Mapping[str, object]) -> Self:
        """Return a copy with other choices, as ``replace`` does, from a mapping of axes to choices."""
        if not changes:
            return self
        given = self._read_keywords(dict(changes), "Recipe.replace")
        made = object.__new__(type(self))
        made._fill(
            self._check_choice(field, given[field]) if field in given else getattr(self, field)
            for field in self.metric.axes
        )
        return made

    def differing_axes(self, other: Recipe) -> list[str]:
        """Name the axes on which another recipe of the same metric differs, in the order of the signature."""
        if other.metric is not self.metric:
            raise RecipeError(
                where="recipes",
                wanted=f"two recipes of one metric, as {self.metric.name}",
                got=f"one of {self.metric.name} and one of {other.metric.name}",
                next_step="Choose both from one: metrics have different axes, and their numbers nothing in common.",
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
        choices = {field: self.choice(field) for field in self.metric.axes}
        sacrebleu = module_of(self.metric, "sacrebleu")
        line: str = sacrebleu.print_choices(choices, nrefs)
        try:
            means_this = Recipe.parse(line) == self and not self.is_pretokenized
        except RecipeError:
            means_this = False
        if not means_this:
            raise RecipeError(
                where="sacrebleu_signature",
                wanted=f"a recipe that sacreBLEU can express ({sacrebleu.EXPRESSIBLE})",
                got=str(self),
                next_step="Use str(recipe), which is always complete.",
            )
        return line

    @classmethod
    def has_axis(cls, field: str) -> bool:
        """Whether a keyword of this name changes the recipe."""
        return field in find_metric(cls.metric_key).axes or field in cls.shorthands

    def choice(self, field: str) -> str:
        """Print the choice on one axis, as it stands in the signature."""
        return str(getattr(self, field))

    def _keys(self) -> dict[str, str]:
        """Give the parts of the signature."""
        return {axis.key: self.choice(axis.field) for axis in self.metric.axes.values()}

    @classmethod
    def _from_keys(cls, found: dict[str, str]) -> Recipe:
        """Read the parts of a signature."""
        raise NotImplementedError

    @classmethod
    def _read_keywords(cls, given: dict[str, Any], where: str) -> dict[str, Any]:
        """Refuse keywords that name no axis."""
        axes = find_metric(cls.metric_key).axes
        for name in given:
            if name not in axes:
                known = [*axes, *cls.shorthands]
                raise RecipeError(
                    where=where,
                    wanted=name_list(known),
                    got=repr(name),
                    suggestion=nearest(name, known),
                    next_step="Each of these is one axis of the recipe.",
                )
        return given

    @classmethod
    def _check_choice(cls, field: str, value: Any) -> Any:
        """Refuse a choice that an axis does not have, and give it the form in which it is kept."""
        find_metric(cls.metric_key).axes[field].check(value)
        return value

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
"""The dialects that were asked for by name: one is looked up for every segment that is scored."""


def _restore(kind: type[Recipe], values: tuple[object, ...]) -> Recipe:
    recipe: Recipe = object.__new__(kind)
    recipe._fill(values)
    return recipe


dialects: Callable[[], dict[str, Recipe]] = Recipe.dialects
"""What ``Recipe.dialects`` was called before it was one of the recipe's own."""
