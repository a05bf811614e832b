"""BLEU, as the rest of the house knows it. What only some need is loaded when they ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import le
from typing import TYPE_CHECKING, Any, ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.counting.sums import Sums
from bleuprint.metrics.bleu.axes import AXES
from bleuprint.metrics.bleu.dialects import DIALECTS
from bleuprint.metrics.bleu.formula import combine, reason_to_stop
from bleuprint.metrics.bleu.recipe import BleuRecipe
from bleuprint.metrics.bleu.scores import BleuScore
from bleuprint.metrics.bleu.stats import BleuStats, Census, bleu_layout, find_counting
from bleuprint.metrics.metric import Metric
from bleuprint.metrics.part import Part
from bleuprint.recipes.axis import TRIED_CASES, Axis, TriedChoices
from bleuprint.recipes.dialect import DEFAULT, Dialect
from bleuprint.recipes.recipe import Recipe

if TYPE_CHECKING:
    from bleuprint.counting.ngrams import Ngram
    from bleuprint.metrics.bleu.arithmetic import Arithmetic
    from bleuprint.metrics.bleu.changes import Change
    from bleuprint.metrics.bleu.evidence import SegmentEvidence
    from bleuprint.metrics.marks import Marker
    from bleuprint.metrics.metric import Tracer
    from bleuprint.text.segments import Segment, Text
    from bleuprint.text.tokenizers import Tokens
    from bleuprint.text.tokenizers.spans import Span


USUAL_ORDER = 4
SPLIT_AT_SPACES = ("whitespace", "13a", "intl", "codexglue", "fairseq", "treebank", "nltk-word-tokenize", "ptb")
"""The tokenizers that leave Chinese, Japanese or Thai in one piece."""


class Bleu(Metric):
    """Clipped n-gram precisions, their weighted geometric mean, and a penalty for brevity (Papineni et al. 2002)."""

    key = "bleu"
    name = "BLEU"
    empty_reference = "of length 0, which the brevity penalty may go by"
    recipe: type[Recipe] = BleuRecipe
    axes: Mapping[str, Axis] = AXES
    dialects: Mapping[str, Dialect] = DIALECTS
    default = DEFAULT
    score_segment: Callable[..., BleuScore] = BleuScore.of_segment
    score_sums: Callable[..., BleuScore] = BleuScore.of_sums
    pipeline: ClassVar[tuple[str, ...]] = (
        "case", "tokenizer", "reference_length", "segment_totals",
        "weights", "smoothing", "absent_order", "unmatched_order", "nothing_matches", "brevity", "across_orders",
    )  # fmt: skip

    parts_title = "Precision by order, and length"
    parts_remark = "The bar of a ratio is half full where candidate and reference are equally long."
    most_reported: ClassVar[float] = 134.0  # NLTK's methods 5 and 7 go beyond 100, but not beyond 4/3 of it
    suspicious: ClassVar[float] = 3.0
    length_unit = "tokens"
    zero_because = "an order has no match"
    single_segments = "A segment alone is scored by effective order: with the orders that it has n-grams for."
    expressible = "N = 4, its smoothings with two decimals, its tokenizers"
    tried: ClassVar[Mapping[str, TriedChoices]] = {
        "order": ("N", {str(order): str(order) for order in range(1, 5)}),
        "smoothing": ("ε", {"none": "none", "epsilon(0.1)": "0.1"}),
        "case": TRIED_CASES,
    }
    most_tried = 100_000

    def label(self, recipe: BleuRecipe) -> str:
        """``BLEU-4`` for N = 4, ``mean BLEU-1–4`` for the mean up to there."""
        return f"mean BLEU-1–{recipe.order}" if recipe.across_orders == "mean" else f"BLEU-{recipe.order}"

    def title(self, recipe: BleuRecipe) -> str:
        """``BLEU`` for the usual N = 4."""
        return self.name if recipe.order == 4 and recipe.across_orders == "together" else self.label(recipe)

    def describe_choice(self, recipe: BleuRecipe, field: str) -> str:
        """Name an axis and the choice on it; equal weights by their number."""
        if field == "weights" and recipe.choice(field) == "uniform":
            return f"N {recipe.order}"
        return super().describe_choice(recipe, field)

    def read_foreign_signature(self, line: str) -> Recipe:
        """Read a signature of sacreBLEU's."""
        from bleuprint.metrics.bleu.sacrebleu_signature import read_choices

        return Recipe.named("sacrebleu").with_choices(read_choices(line))

    def print_foreign_signature(self, choices: Mapping[str, str], nrefs: int | str) -> str:
        """Print choices as sacreBLEU does."""
        from bleuprint.metrics.bleu.sacrebleu_signature import print_choices

        return print_choices(choices, nrefs)

    def for_single_segments(self, recipe: BleuRecipe) -> BleuRecipe:
        """Leave out orders that a segment is too short for (effective order)."""
        return _drop_absent(recipe)

    def counts_empty_texts(self, recipe: BleuRecipe) -> bool:
        """Whether an empty text is a token: fairseq's mark of the end of a line."""
        return recipe.tokenizer == "fairseq"

    def read_ahead(self, texts: Iterable[Text], layout: Layout[Any]) -> None:
        """Tell the tokenizer which texts will come."""
        from bleuprint.text.tokenizers import read_ahead

        counting = find_counting(layout)
        read_ahead(texts, counting.tokenizer, counting.case)

    def split(self, text: Text, layout: Layout[Any]) -> Tokens:
        """Split a text into tokens."""
        from bleuprint.text.tokenizers import tokenize

        counting = find_counting(layout)
        return tokenize(text, counting.tokenizer, counting.case)

    def count(self, candidate: Tokens, references: Sequence[Tokens], layouts: Sequence[Layout[Any]]) -> list[BleuStats]:
        """Count clipped matches, totals and lengths."""
        from bleuprint.metrics.bleu.counts import count_tokens

        return count_tokens(candidate, references, layouts)

    def count_plain(self, candidate: Tokens, references: Sequence[Tokens], layout: Layout[Any]) -> tuple[int, ...]:
        """Count n-grams that occur in a reference at all, per order."""
        from bleuprint.metrics.bleu.counts import plain_matches

        return plain_matches(candidate, references, layout.order)

    def split_words(self, text: Text, recipe: BleuRecipe) -> Tokens:
        """Split a text into tokens."""
        from bleuprint.text.tokenizers import tokenize

        return tokenize(text, recipe.tokenizer, recipe.case)

    def locate(self, text: Text, tokens: Tokens, recipe: BleuRecipe) -> list[Span | None]:
        """Find the span of every token."""
        from bleuprint.text.tokenizers.spans import locate_tokens

        return locate_tokens(text, tokens, recipe.tokenizer, recipe.case)

    def make_marker(self, references: Sequence[Tokens], recipe: BleuRecipe, trace: Tracer) -> Marker:
        """Mark tokens by the longest matched n-gram over them."""
        from bleuprint.metrics.marks import Matcher

        return Matcher(references, recipe.order)

    def part_columns(self, layout: Layout[Any]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Name matches and totals of each order."""
        return tuple((f"{n}-grams", (f"matches_{n}", f"totals_{n}")) for n in range(1, layout.order + 1))

    def length_layout(self, recipe: BleuRecipe) -> Layout[BleuStats]:
        """Lay out rows of order 1."""
        return bleu_layout(1, recipe.counting)

    def read_census(self, numbers: Sequence[int]) -> Census:
        """Give the numbers of a census their names."""
        return Census.from_numbers(numbers)

    def counted_as_far(self, recipe: BleuRecipe, others: Sequence[BleuRecipe]) -> BleuRecipe:
        """Count up to the highest order that any of the recipes needs."""
        return recipe.replace(order=max(other.layout.order for other in (recipe, *others)))

    def may_be(self, sums: Sums[BleuStats]) -> bool:
        """Whether some text could have these numbers; a rule may count one n-gram for a segment that has none."""
        stats, census = sums.stats, Census.from_numbers(sums.census)
        most = stats.candidate_length + census.segments
        matched = zip(stats.matches, stats.totals, strict=True)
        return (
            all(matches <= min(total, stats.candidate_length) and total <= most for matches, total in matched)
            and max(*census.short, census.empty_candidates, census.empty_references) <= census.segments
            and (census.segments > 0 or not any(stats.to_row()))
        )

    def may_be_segments(self, columns: Mapping[str, Sequence[int]], most: int) -> bool:
        """Whether totals follow from the length, and no more match than there are."""
        if max(map(max, columns.values())) > most:
            return False
        lengths, orders = columns["candidate_length"], sum(name.startswith("matches_") for name in columns)
        for order in range(1, orders + 1):
            totals = columns[f"totals_{order}"]
            shorter = order - 1
            expected = [length - shorter if length > shorter else 0 for length in lengths]
            usual = list(totals) == expected or all(map(_is_total, totals, expected))
            if not usual or not all(map(le, columns[f"matches_{order}"], totals)):
                return False
        return True

    def score_row(self, row: Sequence[int], recipe: BleuRecipe) -> float:
        """Combine one row."""
        return combine(BleuStats.from_row(row), recipe).score

    def stops_because(self, stats: BleuStats, recipe: BleuRecipe) -> str:
        """Say why NLTK, whose recipe this is, stops with an error; empty if it does not."""
        return reason_to_stop(stats, recipe)

    def segment_parts(self, stats: BleuStats, layout: Layout[Any]) -> tuple[Part, ...]:
        """Give matches of totals for each order, and both lengths."""
        counted = zip(stats.matches, stats.totals, strict=True)
        return (
            *(Part(f"{n}-grams", f"{matches}/{total}") for n, (matches, total) in enumerate(counted, 1)),
            Part("candidate", str(stats.candidate_length)),
            Part("reference", str(stats.reference_length)),
        )

    def match(
        self, candidates: Sequence[Text], references: Sequence[Text], recipe: BleuRecipe, trace: Tracer
    ) -> list[Counter[Ngram]]:
        """Count the n-grams of each candidate that match."""
        from bleuprint.metrics.bleu.counts import matched_ngrams

        own, others = ([self.split(text, recipe.layout) for text in texts] for texts in (candidates, references))
        return matched_ngrams(own, others, recipe.order)

    def is_suspicious(self, score: BleuScore) -> bool:
        """Whether a corpus hardly ever scores this low; every further order lowers scores that are fine."""
        return score.recipe.order <= USUAL_ORDER and super().is_suspicious(score)

    def wants_plain_text(self, recipe: BleuRecipe) -> bool:
        """Whether the tokenizer is one of mteval's."""
        return recipe.tokenizer in ("13a", "intl")

    def advise_unspaced(self, recipe: BleuRecipe) -> str:
        """Name tokenizers that split Chinese, and any script, where that of the recipe goes by spaces."""
        if str(recipe.tokenizer).partition("(")[0] not in SPLIT_AT_SPACES:
            return ""
        return f"which tokenizer {recipe.tokenizer} does not split: use zh for Chinese, char for any"

    def gather(self, segment: Segment, score: BleuScore, trace: Tracer) -> SegmentEvidence:
        """Lay out texts, tokens and n-grams."""
        from bleuprint.metrics.bleu.evidence import gather

        return gather(segment, score.recipe.counting, score.stats.order)

    def work_out(self, score: BleuScore) -> Arithmetic:
        """Lay out precisions, brevity, mean, and what each took."""
        from bleuprint.metrics.bleu.arithmetic import work_out

        return work_out(score)

    def describe_arithmetic(self, arithmetic: Arithmetic, plain: tuple[int, ...] | None) -> dict[str, object]:
        """Give the arithmetic as plain data."""
        from bleuprint.metrics.bleu.as_data import describe_arithmetic

        return describe_arithmetic(arithmetic, plain)

    def describe_evidence(self, evidence: SegmentEvidence) -> dict[str, object]:
        """Give the evidence as plain data."""
        from bleuprint.metrics.bleu.as_data import describe_evidence

        return describe_evidence(evidence)

    def describe_stats(self, stats: BleuStats) -> dict[str, object]:
        """Give the counts of a segment as plain data."""
        from bleuprint.metrics.bleu.as_data import describe_stats

        return describe_stats(stats)

    def tell_change(self, change: Change) -> str:
        """Say what another choice did."""
        from bleuprint.metrics.bleu.changes import tell_change

        return tell_change(change)

    def tell_cause(self, change: Change, place: int, trace: Tracer) -> tuple[tuple[str, ...], tuple[str, ...], str]:
        """Say which n-grams one segment gained and lost."""
        from bleuprint.metrics.bleu.changes import tell_cause

        return tell_cause(change, place)

    def readings(self, several_references: bool) -> Iterable[tuple[int, BleuRecipe]]:
        """Give the recipes of the dialects, then all that are made of their parts."""
        from bleuprint.metrics.bleu.readings import list_readings

        return list_readings(several_references)

    def is_common(self, recipe: BleuRecipe) -> bool:
        """Whether N is 4, and nothing is a rule of one tool alone."""
        return recipe.order == 4 and (recipe.brevity, recipe.across_orders) == ("exact", "together")

    def search_layout(self, recipe: BleuRecipe, single_reference: bool) -> tuple[str, Layout[BleuStats]]:
        """Lay out counts up to order 4 or higher, of texts that are lowered before."""
        from bleuprint.metrics.bleu.readings import search_layout

        return search_layout(recipe, single_reference)


def _is_total(total: int, expected: int) -> bool:
    """Whether a segment can have so many n-grams: some tools count one where there is none."""
    return total in (expected, max(1, expected))


@lru_cache(maxsize=64)
def _drop_absent(recipe: BleuRecipe) -> BleuRecipe:
    return recipe.replace(absent_order="drop")


BLEU = Bleu()
