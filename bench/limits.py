"""Measure what docs/limits.md and docs/comparing.md name as prices: the Python engine, long segments in TER, a report.

    .venv/bin/python bench/limits.py | tee bench/results/limits.md

Each engine runs in a process of its own, and the least time of the processor counts. It takes a minute.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain

import machine
import texts

import bleuprint as bp

WORDS = {"native": 20_000, "python": 1_000}
"""How long a segment is that TER is measured on, for each engine."""
MOVED = (1_000, 5_000, 20_000)
"""The lengths in words of what costs the kernel most: the same words, moved about, in so many draws."""
DRAWS = 4


def least(work: Callable[[], object], rounds: int) -> float:
    """Give the least time of the processor in seconds."""
    taken = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)


def long_pairs(words: int) -> Iterator[tuple[str, str, str]]:
    """Give kinds of long segments that cost TER much: what they are, candidate, reference."""
    draw = random.Random(1)
    numbers = [f"w{number}" for number in range(words)]
    moved = draw.sample(numbers, words)
    yield "other words", " ".join(numbers), " ".join(f"v{number}" for number in range(words))
    yield "the same words, moved about", " ".join(moved), " ".join(numbers)
    yield "two words, again and again", " ".join(draw.choices("ab", k=words)), " ".join(draw.choices("ab", k=words))
    pairs = list(zip(numbers[::2], numbers[1::2]))
    yield "two words at a time, moved about", " ".join(chain(*draw.sample(pairs, len(pairs)))), " ".join(numbers)


def measure() -> dict[str, float]:
    """Give what this process's engine takes, in seconds."""
    candidates, references, _ = texts.corpus()
    name = bp.engine().name
    taken = {"corpus": least(lambda: bp.score(candidates, references, threads=1), 3)}
    taken["sentence"] = least(lambda: bp.score_sentence(candidates[0], references[0], "ter"), 5)
    for kind, candidate, reference in long_pairs(WORDS[name]):
        taken[kind] = least(lambda pair=(candidate, reference): bp.score_sentence(*pair, "ter"), 1)
    if name == "native":
        taken |= {f"{words} moved": dearest_draw(words) for words in MOVED}
    return taken


def dearest_draw(words: int) -> float:
    """Give the seconds that TER takes for words that were moved about, in the draw that costs most."""
    numbers = [f"w{number}" for number in range(words)]
    draws = [random.Random(seed).sample(numbers, words) for seed in range(DRAWS)]
    return max(
        least(lambda moved=moved: bp.score_sentence(" ".join(moved), " ".join(numbers), "ter"), 3) for moved in draws
    )


def measure_apart(engine: str) -> dict[str, float]:
    """Measure in a process with an engine."""
    command = [sys.executable, __file__, "--measure"]
    done = subprocess.run(command, env=os.environ | {"BLEUPRINT_ENGINE": engine}, stdout=subprocess.PIPE, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def report_bytes(segments: int, tokens: int, systems: int) -> int:
    """Give the size of the report of a comparison."""
    references = texts.made_corpus(segments, length=tokens)[1]
    outputs = {f"system {seed}": texts.made_corpus(segments, seed, tokens)[0] for seed in range(systems)}
    return len(bp.compare(outputs, references, resamples=1000).to_html().encode("utf-8"))


def main() -> None:
    """Print everything in Markdown."""
    kernel, python = measure_apart("native"), measure_apart("python")
    print(f"# What limits cost\n\n{machine.describe()}\n")
    print(f"The corpus of `bench/texts.py`, 13a, one thread: {kernel['corpus'] * 1e3:.3g} ms with the kernel,")
    times = python["corpus"] / kernel["corpus"]
    print(f"{python['corpus'] * 1e3:,.0f} ms with the Python engine, {times:.0f} times as long.\n")
    print("| TER of a segment | kernel | a word | Python engine | a word |\n|---|---|---|---|---|")
    print(f"| the first of the corpus | {kernel['sentence'] * 1e3:.2g} ms | | {python['sentence'] * 1e3:.2g} ms | |")
    for kind, *_ in long_pairs(10):
        cells = [
            f"{taken[kind]:.2g} s | {taken[kind] / WORDS[name] * 1e6:.1f} µs"
            for name, taken in (("native", kernel), ("python", python))
        ]
        print(f"| {kind} ({WORDS['native']:,} words; {WORDS['python']:,}) |", " | ".join(cells), "|")
    print(f"\nThe same words, moved about, the dearest of {DRAWS} draws, with the kernel:", end=" ")
    costs = (f"{kernel[f'{words} moved'] / words * 1e6:.0f} µs a word for {words:,} words" for words in MOVED)
    print(*costs, sep=", ", end=".\n")
    size = report_bytes(segments=1_000, tokens=25, systems=5)
    print(f"\nThe report of five systems on 1,000 segments of 25 tokens: {size / 1e6:.1f} MB.")


if __name__ == "__main__":
    if "--measure" in sys.argv:
        print(json.dumps(measure()))
    else:
        main()
