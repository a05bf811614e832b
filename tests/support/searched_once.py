"""Searches of identification that are made once: what texts give does not depend on the number that is asked about."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import pytest

from bleuprint.findings import identification
from bleuprint.findings.identification.results import Reading
from bleuprint.findings.identification.search import Attempt, Search
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segments

_make_search = identification.make_search
_searches: dict[Hashable, Search] = {}


def search_once(paired: Sequence[Segments], named: Sequence[Recipe], threads: int | None = None) -> Search:
    """Give the search that was made before for the same texts and metrics."""
    texts = tuple((tuple(one.candidates), tuple(map(tuple, one.references))) for one in paired)
    key = (texts, tuple(dict.fromkeys(recipe.metric_key for recipe in named)))
    search = _make_search(paired, named, threads)
    if key not in _searches:
        search.read = _read_once(search.read)
        _searches[key] = search
    _searches[key].claimed = search.claimed
    return _searches[key]


def _read_once(read: Callable[[list[Attempt]], list[Reading]]) -> Callable[[list[Attempt]], list[Reading]]:
    known: dict[int, tuple[list[Attempt], list[Reading]]] = {}

    def read_stage(attempts: list[Attempt]) -> list[Reading]:
        if id(attempts) not in known:
            known[id(attempts)] = attempts, read(attempts)  # kept, so that no other list gets their identity
        return list(known[id(attempts)][1])

    return read_stage


@pytest.fixture(autouse=True)
def searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let identify ask searches that remember."""
    monkeypatch.setattr(identification, "make_search", search_once)
