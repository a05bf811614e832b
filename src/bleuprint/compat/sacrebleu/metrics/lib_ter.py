"""TER's edits, where ``sacrebleu.metrics.lib_ter`` has them."""

from __future__ import annotations

from collections.abc import Sequence

from bleuprint.compat.sacrebleu.ter_counts import COUNTING, LAYOUT
from bleuprint.engines import find_engine
from bleuprint.metrics.ter.counting import count_edits


def translation_edit_rate(words_hyp: Sequence[str], words_ref: Sequence[str]) -> tuple[int, int]:
    """Give the edits that make one list of words the other, and the length of the other.

    >>> translation_edit_rate(["b", "c", "a"], ["a", "b", "c"])
    (1, 3)
    """
    (found,) = find_engine().trace(words_hyp, [words_ref], LAYOUT)
    return sum(count_edits(found, COUNTING)), len(words_ref)
