"""Signatures: a recipe in one line that reads back as the same recipe.

``bleuprint:1|tok:13a|case:mixed|…`` has every axis of BLEU once, as key:value between bars. Other metrics are named in
front: ``bleuprint:2|metric:chrf|…``. The signature of a score on a test set by name goes on with that:
``|testset:wmt22/en-de|refhash:…``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bleuprint.errors import RecipeError, quote, unknown_name
from bleuprint.recipes.registry import DEFAULT_METRIC, METRICS
from bleuprint.wording import join_words

PREFIX = "bleuprint:1"
NAMED_PREFIX = "bleuprint:2"
"""Before the name of a metric; signatures of BLEU stay what they were before there was another."""
METRIC_KEY = "metric"
TESTSET_KEYS = ("testset", "refhash")
"""What signatures of scores on a test set have at their end: its name, and a hash of the references."""


def print_signature(metric: str, choices: Mapping[str, str]) -> str:
    """Write choices, by their keys, as one line."""
    parts = [f"{key}:{value}" for key, value in choices.items()]
    return "|".join([*_head(metric), *parts])


def _head(metric: str) -> list[str]:
    return [PREFIX] if metric == DEFAULT_METRIC else [NAMED_PREFIX, f"{METRIC_KEY}:{metric}"]


def check_label(label: object) -> None:
    """Refuse a label of a test set that no signature could end with; an empty one is none."""
    if not isinstance(label, str) or (
        label and not re.fullmatch(r"testset:[a-zA-Z0-9_.+/-]+\|refhash:[0-9a-f]{16}", label)
    ):
        raise RecipeError(
            f"{quote(label)} is not the label of a test set.",
            "It looks like testset:NAME/PAIR|refhash: and 16 hexadecimal digits. bleuprint.testset(NAME).label has it.",
        )


def find_signature(line: str) -> str | None:
    """Find a signature of bleuprint's own, also inside a line that print(score) wrote."""
    own = re.search(r"bleuprint:\d+\|\S+", line)
    if own:
        return own[0]
    return line.strip() if line.strip().startswith("bleuprint:") else None


def split_signature(line: str) -> tuple[str, dict[str, str]]:
    """Give the key of the metric, and what a signature says for each of its keys."""
    prefix, *parts = line.split("|")
    pairs = [part.partition(":") for part in parts]
    metric = DEFAULT_METRIC
    if pairs and pairs[0][0] == METRIC_KEY:
        metric = pairs.pop(0)[2]
        if metric not in METRICS:
            raise unknown_name("metric", metric, METRICS, error=RecipeError)
    if prefix != _head(metric)[0]:
        raise _refuse(f"expected {_head(metric)[0]} in front, got {quote(prefix)}")
    found: dict[str, str] = {}
    for key, colon, value in pairs:
        if not colon or key in found:
            raise _refuse(f"expected every key once, as key:value between bars, got {quote(key + colon + value)}")
        found[key] = value
    return metric, {key: value for key, value in found.items() if key not in TESTSET_KEYS}


def check_keys(found: Mapping[str, str], keys: Iterable[str], metric: str = DEFAULT_METRIC) -> None:
    """Refuse a signature that does not have each of the keys of its metric, or that has others."""
    expected = list(keys)
    unknown = [key for key in found if key not in expected]
    missing = [key for key in expected if key not in found]
    if unknown:
        raise _refuse(f"unknown key {quote(unknown[0])}, expected {', '.join(expected)}")
    if missing:
        raise _refuse(f"{join_words(missing)} missing after {'|'.join(_head(metric))}")


def _refuse(problem: str) -> RecipeError:
    fix = "Copy the whole line as it was printed. A newer form needs the bleuprint that printed it."
    return RecipeError(f"{problem}.", fix, where="signature")
