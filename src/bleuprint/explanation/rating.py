"""The rating: what a corpus score is usually taken to mean."""

from __future__ import annotations

from typing import NamedTuple

CAVEAT = "the usual reading of corpus scores; language, recipe and number of references shift it"


class Rating(NamedTuple):
    """A band of scores and its usual reading."""

    band: str
    meaning: str


_BANDS = (
    (60, Rating("over 60", "often closer to the references than a second human translation")),
    (50, Rating("50–60", "very good: fluent, and faithful to the references")),
    (40, Rating("40–50", "good: most of the wording is that of the references")),
    (30, Rating("30–40", "understandable, in large parts good")),
    (20, Rating("20–30", "the gist comes through, with many errors")),
    (10, Rating("10–20", "the topic can be guessed, hardly more")),
    (0, Rating("under 10", "almost nothing matches")),
)


def rate(score: float) -> Rating:
    """Find the band of a score of 0 to 100."""
    return next(rating for lowest, rating in _BANDS if score >= lowest)
