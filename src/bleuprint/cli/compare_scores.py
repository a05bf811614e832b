"""``compare --scores``: which files bring the segment scores of other metrics, and for which systems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bleuprint.errors import FileError, ShapeError, name_list, nearest, quote
from bleuprint.findings.comparison.external import check_metric_names
from bleuprint.io.lines import refuse_second_stdin
from bleuprint.io.paths import is_file, is_url
from bleuprint.io.systems import read_all_scores, read_system_scores
from bleuprint.wording import join_words

SCORES_EXAMPLE = "For example: --scores comet=ours:ours.comet, or --scores comet=comet.seg.score for all systems."


class ScoresOption(NamedTuple):
    """One --scores: a metric, and where its scores are, perhaps with a system in front."""

    metric: str
    place: str

    def split(self, systems: Sequence[str]) -> tuple[str | None, str]:
        """Part the system from its file; a file for all systems has none."""
        known = [name for name in systems if self.place.startswith(f"{name}:")]
        if known:
            system = max(known, key=len)
            return system, self.place.removeprefix(f"{system}:")
        system, colon, _ = self.place.partition(":")
        if colon and not is_url(self.place) and not is_file(self.place):
            raise ShapeError(
                where="--scores",
                wanted=f"a system that is compared, {name_list(systems)}, or a file that is there",
                got=quote(self.place),
                suggestion=nearest(system, systems),
                next_step=SCORES_EXAMPLE,
            )
        return None, self.place


def read_scores_options(texts: Iterable[str], recipes: Iterable[str], sources: Iterable[str]) -> list[ScoresOption]:
    """Read METRIC=[SYSTEM:]FILE, before any file is opened; ``sources`` are those that are read beside these."""
    options = []
    for text in texts:
        metric, found, place = text.partition("=")
        if not found or not metric or not place:
            raise FileError(
                where="--scores", wanted="METRIC=SYSTEM:FILE or METRIC=FILE", got=quote(text), next_step=SCORES_EXAMPLE
            )
        options.append(ScoresOption(metric, place))
    check_metric_names([option.metric for option in options], recipes)
    files = [option.place.rpartition(":")[2] for option in options]  # behind the system, where there is one
    refuse_second_stdin([*sources, *files])
    return options


def read_external_scores(
    options: Iterable[ScoresOption], systems: Sequence[str], segments: int
) -> dict[str, dict[str, list[float]]]:
    """Read all files: by metric and system the scores of every segment."""
    scores: dict[str, dict[str, list[float]]] = {}
    for option in options:
        system, file = option.split(systems)
        own = scores.setdefault(option.metric, {})
        if system is None:
            found = read_all_scores(file, systems, segments)
        else:
            found = {system: read_system_scores(file, segments)}
        twice = [name for name in found if name in own]
        if twice:
            raise ShapeError(
                where="--scores",
                wanted=f"scores of {option.metric} once for every system",
                got=f"those of {join_words(map(quote, twice))} twice",
                next_step="Leave one of them out, or give the second metric a name of its own.",
            )
        own |= found
    for metric, own in scores.items():
        missing = [name for name in systems if name not in own]
        if missing:
            raise ShapeError(
                where="--scores",
                wanted=f"scores of {metric} for every system",
                got=f"none for {join_words(map(quote, missing))}",
                next_step=f"Add --scores {metric}={missing[0]}:FILE.",
            )
    return scores
