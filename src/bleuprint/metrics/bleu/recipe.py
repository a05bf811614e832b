"""The recipe: one value that holds every choice which can change a digit of a BLEU score.

A recipe prints as one complete line, its signature, and that line parses back to an equal recipe. The axes and their
choices are listed in ``axes.py``, the recipes of existing tools in ``dialect_table.py``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from functools import cache
from itertools import islice
from typing import Any

from bleuprint.advice import Advice
from bleuprint.counting.layout import Layout
from bleuprint.errors import RecipeError, name_list, nearest, quote
from bleuprint.metrics.bleu.axes import (
    AXES,
    NEIGHBOUR,
    ONE_SEGMENT_ONLY,
    Smoothing,
    format_number,
    parse_number,
    to_float,
)
from bleuprint.metrics.bleu.dialects import BASE, DEFAULT, DIALECTS
from bleuprint.metrics.bleu.sacrebleu_signature import print_choices, read_choices
from bleuprint.metrics.bleu.stats import BleuStats, Counting, bleu_layout
from bleuprint.text.tokenizers.registry import PRETOKENIZED, SPM, UNREGISTERED, TokenizerFunction, find_tokenizer
from bleuprint.whole_numbers import as_whole_number

PREFIX = "bleuprint:1"
HIGHEST_ORDER = 100
HIGHEST_SUM = 40
"""What weights may add up to: so precisions above 1, as NLTK's methods 4, 5 and 7 make them, give finite scores."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Every choice that decides a BLEU score. Start from a name and change what you need.

    >>> recipe = Recipe.named("nltk").replace(order=2, smoothing="epsilon(0.1)")
    >>> recipe.weights
    (0.5, 0.5)
    >>> Recipe.parse(str(recipe)) == recipe
    True
    """

    tokenizer: str | TokenizerFunction
    case: str
    weights: tuple[float, ...]
    smoothing: Smoothing
    reference_length: str
    segment_totals: str
    absent_order: str
    unmatched_order: str
    nothing_matches: str

    def __post_init__(self) -> None:
        for axis in AXES.values():
            if axis.choices:
                axis.check(getattr(self, axis.field))
        if not isinstance(self.smoothing, Smoothing):
            object.__setattr__(self, "smoothing", Smoothing.parse(self.smoothing))
        object.__setattr__(self, "weights", _checked_weights(self.weights))
        if callable(self.tokenizer):
            _check_function(self.tokenizer)
        else:
            entry = find_tokenizer(_checked_name(self.tokenizer))
            # What depends on packages and files of this machine is kept with their versions.
            object.__setattr__(self, "tokenizer", str(entry) if entry.needs else entry.name)

    @classmethod
    def named(cls, name: str) -> Recipe:
        """Return the recipe of a dialect, such as ``"sacrebleu"`` or ``"nltk-method1"``."""
        if not isinstance(name, str) or name not in DIALECTS:
            raise RecipeError(
                where="recipe",
                wanted=f"one of the dialects {name_list(DIALECTS)}, or a signature",
                got=quote(name),
                suggestion=nearest(name, DIALECTS),
                next_step=Advice.LIST_RECIPES,
            )
        return _build_named(name)

    @classmethod
    def parse(cls, line: str) -> Recipe:
        """Read a signature: bleuprint's own, or one that sacreBLEU printed (long, short, or its 1.x form)."""
        if not isinstance(line, str) or line in DIALECTS:
            raise RecipeError(
                where="Recipe.parse",
                wanted="a signature",
                got=quote(line),
                next_step="Recipe.named takes the name of a dialect, Recipe.of a recipe in any form.",
            )
        own = re.search(r"bleuprint:\d+\|\S+", line)  # also inside a line that print(score) wrote
        if own or line.strip().startswith("bleuprint:"):
            return _parse_own(own[0] if own else line.strip())
        return cls.named("sacrebleu").replace(**read_choices(line))

    @classmethod
    def of(cls, recipe: Recipe | str) -> Recipe:
        """Take a recipe in any of its forms: a Recipe, the name of a dialect, or a signature."""
        if type(recipe) is str and recipe in DIALECTS:
            return _build_named(recipe)
        if isinstance(recipe, Recipe):
            return recipe
        if not isinstance(recipe, str):
            raise RecipeError(
                where="recipe",
                wanted="the name of a dialect, a Recipe or a signature",
                got=quote(recipe),
                next_step=Advice.LIST_RECIPES,
            )
        text = recipe.strip()
        return cls.parse(text) if "|" in text or text.startswith("BLEU+") else cls.named(text)

    def replace(self, **changes: Any) -> Recipe:
        """Return a copy with other choices on some axes; ``order=n`` stands for n equal weights."""
        if "order" in changes:
            if "weights" in changes:
                raise RecipeError(
                    where="Recipe.replace",
                    wanted="order or weights",
                    got="both",
                    next_step="Weights fix the order: as many weights as orders.",
                )
            changes["weights"] = uniform_weights(changes.pop("order"))
        for name in changes:
            if name not in AXES:
                raise RecipeError(
                    where="Recipe.replace",
                    wanted=name_list([*AXES, "order"]),
                    got=repr(name),
                    suggestion=nearest(name, [*AXES, "order"]),
                    next_step="Each of these is one axis of the recipe.",
                )
        return replace_fields(self, **changes)

    @property
    def order(self) -> int:
        """The highest n-gram order N."""
        return len(self.weights)

    @property
    def counted_order(self) -> int:
        """The highest order to be counted: N, or more where smoothing looks beyond it."""
        return max(self.order, NEIGHBOUR) if self.smoothing.kind in ("nltk-method5", "nltk-method7") else self.order

    @property
    def is_for_one_segment(self) -> bool:
        """Whether the recipe is defined for single segments only."""
        return self.smoothing.kind in ONE_SEGMENT_ONLY

    @property
    def counting(self) -> Counting:
        """The part of the recipe that decides the counts."""
        return Counting(self.tokenizer, self.case, self.reference_length, self.segment_totals)

    @property
    def layout(self) -> Layout[BleuStats]:
        """What the rows hold that this recipe is computed from."""
        return bleu_layout(self.counted_order, self.counting)

    @property
    def is_pretokenized(self) -> bool:
        """Whether texts are given as sequences of tokens."""
        return self.tokenizer == PRETOKENIZED

    @property
    def text_kind(self) -> dict[str, bool]:
        """What kind of text the recipe reads, as ``pair_segments`` wants to know it."""
        return {"pretokenized": self.is_pretokenized, "cased": self.case != "mixed"}

    @property
    def dialects(self) -> tuple[str, ...]:
        """The names of the dialects that this recipe equals."""
        return tuple(name for name in DIALECTS if Recipe.named(name) == self)

    def choice(self, field: str) -> str:
        """Print the choice on one axis, as it stands in the signature."""
        value = getattr(self, field)
        if field == "tokenizer":
            return _print_tokenizer(value)
        if field == "weights":
            return "uniform" if value == uniform_weights(self.order) else ",".join(map(format_number, value))
        return str(value)

    def sacrebleu_signature(self, nrefs: int | str = 1) -> str:
        """Print this recipe as sacreBLEU prints it; refused when that line would not mean this recipe."""
        line = print_choices({field: self.choice(field) for field in AXES}, nrefs)
        try:
            means_this = Recipe.parse(line) == self and not self.is_pretokenized
        except RecipeError:
            means_this = False
        if not means_this:
            raise RecipeError(
                where="sacrebleu_signature",
                wanted="a recipe that sacreBLEU can express (N = 4, its smoothings with two decimals, its tokenizers)",
                got=str(self),
                next_step="Use str(recipe), which is always complete.",
            )
        return line

    def __str__(self) -> str:
        parts = [PREFIX]
        for axis in AXES.values():
            if axis.field == "weights":
                parts.append(f"N:{self.order}")
            parts.append(f"{axis.key}:{self.choice(axis.field)}")
        return "|".join(parts)


@cache
def _build_named(name: str) -> Recipe:
    return Recipe(**{**BASE, **DIALECTS[name].choices})  # type: ignore[arg-type]


def differing_axes(left: Recipe, right: Recipe) -> list[str]:
    """Name the axes on which two recipes differ, in pipeline order."""
    return [field for field in AXES if getattr(left, field) != getattr(right, field)]


def uniform_weights(order: object) -> tuple[float, ...]:
    """Return equal weights for all orders up to ``order``."""
    number = as_whole_number(order)
    if number is None or not 1 <= number <= HIGHEST_ORDER:
        raise RecipeError(
            where="recipe, order",
            wanted=f"a whole number from 1 to {HIGHEST_ORDER}",
            got=quote(order),
            next_step="Usual is 4.",
        )
    return (1.0 / number,) * number


def _checked_weights(weights: object) -> tuple[float, ...]:
    # One more than there may be shows that there are too many, however many are to come.
    given = () if isinstance(weights, (str, bytes, Mapping, Set)) or not isinstance(weights, Iterable) else weights
    numbers = [to_float(weight) for weight in islice(given, HIGHEST_ORDER + 1)]
    # + 0.0 turns -0.0 into 0.0, which it equals.
    fitting = [number + 0.0 for number in numbers if number is not None and 0 <= number <= HIGHEST_SUM]
    fits = len(fitting) == len(numbers) <= HIGHEST_ORDER
    if not fits or not 0 < math.fsum(fitting) <= HIGHEST_SUM:
        raise RecipeError(
            where="recipe, weights",
            wanted=f"1 to {HIGHEST_ORDER} numbers from 0 to {HIGHEST_SUM}, not all 0, with a sum up to {HIGHEST_SUM}",
            got=quote(weights),
            next_step="Usual is (0.25, 0.25, 0.25, 0.25); order=2 stands for (0.5, 0.5).",
        )
    return tuple(fitting)


def _checked_name(tokenizer: object) -> str:
    if isinstance(tokenizer, str):
        return tokenizer
    raise RecipeError(
        where="recipe, tokenizer",
        wanted="the name of a tokenizer, or a function from a text to its tokens",
        got=quote(tokenizer),
        next_step=Advice.NAME_TOKENIZER,
    )


def _check_function(tokenizer: TokenizerFunction) -> None:
    try:
        hash(tokenizer)
    except TypeError:
        raise RecipeError(
            where="recipe, tokenizer",
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


def _parse_own(line: str) -> Recipe:
    keys = {"N": "N"} | {axis.key: axis.field for axis in AXES.values()}
    found: dict[str, str] = {}
    for part in line.split("|")[1:]:
        key, colon, value = part.partition(":")
        if not colon or key not in keys or keys[key] in found:
            raise RecipeError(
                where="signature",
                wanted=f"each of {', '.join(keys)} once, as key:value between bars",
                got=quote(part),
                next_step="Copy the whole line as it was printed.",
            )
        found[keys[key]] = value
    missing = [key for key, field in keys.items() if field not in found]
    if missing or not line.startswith(PREFIX + "|"):
        raise RecipeError(
            where="signature",
            wanted=f"{PREFIX} and then {', '.join(keys)}",
            got=f"no {', no '.join(missing)}" if missing else quote(line.split("|")[0]),
            next_step="Copy the whole line as it was printed; a newer form needs the bleuprint that printed it.",
        )
    return _build_parsed(found)


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
        numbers = uniform_weights(int(order) if re.fullmatch("[0-9]{1,3}", order) else order)
    else:
        numbers = tuple(parse_number(weight, "signature, weights") for weight in weights.split(","))
    recipe = Recipe.named(DEFAULT).replace(**found, weights=numbers)
    if str(recipe.order) != order:
        raise RecipeError(
            where="signature, N",
            wanted=f"{recipe.order}, as there are that many weights",
            got=quote(order),
            next_step="Copy the whole line as it was printed.",
        )
    return recipe


def dialects() -> dict[str, Recipe]:
    """List the dialects: the name of each existing BLEU, and the recipe that reproduces it.

    >>> "nltk" in dialects()
    True
    """
    return {name: Recipe.named(name) for name in DIALECTS}
