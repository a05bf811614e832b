"""Choices that are tried together: some products that have every two of them, and in the matrix all products."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from typing import Any

import pytest


def covering(*axes: Sequence[Any]) -> list[Any]:
    """List the products of all choices; those are in the matrix whose every two choices are tried in others."""
    products = list(product(*(range(len(axis)) for axis in axes)))
    tried = set(_choose(products, len(axes)))
    return [
        pytest.param(
            *(axis[place] for axis, place in zip(axes, places, strict=True)),
            marks=[] if places in tried else pytest.mark.extended,
        )
        for places in products
    ]


def _choose(products: list[tuple[int, ...]], width: int) -> Iterable[tuple[int, ...]]:
    seen: set[tuple[int, ...]] = set()
    axes = list(combinations(range(width), 2))
    for fresh in range(len(axes), 0, -1):
        for places in products:
            pairs = {(one, other, places[one], places[other]) for one, other in axes} - seen
            if len(pairs) >= fresh:
                seen |= pairs
                yield places
