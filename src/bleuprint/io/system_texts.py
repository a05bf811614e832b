"""Systems that are compared: their texts with references and labels, and what of a source is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bleuprint.text.formats.sources import DOCUMENT

__all__ = ["DOCUMENT", "SystemChoice", "SystemTexts"]


class SystemTexts(NamedTuple):
    """The candidates of several systems, their references, and labels of the segments."""

    systems: Mapping[str, Sequence[Any]]
    references: Sequence[Sequence[Any]]
    labels: Mapping[str, Sequence[str]]
    sources: Sequence[Any] | None = None
    """what was translated; None where it is not known"""


class SystemChoice(NamedTuple):
    """What of a source is compared; empty parts stand for all of it, or the usual."""

    systems: Mapping[str, str]
    """columns, or names of systems, by the names that they are to have"""
    references: Sequence[str] = ()
    labels: Sequence[str] = ()
    source: str | None = None
    """the column of sources; markup says itself what its sources are"""
    with_sources: bool = False
    """whether the sources of markup are wanted: nobody minds faults in those that nobody sees"""
