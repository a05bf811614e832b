"""The registry: which metrics there are.

Recipes come before metrics on the way of a text, yet a recipe belongs to a metric. This is the one place where the
former look at the latter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from bleuprint.errors import Location, RecipeError, name_list, nearest, quote
from bleuprint.metrics import module_of

if TYPE_CHECKING:
    from bleuprint.metrics.metric import Metric
    from bleuprint.recipes.options import Dialect


def _load_bleu() -> Metric:
    from bleuprint.metrics.bleu.score import BLEU

    return BLEU


def _load_chrf() -> Metric:
    from bleuprint.metrics.chrf.score import CHRF

    return CHRF


def _load_ter() -> Metric:
    from bleuprint.metrics.ter.score import TER

    return TER


METRICS: dict[str, Callable[[], Metric]] = {"bleu": _load_bleu, "chrf": _load_chrf, "ter": _load_ter}
"""By key, in the order in which they are listed; a metric is loaded when somebody asks for it."""
DEFAULT_METRIC = "bleu"


@cache
def find_metric(key: str = DEFAULT_METRIC) -> Metric:
    """Give a metric by its key."""
    return METRICS[key]()


def check_metric(key: object) -> Metric:
    """Give a metric by the key that somebody named."""
    if not isinstance(key, str) or key not in METRICS:
        raise RecipeError(
            where=Location("metric"),
            wanted=name_list(METRICS),
            got=quote(key),
            suggestion=nearest(key, METRICS),
            next_step=f"Leave it out for {DEFAULT_METRIC}.",
        )
    return find_metric(key)


def list_metrics() -> Iterator[Metric]:
    """Give all metrics, each loaded when its turn comes."""
    return map(find_metric, METRICS)


def find_dialect(name: str) -> Metric | None:
    """Give the metric that knows a dialect of this name; those after it in the list are not loaded."""
    return next((metric for metric in list_metrics() if name in metric.dialects), None)


def find_name(name: str) -> str | None:
    """Give the name by which a dialect is listed, of one that may say a release: ``nltk@3.10`` is ``nltk``."""
    if find_dialect(name) is not None:
        return name
    bare, _, release = name.partition("@")
    numbers = release.split(".")
    if not all(number.isascii() and number.isdigit() for number in numbers):
        return None
    minor = ".".join(numbers[:2])
    return next((dialect.name for dialect in _list_variants(bare) if minor in dialect.releases), None)


def releases_of(name: str) -> list[str]:
    """List the minor releases that may be said with the name of a dialect, the oldest first."""
    known = {release for dialect in _list_variants(name.partition("@")[0]) for release in dialect.releases}
    return sorted(known, key=lambda release: [int(number) for number in release.split(".")])


def _list_variants(bare: str) -> list[Dialect]:
    """List the dialect of this name, and those of earlier releases, whose numbers are others."""
    metric = find_dialect(bare)
    own = metric.dialects.values() if metric else ()
    return [dialect for dialect in own if dialect.name.partition("@")[0] == bare]


def dialect_names() -> list[str]:
    """List the names of all dialects of all metrics."""
    return [name for metric in list_metrics() for name in metric.dialects]


def nearest_dialect(name: object) -> str | None:
    """Find the dialect that a name was meant for; of a metric's name, the one that the metric has by default."""
    if isinstance(name, str) and (key := name.lower()) in METRICS:
        return find_metric(key).default
    return nearest(name, dialect_names())


def recognise_line(line: str) -> Metric:
    """Give the metric whose signature, printed by another tool, a line is; the default one where none knows it."""
    others = (metric for metric in list_metrics() if metric.key != DEFAULT_METRIC)
    return next((metric for metric in others if module_of(metric, "sacrebleu").is_line(line)), find_metric())
