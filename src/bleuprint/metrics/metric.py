"""A metric: all that the rest of the house must know about a way of scoring, so that no other room names one.

Ranking words, ends of the scale, labels, signatures, flags and the page's form come from here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from bleuprint.errors import Argument, Place, ShapeError
from bleuprint.metrics.part import Part
from bleuprint.recipes.axis import Axis, TriedChoices
from bleuprint.recipes.dialect import Dialect
from bleuprint.recipes.recipe import Recipe

if TYPE_CHECKING:
    from collections import Counter

    from bleuprint.counting.layout import Layout
    from bleuprint.counting.rows import StatsTable
    from bleuprint.counting.sums import Sums
    from bleuprint.metrics.bleu.arithmetic import Arithmetic
    from bleuprint.metrics.bleu.evidence import SegmentEvidence
    from bleuprint.metrics.chrf.arithmetic import ChrfArithmetic
    from bleuprint.metrics.chrf.evidence import ChrfEvidence
    from bleuprint.metrics.marks import Marker
    from bleuprint.metrics.note import Note
    from bleuprint.metrics.score import AnyScore, ScoredSegment, TextNotes
    from bleuprint.metrics.ter.arithmetic import TerArithmetic
    from bleuprint.metrics.ter.evidence import TerEvidence
    from bleuprint.text.segments import Segment, Segments, Text
    from bleuprint.text.tokenizers.spans import Span


if TYPE_CHECKING:
    AnyArithmetic: TypeAlias = Arithmetic | ChrfArithmetic | TerArithmetic
    AnyEvidence: TypeAlias = SegmentEvidence | ChrfEvidence | TerEvidence
else:
    AnyArithmetic = AnyEvidence = object
"""How a score follows from its statistics, and what of a segment matched, as the metric of the recipe lays it out."""


if TYPE_CHECKING:
    Tracer: TypeAlias = Callable[[Any, Sequence[Any], Layout[Any]], Sequence[Any]]
else:
    Tracer = object
"""Who traces: an engine's ``trace``, which a metric, left of the engines, is handed."""


class Better(StrEnum):
    """Which way is up."""

    HIGHER = "higher"
    LOWER = "lower"


class Metric(ABC):
    """One way of scoring. The room of each has the same files: axes, dialects, counts, formula, notes, evidence.

    Recipes, statistics and scores handed to a metric are its own.
    """

    key: ClassVar[str]
    """its name in signatures and layouts"""
    name: str
    """its name for people"""
    better: Better = Better.HIGHER
    lowest: float = 0.0
    highest: float = 100.0
    """the ends of the scale that scores are usually on"""
    digits: int = 2
    """with how many decimals scores are shown"""
    margin: float = 1e-9
    """Differences this close are equal: another machine's logarithm may differ in the last bit."""
    counts_texts: ClassVar[bool] = True
    """whether it counts what is in texts; else there are scores alone, and no tokens or n-grams behind them"""
    empty_reference: ClassVar[str]
    """what an empty text counts as among references: the end of a sentence"""
    recipe: type[Recipe]
    axes: Mapping[str, Axis]
    dialects: Mapping[str, Dialect]
    most_reported: ClassVar[float] = 100.0
    """the highest number that somebody may have got"""
    suspicious: ClassVar[float]
    """A corpus score beyond this is rare unless candidates and references do not belong together."""
    most_references: ClassVar[int | None] = None
    """how many references a segment may have; None for any number"""
    default: ClassVar[str]
    """the dialect for whoever names none"""
    pipeline: ClassVar[tuple[str, ...]]
    """the axes in the order in which a text meets them: first those that decide counts, then those of the formula"""
    has_ngrams: ClassVar[bool] = True
    """whether it counts n-grams, which an explanation can list"""

    parts_title: ClassVar[str]
    """what the parts of a score are, over a grid of them"""
    parts_remark: ClassVar[str] = ""
    """how to read that grid, where it takes words"""
    length_unit: ClassVar[str]
    """what texts are as long as: ``tokens``, ``characters``, ``words``; what a report shades, too"""
    length_steps: ClassVar[tuple[int, ...]] = (1, 10, 20, 30, 40, 60)
    """where buckets of length begin, in that unit"""
    lower_orders: ClassVar[str] = "a lower N"
    """what to ask for where texts have too many n-grams"""
    matched_units: ClassVar[str] = "n-grams"
    """what of a candidate matches"""
    zero_because: ClassVar[str] = "nothing matches"
    """why texts score 0, as a rule"""
    single_segments: ClassVar[str] = ""
    """how a segment alone is scored, where it is not as a corpus is: a sentence"""
    expressible: ClassVar[str]
    """what sacreBLEU can express of its recipes"""
    tried: ClassVar[Mapping[str, TriedChoices]]
    """the choices that are worth trying on a text, axis by axis; ``order`` is one where it stands for weights"""
    most_tried: ClassVar[int]
    """how many characters texts have at most of which they are tried unasked: each choice costs another score"""

    @property
    def arrow(self) -> str:
        """Point the way that is better."""
        return "↑" if self.better is Better.HIGHER else "↓"

    def is_ahead(self, difference: float) -> bool:
        """Whether a score that is so much above another is better."""
        return self.sort_key(difference) < 0

    def sort_key(self, score: float) -> float:
        """Give what sorts scores so that the best comes first."""
        return -score if self.better is Better.HIGHER else score

    @abstractmethod
    def label(self, recipe: Any) -> str:
        """Say what a score of a recipe is called."""

    def title(self, recipe: Any) -> str:
        """Say what stands over scores of a recipe, and behind differences between them."""
        return self.label(recipe)

    def heading(self, recipe: Any) -> str:
        """Say what stands over a column of scores, and that lower is better where it is."""
        return self.title(recipe) if self.better is Better.HIGHER else f"{self.title(recipe)} {self.arrow}"

    def describe_orders(self, recipe: Any) -> str:
        """Say up to which order n-grams are counted, where they are."""
        return f"N = {recipe.order}"

    def describe_choice(self, recipe: Any, field: str) -> str:
        """Name an axis and the choice on it, within a sentence."""
        return f"{field.replace('_', ' ')} {recipe.choice(field)}"

    def is_foreign_signature(self, line: str) -> bool:
        """Whether a line is a signature that another tool printed for this metric, and could be for no other."""
        return False

    @abstractmethod
    def read_foreign_signature(self, line: str) -> Recipe:
        """Read a signature that another tool printed."""

    @abstractmethod
    def print_foreign_signature(self, choices: Mapping[str, str], nrefs: int | str) -> str:
        """Print choices as sacreBLEU would; whether the line still means the same recipe is for the caller to check."""

    @abstractmethod
    def for_single_segments(self, recipe: Any) -> Recipe:
        """Give the recipe by which single segments of a corpus are looked at, so that short ones are not all 0."""

    # counting

    def can_count(self, references: int) -> bool:
        """Whether a segment may have so many references."""
        return self.most_references is None or references <= self.most_references

    def check_references(self, references: Sequence[tuple[Text, ...]]) -> None:
        """Refuse a segment that has more references than the metric can count."""
        if self.most_references is None or max(map(len, references), default=0) <= self.most_references:
            return
        for place, texts in enumerate(references):
            self.check_number(texts, Place(Argument.REFERENCES, place))

    def check_number(self, references: Sequence[Text], where: Place) -> None:
        """Refuse more references of one segment than the metric can count."""
        if self.most_references is not None and len(references) > self.most_references:
            raise ShapeError(
                where=where,
                wanted=f"1 to {self.most_references} references for {self.name}",
                got=str(len(references)),
                next_step="Leave some of them out.",
            )

    def counts_empty_texts(self, recipe: Any) -> bool:
        """Whether a text without a word counts as one of some length."""
        return False

    def read_ahead(self, texts: Iterable[Text], layout: Layout[Any]) -> None:  # noqa: B027
        """Hear which texts will be split, where splitting many at once is faster."""

    @abstractmethod
    def split(self, text: Text, layout: Layout[Any]) -> Any:
        """Split a text into what is counted."""

    def split_reference(self, text: Text, layout: Layout[Any]) -> Any:
        """Split a reference, where that is not done as with a candidate."""
        return self.split(text, layout)

    def split_segment(self, segment: Segment, layout: Layout[Any]) -> tuple[Any, list[Any]]:
        """Split a candidate and its references."""
        self.read_ahead(segment.texts, layout)
        references = [self.split_reference(text, layout) for text in segment.references]
        return self.split(segment.candidate, layout), references

    @abstractmethod
    def count(self, candidate: Any, references: Sequence[Any], layouts: Sequence[Layout[Any]]) -> list[Any]:
        """Count a segment whose texts were split: the statistics under each layout, all of which split alike."""

    @abstractmethod
    def count_plain(self, candidate: Any, references: Sequence[Any], layout: Layout[Any]) -> tuple[int, ...]:
        """Count what of the candidate occurs in a reference at all, however often."""

    def trace(self, candidate: Any, references: Sequence[Any], layout: Layout[Any]) -> Sequence[Any]:
        """Tell how a candidate becomes each reference, all of them split; nothing where a metric does not look."""
        return ()

    @abstractmethod
    def split_words(self, text: Text, recipe: Any) -> Sequence[Any]:
        """Split a text into words, as far as the metric knows such."""

    def shown_tokens(self, split: Any) -> Sequence[Any]:
        """Give what of a text that was split is marked: its tokens, characters or words."""
        tokens: Sequence[Any] = split
        return tokens

    @abstractmethod
    def locate(self, text: Text, tokens: Sequence[Any], recipe: Any) -> list[Span | None]:
        """Find the span of each of these in the text; None where one is no part of it."""

    @abstractmethod
    def make_marker(self, references: Sequence[Any], recipe: Any, trace: Tracer) -> Marker:
        """Prepare references, which were split, to mark what of a candidate matches."""

    @abstractmethod
    def part_columns(self, layout: Layout[Any]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Name the columns behind each part of a segment's score, but for the lengths."""

    @abstractmethod
    def length_layout(self, recipe: Any) -> Layout[Any]:
        """Lay out rows that tell the length of candidates, in the column ``candidate_length``, and as little else."""

    @abstractmethod
    def read_census(self, numbers: Sequence[int]) -> Any:
        """Give the numbers of a census their names; ``segments`` is one of them."""

    @abstractmethod
    def counted_as_far(self, recipe: Any, others: Sequence[Any]) -> Recipe:
        """Give a recipe that counts as this one does, as far as any of the others needs."""

    @abstractmethod
    def may_be(self, sums: Sums[Any]) -> bool:
        """Whether some text could have these sums: asked of what comes from a file."""

    @abstractmethod
    def may_be_segments(self, columns: Mapping[str, Sequence[int]], most: int) -> bool:
        """Whether some segments, of at most so many words or characters, could have these rows, none below 0.

        It is asked of what a browser hands back, thousands of rows at a time: so they come column by column.
        """

    def in_words(self, row: Sequence[int]) -> Sequence[float]:
        """Give a row as files for people show it, where a column counts parts of a word."""
        return row

    # scoring

    @abstractmethod
    def score_row(self, row: Sequence[int], recipe: Any) -> float:
        """Score one row of sums, on 0 to 100."""

    @abstractmethod
    def score_sums(
        self,
        sums: Sums[Any],
        recipe: Any,
        *,
        level: str = "corpus",
        table: StatsTable[Any] | None = None,
        segments: Segments | None = None,
        text_notes: TextNotes | None = None,
        number: float | None = None,
    ) -> AnyScore:
        """Score what was added up; the score keeps the rest beside its numbers."""

    @abstractmethod
    def score_segment(
        self,
        candidate: Text,
        scored: ScoredSegment,
        recipe: Any,
        text_notes: TextNotes,
    ) -> AnyScore:
        """Make the score of a segment that an engine counted and scored in one call."""

    @abstractmethod
    def stops_because(self, stats: Any, recipe: Any) -> str:
        """Say why the tool that a recipe stands for stops with an error on these statistics; empty if it does not."""

    @abstractmethod
    def segment_parts(self, stats: Any, layout: Layout[Any]) -> tuple[Part, ...]:
        """Give the counts of a segment, as grids show them beside its score; the last two are both lengths."""

    # reasons

    def is_better_by(self, factor: float, score: float, other: float) -> bool:
        """Whether a score is so many times as good as another."""
        if self.better is Better.LOWER:
            score, other = other, score
        return score > 0 and score >= factor * other

    def is_suspicious(self, score: Any) -> bool:
        """Whether a corpus hardly ever has such a score if its candidates belong to its references."""
        return bool(score.score < self.suspicious if self.better is Better.HIGHER else score.score > self.suspicious)

    def wants_plain_text(self, recipe: Any) -> bool:
        """Whether a recipe parts punctuation from words itself, as of text that nobody has tokenised before."""
        return False

    def advise_unspaced(self, recipe: Any) -> str:
        """Say which recipe splits text of a script without spaces between words, where this one does not."""
        return ""

    def note_segment(self, segment: Segment, score: Any, trace: Tracer) -> Sequence[Note]:
        """Write notes on a segment that its texts give reason for under this metric alone."""
        return ()

    @abstractmethod
    def gather(self, segment: Segment, score: Any, trace: Tracer) -> AnyEvidence:
        """Lay out the evidence of one segment: its texts, and what of them matches."""

    @abstractmethod
    def work_out(self, score: Any) -> AnyArithmetic:
        """Lay out the arithmetic of a score: how it follows from the statistics."""

    @abstractmethod
    def describe_arithmetic(self, arithmetic: Any, plain: tuple[int, ...] | None) -> dict[str, object]:
        """Give the arithmetic as plain data."""

    @abstractmethod
    def describe_evidence(self, evidence: Any) -> dict[str, object]:
        """Give the evidence as plain data."""

    @abstractmethod
    def describe_stats(self, stats: Any) -> dict[str, object]:
        """Give the counts of a segment as plain data."""

    @abstractmethod
    def tell_change(self, change: Any) -> str:
        """Say in plain words what another choice on one axis did."""

    @abstractmethod
    def tell_cause(self, change: Any, place: int, trace: Tracer) -> tuple[tuple[str, ...], tuple[str, ...], str]:
        """Say what one segment gained and lost by that, and remark on it."""

    @abstractmethod
    def readings(self, several_references: bool) -> Iterable[tuple[int, Recipe]]:
        """Give the recipes that a reported number may come from, each with how unusual it is."""

    @property
    def accidental(self) -> Iterable[str]:
        """The dialects under which texts are tried that were read by mistake."""
        return self.dialects

    def family(self, recipe: Any) -> str:
        """Say what people call a score of a recipe, who leave out its numbers."""
        return self.name

    @abstractmethod
    def is_common(self, recipe: Any) -> bool:
        """Whether the means of its segments' scores are worth a look."""

    @abstractmethod
    def search_layout(self, recipe: Any, single_reference: bool) -> tuple[str, Layout[Any]]:
        """Say how a search lowers texts for a recipe, and lay out what it counts then, alike where it can be."""

    @abstractmethod
    def match(
        self, candidates: Sequence[Text], references: Sequence[Text], recipe: Any, trace: Tracer
    ) -> list[Counter[Any]]:
        """Count for each candidate what of it matches, by the n-gram that it is."""
