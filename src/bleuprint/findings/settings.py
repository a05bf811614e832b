"""How often is resampled, from which seed, and for intervals of which confidence: what is usual, and what may be asked.

Whoever only names these numbers, as the help of a command does, loads nothing that compares.
"""

FEWEST_RESAMPLES, USUAL_RESAMPLES, MOST_RESAMPLES = 100, 10_000, 10_000_000
"""With fewer neither bounds nor p-values mean anything."""
LOWEST_CONFIDENCE, USUAL_CONFIDENCE, HIGHEST_CONFIDENCE = 0.5, 0.95, 0.999
USUAL_SEED = 12345
