"""Texts to measure with: real translations where they are, else made ones that look like language."""

from __future__ import annotations

import random
from itertools import accumulate
from pathlib import Path

WMT = Path(__file__).parents[2] / "shared" / "wmt22"
SYLLABLES = (
    "ka",
    "lo",
    "mi",
    "ter",
    "sen",
    "vor",
    "ün",
    "ber",
    "li",
    "na",
    "gra",
    "tis",
    "pel",
    "on",
    "dra",
    "wei",
    "ro",
    "ßu",
)


def real_corpus() -> tuple[list[str], list[str]] | None:
    """Give a system of WMT22 English to German with its reference, 2,037 segments, or None where they are not."""
    return _read_pair("generaltest2022.en-de.hyp.Online-B.de", "generaltest2022.en-de.ref.A.de")


def chinese_corpus() -> tuple[list[str], list[str]] | None:
    """Give a system of WMT22 English to Chinese with its reference, 2,037 segments, or None where they are not."""
    return _read_pair("generaltest2022.en-zh.hyp.Online-B.zh", "generaltest2022.en-zh.ref.A.zh")


def _read_pair(*names: str) -> tuple[list[str], list[str]] | None:
    files = [WMT / name for name in names]
    if not all(file.exists() for file in files):
        return None
    candidates, references = map(read_lines, files)
    return candidates, references


def read_lines(file: Path) -> list[str]:
    """Read a file with a segment per line."""
    return file.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def made_corpus(segments: int, seed: int = 2002, length: int = 20) -> tuple[list[str], list[str]]:
    """Make sentences of Zipf-distributed words with punctuation; candidates are references with a third changed."""
    rng = random.Random(seed)
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(20_000)]
    words = [word.capitalize() if rng.random() < 0.3 else word for word in words]
    weights = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
    references = []
    for _ in range(segments):
        size = max(1, round(rng.gauss(length, length / 3)))
        references.append(rng.choices(words, cum_weights=weights, k=size))
    candidates = []
    for reference in references:
        changed = [rng.choice(words) if rng.random() < 0.2 else word for word in reference]
        if rng.random() < 0.3:
            del changed[rng.randrange(len(changed))]
        candidates.append(_punctuate(changed, rng))
    return candidates, [_punctuate(reference, rng) for reference in references]


def _punctuate(words: list[str], rng: random.Random) -> str:
    marked = [word + "," if rng.random() < 0.08 else word for word in words]
    if rng.random() < 0.1:
        marked.append(rng.choice(["(3.5)", "1,200", "2022", "„so“", "50%"]))
    return " ".join(marked) + rng.choice([".", ".", ".", "!", "?", ""])


def corpus(segments: int = 2_037) -> tuple[list[str], list[str], str]:
    """Give about so many segments, and say which they are."""
    real = real_corpus()
    if real and segments <= len(real[0]):
        return real[0][:segments], real[1][:segments], "WMT22 English to German, Online-B"
    return *made_corpus(segments), "made text"
