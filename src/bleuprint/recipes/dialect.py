"""A dialect: a recipe that has a name, because an existing tool computes by it."""

from collections.abc import Mapping
from typing import NamedTuple

DEFAULT = "sacrebleu"
"""Who names no recipe gets the number that sacreBLEU prints."""
SEGMENT_DEFAULT = "sacrebleu-sentence"
"""The same for single segments, of which short ones must not all be 0."""


class Dialect(NamedTuple):
    """A named recipe: the tool whose numbers it gives, how closely that was checked, and its choices."""

    name: str
    summary: str
    tool: str
    checked: str
    choices: Mapping[str, object] = {}
    releases: tuple[str, ...] = ()
    """The minor releases of the tool that are known to give these numbers: ``nltk@3.10`` is ``nltk``."""
