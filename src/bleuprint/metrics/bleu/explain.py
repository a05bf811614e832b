"""Explain a BLEU score: its arithmetic, the evidence of a segment, and both as plain data."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from bleuprint.counting.layout import Layout
from bleuprint.counting.ngrams import Ngram
from bleuprint.metrics.bleu.counting import BleuStats, Counting, bleu_layout, matched_ngrams
from bleuprint.metrics.bleu.formula import Combination
from bleuprint.metrics.bleu.notes import Rating, Unrated, rate
from bleuprint.metrics.bleu.recipe import AXES, BleuRecipe
from bleuprint.metrics.bleu.score import BleuScore
from bleuprint.metrics.marks import (
    Matcher,
    find_place,
    find_places,
    mark_candidate,
    mark_reference,
    token_marks,
)
from bleuprint.metrics.score import as_data
from bleuprint.text.segments import Segment, Text
from bleuprint.text.shown_tokens import text_data, token_data
from bleuprint.text.tokenizers import Tokens, read_ahead, tokenize
from bleuprint.text.tokenizers.spans import Span, locate_tokens

AGREEMENT = 1e-9
TOO_SMALL = "the number is too small for a float"


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One order: what was counted, and what the formula made of it."""

    order: int
    matches: int
    total: int
    precision: float
    smoothed: float | None
    rule: str
    weight: float

    @property
    def log_term(self) -> float | None:
        """The term w · log p; None where the precision is 0 and has no logarithm."""
        if not self.weight:
            return 0.0
        return self.weight * math.log(self.smoothed) if self.smoothed else None


class Agreement(StrEnum):
    """Whether the two ways to the geometric mean agree."""

    AGREES = "agrees"
    DIFFERS = "differs"
    NOT_APPLICABLE = "not applicable"
    """at 0, or where numbers are so small that floats lose digits"""


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """The geometric mean once by logarithms, once as a product of powers, and whether the two agree."""

    log_domain: float
    product_domain: float
    verdict: Agreement

    @property
    def applies(self) -> bool:
        """Whether there is something to agree on."""
        return self.verdict is not Agreement.NOT_APPLICABLE


@dataclass(frozen=True, slots=True)
class Loss:
    """What brevity or one order took: its term in log BLEU, its share of the whole, and that share in points."""

    name: str
    log: float
    share: float
    points: float


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """How the score was computed, step by step."""

    orders: tuple[OrderLine, ...]
    candidate_length: int
    reference_length: int
    length_rule: str
    brevity_rule: str
    brevity_penalty: float
    cross_check: CrossCheck
    fraction: float
    score: float
    rating: Rating | None
    """None where the usual bands would say something untrue: then ``unrated`` says why."""
    unrated: Unrated | None
    losses: tuple[Loss, ...]
    """Empty when the score is 0: then ``zero_because`` and ``zero_orders`` say why."""
    zero_because: str
    zero_orders: tuple[int, ...]
    means: tuple[float, ...] = ()
    """The geometric means of BLEU-1, BLEU-2 and so on, where the score is the mean of these."""

    @property
    def geometric_mean(self) -> float:
        """The weighted geometric mean of the smoothed precisions, or the mean of several."""
        return self.cross_check.log_domain


def work_out(score: BleuScore) -> Arithmetic:
    """Lay out the arithmetic of a score."""
    stats, combination, rated = score.stats, score.combination, rate(score)
    zero_orders = tuple(term.order for term in combination.terms if term.weight and not term.smoothed)
    return Arithmetic(
        orders=tuple(
            OrderLine(term.order, stats.matches[place], stats.totals[place], *term[1:])
            for place, term in enumerate(combination.terms)
        ),
        candidate_length=stats.candidate_length,
        reference_length=stats.reference_length,
        length_rule=AXES["reference_length"].choices[score.recipe.reference_length],
        brevity_rule=score.recipe.brevity,
        brevity_penalty=score.brevity_penalty,
        cross_check=_cross_check(combination),
        fraction=score.fraction,
        score=score.score,
        rating=rated if isinstance(rated, Rating) else None,
        unrated=rated if isinstance(rated, Unrated) else None,
        losses=_losses(score),
        zero_because=combination.zero_because or ("" if score.fraction or zero_orders else TOO_SMALL),
        zero_orders=zero_orders,
        means=combination.means,
    )


def _cross_check(combination: Combination) -> CrossCheck:
    log_domain, terms = combination.geometric_mean, combination.terms
    if combination.means:  # of several means there are as many products
        return CrossCheck(log_domain, log_domain, Agreement.NOT_APPLICABLE)
    product = 1.0
    for term in terms:
        product *= (term.smoothed or 0.0) ** term.weight
    product = 0.0 if log_domain == 0.0 else product
    if min(log_domain, product) < sys.float_info.min:  # 0, or so small that floats lose digits
        return CrossCheck(log_domain, product, Agreement.NOT_APPLICABLE)
    agrees = math.isclose(log_domain, product, rel_tol=AGREEMENT)
    return CrossCheck(log_domain, product, Agreement.AGREES if agrees else Agreement.DIFFERS)


def _losses(score: BleuScore) -> tuple[Loss, ...]:
    """Share out what is missing to 100: log BLEU = log BP + Σ wₙ log pₙ, so the terms add up.

    The logarithm of a mean is no sum: all orders together have one share there.
    """
    if not score.fraction:
        return ()
    logs = [("brevity", math.log(score.brevity_penalty))]
    if score.combination.means:
        logs.append(("mean", score.combination.log_mean))
    else:
        logs += [
            (f"p{term.order}", term.weight * math.log(term.smoothed))
            for term in score.combination.terms
            if term.smoothed
        ]
    whole = math.fsum(log for _, log in logs)
    missing = 100.0 - score.score
    shares = [(name, log, log / whole if log and whole else 0.0) for name, log in logs]
    return tuple(Loss(name, log, share, missing * share) for name, log, share in shares)


@dataclass(frozen=True, slots=True)
class NgramEvidence:
    """One n-gram: where it stands in the candidate and in each reference, and how much of it counts."""

    ngram: Ngram
    places: tuple[int, ...]
    """the token positions at which it starts in the candidate"""
    reference_places: tuple[tuple[int, ...], ...]
    """the same for each reference"""

    @property
    def order(self) -> int:
        """Its number of tokens."""
        return len(self.ngram)

    @property
    def count(self) -> int:
        """How often the candidate has it."""
        return len(self.places)

    @property
    def reference_counts(self) -> tuple[int, ...]:
        """How often each reference has it."""
        return tuple(map(len, self.reference_places))

    @property
    def clip(self) -> int:
        """How often it may count: its count in the reference where it is most frequent."""
        return max(self.reference_counts)

    @property
    def matches(self) -> int:
        """How often it counts: as often as the candidate has it, but at most ``clip`` times."""
        return min(self.count, self.clip)

    @property
    def clipped(self) -> int:
        """How many occurrences are too many, although a reference has the n-gram."""
        return self.count - self.matches if self.clip else 0

    @property
    def is_known(self) -> bool:
        """Whether a reference has it."""
        return self.clip > 0

    @property
    def missed(self) -> int:
        """How often a reference has it beyond what the candidate has."""
        return max(0, self.clip - self.count)


@dataclass(frozen=True, slots=True)
class TokenEvidence:
    """One token: its span in the text, and the length of the longest matched n-gram that covers it.

    ``status`` is ``matched``; else ``clipped`` (a reference has it, but less often) or ``unmatched`` in the candidate,
    ``missed`` in a reference.
    """

    token: Hashable
    span: Span | None
    longest_match: int
    status: str


@dataclass(frozen=True)
class SegmentEvidence:
    """Everything that one segment shows: texts, tokens and n-grams."""

    candidate: Text
    references: tuple[Text, ...]
    counting: Counting
    order: int

    @cached_property
    def candidate_tokens(self) -> Tokens:
        """The candidate's tokens."""
        return self._split(self.candidate)[0]

    @cached_property
    def reference_tokens(self) -> tuple[Tokens, ...]:
        """The tokens of each reference."""
        return self._split(*self.references)

    def _split(self, *texts: Text) -> tuple[Tokens, ...]:
        read_ahead((self.candidate, *self.references), self.counting.tokenizer, self.counting.case)
        return tuple(tokenize(text, self.counting.tokenizer, self.counting.case) for text in texts)

    @cached_property
    def ngrams(self) -> tuple[NgramEvidence, ...]:
        """Every n-gram of candidate and references, by order, in the order of first appearance."""
        return tuple(ngram for order in range(1, self.order + 1) for ngram in self.ngrams_of(order))

    def ngrams_of(self, order: int) -> list[NgramEvidence]:
        """Every n-gram of one order, in the order of first appearance."""
        sides = [find_places(tokens, order) for tokens in (self.candidate_tokens, *self.reference_tokens)]
        seen = dict.fromkeys(ngram for side in sides for ngram in side)
        found = ([tuple(side.get(ngram, ())) for side in sides] for ngram in seen)
        return [NgramEvidence(ngram, own, tuple(others)) for ngram, (own, *others) in zip(seen, found, strict=True)]

    def find_ngram(self, order: int, text: int, place: object) -> int | None:
        """Return the number, in its order, of the n-gram at a position of the candidate (0) or of a reference (1 …)."""
        return find_place(((n.places, *n.reference_places) for n in self.ngrams_of(order)), text, place)

    @cached_property
    def candidate_view(self) -> tuple[TokenEvidence, ...]:
        """The candidate's tokens with spans; of a repeated n-gram the first occurrences are those that count."""
        return self._view_candidate(self.ngrams, self.ngrams_of(1))

    @cached_property
    def reference_views(self) -> tuple[tuple[TokenEvidence, ...], ...]:
        """The tokens of each reference; a match there is an n-gram that the candidate has, too."""
        return self._view_references(self.ngrams)

    def candidate_view_of(self, order: int) -> tuple[TokenEvidence, ...]:
        """The candidate's tokens as the n-grams of one order alone have them: covered by one that counts, or not."""
        return self._view_candidate(self.ngrams_of(order), self.ngrams_of(order))

    def reference_views_of(self, order: int) -> tuple[tuple[TokenEvidence, ...], ...]:
        """The tokens of each reference as the n-grams of one order alone have them."""
        return self._view_references(self.ngrams_of(order))

    def _view_candidate(
        self, ngrams: Sequence[NgramEvidence], lowest: Sequence[NgramEvidence]
    ) -> tuple[TokenEvidence, ...]:
        marks = mark_candidate(len(self.candidate_tokens), ngrams, lowest)
        return self._view(self.candidate, self.candidate_tokens, marks)

    def _view_references(self, ngrams: Sequence[NgramEvidence]) -> tuple[tuple[TokenEvidence, ...], ...]:
        return tuple(
            self._view(
                text,
                tokens,
                mark_reference(len(tokens), ((n.order, n.reference_places[place][: n.count]) for n in ngrams)),
            )
            for place, (text, tokens) in enumerate(zip(self.references, self.reference_tokens, strict=True))
        )

    def _view(self, text: Text, tokens: Tokens, marks: Iterable[tuple[int, str]]) -> tuple[TokenEvidence, ...]:
        spans = locate_tokens(text, tokens, self.counting.tokenizer, self.counting.case)
        return tuple(TokenEvidence(token, span, *mark) for token, span, mark in zip(tokens, spans, marks, strict=True))


def gather(segment: Segment, score: BleuScore) -> SegmentEvidence:
    """Return the evidence of a segment, which is computed lazily."""
    return SegmentEvidence(segment.candidate, segment.references, score.recipe.counting, score.stats.order)


def describe_arithmetic(arithmetic: Arithmetic, plain: tuple[int, ...] | None) -> dict[str, object]:
    """Return the arithmetic as plain data; ``plain`` are the matches of each order without clipping."""
    return {
        "orders": [
            as_data(line, "order", "matches", "total")
            | {"plain_matches": plain[line.order - 1] if plain else None}
            | as_data(line, "precision", "smoothed", "rule", "weight", "log_term")
            for line in arithmetic.orders
        ],
        **as_data(
            arithmetic, "candidate_length", "reference_length", "length_rule", "brevity_penalty", "geometric_mean"
        ),
        "cross_check": as_data(arithmetic.cross_check, "log_domain", "product_domain", "verdict"),
        "rating": arithmetic.rating._asdict() if arithmetic.rating else None,
        "unrated": arithmetic.unrated._asdict() if arithmetic.unrated else None,
        "losses": [as_data(loss, "name", "log", "share", "points") for loss in arithmetic.losses],
        **as_data(arithmetic, "zero_because", "zero_orders", "means"),
    }


def describe_evidence(evidence: SegmentEvidence) -> dict[str, object]:
    """Return texts, tokens and n-grams of a segment as plain data."""
    texts = (evidence.candidate, *evidence.references)
    views = (evidence.candidate_view, *evidence.reference_views)
    candidate, *references = (
        {"text": text_data(text), "tokens": token_marks(view, "token")} for text, view in zip(texts, views, strict=True)
    )
    names = ("count", "reference_counts", "clip", "matches", "clipped", "missed", "places", "reference_places")
    ngrams = [
        {"order": ngram.order, "tokens": [token_data(token) for token in ngram.ngram], **as_data(ngram, *names)}
        for ngram in evidence.ngrams
    ]
    return {"candidate": candidate, "references": references, "ngrams": ngrams}


def describe_stats(stats: BleuStats) -> dict[str, object]:
    """Return the counts of a segment as plain data."""
    return as_data(stats, "matches", "totals", "candidate_length", "reference_length")


def shown_tokens(split: Tokens) -> Tokens:
    """Return the tokens to highlight: all of them."""
    return split


def split_words(text: Text, recipe: BleuRecipe) -> Tokens:
    """Split a text into tokens."""
    return tokenize(text, recipe.tokenizer, recipe.case)


def locate(text: Text, tokens: Tokens, recipe: BleuRecipe) -> list[Span | None]:
    """Find the span of every token; None if the text does not contain it."""
    return locate_tokens(text, tokens, recipe.tokenizer, recipe.case)


def make_marker(references: Sequence[Tokens], recipe: BleuRecipe) -> Matcher:
    """Return a marker of tokens, by the longest matched n-gram over each."""
    return Matcher(references, recipe.order)


def match(candidates: Sequence[Text], references: Sequence[Text], recipe: BleuRecipe) -> list[Counter[Ngram]]:
    """Count the n-grams of each candidate that match."""
    own, others = ([split_words(text, recipe) for text in texts] for texts in (candidates, references))
    return matched_ngrams(own, others, recipe.order)


def length_layout(recipe: BleuRecipe) -> Layout[BleuStats]:
    """Return the smallest layout that has the column ``candidate_length``."""
    return bleu_layout(1, recipe.counting)
