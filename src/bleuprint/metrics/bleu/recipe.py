"""BLEU's recipe: every choice which can change a digit of a BLEU score."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Set
from itertools import islice
from typing import Any, ClassVar

from bleuprint.advice import Advice
from bleuprint.counting.layout import Layout
from bleuprint.errors import Argument, Place, RecipeError, quote
from bleuprint.metrics.bleu.axes import AXES, NEIGHBOUR, ONE_SEGMENT_ONLY, Smoothing
from bleuprint.metrics.bleu.stats import BleuStats, Counting, bleu_layout
from bleuprint.recipes.numbers import parse_number, print_number, to_float
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.signatures import check_keys
from bleuprint.text.tokenizers.registry import SPM, UNREGISTERED, TokenizerFunction, find_tokenizer
from bleuprint.values import keep
from bleuprint.whole_numbers import as_whole_number

_ORDER = Place(Argument.RECIPE, axis="order")
HIGHEST_ORDER = 100
HIGHEST_SUM = 40
"""What weights may add up to: so precisions above 1, as NLTK's methods 4, 5 and 7 make them, give finite scores."""


class BleuRecipe(Recipe):
    """Every choice that decides a BLEU score.

    >>> recipe = BleuRecipe(tokenizer="intl", order=2)
    >>> recipe.weights, str(recipe.smoothing)
    ((0.5, 0.5), 'exp')
    """

    __slots__ = (
        "absent_order", "across_orders", "brevity", "case", "nothing_matches", "reference_length", "segment_totals",
        "smoothing", "tokenizer", "unmatched_order", "weights",
    )  # fmt: skip
    shorthands: ClassVar[tuple[str, ...]] = ("order",)
    tokenizer: str | TokenizerFunction
    case: str
    weights: tuple[float, ...]
    smoothing: Smoothing
    reference_length: str
    segment_totals: str
    absent_order: str
    unmatched_order: str
    nothing_matches: str
    brevity: str
    across_orders: str
    layout: Layout[BleuStats]
    counting: Counting
    splitting: tuple[str | TokenizerFunction, str]

    @classmethod
    def _read_keywords(cls, given: dict[str, Any], where: str) -> dict[str, Any]:
        if "order" in given:
            if "weights" in given:
                raise RecipeError(
                    where=where,
                    wanted="order or weights",
                    got="both",
                    next_step="Weights fix the order: as many weights as orders.",
                )
            given["weights"] = uniform_weights(check_order(given.pop("order")))
        return super()._read_keywords(given, where)

    @classmethod
    def _check_choice(cls, field: str, value: Any) -> Any:
        if field == "tokenizer":
            return _checked_tokenizer(value)
        if field == "weights":
            return _checked_weights(value)
        if field == "smoothing":
            return value if isinstance(value, Smoothing) else Smoothing.parse(value)
        return super()._check_choice(field, value)

    def _settle(self) -> None:
        order, looks_beyond = len(self.weights), self.smoothing.kind in ("nltk-method5", "nltk-method7")
        counting = Counting(self.tokenizer, self.case, self.reference_length, self.segment_totals)
        keep(self, "order", order)
        keep(self, "counting", counting)
        keep(self, "splitting", (self.tokenizer, self.case))
        keep(self, "layout", bleu_layout(max(order, NEIGHBOUR) if looks_beyond else order, counting))
        keep(self, "is_for_one_segment", bool(self.only_choice))

    @property
    def only_choice(self) -> str:
        """The axis and the choice for which the recipe is defined for single segments only; empty if it is not."""
        if self.smoothing.kind in ONE_SEGMENT_ONLY:
            return f"smoothing {self.smoothing}"
        return f"brevity {self.brevity}" if self.brevity == "plus-1" else ""

    @property
    def may_stop(self) -> bool:
        """Whether NLTK stops with an error on some texts: where there is no trigram to start from."""
        return self.smoothing.kind == "nltk-method6"

    def choice(self, field: str) -> str:
        """Print the choice on one axis, as it stands in the signature."""
        value = getattr(self, field)
        if field == "tokenizer":
            return _print_tokenizer(value)
        if field == "weights":
            return "uniform" if value == uniform_weights(self.order) else ",".join(map(print_number, value))
        return str(value)

    def _keys(self) -> dict[str, str]:
        keys = {}
        for axis in AXES.values():
            if axis.field == "weights":
                keys["N"] = str(self.order)
            if not axis.unsaid or self.choice(axis.field) != axis.unsaid:
                keys[axis.key] = self.choice(axis.field)
        return keys

    @classmethod
    def _from_keys(cls, found: dict[str, str]) -> Recipe:
        fields = {"N": "N"} | {axis.key: axis.field for axis in AXES.values()}
        found = {axis.key: axis.unsaid for axis in AXES.values() if axis.unsaid} | found
        check_keys(found, fields)
        return _build_parsed({fields[key]: value for key, value in found.items()})


def uniform_weights(order: int) -> tuple[float, ...]:
    """Return equal weights for all orders up to ``order``."""
    return (1.0 / order,) * order


def check_order(order: object, where: str | Place = _ORDER) -> int:
    """Give an order as Python's int; refuse what is none."""
    number = as_whole_number(order)
    if number is None or not 1 <= number <= HIGHEST_ORDER:
        raise RecipeError(
            where=where,
            wanted=f"a whole number from 1 to {HIGHEST_ORDER}",
            got=quote(order),
            next_step="Usual is 4.",
        )
    return number


def _checked_weights(weights: object) -> tuple[float, ...]:
    # One more than there may be shows that there are too many, however many are to come.
    given = () if isinstance(weights, (str, bytes, Mapping, Set)) or not isinstance(weights, Iterable) else weights
    numbers = [to_float(weight) for weight in islice(given, HIGHEST_ORDER + 1)]
    # + 0.0 turns -0.0 into 0.0, which it equals.
    fitting = [number + 0.0 for number in numbers if number is not None and 0 <= number <= HIGHEST_SUM]
    fits = len(fitting) == len(numbers) <= HIGHEST_ORDER
    if not fits or not 0 < math.fsum(fitting) <= HIGHEST_SUM:
        raise RecipeError(
            where=Place(Argument.RECIPE, axis="weights"),
            wanted=f"1 to {HIGHEST_ORDER} numbers from 0 to {HIGHEST_SUM}, not all 0, with a sum up to {HIGHEST_SUM}",
            got=quote(weights),
            next_step=Advice.NAME_WEIGHTS,
        )
    return tuple(fitting)


def _checked_tokenizer(tokenizer: object) -> str | TokenizerFunction:
    if callable(tokenizer):
        _check_function(tokenizer)
        return tokenizer
    if isinstance(tokenizer, str):
        entry = find_tokenizer(tokenizer)
        # What depends on packages and files of this machine is kept with their versions.
        return str(entry) if entry.needs else entry.name
    raise RecipeError(
        where=Place(Argument.RECIPE, axis="tokenizer"),
        wanted="the name of a tokenizer, or a function from a text to its tokens",
        got=quote(tokenizer),
        next_step=Advice.NAME_TOKENIZER,
    )


def _check_function(tokenizer: TokenizerFunction) -> None:
    try:
        hash(tokenizer)
    except TypeError:
        raise RecipeError(
            where=Place(Argument.RECIPE, axis="tokenizer"),
            wanted="a function, or a callable object that can be hashed",
            got=quote(tokenizer),
            next_step="Give its method, such as tokenizer.__call__, or register it under a name.",
        ) from None


def _print_tokenizer(tokenizer: str | TokenizerFunction) -> str:
    if isinstance(tokenizer, str):
        return tokenizer if "(" in tokenizer else str(find_tokenizer(tokenizer))
    function: Callable[..., object] = tokenizer
    name = getattr(function, "__qualname__", type(function).__qualname__).translate({ord("|"): "_", ord(":"): "_"})
    return f"{UNREGISTERED}({name}@{id(function):x})"


def _build_parsed(found: dict[str, str]) -> Recipe:
    order, weights = found.pop("N"), found.pop("weights")
    if found["tokenizer"].startswith(f"{UNREGISTERED}("):
        raise RecipeError(
            where="signature, tok",
            wanted="a tokenizer that has a name",
            got=quote(found["tokenizer"]),
            next_step="It was a function without one: use bleuprint.register_tokenizer, then score again.",
        )
    if found["tokenizer"].startswith(f"{SPM}:"):
        raise RecipeError(
            where="signature, tok",
            wanted="spm(FILE+sha256-...), as signatures name a SentencePiece model",
            got=quote(found["tokenizer"]),
            next_step=Advice.PATH_IN_SIGNATURE,
        )
    if weights == "uniform":
        written = int(order) if re.fullmatch("[0-9]{1,3}", order) else order
        numbers = uniform_weights(check_order(written, "signature, N"))
    else:
        numbers = tuple(parse_number(weight, "signature, weights") for weight in weights.split(","))
    recipe = BleuRecipe(**found, weights=numbers)  # type: ignore[arg-type]
    if str(recipe.order) != order:
        raise RecipeError(
            where="signature, N",
            wanted=f"{recipe.order}, as there are that many weights",
            got=quote(order),
            next_step="Copy the whole line as it was printed.",
        )
    return recipe
