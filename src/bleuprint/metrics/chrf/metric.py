"""chrF, as the rest of the house knows it. What only some need is loaded when they ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import le
from typing import TYPE_CHECKING, Any, ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.counting.sums import Sums
from bleuprint.metrics.chrf.axes import AXES
from bleuprint.metrics.chrf.dialects import DEFAULT_CHRF, DIALECTS
from bleuprint.metrics.chrf.formula import combine
from bleuprint.metrics.chrf.recipe import ChrfRecipe
from bleuprint.metrics.chrf.scores import ChrfScore
from bleuprint.metrics.chrf.stats import ChrfCensus, ChrfStats, chrf_layout, find_counting
from bleuprint.metrics.metric import Metric
from bleuprint.metrics.part import Part
from bleuprint.recipes.axis import TRIED_CASES, Axis, TriedChoices
from bleuprint.recipes.dialect import Dialect
from bleuprint.recipes.recipe import Recipe
from bleuprint.wording import count_of

if TYPE_CHECKING:
    from bleuprint.counting.ngrams import Ngram
    from bleuprint.metrics.chrf.arithmetic import ChrfArithmetic
    from bleuprint.metrics.chrf.changes import Change
    from bleuprint.metrics.chrf.counts import ChrfText
    from bleuprint.metrics.chrf.evidence import ChrfEvidence
    from bleuprint.metrics.marks import Marker
    from bleuprint.metrics.metric import Tracer
    from bleuprint.text.segments import Segment, Text
    from bleuprint.text.tokenizers.spans import Span


class Chrf(Metric):
    """F-score of character n-grams, and of word n-grams in chrF++ (Popović 2015, 2017)."""

    key = "chrf"
    name = "chrF"
    empty_reference = "without n-grams, in which nothing matches"
    recipe: type[Recipe] = ChrfRecipe
    score_segment: Callable[..., ChrfScore] = ChrfScore.of_segment
    score_sums: Callable[..., ChrfScore] = ChrfScore.of_sums
    axes: Mapping[str, Axis] = AXES
    dialects: Mapping[str, Dialect] = DIALECTS
    default = DEFAULT_CHRF
    pipeline: ClassVar[tuple[str, ...]] = (
        "case", "whitespace", "char_order", "word_order", "candidate_totals", "unmatched_segment", "beta", "averaging",
    )  # fmt: skip

    parts_title = "F by order, and length"
    parts_remark = "The bar of a ratio is half full where candidate and reference are equally long."
    suspicious: ClassVar[float] = 20.0
    length_unit = "characters"
    length_steps: ClassVar[tuple[int, ...]] = (1, 50, 100, 150, 200, 300)
    lower_orders = "lower orders"
    expressible = "β = 2, its ways to treat white space and to average"
    tried: ClassVar[Mapping[str, TriedChoices]] = {
        "char_order": ("characters up to", {"1": "1", "3": "3", "6": "6"}),
        "word_order": ("words up to", {"0": "0", "1": "1", "2": "2"}),
        "beta": ("β", {"1": "1", "2": "2", "3": "3"}),
        "case": TRIED_CASES,
    }
    most_tried = 10_000

    def describe_orders(self, recipe: ChrfRecipe) -> str:
        """Say up to which orders n-grams of characters and of words are counted."""
        words = f" and {count_of(recipe.word_order, 'word')}" if recipe.word_order else ""
        return f"n-grams of up to {count_of(recipe.char_order, 'character')}{words}"

    def label(self, recipe: ChrfRecipe) -> str:
        """``chrF2`` for β = 2, ``chrF2++`` with words up to order 2, as sacreBLEU names it."""
        return f"chrF{recipe.choice('beta')}{'+' * recipe.word_order}"

    def is_foreign_signature(self, line: str) -> bool:
        """Whether sacreBLEU printed a line for chrF."""
        from bleuprint.metrics.chrf.sacrebleu_signature import is_line

        return is_line(line)

    def read_foreign_signature(self, line: str) -> Recipe:
        """Read a signature of sacreBLEU's."""
        from bleuprint.metrics.chrf.sacrebleu_signature import read_choices

        return Recipe.named(DEFAULT_CHRF).with_choices(read_choices(line))

    def print_foreign_signature(self, choices: Mapping[str, str], nrefs: int | str) -> str:
        """Print choices as sacreBLEU does."""
        from bleuprint.metrics.chrf.sacrebleu_signature import print_choices

        return print_choices(choices, nrefs)

    def for_single_segments(self, recipe: ChrfRecipe) -> ChrfRecipe:
        """Take the recipe as it is: short segments are not all 0."""
        return recipe

    def split(self, text: Text, layout: Layout[Any]) -> ChrfText:
        """Split a text into characters and words."""
        from bleuprint.metrics.chrf.counts import split_text

        return split_text(_as_string(text), find_counting(layout))

    def count(
        self, candidate: ChrfText, references: Sequence[ChrfText], layouts: Sequence[Layout[Any]]
    ) -> list[ChrfStats]:
        """Count matches and n-grams against the best reference."""
        from bleuprint.metrics.chrf.counts import count_texts

        return count_texts(candidate, references, layouts)

    def count_plain(self, candidate: ChrfText, references: Sequence[ChrfText], layout: Layout[Any]) -> tuple[int, ...]:
        """Count n-grams that occur in the best reference at all, per order."""
        from bleuprint.metrics.chrf.counts import plain_matches

        return plain_matches(candidate, references, find_counting(layout))

    def split_words(self, text: Text, recipe: ChrfRecipe) -> Sequence[str]:
        """Split a text into words."""
        from bleuprint.metrics.chrf.counts import split_text

        return split_text(_as_string(text), recipe.counting).words

    def shown_tokens(self, split: ChrfText) -> Sequence[str]:
        """Give the characters."""
        return split.characters

    def locate(self, text: Text, tokens: Sequence[str], recipe: ChrfRecipe) -> list[Span | None]:
        """Find the span of every character."""
        from bleuprint.text.tokenizers.spans import locate_tokens

        return locate_tokens(text, tuple(tokens), "char", recipe.case)

    def make_marker(self, references: Sequence[ChrfText], recipe: ChrfRecipe, trace: Tracer) -> Marker:
        """Mark characters by the longest matched n-gram over them."""
        from bleuprint.metrics.chrf.marker import ChrfMarker

        return ChrfMarker(references, recipe.counting)

    def part_columns(self, layout: Layout[Any]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Name matches, and n-grams of candidate and reference, of each order."""
        names = [name.removeprefix("matches_") for name in layout.columns if name.startswith("matches_")]
        return tuple((name, (f"matches_{name}", f"candidate_{name}", f"reference_{name}")) for name in names)

    def length_layout(self, recipe: ChrfRecipe) -> Layout[ChrfStats]:
        """Lay out rows of single characters."""
        return chrf_layout(recipe.counting._replace(char_order=1, word_order=0))

    def read_census(self, numbers: Sequence[int]) -> ChrfCensus:
        """Give the numbers of a census their names."""
        return ChrfCensus(*numbers)

    def counted_as_far(self, recipe: ChrfRecipe, others: Sequence[ChrfRecipe]) -> ChrfRecipe:
        """Take the recipe as it is: its orders are part of how it counts."""
        return recipe

    def may_be(self, sums: Sums[ChrfStats]) -> bool:
        """Whether some text could have these numbers."""
        stats, census = sums.stats, ChrfCensus(*sums.census)
        counts = zip(stats.matches, stats.candidate, stats.reference, strict=True)
        return (
            all(matches <= min(candidate, reference) for matches, candidate, reference in counts)
            and max(stats.candidate) <= stats.candidate_length
            and max(stats.reference) <= stats.reference_length
            and max(census[1:]) <= census.segments
            and (census.segments > 0 or not any(stats.to_row()))
        )

    def may_be_segments(self, columns: Mapping[str, Sequence[int]], most: int) -> bool:
        """Whether no more match than there are, and no n-grams are more than the characters."""
        sides = ("candidate", "reference")
        return max(map(max, columns.values())) <= most and all(
            all(map(le, columns[f"matches_{order}"], columns[f"{side}_{order}"]))
            and all(map(le, columns[f"{side}_{order}"], columns[f"{side}_length"]))
            for order in (name.removeprefix("matches_") for name in columns if name.startswith("matches_"))
            for side in sides
        )

    def segment_parts(self, stats: ChrfStats, layout: Layout[Any]) -> tuple[Part, ...]:
        """Give matches, and n-grams of candidate and reference, for each order, and both lengths."""
        names = [name.removeprefix("matches_") for name in layout.columns if name.startswith("matches_")]
        counts = zip(names, stats.matches, stats.candidate, stats.reference, strict=True)
        return (
            *(Part(name, f"{matches}/{candidate}/{reference}") for name, matches, candidate, reference in counts),
            Part("candidate", str(stats.candidate_length)),
            Part("reference", str(stats.reference_length)),
        )

    def score_row(self, row: Sequence[int], recipe: ChrfRecipe) -> float:
        """Combine one row."""
        return combine(ChrfStats.from_row(row), recipe.counting).score

    def stops_because(self, stats: ChrfStats, recipe: ChrfRecipe) -> str:
        """Say nothing: each of the tools has a number for any segment."""
        return ""

    def match(
        self, candidates: Sequence[Text], references: Sequence[Text], recipe: ChrfRecipe, trace: Tracer
    ) -> list[Counter[Ngram]]:
        """Count the n-grams of each candidate that match."""
        from bleuprint.metrics.chrf.counts import matched_ngrams, split_text

        own, others = (
            [split_text(_as_string(text), recipe.counting) for text in texts] for texts in (candidates, references)
        )
        return [matched_ngrams(text, others, recipe.counting) for text in own]

    def gather(self, segment: Segment, score: ChrfScore, trace: Tracer) -> ChrfEvidence:
        """Lay out texts, characters and n-grams."""
        from bleuprint.metrics.chrf.evidence import gather

        return gather(segment, score.recipe.counting)

    def work_out(self, score: ChrfScore) -> ChrfArithmetic:
        """Lay out precision, recall and F of every order, and how they combine."""
        from bleuprint.metrics.chrf.arithmetic import work_out

        return work_out(score)

    def describe_arithmetic(self, arithmetic: ChrfArithmetic, plain: tuple[int, ...] | None) -> dict[str, object]:
        """Give the arithmetic as plain data."""
        from bleuprint.metrics.chrf.as_data import describe_arithmetic

        return describe_arithmetic(arithmetic, plain)

    def describe_evidence(self, evidence: ChrfEvidence) -> dict[str, object]:
        """Give the evidence as plain data."""
        from bleuprint.metrics.chrf.as_data import describe_evidence

        return describe_evidence(evidence)

    def describe_stats(self, stats: ChrfStats) -> dict[str, object]:
        """Give the counts of a segment as plain data."""
        from bleuprint.metrics.chrf.as_data import describe_stats

        return describe_stats(stats)

    def tell_change(self, change: Change) -> str:
        """Say what another choice did."""
        from bleuprint.metrics.chrf.changes import tell_change

        return tell_change(change)

    def tell_cause(self, change: Change, place: int, trace: Tracer) -> tuple[tuple[str, ...], tuple[str, ...], str]:
        """Say which n-grams one segment gained and lost."""
        from bleuprint.metrics.chrf.changes import tell_cause

        return tell_cause(change, place)

    def readings(self, several_references: bool) -> Iterable[tuple[int, ChrfRecipe]]:
        """Give the recipes of the dialects, then all that are made of their parts."""
        from bleuprint.metrics.chrf.readings import list_readings

        return list_readings()

    def family(self, recipe: ChrfRecipe) -> str:
        """``chrF++`` with words up to order 2."""
        return f"{self.name}{'+' * recipe.word_order}"

    def is_common(self, recipe: ChrfRecipe) -> bool:
        """Whether the recipe is of a dialect."""
        return bool(recipe.names)

    def search_layout(self, recipe: ChrfRecipe, single_reference: bool) -> tuple[str, Layout[ChrfStats]]:
        """Lay out the recipe's own orders, of texts that are lowered before."""
        from bleuprint.metrics.chrf.readings import search_layout

        return search_layout(recipe, single_reference)


def _as_string(text: Text) -> str:
    """Take a text, which was checked to be one; not ``str(text)``, which a subclass may answer with something else."""
    assert isinstance(text, str)
    return text


CHRF = Chrf()
