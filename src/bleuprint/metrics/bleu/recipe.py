"""BLEU's recipe: every choice that can change a digit of a score, with its possible values and what they mean."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Set
from itertools import islice
from typing import Any, ClassVar

from bleuprint.advice import Advice
from bleuprint.counting.layout import Layout
from bleuprint.errors import Location, RecipeError, name_list, nearest, quote
from bleuprint.metrics.bleu.stats import BleuStats, Counting, bleu_layout
from bleuprint.recipes.axis import CASE, Axis
from bleuprint.recipes.numbers import parse_number, print_number, to_float
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.signatures import check_keys
from bleuprint.text.tokenizers.registry import SPM, UNREGISTERED, TokenizerFunction, find_tokenizer
from bleuprint.values import Value, keep
from bleuprint.whole_numbers import as_whole_number

_ORDER = Location("recipe", option="order")
HIGHEST_ORDER = 100
HIGHEST_SUM = 40
"""What weights may add up to: so precisions above 1, as NLTK's methods 4, 5 and 7 make them, give finite scores."""
SMOOTHINGS: Mapping[str, tuple[float | None, str]] = {
    "none": (None, "precisions stay as counted"),
    "epsilon": (0.1, "an order without a match gets value / max(1, total), absent orders too"),
    "floor": (0.1, "an order without a match gets value / total; absent orders are left alone"),
    "add-k": (1.0, "value is added to matches and totals from order 2 on"),
    "add-k-all": (1.0, "value is added to matches and totals of every order"),
    "coco": (None, "1e-15 is added to the matches and 1e-9 to the totals of every order"),
    "exp": (None, "the t-th order without a match gets 1 / (2^t total); absent orders are left alone"),
    "nltk-method4": (5.0, "the t-th order without a match gets ln(candidate length) / (2^t value total)"),
    "nltk-method5": (None, "each order becomes the mean of itself and its neighbours; one segment only"),
    "nltk-method6": (5.0, "from order 3 on, value n-grams are added at the precision to be expected; one segment only"),
    "nltk-method7": (5.0, "nltk-method4, then nltk-method5; one segment only"),
}
AXES = {
    axis.field: axis
    for axis in (
        Axis("tokenizer", "tok", "how a text becomes tokens"),
        CASE,
        Axis("weights", "weights", "the weight of each order, hence the highest order N"),
        Axis("smoothing", "smooth", "what becomes of an order without a match", kinds=SMOOTHINGS),
        Axis(
            "reference_length",
            "ref",
            "which reference gives a segment its length",
            {
                "closest": "the closest to the candidate, the shorter one on a tie",
                "closest-first": "the closest to the candidate, the first listed on a tie",
                "shortest": "the shortest",
            },
        ),
        Axis(
            "segment_totals",
            "totals",
            "how many n-grams a segment shorter than n counts for",
            {"exact": "none", "at-least-1": "one, at every order"},
        ),
        Axis(
            "absent_order",
            "absent",
            "an order of which the candidates have no n-grams at all",
            {
                "zero": "the score is 0",
                "drop": "the order is left out and its weight shared among the others (effective order)",
                "one": "its precision counts as 1",
            },
        ),
        Axis(
            "unmatched_order",
            "unmatched",
            "an order without a match that smoothing left alone",
            {
                "zero": "the score is 0",
                "smallest-float": "its precision becomes 2.2250738585072014e-308",
                "smallest-float-over-total": "its precision becomes 2.2250738585072014e-308 / total",
                "skip": "it is skipped, which counts it as precision 1",
            },
        ),
        Axis(
            "nothing_matches",
            "nomatch",
            "when the score is 0 before any smoothing",
            {
                "zero": "when no order has a match",
                "zero-if-any": "when any order has no match",
                "smoothed": "never, smoothing acts all the same",
                "smoothed-empty": "never, not even where a text is empty",
            },
        ),
        Axis(
            "brevity",
            "brevity",
            "what a candidate shorter than its reference loses",
            {
                "exact": "the factor exp(1 - r/c)",
                "plus-1": "the same with both lengths one token longer; one segment only",
                "coco": "the factor exp(1 - (r + 1e-9) / (c + 1e-15)), at equal lengths, too",
            },
            unsaid="exact",
        ),
        Axis(
            "across_orders",
            "across",
            "how the orders up to N become one number",
            {"together": "by one geometric mean: BLEU-N", "mean": "by the arithmetic mean of BLEU-1 to BLEU-N"},
            unsaid="together",
        ),
    )
}

ONE_SEGMENT_ONLY = ("nltk-method5", "nltk-method6", "nltk-method7")
"""On a corpus NLTK takes these from its last segment, so no sums of statistics give them."""
COCO_MATCHES, COCO_TOTALS = 1e-15, 1e-9
"""What pycocoevalcap adds to matches and the candidate's length, and to totals and the reference's length."""
NEIGHBOUR = 5
"""The order that nltk-method5 takes for the neighbour of the last, whatever N is."""


_SMOOTHING = Location("recipe", option="smoothing")
HIGHEST_VALUE = 1_000_000
LOWEST_K = 1e-6
"""NLTK's methods 4 and 7 divide by their value; with this one, weights in bounds and any length a score is finite."""


class Smoothing(Value):
    """A smoothing rule with its value; prints as ``epsilon(0.1)`` and reads that back."""

    __match_args__ = ("kind", "value")
    __slots__ = __match_args__
    kind: str
    value: float | None

    def __init__(self, kind: str = "none", value: float | None = None) -> None:
        if not isinstance(kind, str) or kind not in SMOOTHINGS:
            raise RecipeError(
                where=_SMOOTHING,
                wanted=name_list(SMOOTHINGS),
                got=quote(kind),
                suggestion=nearest(kind, SMOOTHINGS),
                next_step="A value goes in brackets: epsilon(0.1).",
            )
        keep(self, "kind", kind)
        keep(self, "value", SMOOTHINGS[kind][0] if value is None else _checked_value(kind, value))

    def __str__(self) -> str:
        return self.kind if self.value is None else f"{self.kind}({print_number(self.value)})"

    @classmethod
    def parse(cls, text: str) -> Smoothing:
        """Read ``exp``, ``epsilon`` (with its usual value) or ``epsilon(0.1)``."""
        match = re.fullmatch(r"([a-z0-9-]+)(?:\(([^()]+)\))?", text.strip()) if isinstance(text, str) else None
        if match is None:
            raise RecipeError(
                where=_SMOOTHING,
                wanted="a name, with a value in brackets where it has one",
                got=quote(text),
                next_step="For example: none, exp, epsilon(0.1), floor(0.1), add-k(1).",
            )
        kind, written = match.groups()
        value = None if written is None else parse_number(written, _SMOOTHING)
        try:
            return cls(kind, value)
        except RecipeError as error:
            raise error.reworded(got=quote(text)) from None


def _checked_value(kind: str, value: object) -> float:
    default = SMOOTHINGS[kind][0]
    highest = 1 if kind in ("epsilon", "floor") else HIGHEST_VALUE
    lowest = LOWEST_K if kind in ("nltk-method4", "nltk-method7") else 0
    number = to_float(value)
    if default is None or number is None or not lowest <= number <= highest or not number:
        numbers = f"a number from {lowest:f} to {highest:,}" if lowest else f"a number above 0 and up to {highest:,}"
        raise RecipeError(
            where=_SMOOTHING,
            wanted=f"{kind} without a value" if default is None else f"{kind} with {numbers}",
            got=quote(value),
            next_step=f"Write {kind!r} alone." if default is None else f"Usual is {kind}({default:g}).",
        )
    return number


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


def check_order(order: object, where: str | Location = _ORDER) -> int:
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
            where=Location("recipe", option="weights"),
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
        where=Location("recipe", option="tokenizer"),
        wanted="the name of a tokenizer, or a function from a text to its tokens",
        got=quote(tokenizer),
        next_step=Advice.NAME_TOKENIZER,
    )


def _check_function(tokenizer: TokenizerFunction) -> None:
    try:
        hash(tokenizer)
    except TypeError:
        raise RecipeError(
            where=Location("recipe", option="tokenizer"),
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
