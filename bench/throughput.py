"""Measure throughput, in MB of text per second, by the length of segments and by threads, beside other tools.

    .venv/bin/python bench/throughput.py | tee bench/results/throughput.md

``make docs`` draws docs/throughput.svg from what is stored there. Ours and theirs take turns and the best time of each
counts, on one thread the processor's; a slow tool gets less text. The limit is what it takes to read as many bytes
from memory and do nothing else. NLTK is given tokens, so it need not split. sacreBLEU and NLTK have no threads. Takes
a minute on a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import accumulate, takewhile
from typing import NamedTuple

import machine
import numpy as np
import texts
from turns import Clock, best_seconds

import bleuprint as bp

LENGTHS = (5, 10, 20, 40, 80, 160, 320, 640, 1280)
BYTES_PER_TOKEN = 13
"""Of a candidate and its reference, about: by that texts of any length are made of about the same size."""
BY_LENGTH, BY_THREADS = 2_000_000, 60_000_000
READ = 1 << 28
"""More bytes than a cache holds."""
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
RUST_THREADS = "RAYON_NUM_THREADS"
"""By this variable bleuscore is told, before it starts, how many threads to use."""


class Corpus(NamedTuple):
    """Candidates and their references."""

    candidates: list[str]
    references: list[str]

    @property
    def megabytes(self) -> float:
        """The size of its texts."""
        return sum(len(text.encode()) for text in (*self.candidates, *self.references)) / 1e6

    def start(self, share: float) -> Corpus:
        """Give its first segments."""
        kept = max(1, round(len(self.candidates) * share))
        return Corpus(self.candidates[:kept], self.references[:kept])


def made(length: int, size: int) -> Corpus:
    """Make about so many bytes of segments of about so many tokens."""
    return Corpus(*texts.made_corpus(size // (BYTES_PER_TOKEN * length), length=length))


# Each gives a work, from a corpus and a number of threads.


def ours(corpus: Corpus, threads: int) -> Callable[[], object]:
    """Score texts."""
    return lambda: bp.score(*corpus, threads=threads).score


def rust(corpus: Corpus, _: int) -> Callable[[], object]:
    """Have bleuscore score them, on as many threads as it was told before its start."""
    import bleuscore

    lists = [[text] for text in corpus.references]
    return lambda: bleuscore.compute(lists, corpus.candidates, 4, False)


def sacre(corpus: Corpus, _: int) -> Callable[[], object]:
    """Have sacreBLEU score them, which has forgotten what it has split before."""
    from sacrebleu.metrics import BLEU
    from speed import token_caches

    caches = token_caches()
    assert caches

    def score() -> float:
        for cache in caches:
            cache.cache_clear()
        return BLEU().corpus_score(corpus.candidates, [corpus.references]).score

    return score


def nltk(corpus: Corpus, _: int) -> Callable[[], object]:
    """Have NLTK score their tokens."""
    from nltk.translate.bleu_score import corpus_bleu

    tokens = [text.split() for text in corpus.candidates]
    references = [[text.split()] for text in corpus.references]
    return lambda: corpus_bleu(references, tokens)


class Tool(NamedTuple):
    """What is measured, and on which share of the text."""

    title: str
    work: Callable[[Corpus, int], Callable[[], object]]
    share: float


OURS = Tool("bleuprint", ours, 1)
RUST = Tool("bleuscore", rust, 0.3)
ALONE = (Tool("sacreBLEU", sacre, 0.1), Tool("NLTK, given tokens", nltk, 0.1))
"""They have no threads."""
TOOLS = (OURS, RUST, *ALONE)


def speeds(tools: tuple[Tool, ...], corpus: Corpus, threads: int, rounds: int, clock: Clock) -> list[float]:
    """Give the MB per second of each tool."""
    parts = [corpus.start(tool.share) for tool in tools]
    works = [tool.work(part, threads) for tool, part in zip(tools, parts, strict=True)]
    times = best_seconds(*works, rounds=rounds, clock=clock)
    return [part.megabytes / taken for part, taken in zip(parts, times, strict=True)]


def reading_speed(threads: int, clock: Clock) -> float:
    """Give the MB per second at which so many threads read memory, each its own part."""
    parts = np.array_split(np.ones(READ // 8, dtype=np.uint64), threads)
    with ThreadPoolExecutor(threads) as pool:
        [taken] = best_seconds(lambda: list(pool.map(np.sum, parts)), rounds=5, clock=clock)
    return READ / 1e6 / taken


def rust_speed(threads: int, size: int, rounds: int) -> float:
    """Give the speed of bleuscore in a process of its own, which has so many threads."""
    command = [sys.executable, __file__, "--rust", str(size), str(rounds)]
    environment = {**os.environ, RUST_THREADS: str(threads)}
    return float(subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout)


def by_threads(size: int, rounds: int) -> Iterator[tuple[int, list[float | None]]]:
    """Give the speeds on one thread, two, four, and so on up to all cores."""
    corpus = made(20, size)
    doublings = takewhile(lambda threads: threads < CORES, accumulate([1] * 20, lambda known, _: 2 * known))
    for threads in (*doublings, CORES):
        [own] = speeds((OURS,), corpus, threads, rounds, time.perf_counter)
        theirs = rust_speed(threads, size // 10, rounds)
        alone = speeds(ALONE, corpus.start(0.03), 1, rounds, time.perf_counter) if threads == 1 else [None, None]
        yield threads, [own, theirs, *alone, reading_speed(threads, time.perf_counter)]


def show(first: str, rows: Iterator[tuple[int, list[float | None]]]) -> None:
    """Print a table of speeds as it grows."""
    titles = [first, *(tool.title for tool in TOOLS), "reading the bytes"]
    print(f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}", flush=True)
    for size, found in rows:
        cells = ["" if speed is None else f"{speed:,.3g}" if speed < 100 else f"{speed:,.0f}" for speed in found]
        print(f"| {size:,} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--small", action="store_true", help="with a tenth of the text, to see whether it works")
    parser.add_argument("--rust", nargs=2, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rust:
        size, rounds = options.rust
        print(*speeds((RUST._replace(share=1),), made(20, size), 0, rounds, time.perf_counter))
        return
    os.environ[RUST_THREADS] = "1"
    smaller = 10 if options.small else 1
    print(f"{machine.describe('sacrebleu', 'bleuscore', 'nltk')}, engine {bp.engine()}")
    print("\nMB of text per second by the length of segments, made text, 13a, one thread, processor time\n")
    reading = reading_speed(1, time.process_time)
    measure = partial(speeds, TOOLS, threads=1, rounds=options.rounds, clock=time.process_time)
    show(
        "tokens per segment",
        ((length, [*measure(made(length, BY_LENGTH // smaller)), reading]) for length in LENGTHS),
    )
    print("\nMB of text per second by threads, segments of 20 tokens, by the clock\n")
    show("threads", by_threads(BY_THREADS // smaller, options.rounds))


if __name__ == "__main__":
    main()
