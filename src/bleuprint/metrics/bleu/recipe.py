"""BLEU's recipe: its options, what their values mean, and the named recipes of existing tools."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Mapping, Set
from itertools import islice
from typing import Any, ClassVar, Self

from bleuprint.counting.layout import Layout
from bleuprint.errors import Location, RecipeError, quote, unknown_name
from bleuprint.metrics.bleu.counting import BleuStats, Counting, bleu_layout
from bleuprint.numbers import as_whole_number
from bleuprint.recipes.options import (
    CASE,
    TRIED_RELEASES,
    Axis,
    Dialect,
    by_field,
    name_recipes,
    parse_number,
    print_number,
    to_float,
)
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.tokenizers.registry import SPM, UNREGISTERED, TokenizerFunction, find_tokenizer
from bleuprint.values import Value, keep

HIGHEST_ORDER = 100
HIGHEST_SUM = 40
"""The highest sum of weights: so precisions above 1, as NLTK's methods 4, 5 and 7 make them, give finite scores."""
HIGHEST_VALUE = 1_000_000
LOWEST_K = 1e-6
"""NLTK's methods 4 and 7 divide by their value; from here on, a score with valid weights is finite at any length."""
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
ONE_SEGMENT_ONLY = ("nltk-method5", "nltk-method6", "nltk-method7")
"""On a corpus NLTK takes these from its last segment, so no sums of statistics give them."""
COCO_MATCHES, COCO_TOTALS = 1e-15, 1e-9
"""What pycocoevalcap adds to matches and the candidate's length, and to totals and the reference's length."""
NEIGHBOUR = 5
"""The order that nltk-method5 takes for the neighbour of the last, whatever N is."""
_SMOOTHING = Location("recipe", option="smoothing")


class Smoothing(Value):
    """A smoothing rule with its value; prints as ``epsilon(0.1)`` and reads that back."""

    __match_args__ = ("kind", "value")
    __slots__ = __match_args__
    kind: str
    value: float | None

    def __init__(self, kind: str = "none", value: float | None = None) -> None:
        if not isinstance(kind, str) or kind not in SMOOTHINGS:
            raise unknown_name("smoothing", kind, SMOOTHINGS, location=_SMOOTHING, error=RecipeError)
        keep(self, "kind", kind)
        keep(self, "value", SMOOTHINGS[kind][0] if value is None else _check_value(kind, value))

    def __str__(self) -> str:
        return self.kind if self.value is None else f"{self.kind}({print_number(self.value)})"

    @classmethod
    def parse(cls, text: str | Smoothing) -> Smoothing:
        """Read ``exp``, ``epsilon`` (with its usual value) or ``epsilon(0.1)``."""
        if isinstance(text, Smoothing):
            return text
        match = re.fullmatch(r"([a-z0-9-]+)(?:\(([^()]+)\))?", text.strip()) if isinstance(text, str) else None
        if match is None:
            expected = "expected a name, with a value in brackets if it has one"
            fix = "For example: none, exp, epsilon(0.1), floor(0.1), add-k(1)."
            raise RecipeError(f"{expected}, got {quote(text)}.", fix, location=_SMOOTHING)
        kind, value = match.groups()
        return cls(kind, None if value is None else parse_number(value, _SMOOTHING))


def _check_value(kind: str, value: object) -> float:
    usual = SMOOTHINGS[kind][0]
    shown = f"{kind}({print_number(value) if isinstance(value, float) else quote(value)})"
    if usual is None:
        raise RecipeError(f"{kind} has no value, got {shown}.", f"Write {kind!r} alone.", location=_SMOOTHING)
    highest = 1 if kind in ("epsilon", "floor") else HIGHEST_VALUE
    lowest = LOWEST_K if kind in ("nltk-method4", "nltk-method7") else 0
    number = to_float(value)
    if number is None or not lowest <= number <= highest or not number:
        limits = f"from {lowest:f} to" if lowest else "above 0 and up to"
        message = f"expected {kind} with a number {limits} {highest:,}, got {shown}."
        raise RecipeError(message, f"Usual is {kind}({usual:g}).", location=_SMOOTHING)
    return number


def uniform_weights(order: int) -> tuple[float, ...]:
    """Return equal weights for all orders up to ``order``."""
    return (1.0 / order,) * order


def check_order(order: object, where: str = "") -> int:
    """Return an order as an int, or raise an error if it is none."""
    number = as_whole_number(order)
    if number is None or not 1 <= number <= HIGHEST_ORDER:
        message = f"expected a whole number from 1 to {HIGHEST_ORDER}, got {quote(order)}."
        location = None if where else Location("recipe", option="order")
        raise RecipeError(message, "Usual is 4.", where=where, location=location)
    return number


def _check_weights(weights: object) -> tuple[float, ...]:
    # One more than there may be shows that there are too many, even in an endless iterable.
    given = () if isinstance(weights, (str, bytes, Mapping, Set)) or not isinstance(weights, Iterable) else weights
    numbers = [to_float(weight) for weight in islice(given, HIGHEST_ORDER + 1)]
    # + 0.0 turns -0.0 into 0.0, which it equals.
    fitting = [number + 0.0 for number in numbers if number is not None and 0 <= number <= HIGHEST_SUM]
    fits = len(fitting) == len(numbers) <= HIGHEST_ORDER
    if not fits or not 0 < math.fsum(fitting) <= HIGHEST_SUM:
        limits = f"1 to {HIGHEST_ORDER} numbers from 0 to {HIGHEST_SUM}, not all 0, with a sum up to {HIGHEST_SUM}"
        raise RecipeError(
            f"expected {limits}, got {quote(weights)}.", "Usual is four times 0.25, which is `order=4`.",
            location=Location("recipe", option="weights"),
        )  # fmt: skip
    return tuple(fitting)


def _parse_weights(text: str) -> list[float]:
    return [parse_number(weight, Location("recipe", option="weights")) for weight in text.split(",")]


def _print_weights(weights: tuple[float, ...]) -> str:
    return "uniform" if weights == uniform_weights(len(weights)) else ",".join(map(print_number, weights))


_TOKENIZER = Location("recipe", option="tokenizer")


def _check_tokenizer(tokenizer: object) -> str | TokenizerFunction:
    if isinstance(tokenizer, str):
        entry = find_tokenizer(tokenizer)
        # If it depends on packages and files of this machine, their versions are part of the recipe.
        return str(entry) if entry.needs else entry.name
    if not callable(tokenizer):
        message = f"expected the name of a tokenizer or a function, got {quote(tokenizer)}."
        raise RecipeError(message, 'For example `tokenizer="13a"`.', location=_TOKENIZER)
    try:
        hash(tokenizer)
    except TypeError:
        fix = "Pass its method, such as tokenizer.__call__, or register it under a name."
        raise RecipeError(f"{quote(tokenizer)} cannot be hashed.", fix, location=_TOKENIZER) from None
    return tokenizer


def _print_tokenizer(tokenizer: str | TokenizerFunction) -> str:
    if isinstance(tokenizer, str):
        return tokenizer if "(" in tokenizer else str(find_tokenizer(tokenizer))
    function: Any = tokenizer
    name = getattr(function, "__qualname__", type(function).__qualname__).translate({ord("|"): "_", ord(":"): "_"})
    return f"{UNREGISTERED}({name}@{id(function):x})"


def _parse_tokenizer(text: str) -> str:
    if text.startswith(f"{UNREGISTERED}("):
        fix = "Use bleuprint.register_tokenizer, then score again."
        raise RecipeError(f"{quote(text)} is a function without a name.", fix, location=_TOKENIZER)
    if text.startswith(f"{SPM}:"):
        message = f"expected spm(FILE+sha256-...), got {quote(text)}."
        raise RecipeError(message, "A path works only as `tokenizer`, on your machine.", location=_TOKENIZER)
    return text


AXES = by_field(
    Axis(
        "tokenizer",
        "tok",
        "how a text becomes tokens",
        accept=_check_tokenizer,
        parse=_parse_tokenizer,
        write=_print_tokenizer,
    ),
    CASE,
    Axis(
        "weights",
        "weights",
        "the weight of each order, hence the highest order N",
        accept=_check_weights,
        parse=_parse_weights,
        write=_print_weights,
    ),
    Axis(
        "smoothing",
        "smooth",
        "what becomes of an order without a match",
        kinds=SMOOTHINGS,
        accept=Smoothing.parse,
    ),
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


class BleuRecipe(Recipe):
    """Every option that decides a BLEU score.

    >>> recipe = BleuRecipe(tokenizer="intl", order=2)
    >>> recipe.weights, str(recipe.smoothing)
    ((0.5, 0.5), 'exp')
    """

    __slots__ = tuple(AXES)
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
    def _read_keywords(cls, given: dict[str, Any]) -> dict[str, Any]:
        if "order" in given:
            if "weights" in given:
                raise RecipeError("Both order and weights were given.", "Weights fix the order: leave `order` out.")
            given["weights"] = uniform_weights(check_order(given.pop("order")))
        return super()._read_keywords(given)

    def _derive(self) -> tuple[Layout[BleuStats], int, Hashable, bool]:
        order, looks_beyond = len(self.weights), self.smoothing.kind in ("nltk-method5", "nltk-method7")
        counting = Counting(self.tokenizer, self.case, self.reference_length, self.segment_totals)
        layout = bleu_layout(max(order, NEIGHBOUR) if looks_beyond else order, counting)
        return layout, order, (self.tokenizer, self.case), bool(self.only_choice)

    @property
    def only_choice(self) -> str:
        """The option for which the recipe is defined for single segments only; empty if there is none."""
        if self.smoothing.kind in ONE_SEGMENT_ONLY:
            return f"smoothing {self.smoothing}"
        return f"brevity {self.brevity}" if self.brevity == "plus-1" else ""

    @property
    def may_stop(self) -> bool:
        """Whether NLTK raises an error on some texts: if there is no trigram to start from."""
        return self.smoothing.kind == "nltk-method6"

    def _keys(self) -> dict[str, str]:
        keys = super()._keys()
        before = dict(islice(keys.items(), list(AXES).index("weights")))
        return {**before, "N": str(self.order), **keys}

    @classmethod
    def _from_keys(cls, found: dict[str, str]) -> Self:
        if "N" not in found:
            raise RecipeError("N is missing.", "Copy the whole line as it was printed.", where="signature")
        order = found.pop("N")
        if found.get("weights") == "uniform":
            number = int(order) if re.fullmatch("[0-9]{1,3}", order) else order
            found["weights"] = ",".join(map(repr, uniform_weights(check_order(number, "signature, N"))))
        recipe = super()._from_keys(found)
        if str(recipe.order) != order:
            message = f"expected {recipe.order}, the number of weights, got {quote(order)}."
            raise RecipeError(message, "Copy the whole line as it was printed.", where="signature, N")
        return recipe


BASE: Mapping[str, object] = {
    "tokenizer": "whitespace",
    "case": "mixed",
    "weights": (0.25, 0.25, 0.25, 0.25),
    "smoothing": "none",
    "reference_length": "closest",
    "segment_totals": "exact",
    "absent_order": "zero",
    "unmatched_order": "zero",
    "nothing_matches": "zero",
    "brevity": "exact",
    "across_orders": "together",
}


_TWELVE_DIGITS = "12 significant digits, against the package itself"
_SACREBLEU = {"tokenizer": "13a", "smoothing": "exp"}
_NLTK = {"segment_totals": "at-least-1", "unmatched_order": "skip"}
_HUGGING_FACE = {"tokenizer": "13a", "reference_length": "shortest"}

_TORCHMETRICS = {"reference_length": "closest-first", "nothing_matches": "zero-if-any"}
_MTEVAL = {"smoothing": "exp", "absent_order": "one", "nothing_matches": "smoothed"}
_RECORDED = "12 significant digits of recorded outputs"
_FLOAT32 = "1e-6, against the package itself, which computes with 32 bits"
_PRINTED = "every printed digit of recorded outputs"
_RELEASES = {
    "nltk": ("3.6", "3.7", "3.8", *TRIED_RELEASES["nltk"]), "sacrebleu": ("2.0", *TRIED_RELEASES["sacrebleu"]),
    "torchmetrics": ("1.0", *TRIED_RELEASES["torchmetrics"]), "pycocoevalcap": ("1.2",), "bleuscore": ("0.2",),
}  # fmt: skip
"""Of which releases the dialects of a tool are; a name with another release in it is a dialect of its own."""
_UNVERIFIED = "its definition; not verified against the tool"

DIALECTS: Mapping[str, Dialect] = {
    name: recipe._replace(releases=recipe.releases or _RELEASES.get(name.partition("-")[0], ()))
    for name, recipe in name_recipes(
        BASE,
        Dialect(
            "paper",
            "BLEU as Papineni et al. (2002) define it, on text split at white space",
            "Papineni, Roukos, Ward, Zhu: BLEU, ACL 2002",
            "an oracle written from the paper",
        ),
        Dialect(
            "sacrebleu",
            "sacreBLEU's corpus score with its own defaults",
            "sacreBLEU 2.6.0, BLEU()",
            _TWELVE_DIGITS,
            _SACREBLEU,
        ),
        Dialect(
            "sacrebleu-sentence",
            "sacreBLEU's sentence score: orders longer than the candidate are dropped",
            "sacreBLEU 2.6.0, sentence_bleu and BLEU(effective_order=True)",
            _TWELVE_DIGITS,
            {**_SACREBLEU, "absent_order": "drop"},
        ),
        Dialect(
            "nltk",
            "NLTK without a smoothing function: tiny positive numbers where others say 0",
            "NLTK 3.10.4, corpus_bleu and sentence_bleu",
            _TWELVE_DIGITS,
            {**_NLTK, "unmatched_order": "smallest-float"},
        ),
        Dialect(
            "nltk-method1",
            "NLTK with method1: epsilon over the total where nothing matches",
            "NLTK 3.10.4, SmoothingFunction().method1",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "epsilon(0.1)"},
        ),
        Dialect(
            "nltk-method2",
            "NLTK with method2: one added to matches and totals from order 2",
            "NLTK 3.10.4, SmoothingFunction().method2",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "add-k(1)"},
        ),
        Dialect(
            "nltk-method3",
            "NLTK with method3: halved again for each order without a match",
            "NLTK 3.10.4, SmoothingFunction().method3",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "exp"},
        ),
        Dialect(
            "nltk-method4",
            "NLTK with method4: as method3, scaled by the length of the candidate",
            "NLTK 3.10.4, SmoothingFunction().method4",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "nltk-method4(5)"},
        ),
        Dialect(
            "nltk-method5",
            "NLTK with method5: each precision averaged with its neighbours; may exceed 100; one segment only",
            "NLTK 3.10.4, sentence_bleu with SmoothingFunction().method5",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "nltk-method5"},
        ),
        Dialect(
            "nltk-method6",
            "NLTK with method6: from order 3 on, drawn towards what the two orders before predict; one segment only",
            "NLTK 3.10.4, sentence_bleu with SmoothingFunction().method6",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "nltk-method6(5)"},
        ),
        Dialect(
            "nltk-method7",
            "NLTK with method7: method4, then method5; may exceed 100; one segment only",
            "NLTK 3.10.4, sentence_bleu with SmoothingFunction().method7",
            _TWELVE_DIGITS,
            {**_NLTK, "smoothing": "nltk-method7(5)"},
        ),
        Dialect(
            "nltk-mean",
            "the mean of NLTK's BLEU-1 to BLEU-4, as papers on dialogue print it",
            "NLTK 3.10.4, the mean of what corpus_bleu gives for four weights",
            _TWELVE_DIGITS,
            {**_NLTK, "unmatched_order": "smallest-float", "across_orders": "mean"},
        ),
        Dialect(
            "huggingface",
            "Hugging Face evaluate's bleu: 13a, shortest reference, no smoothing",
            "evaluate bleu (tensorflow/nmt compute_bleu, commit 0be8642)",
            "recorded outputs, and bleuscore, which computes the same",
            _HUGGING_FACE,
        ),
        Dialect(
            "huggingface-smooth",
            "Hugging Face evaluate's bleu with smooth=True: one added at every order",
            "evaluate bleu, smooth=True (tensorflow/nmt compute_bleu, commit 0be8642)",
            "recorded outputs, and bleuscore, which computes the same",
            {**_HUGGING_FACE, "smoothing": "add-k-all(1)", "nothing_matches": "smoothed"},
        ),
        Dialect(
            "bleuscore",
            "the Rust package bleuscore with its defaults: the same choices as huggingface",
            "bleuscore 0.2.0, compute",
            _TWELVE_DIGITS,
            _HUGGING_FACE,
        ),
        Dialect(
            "torchmetrics",
            "torchmetrics' BLEUScore: of equally close references the first listed counts",
            "torchmetrics 1.9.0, BLEUScore()",
            _FLOAT32,
            _TORCHMETRICS,
        ),
        Dialect(
            "torchmetrics-smooth",
            "torchmetrics' BLEUScore with smooth=True, which acts only where every order has a match",
            "torchmetrics 1.9.0, BLEUScore(smooth=True)",
            _FLOAT32,
            {**_TORCHMETRICS, "smoothing": "add-k(1)"},
        ),
        Dialect(
            "moses",
            "Moses' multi-bleu.perl: text as it is tokenised, no smoothing; the paper's BLEU",
            "multi-bleu.perl (mosesdecoder 3445289)",
            _PRINTED,
        ),
        Dialect(
            "moses-detok",
            "Moses' multi-bleu-detok.perl: the same after 13a",
            "multi-bleu-detok.perl (mosesdecoder 3445289)",
            _UNVERIFIED,
            {"tokenizer": "13a"},
        ),
        Dialect(
            "mteval-v13a",
            "NIST's mteval-v13a.pl: 13a, ASCII lowered (it keeps case with -c), unigrams smoothed, too",
            "mteval-v13a.pl (mosesdecoder 3445289)",
            f"{_PRINTED}, made with -c",
            {**_MTEVAL, "tokenizer": "13a", "case": "lower-ascii"},
        ),
        Dialect(
            "mteval-v14",
            "NIST's mteval-v14.pl with --international-tokenization: intl, lowered, unigrams smoothed, too",
            "mteval-v14.pl --international-tokenization",
            "every printed digit of a recorded output, made with -c",
            {**_MTEVAL, "tokenizer": "intl", "case": "lower"},
        ),
        Dialect(
            "sacrebleu@1.5",
            "sacreBLEU's corpus score up to 1.5, which smoothed even where nothing matches",
            "sacreBLEU 1.4.14 and 1.5.1, corpus_bleu",
            _RECORDED,
            {**_SACREBLEU, "nothing_matches": "smoothed"},
            ("1.4", "1.5"),
        ),
        Dialect(
            "sacrebleu-sentence@1.5",
            "sacreBLEU's sentence score in 1.5, which smoothed even where nothing matches",
            "sacreBLEU 1.5.1, sentence_bleu",
            _RECORDED,
            {**_SACREBLEU, "absent_order": "drop", "nothing_matches": "smoothed"},
            ("1.5",),
        ),
        Dialect(
            "sacrebleu-sentence@1.4",
            "sacreBLEU's sentence score in 1.4, which did not smooth: its floor was 0",
            "sacreBLEU 1.4.14, sentence_bleu",
            _RECORDED,
            {"tokenizer": "13a", "absent_order": "drop"},
            ("1.4",),
        ),
        Dialect(
            "nltk-method2@3.5",
            "NLTK with method2 up to 3.5: one added to matches and totals of unigrams, too",
            "NLTK 3.5, SmoothingFunction().method2",
            _RECORDED,
            {**_NLTK, "smoothing": "add-k-all(1)"},
            ("3.4", "3.5"),
        ),
        Dialect(
            "fairseq",
            "fairseq's own scorer: the paper's BLEU, but an empty text counts as one word",
            "fairseq 0.12.2, fairseq-score and the scorer bleu",
            _RECORDED,
            {"tokenizer": "fairseq"},
        ),
        Dialect(
            "fairseq-sentence",
            "fairseq's scorer for single sentences: one added to matches and totals from order 2",
            "fairseq 0.12.2, Scorer.reset(one_init=True), which fairseq-score --sentence-bleu is for",
            _RECORDED,
            {"tokenizer": "fairseq", "smoothing": "add-k(1)"},
        ),
        Dialect(
            "pycocoevalcap",
            "image captioning's BLEU, the scorer alone: constants of 1e-15 and 1e-9 in place of smoothing",
            "pycocoevalcap 1.2, Bleu().compute_score on texts that its tokenizer has split",
            f"{_RECORDED}, and the package itself",
            {"smoothing": "coco", "nothing_matches": "smoothed-empty", "brevity": "coco"},
        ),
        Dialect(
            "codexglue-code",
            "CodeXGLUE's BLEU of code: shortest reference, one added at every order",
            "CodeXGLUE (commit ac74a62), code refinement and translation, bleu.py",
            _RECORDED,
            {"reference_length": "shortest", "smoothing": "add-k-all(1)", "nothing_matches": "smoothed"},
        ),
        Dialect(
            "codexglue-comments",
            "CodeXGLUE's BLEU of comments on code, lowered; of a corpus it prints the mean; one segment only",
            "CodeXGLUE (commit ac74a62), code to text, evaluator.py",
            _RECORDED,
            {
                "tokenizer": "codexglue",
                "case": "lower",
                "reference_length": "shortest",
                "smoothing": "add-k(1)",
                "absent_order": "one",
                "unmatched_order": "smallest-float-over-total",
                "nothing_matches": "smoothed-empty",
                "brevity": "plus-1",
            },
        ),
    ).items()
}
