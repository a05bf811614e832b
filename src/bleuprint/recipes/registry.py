"""The registry: the metrics, and their named recipes.

Recipes come before metrics in the order of packages, but every recipe belongs to a metric. So ``find_metric`` imports a
metric at first use.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from bleuprint.errors import Location, RecipeError, nearest, unknown_name
from bleuprint.metrics import module_of

if TYPE_CHECKING:
    from bleuprint.metrics.metric import Metric
    from bleuprint.recipes.options import Dialect

METRICS = ("bleu", "chrf", "ter")
"""The keys of the metrics, in the order in which they are listed."""
DEFAULT_METRIC = "bleu"


@cache
def find_metric(key: str = DEFAULT_METRIC) -> Metric:
    """Return a metric by its key. It is imported at first use."""
    metric: Metric = import_module(f"bleuprint.metrics.{key}.score").METRIC
    return metric


def check_metric(key: object) -> Metric:
    """Return a metric by the key that a caller passed, or raise an error."""
    if not isinstance(key, str) or key not in METRICS:
        raise unknown_name("metric", key, METRICS, location=Location("metric"), error=RecipeError)
    return find_metric(key)


def list_metrics() -> Iterator[Metric]:
    """Yield all metrics. Each is imported when it is reached."""
    return map(find_metric, METRICS)


def find_dialect(name: str) -> Metric | None:
    """Return the metric that has a recipe of this name. Metrics after it in the list are not imported."""
    return next((metric for metric in list_metrics() if name in metric.dialects), None)


def find_name(name: str) -> str | None:
    """Return the name in the list for a name that may have a release: ``nltk@3.10`` is ``nltk``."""
    if find_dialect(name) is not None:
        return name
    bare, _, release = name.partition("@")
    numbers = release.split(".")
    if not all(number.isascii() and number.isdigit() for number in numbers):
        return None
    minor = ".".join(numbers[:2])
    return next((recipe.name for recipe in _list_variants(bare) if minor in recipe.releases), None)


def releases_of(name: str) -> list[str]:
    """Return the minor releases that a name with ``@`` may have, the oldest first; empty if it has no ``@``."""
    bare, at, _ = name.partition("@")
    known = {release for recipe in _list_variants(bare) for release in recipe.releases if at}
    return sorted(known, key=lambda release: [int(number) for number in release.split(".")])


def _list_variants(bare: str) -> list[Dialect]:
    """Return the recipe of this name, and those of earlier releases, whose numbers differ."""
    metric = find_dialect(bare)
    recipes = metric.dialects.values() if metric else ()
    return [recipe for recipe in recipes if recipe.name.partition("@")[0] == bare]


def dialect_names() -> list[str]:
    """Return the names of all recipes of all metrics."""
    return [name for metric in list_metrics() for name in metric.dialects]


def nearest_dialect(name: object) -> str | None:
    """Return the recipe that a name was probably meant for; for a metric's name, the default recipe of the metric."""
    if isinstance(name, str) and (key := name.lower()) in METRICS:
        return find_metric(key).default
    return nearest(name, dialect_names())


def recognise_line(line: str) -> Metric:
    """Return the metric of a signature that sacreBLEU printed. It is BLEU unless something says otherwise."""
    others = (metric for metric in list_metrics() if metric.key != DEFAULT_METRIC)
    return next((metric for metric in others if module_of(metric, "sacrebleu").is_line(line)), find_metric())
