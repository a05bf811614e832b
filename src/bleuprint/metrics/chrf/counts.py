"""chrF's counts: characters and words of one segment. The definition that every engine must equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from string import punctuation
from typing import Any, NamedTuple

from bleuprint.counting.layout import Layout
from bleuprint.counting.ngrams import Ngram, count_matches, count_ngrams, count_plain
from bleuprint.metrics.chrf.formula import combine
from bleuprint.metrics.chrf.stats import ChrfCounting, ChrfStats, Unit, find_counting, list_orders
from bleuprint.text.segments import Text
from bleuprint.text.tokenizers import apply_case

SEPARATORS = "\x1c\x1d\x1e\x1f"
"""What Python counts to white space, and Unicode does not."""
TIE = 1e-12
"""What the rounding of 64-bit floats may make of equal scores on 0 to 100."""


class ChrfText(NamedTuple):
    """A text as its characters, white space treated as the recipe says, and as its words."""

    characters: str
    words: tuple[str, ...]

    def units(self, unit: Unit) -> Sequence[str]:
        """Give what n-grams of a kind are made of."""
        return self.characters if unit is Unit.CHARACTERS else self.words


def split_text(text: Text, counting: ChrfCounting) -> ChrfText:
    """Split a text, which was checked to be a string, into characters and words."""
    assert isinstance(text, str)
    cased = apply_case(text, counting.case)
    return ChrfText(treat_whitespace(cased, counting.whitespace), tuple(split_words(cased)))


def treat_whitespace(text: str, rule: str) -> str:
    """Remove white space, as far as the rule says."""
    if rule == "removed":
        return "".join(text.split())
    if rule == "removed-unicode":
        return "".join(character for character in text if not character.isspace() or character in SEPARATORS)
    return text.strip().replace(" ", "") if rule == "spaces-removed" else text


def split_words(text: str) -> list[str]:
    """Split at white space; of a longer word one sign of ASCII's punctuation is parted, the last or else the first.

    >>> split_words('(hi) "there" x')
    ['(hi', ')', '"there', '"', 'x']
    """
    words = []
    for word in text.split():
        if len(word) > 1 and word[-1] in punctuation:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in punctuation:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def count_texts(candidate: ChrfText, references: Sequence[ChrfText], layouts: Sequence[Layout[Any]]) -> list[ChrfStats]:
    """Count a segment under several layouts, against the reference that is best under each."""
    return [choose_best_reference(candidate, references, find_counting(layout))[1] for layout in layouts]


def choose_best_reference(
    candidate: ChrfText, references: Sequence[ChrfText], counting: ChrfCounting
) -> tuple[int, ChrfStats]:
    """Find the reference with which the segment scores best, the first on a tie, and count against it."""
    tried = try_references(candidate, references, counting)
    place = find_best([combine(stats, counting).score for stats in tried], counting)
    best = tried[place]
    if counting.unmatched_segment == "reference-dropped" and not any(best.matches):
        best = best.replace(reference=(0,) * best.order)
    return place, best


def find_best(scores: Sequence[float], counting: ChrfCounting) -> int:
    """Find the highest score, the first on a tie.

    torchmetrics' floats of 32 bits tie where those of 64 bits may differ in the last bits; sacreBLEU and chrF++.py
    compare these as they are.
    """
    tie = TIE if counting.unmatched_segment == "reference-dropped" else 0.0
    best = 0
    for place, score in enumerate(scores):
        if score > scores[best] + tie:
            best = place
    return best


def try_references(candidate: ChrfText, references: Sequence[ChrfText], counting: ChrfCounting) -> list[ChrfStats]:
    """Count the candidate against each of its references."""
    own = _count_orders(candidate, counting)
    return [_hold_against(own, candidate, reference, counting) for reference in references]


def _hold_against(
    own: list[Counter[Ngram]], candidate: ChrfText, reference: ChrfText, counting: ChrfCounting
) -> ChrfStats:
    """Count the candidate against one reference."""
    others = _count_orders(reference, counting)
    counts_always = counting.candidate_totals == "always"
    return ChrfStats(
        matches=tuple(map(count_matches, own, others)),
        candidate=tuple(
            ngrams.total() if counts_always or other else 0 for ngrams, other in zip(own, others, strict=True)
        ),
        reference=tuple(ngrams.total() for ngrams in others),
        candidate_length=len(candidate.characters),
        reference_length=len(reference.characters),
    )


def _count_orders(text: ChrfText, counting: ChrfCounting) -> list[Counter[Ngram]]:
    return [count_ngrams(text.units(unit), order) for unit, order in list_orders(counting)]


def plain_matches(candidate: ChrfText, references: Sequence[ChrfText], layout: Layout[Any]) -> tuple[int, ...]:
    """Per order, how many of the candidate's n-grams occur in the best reference at all, however often."""
    counting = find_counting(layout)
    place, _ = choose_best_reference(candidate, references, counting)
    return tuple(map(count_plain, _count_orders(candidate, counting), _count_orders(references[place], counting)))


def matched_ngrams(candidate: ChrfText, references: Sequence[ChrfText], counting: ChrfCounting) -> Counter[Ngram]:
    """Give the n-grams that match in the best reference, each with how often it counts.

    A run of characters is written as one element; a word that is such a run, too, counts as both.
    """
    place, _ = choose_best_reference(candidate, references, counting)
    found: Counter[Ngram] = Counter()
    for (unit, order), own, other in zip(
        list_orders(counting),
        _count_orders(candidate, counting),
        _count_orders(references[place], counting),
        strict=True,
    ):
        for ngram, count in (own & other).items():
            found[ngram if unit is Unit.WORDS and order > 1 else ("".join(map(str, ngram)),)] += count
    return found
