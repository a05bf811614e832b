"""``compare --scores``: the files with segment scores of other metrics, and their systems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bleuprint.errors import FileError, ShapeError, nearest, quote
from bleuprint.findings.comparison.external import check_metric_names
from bleuprint.io.lines import refuse_second_stdin
from bleuprint.io.paths import is_file, is_url
from bleuprint.io.systems import read_all_scores, read_system_scores
from bleuprint.wording import join_words

SCORES_EXAMPLE = "For example: --scores comet=ours:ours.comet, or --scores comet=comet.seg.score for all systems."


def read_scores_options(texts: Iterable[str], recipes: Iterable[str], sources: Iterable[str]) -> list[tuple[str, str]]:
    """Read METRIC=[SYSTEM:]FILE, before any file is opened; ``sources`` are the other files of the call."""
    options = []
    for text in texts:
        metric, _, file = text.partition("=")
        if not metric or not file:
            raise FileError(f"--scores takes METRIC=SYSTEM:FILE or METRIC=FILE, not {quote(text)}.", SCORES_EXAMPLE)
        options.append((metric, file))
    check_metric_names([metric for metric, _ in options], recipes)
    files = [file.rpartition(":")[2] for _, file in options]  # after the system, if there is one
    refuse_second_stdin([*sources, *files])
    return options


def _split(place: str, systems: Sequence[str]) -> tuple[str | None, str]:
    """Split the system from its file; a file for all systems has none."""
    known = [name for name in systems if place.startswith(f"{name}:")]
    if known:
        system = max(known, key=len)
        return system, place.removeprefix(f"{system}:")
    system, colon, _ = place.partition(":")
    if colon and not is_url(place) and not is_file(place):
        message = f"--scores: {quote(place)} is neither a file nor SYSTEM:FILE."
        raise ShapeError(message, SCORES_EXAMPLE, suggestion=nearest(system, systems), values=systems)
    return None, place


def read_external_scores(
    options: Iterable[tuple[str, str]], systems: Sequence[str], segments: int
) -> dict[str, dict[str, list[float]]]:
    """Read all files: by metric and system the scores of every segment."""
    scores: dict[str, dict[str, list[float]]] = {}
    for metric, place in options:
        system, file = _split(place, systems)
        own = scores.setdefault(metric, {})
        if system is None:
            found = read_all_scores(file, systems, segments)
        else:
            found = {system: read_system_scores(file, segments)}
        twice = [name for name in found if name in own]
        if twice:
            message = f"--scores has the scores of {metric} for {join_words(map(quote, twice))} twice."
            raise ShapeError(message, "Leave one of them out, or choose another name for the second metric.")
        own |= found
    for metric, own in scores.items():
        missing = [name for name in systems if name not in own]
        if missing:
            message = f"--scores has no scores of {metric} for {join_words(map(quote, missing))}."
            raise ShapeError(message, f"Add --scores {metric}={missing[0]}:FILE.")
    return scores
