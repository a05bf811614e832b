"""TER, as the rest of the house knows it. What only some need is loaded when they ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import add, le
from typing import TYPE_CHECKING, Any, ClassVar

from bleuprint.counting.layout import Layout
from bleuprint.counting.sums import Sums
from bleuprint.metrics.metric import Better, Metric
from bleuprint.metrics.part import Part
from bleuprint.metrics.ter.axes import AXES
from bleuprint.metrics.ter.dialects import DIALECTS, TER_DEFAULT
from bleuprint.metrics.ter.formula import combine
from bleuprint.metrics.ter.recipe import TerRecipe
from bleuprint.metrics.ter.scores import TerScore, list_parts
from bleuprint.metrics.ter.stats import MOST_AVERAGED, PARTS, TerCensus, TerStats, find_counting, ter_layout
from bleuprint.recipes.axis import TRIED_CASES, Axis, TriedChoices
from bleuprint.recipes.dialect import Dialect
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segment

if TYPE_CHECKING:
    from bleuprint.metrics.marks import Marker
    from bleuprint.metrics.metric import Tracer
    from bleuprint.metrics.note import Note
    from bleuprint.metrics.ter.arithmetic import TerArithmetic
    from bleuprint.metrics.ter.changes import Change
    from bleuprint.metrics.ter.counts import Words
    from bleuprint.metrics.ter.evidence import TerEvidence
    from bleuprint.metrics.ter.shifts import ShiftSearch
    from bleuprint.text.segments import Text
    from bleuprint.text.tokenizers.spans import Span


class Ter(Metric):
    """Translation edit rate: edits, moves of words among them, over the reference's length (Snover et al. 2006)."""

    key = "ter"
    name = "TER"
    better = Better.LOWER
    has_ngrams = False
    recipe: type[Recipe] = TerRecipe
    score_segment: Callable[..., TerScore] = TerScore.of_segment
    score_sums: Callable[..., TerScore] = TerScore.of_sums
    axes: Mapping[str, Axis] = AXES
    dialects: Mapping[str, Dialect] = DIALECTS
    default = TER_DEFAULT
    empty_reference = "of length 0, which is averaged with that of the others"
    most_references: ClassVar[int | None] = MOST_AVERAGED
    pipeline: ClassVar[tuple[str, ...]] = tuple(AXES)

    parts_title = "Edits per word of the reference, and length"
    most_reported: ClassVar[float] = 1_000.0  # ten words of a candidate for each of its reference
    suspicious: ClassVar[float] = 110.0
    length_unit = "words"
    matched_units = "words"
    expressible = "its own way of moving words, case kept or lowered"
    tried: ClassVar[Mapping[str, TriedChoices]] = {
        "case": TRIED_CASES,
        "punctuation": ("punctuation", {"keep": "kept", "remove": "removed"}),
        "normalized": ("normalised", {"no": "no", "yes": "yes"}),
    }
    most_tried = 1_000

    def label(self, recipe: TerRecipe) -> str:
        """``TER``."""
        return self.name

    def is_foreign_signature(self, line: str) -> bool:
        """Whether sacreBLEU printed a line for TER."""
        from bleuprint.metrics.ter.sacrebleu_signature import is_line

        return is_line(line)

    def read_foreign_signature(self, line: str) -> Recipe:
        """Read a signature of sacreBLEU's."""
        from bleuprint.metrics.ter.sacrebleu_signature import read_choices

        return Recipe.named(TER_DEFAULT).with_choices(read_choices(line))

    def print_foreign_signature(self, choices: Mapping[str, str], nrefs: int | str) -> str:
        """Print choices as sacreBLEU does."""
        from bleuprint.metrics.ter.sacrebleu_signature import print_choices

        return print_choices(choices, nrefs)

    def for_single_segments(self, recipe: TerRecipe) -> TerRecipe:
        """Give the recipe itself: a short segment has its TER as a long one does."""
        return recipe

    def split(self, text: Text, layout: Layout[Any]) -> Words:
        """Split a text into words."""
        from bleuprint.metrics.ter.counts import split_text

        return split_text(text, find_counting(layout))

    def split_reference(self, text: Text, layout: Layout[Any]) -> Words:
        """Split a reference, which may be prepared twice."""
        from bleuprint.metrics.ter.counts import split_reference

        return split_reference(text, find_counting(layout))

    def count(self, candidate: Words, references: Sequence[Words], layouts: Sequence[Layout[Any]]) -> list[TerStats]:
        """Count edits and lengths."""
        from bleuprint.metrics.ter.counts import count_words

        return [count_words(candidate, references, find_counting(layout)) for layout in layouts]

    def count_plain(self, candidate: Words, references: Sequence[Words], layout: Layout[Any]) -> tuple[int, ...]:
        """Count words that occur in a reference at all."""
        known = {word for words in references for word in words}
        return (sum(word in known for word in candidate),)

    def trace(self, candidate: Words, references: Sequence[Words], layout: Layout[Any]) -> Sequence[ShiftSearch]:
        """Tell shifts and alignments."""
        from bleuprint.metrics.ter.counts import trace_words

        return trace_words(candidate, references, layout)

    def split_words(self, text: Text, recipe: TerRecipe) -> Words:
        """Split a text into words."""
        from bleuprint.metrics.ter.counts import split_text

        return split_text(text, recipe.counting)

    def locate(self, text: Text, tokens: Words, recipe: TerRecipe) -> list[Span | None]:
        """Find the span of every word, where it was not written anew."""
        from bleuprint.text.tokenizers.spans import locate_tokens

        return locate_tokens(text, tokens, "whitespace", recipe.case)

    def make_marker(self, references: Sequence[Words], recipe: TerRecipe, trace: Tracer) -> Marker:
        """Mark words that stand where the reference has them."""
        from bleuprint.metrics.ter.marker import TerMarker

        return TerMarker(references, recipe.counting, trace)

    def part_columns(self, layout: Layout[Any]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Name the edits of each kind."""
        return tuple((kind, (kind,)) for kind in layout.columns[2:])

    def length_layout(self, recipe: TerRecipe) -> Layout[TerStats]:
        """Lay out rows for which no shift is searched."""
        return ter_layout(recipe.counting._replace(longest_shift=0))

    def read_census(self, numbers: Sequence[int]) -> TerCensus:
        """Give the numbers of a census their names."""
        return TerCensus(*numbers)

    def counted_as_far(self, recipe: TerRecipe, others: Sequence[TerRecipe]) -> TerRecipe:
        """Give the recipe itself: there is nothing further to count."""
        return recipe

    def may_be(self, sums: Sums[TerStats]) -> bool:
        """Whether some text could have these numbers."""
        stats, census = sums.stats, TerCensus(*sums.census)
        return (
            stats.deletions + stats.substitutions <= stats.candidate_length
            and max(census.empty_candidates, census.empty_references) <= census.segments
            and (census.segments > 0 or not any(stats.to_row()))
        )

    def may_be_segments(self, columns: Mapping[str, Sequence[int]], most: int) -> bool:
        """Whether no more words are edited than the candidate has; references are measured in parts of a word."""
        edited = map(add, columns["deletions"], columns["substitutions"])
        in_words = [max(own) for name, own in columns.items() if name != "reference_length"]
        return (
            max(in_words) <= most
            and max(columns["reference_length"]) <= most * PARTS
            and all(map(le, edited, columns["candidate_length"]))
        )

    def segment_parts(self, stats: TerStats, layout: Layout[Any]) -> tuple[Part, ...]:
        """Give edits of each kind, and both lengths."""
        return list_parts(stats)

    def in_words(self, row: Sequence[int]) -> Sequence[float]:
        """Give the length of the references in words."""
        stats = TerStats.from_row(row)
        return (stats.candidate_length, stats.reference_length, *stats.kinds.values())

    def score_row(self, row: Sequence[int], recipe: TerRecipe) -> float:
        """Combine one row."""
        return combine(TerStats.from_row(row)).score

    def stops_because(self, stats: TerStats, recipe: TerRecipe) -> str:
        """Give nothing: no tool stops."""
        return ""

    def match(
        self, candidates: Sequence[Text], references: Sequence[Text], recipe: TerRecipe, trace: Tracer
    ) -> list[Counter[tuple[str, ...]]]:
        """Count the words of each candidate that match after shifts."""
        from bleuprint.metrics.ter.changes import match_words

        return [match_words(Segment(text, tuple(references)), recipe, trace) for text in candidates]

    def gather(self, segment: Segment, score: TerScore, trace: Tracer) -> TerEvidence:
        """Lay out words, shifts and the alignment."""
        from bleuprint.metrics.ter.evidence import gather

        return gather(segment, score.recipe.counting, trace)

    def work_out(self, score: TerScore) -> TerArithmetic:
        """Lay out edits by kind, and the division."""
        from bleuprint.metrics.ter.arithmetic import work_out

        return work_out(score)

    def advise_unspaced(self, recipe: TerRecipe) -> str:
        """Name the choices that split Chinese and Japanese."""
        if recipe.normalized == recipe.asian == "yes":
            return ""
        return "which this recipe does not split: use normalized yes with asian yes for Chinese and Japanese"

    def note_segment(self, segment: Segment, score: TerScore, trace: Tracer) -> list[Note]:
        """Point to a segment whose search for shifts ended early."""
        from bleuprint.metrics.ter.evidence import gather
        from bleuprint.metrics.ter.notes import note_search

        evidence = gather(segment, score.recipe.counting, trace)
        return note_search(evidence.alignment.search.gave_up)

    def describe_arithmetic(self, arithmetic: TerArithmetic, plain: tuple[int, ...] | None) -> dict[str, object]:
        """Give the arithmetic as plain data."""
        from bleuprint.metrics.ter.as_data import describe_arithmetic

        return describe_arithmetic(arithmetic)

    def describe_evidence(self, evidence: TerEvidence) -> dict[str, object]:
        """Give the evidence as plain data."""
        from bleuprint.metrics.ter.as_data import describe_evidence

        return describe_evidence(evidence)

    def describe_stats(self, stats: TerStats) -> dict[str, object]:
        """Give the counts of a segment as plain data."""
        from bleuprint.metrics.ter.as_data import describe_stats

        return describe_stats(stats)

    def tell_change(self, change: Change) -> str:
        """Say what another choice did."""
        from bleuprint.metrics.ter.changes import tell_change

        return tell_change(change)

    def tell_cause(self, change: Change, place: int, trace: Tracer) -> tuple[tuple[str, ...], tuple[str, ...], str]:
        """Say which words one segment gained and lost."""
        from bleuprint.metrics.ter.changes import tell_cause

        return tell_cause(change, place, trace)

    def readings(self, several_references: bool) -> Iterable[tuple[int, TerRecipe]]:
        """Give the recipes of the dialects, then all that are made of their parts."""
        from bleuprint.metrics.ter.readings import list_readings

        return list_readings()

    @property
    def accidental(self) -> tuple[str, ...]:
        """The default alone: texts that do not belong together take long."""
        return (self.default,)

    def is_common(self, recipe: TerRecipe) -> bool:
        """Whether means of segments' scores are worth a look: always."""
        return True

    def search_layout(self, recipe: TerRecipe, single_reference: bool) -> tuple[str, Layout[TerStats]]:
        """Lay out counts of texts that are lowered before."""
        from bleuprint.metrics.ter.readings import search_layout

        return search_layout(recipe)


TER = Ter()
