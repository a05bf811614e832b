"""Limits of the page and of the server.

The page carries those that its scripts need (``static/limits.js``), so that every limit is written here alone.
"""

from __future__ import annotations

import os
from typing import NamedTuple

_MIB = 1024 * 1024

MOST_CHARACTERS = 50_000
"""Of one box for a text."""
MOST_REFERENCES = 20
"""Of one segment on the page."""
MOST_SYSTEMS = 10
"""The first one included."""
MOST_RECIPES = 6
"""Of one comparison that is served."""
MOST_RESAMPLES_SERVED = 10_000
HIGHEST_ORDER_OFFERED = 9
"""To choose N from; a recipe may have more, and who types a higher one gets it."""
LONGEST_NUMBER = 20
"""Digits of a whole number that somebody types; a seed has no more."""
MOST_EXPLAINED_BYTES = 512 * _MIB
"""Of the objects of one explanation, as ``costs.py`` estimates them."""
MOST_TAUGHT_CHARACTERS = 600
"""Of one text of a lesson: each of its n-grams is shown."""
MOST_TAUGHT_SEGMENTS = 12
"""Of one lesson."""
LONGEST_LINK = 1_000_000
"""Characters of the longest link that every usual browser opens."""
HIGHEST_COUNT = 2**44
"""More than one segment has of anything, and so few that the rows of a request add up to 64 bits."""
HIGHEST_SCORE = 1e9
"""Some rules of smoothing go beyond 100, none far."""


def limits_of_the_page() -> dict[str, int]:
    """List what the scripts of the page have to know, by the names that they use."""
    return {
        "characters": MOST_CHARACTERS,
        "references": MOST_REFERENCES,
        "systems": MOST_SYSTEMS,
        "link": LONGEST_LINK,
    }


class ServerLimits(NamedTuple):
    """The limits of the local server: one request's, and how many there may be."""

    connections: int = 256
    idle_seconds: int = 10
    """How long a connection may stay open between requests."""
    body_bytes: int = 8 * _MIB
    body_seconds: float = 10
    workers: int = min(4, os.cpu_count() or 1)
    worker_bytes: int = 2048 * _MIB
    """The memory of one worker, if the system can limit it (Linux)."""
    compute_seconds: float = 30
    """From the whole body to the answer, the time in the queue included."""
    waiting: int = 64
