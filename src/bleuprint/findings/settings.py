"""Defaults and limits of resampling. The help of commands prints them without importing the comparison."""

FEWEST_RESAMPLES, USUAL_RESAMPLES, MOST_RESAMPLES = 100, 10_000, 10_000_000
"""With fewer, bounds and p-values mean nothing."""
LOWEST_CONFIDENCE, USUAL_CONFIDENCE, HIGHEST_CONFIDENCE = 0.5, 0.95, 0.999
USUAL_SEED = 12345
