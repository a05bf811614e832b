"""The settings of resampling, their defaults and limits. Help texts use these, so this module imports nothing else."""

from typing import NamedTuple

FEWEST_RESAMPLES, USUAL_RESAMPLES, MOST_RESAMPLES = 100, 10_000, 10_000_000
"""With fewer, bounds and p-values mean nothing."""
LOWEST_CONFIDENCE, USUAL_CONFIDENCE, HIGHEST_CONFIDENCE = 0.5, 0.95, 0.999
USUAL_SEED = 12345


class Settings(NamedTuple):
    """How a comparison or an interval was computed. Equal settings and texts give equal results on every machine."""

    test: str
    """the test that decides: ``randomisation`` or ``bootstrap``"""
    resamples: int
    """the number of bootstrap samples, and of trials of the randomisation"""
    seed: int
    confidence: float
    """of the intervals; 1 minus this is the level of the tests"""

    @property
    def level(self) -> float:
        """The share of false alarms that the tests allow."""
        return round(1 - self.confidence, 12)
