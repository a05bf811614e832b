"""Ranking: where a list of systems can be cut, and the places that each of them may have.

A cluster ends where every system above differs significantly from every one below. So systems of two clusters always
differ significantly. Within a cluster some may and some may not, but no cut parts it so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


def cluster_systems(ordered: Sequence[str], beats: Callable[[str, str], bool]) -> list[tuple[str, ...]]:
    """Part systems, best first, wherever every one above beats every one below.

    >>> better = {("a", "c"), ("b", "c")}
    >>> cluster_systems(["a", "b", "c"], lambda one, other: (one, other) in better)
    [('a', 'b'), ('c',)]
    """
    clusters, start = [], 0
    for cut in range(1, len(ordered) + 1):
        above, below = ordered[start:cut], ordered[cut:]
        if all(beats(one, other) for one in above for other in below):
            clusters.append(tuple(above))
            start = cut
    return clusters


def possible_ranks(name: str, names: Sequence[str], beats: Callable[[str, str], bool]) -> tuple[int, int]:
    """Give the best and the worst place that a system may have: below all that beat it, above all that it beats."""
    others = [other for other in names if other != name]
    better, worse = sum(beats(other, name) for other in others), sum(beats(name, other) for other in others)
    return 1 + better, len(names) - worse
