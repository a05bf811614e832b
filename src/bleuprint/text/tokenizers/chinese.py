"""sacreBLEU's zh, and zh-corrected: a space round every character of the listed blocks, then 13a's substitutions."""

from __future__ import annotations

import re
from functools import cache

from bleuprint.text.tokenizers.mteval import substitute, western

# The ranges sacreBLEU 2.6.0 uses. Two are not what was meant: "\u20000" is U+2000 followed by a zero, so what should be
# the supplementary ideographs is U+2001 to U+2A6D (quotation marks, dashes, arrows …) and U+2F81 to U+2FA1. They are
# kept, because the published scores were made with them.
SACREBLEU_RANGES = (
    (0x2001, 0x2A6D), (0x2E80, 0x2EFF), (0x2F00, 0x2FDF), (0x2FF0, 0x303F), (0x3100, 0x312F), (0x31A0, 0x31BF),
    (0x31C0, 0x31EF), (0x3200, 0x33FF), (0x3400, 0x4DB5), (0x4E00, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9), (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF),
)  # fmt: skip

# The same with the two corrected: U+20000 to U+2A6D6 (ideographs, extension B) and U+2F800 to U+2FA1D (compatibility
# ideographs). Signs and dingbats, U+2600 to U+27BF, stay, because sacreBLEU lists them by themselves.
CORRECTED_RANGES = ((0x2600, 0x27BF), *SACREBLEU_RANGES[1:], (0x20000, 0x2A6D6), (0x2F800, 0x2FA1D))


def _match_one(ranges: tuple[tuple[int, int], ...]) -> re.Pattern[str]:
    return re.compile("([" + "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges) + "])")


@cache
def _sacrebleu() -> re.Pattern[str]:
    return _match_one(SACREBLEU_RANGES)


@cache
def _corrected() -> re.Pattern[str]:
    return _match_one(CORRECTED_RANGES)


def tokenize_zh(text: str) -> list[str]:
    """Split Chinese characters one by one and the rest as 13a does, without entities and padding."""
    return substitute(_sacrebleu().sub(r" \1 ", text.strip()), western()).split()


def tokenize_zh_corrected(text: str) -> list[str]:
    """Split as zh does, with the two malformed ranges corrected."""
    return substitute(_corrected().sub(r" \1 ", text.strip()), western()).split()
