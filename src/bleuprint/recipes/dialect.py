"""A dialect: a recipe that has a name, because an existing tool computes by it."""

from collections.abc import Mapping
from typing import NamedTuple

DEFAULT = "sacrebleu"
"""Whoever names no recipe gets the number that sacreBLEU prints."""
SEGMENT_DEFAULT = "sacrebleu-sentence"
"""The same for single segments, of which short ones must not all be 0."""

TRIED_RELEASES: Mapping[str, tuple[str, ...]] = {
    "nltk": ("3.9", "3.10"), "sacrebleu": ("2.4", "2.5", "2.6"), "torchmetrics": ("1.7", "1.8", "1.9"),
}  # fmt: skip
"""The minor releases of tools with which all of their metrics were tried."""


class Dialect(NamedTuple):
    """A named recipe: the tool whose numbers it gives, how closely that was checked, and its choices."""

    name: str
    summary: str
    tool: str
    checked: str
    choices: Mapping[str, object] = {}
    releases: tuple[str, ...] = ()
    """The minor releases of the tool that are known to give these numbers: ``nltk@3.10`` is ``nltk``."""
