"""N-grams: how often each run of n tokens occurs, and how many of a candidate's n-grams count as matches.

Clipping (Papineni et al. 2002, section 2.1): an n-gram counts at most as often as it occurs in the one reference
where it is most frequent, so that repeating a good word earns nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence

Ngram = tuple[Hashable, ...]
NgramCounts = Mapping[Ngram, int]


def list_ngrams(tokens: Sequence[Hashable], order: int) -> Iterable[Ngram]:
    """Return the n-grams of one order, from left to right."""
    return zip(*(tokens[start:] for start in range(order)))


def count_ngrams(tokens: Sequence[Hashable], order: int) -> Counter[Ngram]:
    """Count the n-grams of one order."""
    return Counter(list_ngrams(tokens, order))


def highest_counts(counts: Iterable[NgramCounts]) -> Counter[Ngram]:
    """Take, for each n-gram, its count in the reference where it is most frequent."""
    highest: Counter[Ngram] = Counter()
    for reference in counts:
        for ngram, count in reference.items():
            if count > highest[ngram]:
                highest[ngram] = count
    return highest


def count_matches(candidate: NgramCounts, limits: NgramCounts) -> int:
    """Sum the clipped counts: each n-gram of the candidate, at most as often as ``limits`` allows."""
    return sum(min(count, limits.get(ngram, 0)) for ngram, count in candidate.items())


def count_plain(candidate: NgramCounts, limits: NgramCounts) -> int:
    """Sum the counts without clipping: every candidate n-gram that occurs in a reference at all."""
    return sum(count for ngram, count in candidate.items() if ngram in limits)
