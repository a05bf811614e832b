"""Plans: the class of the kernel that counts and scores by a recipe, its options, and how Python prepares texts.

The kernel has one class for each metric, with equal methods. It splits texts itself if it has the tokenizer. Otherwise
Python splits, and the kernel counts the tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from bleuprint.counting.layout import Layout
from bleuprint.native_kernel import find_kernel
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segments, Text
from bleuprint.text.tokenizers import Tokens, apply_case, read_ahead, tokenize
from bleuprint.text.tokenizers.registry import PRETOKENIZED

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.counting import Counting
    from bleuprint.metrics.chrf.counting import ChrfCounting
    from bleuprint.metrics.ter.counting import TerCounting

INSIDE = frozenset({"whitespace", "13a", "intl", "zh", "zh-corrected", "char"})
"""The tokenizers that run inside the kernel."""
Columns = tuple[list[Any], list[tuple[Any, ...]]]
"""Candidates and the references of each."""


class BeyondKernelError(Exception):
    """The kernel cannot do it: it does not know the metric, the formula or the operation."""


class Plan(NamedTuple):
    """An object of the kernel, and how Python prepares texts for it."""

    kernel: Any
    case: str = "mixed"
    """how ``kernel.count`` changes the case of texts; ``write`` does the same"""
    write: Callable[[Any], str] | None = None
    write_reference: Callable[[Any], str] | None = None
    split: Callable[[Segments], Columns] | None = None
    """splits in Python, if the kernel does not have the tokenizer"""
    thresholds: tuple[tuple[int, int], ...] = ()
    """the thresholds of the layout as the kernel reads them: a column and a number"""

    @property
    def takes_texts(self) -> bool:
        """Whether the kernel reads texts as they are."""
        return not self.split and not self.write

    def find(self, method: str) -> Callable[..., Any]:
        """Return a method of the kernel's object; not every metric has all of them."""
        found = getattr(self.kernel, method, None)
        if found is None:
            raise BeyondKernelError
        return cast("Callable[..., Any]", found)

    def write_texts(self, segments: Segments) -> Columns:
        """Return texts that the kernel can split. Tokens from elsewhere become numbers with spaces between them."""
        if self.split:
            return write_as_numbers(*self.split(segments))
        candidates, references = segments.candidates, segments.references
        if self.write:
            candidates = list(map(self.write, candidates))
            references = [tuple(map(self.write_reference or self.write, texts)) for texts in references]
        return candidates, references


@lru_cache(maxsize=256)
def plan_counting(layout: Layout[Any]) -> Plan:
    """Return how the kernel fills rows of a layout."""
    if layout.counting is None or layout.metric not in _PLANS:
        raise BeyondKernelError
    plan = _PLANS[layout.metric](layout.counting, layout.order, None)
    return plan._replace(thresholds=tuple((column, below) for _, column, below in layout.thresholds))


@lru_cache(maxsize=256)
def plan_scoring(recipe: Recipe) -> Plan:
    """Return how the kernel scores rows by a recipe."""
    if recipe.metric_key not in _PLANS:
        raise BeyondKernelError
    return _PLANS[recipe.metric_key](recipe.counting, recipe.layout.order, recipe)


def _plan_bleu(counting: Counting, order: int, recipe: Any) -> Plan:
    inside = counting.tokenizer in INSIDE
    names = [str(counting.tokenizer) if inside else "whitespace", counting.reference_length, counting.segment_totals]
    numbers = [float(order)]
    if recipe:
        if not _knows_formula(recipe):
            raise BeyondKernelError
        names += [recipe.smoothing.kind, recipe.absent_order, recipe.unmatched_order, recipe.nothing_matches]
        numbers += [recipe.smoothing.value or 0.0, *recipe.weights]
    kernel = _make("BleuKernel", names, numbers)
    if inside:
        return Plan(kernel, counting.case, _choose_lowering(counting.case))
    return Plan(kernel, split=partial(_split, counting=counting))


def _knows_formula(recipe: Any) -> bool:
    """Whether the kernel has the formula of a BLEU recipe. It lacks what only a few tools use."""
    return (
        not recipe.is_for_one_segment
        and recipe.smoothing.kind != "coco"
        and recipe.unmatched_order != "smallest-float-over-total"
        and recipe.nothing_matches != "smoothed-empty"
        and (recipe.brevity, recipe.across_orders) == ("exact", "together")
    )


def _plan_chrf(counting: ChrfCounting, order: int, recipe: Any) -> Plan:
    kernel = _make(
        "ChrfKernel",
        [counting.whitespace, counting.candidate_totals, counting.unmatched_segment, counting.averaging],
        [counting.char_order, counting.word_order, counting.beta],
    )
    return Plan(kernel, counting.case, _choose_lowering(counting.case))


def _plan_ter(counting: TerCounting, order: int, recipe: Any) -> Plan:
    kernel = _make("TerKernel", [counting.shifted, counting.empty_candidate], [counting.longest_shift])
    if counting.normalized == "no" and counting.punctuation == "keep":
        return Plan(kernel, counting.case, _choose_lowering(counting.case))
    from bleuprint.metrics.ter.counting import normalise, normalise_reference

    write, write_reference = (partial(rewrite, counting=counting) for rewrite in (normalise, normalise_reference))
    return Plan(kernel, "mixed", write, write_reference)


_PLANS: dict[str, Callable[[Any, int, Any], Plan]] = {"bleu": _plan_bleu, "chrf": _plan_chrf, "ter": _plan_ter}


def _make(name: str, names: Sequence[str], numbers: Sequence[float]) -> Any:
    return getattr(find_kernel(), name)(names, numbers)


def _choose_lowering(case: str) -> Callable[[Any], str] | None:
    if case == "mixed":
        return None
    return str.lower if case == "lower" else partial(apply_case, case=case)


def _split(segments: Segments, counting: Counting) -> Columns:
    if counting.tokenizer == PRETOKENIZED and counting.case == "mixed":
        return segments.candidates, segments.references
    read_ahead(segments.texts(), counting.tokenizer, counting.case)

    def split(text: Text) -> Tokens:
        return tuple(tokenize(text, counting.tokenizer, counting.case))

    return list(map(split, segments.candidates)), [tuple(map(split, texts)) for texts in segments.references]


def write_as_numbers(candidates: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> Columns:
    """Write tokens, which Python compares, as numbers with spaces between them."""
    numbers: dict[object, str] = {}

    def write(tokens: Tokens) -> str:
        return " ".join([numbers.setdefault(token, str(len(numbers))) for token in tokens])

    return list(map(write, candidates)), [tuple(map(write, texts)) for texts in references]
