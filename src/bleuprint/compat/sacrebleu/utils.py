"""The small helpers of ``sacrebleu.utils``; its test sets are not here."""

from __future__ import annotations

import gzip
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, cast

from bleuprint.compat.sacrebleu.absent import refuse_absent
from bleuprint.compat.sacrebleu.formula import LOG_OF_ZERO

__all__ = ["my_log", "smart_open", "sum_of_lists"]

__getattr__: Callable[[str], object] = refuse_absent(__name__)


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    """Open a file of text, unpacking it if its name ends in ``.gz``; only line feeds end a line."""
    if file.endswith(".gz"):
        return cast("IO[Any]", gzip.open(file, mode, encoding=encoding, newline="\n"))
    return Path(file).open(mode, encoding=encoding, newline="\n")


def my_log(num: float) -> float:
    """Give the logarithm, and a very low number for that of 0."""
    return LOG_OF_ZERO if num == 0.0 else math.log(num)


def sum_of_lists(lists: Sequence[Any]) -> Any:
    """Add lists of numbers place by place; the first one tells how many places there are."""
    first = lists[0]
    if len(lists) == 1:
        return first
    total = [type(first[0])(0.0)] * len(first)
    for numbers in lists:
        for place in range(len(first)):
            total[place] += numbers[place]
    return total
