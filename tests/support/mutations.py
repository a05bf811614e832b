"""Requests that go wrong in one place: each node of a valid one is replaced by each kind of value that JSON has."""

import copy

WRONG = (None, True, -1, 1.5, 1e308, 2**62, 10**40, "", "\ud800", [], [[]], {}, {"x": 1})


def paths_of(value, path=()):
    """List the places of all nodes, the root first; of a list the first element and the last."""
    yield path
    if isinstance(value, dict):
        for key, child in value.items():
            yield from paths_of(child, (*path, key))
    elif isinstance(value, list):
        for place in sorted({0, len(value) - 1} if value else ()):
            yield from paths_of(value[place], (*path, place))


def replace(value, path, other):
    """Give a copy with another value at one place; what lies beside the way there is shared with the original."""
    if not path:
        return other
    changed = copy.copy(value)
    changed[path[0]] = replace(value[path[0]], path[1:], other)
    return changed


def remove(value, path):
    """Give a copy without one node, in the same way."""
    changed = copy.copy(value)
    if len(path) > 1:
        changed[path[0]] = remove(value[path[0]], path[1:])
    else:
        del changed[path[0]]
    return changed


def mutations_of(request, kept=("action",), turns=1):
    """List the requests that differ from a valid one in one place, with a description of each.

    The places take turns in the kinds of values: with three turns each place gets a third of them.
    """
    for turn, path in enumerate(paths_of(request)):
        if path and path[0] in kept:
            continue
        if path:
            yield f"{path} left out", remove(request, path)
        for other in WRONG[turn % turns :: turns]:
            yield f"{path} = {other!r}", replace(request, path, copy.deepcopy(other))
