"""Measure BLEU's counting side by side with that of an earlier commit.

    .venv/bin/python bench/kernel_before.py [--before COMMIT] [--only corpus|lists|length|million] ...

The earlier package is built from its commit into a temporary folder (a minute or two). Each of the two has a process of
its own; they take turns on one thread, and the best processor time of each counts. Lists of strings are also walked
along by Python itself, and copied without being counted, to show what reading alone takes. Cost by length is per token,
of candidates and references, and against that at 40 tokens. A million segments on all cores are compared with as many
processes, each with its part, by the clock on the wall, and a table says what stands between the two.
"""

from __future__ import annotations

import argparse
import mmap
import os
import resource
import tempfile
import time
from collections.abc import Callable
from itertools import chain
from typing import NamedTuple

import machine
import texts
from old_kernel import BEFORE, Row, Worker, build, in_turns, judge, package_in, serve_times, show_rows

LENGTHS = (40, 160, 640)
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


CORPORA = {
    "corpus 13a": Row("corpus, 13a, WMT22 English to German, one thread", 1.4, 2),
    "corpus intl": Row("the same, `intl`", 1.3, 2),
    "corpus char": Row("the same, `char`", 1.3, 2),
    "corpus lower": Row("the same, 13a, lower-cased", 1.3, 2),
    "corpus zh": Row("corpus, `zh`, WMT22 English to Chinese, one thread", 1.3, 2),
    "corpus lists": Row("the first, as lists of strings", 1.2, 1.6),
}


PARTS = ["corpus", "lists", "length", "million"]
LISTS = {
    "walk": "Python asks every string for its length, in one expression",
    "copy": "the kernel looks at every string, and copies it",
    "whole": "the whole call, with counting",
}


# What a process measures.


def corpus_work(name: str) -> Callable[[], object]:
    """Give a work that scores a corpus."""
    import bleuprint as bp

    candidates, references, _ = texts.corpus()
    if name == "zh":
        candidates, references = texts.chinese_corpus() or (candidates, references)
    recipe = bp.Recipe.named("sacrebleu")
    given: tuple[object, object] = (candidates, references)
    if name == "lists":
        recipe = bp.Recipe.named("nltk").replace(tokenizer="pretokenized")
        given = split_corpus()
    elif name == "lower":
        recipe = recipe.replace(case="lower")
    else:
        recipe = recipe.replace(tokenizer=name)
    return lambda: bp.score(*given, recipe, threads=1).score  # type: ignore[arg-type]


def split_corpus() -> tuple[list[list[str]], list[list[list[str]]]]:
    """Give a corpus as lists of strings."""
    candidates, references, _ = texts.corpus()
    return [text.split() for text in candidates], [[text.split()] for text in references]


def lists_work(part: str) -> Callable[[], object]:
    """Give a part of the work with lists of strings."""
    from bleuprint.native_kernel import find_kernel

    if part == "whole":
        return corpus_work("lists")
    candidates, references = split_corpus()
    if part == "walk":
        every = [*candidates, *chain.from_iterable(references)]
        return lambda: sum(map(len, chain.from_iterable(every)))
    kernel = find_kernel()
    assert kernel
    return lambda: len(kernel.TokenSnapshot.take(candidates, references) and candidates)


def length_work(length: int) -> Callable[[], float]:
    """Give a work that counts segments of so many tokens, and gives how many tokens these were."""
    import bleuprint as bp

    candidates, references = texts.made_corpus(80_000 // length, length=length)

    def count() -> float:
        total = bp.statistics(candidates, references, threads=1).total()
        return total.candidate_length + total.reference_length

    return count


def million_texts(part: int, parts: int) -> tuple[list[str], list[str]]:
    """Give one of so many parts of a million candidates and references."""
    candidates, references = texts.made_corpus(50_000)
    copies = range(part * 20 // parts, (part + 1) * 20 // parts)
    many = [f"{text} {copy}" for copy in copies for text in candidates]
    many_references = [f"{text} {copy}" for copy in copies for text in references]
    return many, many_references


def million_work(part: int, parts: int, threads: int) -> Callable[[], object]:
    """Give a work that scores one of so many parts of a million segments, and tells what that took (``Effort``).

    While the kernel looks over and counts texts all threads are at work; alone is who lets go of a million of them.
    """
    import bleuprint as bp

    many, many_references = million_texts(part, parts)

    def measure() -> str:
        faults, started = count_page_faults(), time.process_time()
        scored = bp.score(many, many_references, threads=threads)
        together = time.process_time()
        assert scored.score
        del scored
        ended = time.process_time()
        return f"{1000 * (ended - started)} {1000 * (ended - together)} {count_page_faults() - faults}"

    return measure


def count_page_faults() -> int:
    """Give how many pages this process has asked the system for so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def page_fault_milliseconds() -> float:
    """Give what a page takes that the system has to hand out, by touching many of them."""
    pages, best = 10_000, float("inf")
    for _ in range(5):
        with mmap.mmap(-1, pages * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
            started = time.process_time()
            memory[:: mmap.PAGESIZE] = bytes(pages)
            best = min(best, time.process_time() - started)
    return 1000 * best / pages


def make_work(line: str) -> Callable[[], object]:
    """Give the work that a line asks for."""
    kind, *words = line.split()
    makers: dict[str, Callable[..., Callable[[], object]]] = {
        "corpus": corpus_work,
        "lists": lists_work,
        "length": lambda length: length_work(int(length)),
        "million": lambda *numbers: million_work(*map(int, numbers)),
    }
    return makers[kind](*words)


# What is shown.


def show_lists(worker: Worker) -> None:
    """What lists of strings take, part by part."""
    print("\n| lists of strings, now | takes | of the whole |\n|---|---|---|")
    took = {part: in_turns([worker], f"lists {part}", 40)[0].milliseconds for part in LISTS}
    for part, title in LISTS.items():
        print(f"| {title} | {took[part]:.2f} ms | {took[part] / took['whole']:.0%} |", flush=True)


def show_lengths(workers: list[Worker]) -> None:
    """The cost of a token by the length of segments."""
    print("\n| tokens per segment | before | now | against 40: before | now | at most | aim | verdict |")
    print("|---|---|---|---|---|---|---|---|")
    first: list[float] = []
    for length in LENGTHS:
        each = [1e6 * one.milliseconds / one.result for one in in_turns(workers, f"length {length}", 15)]
        first = first or each
        before, now = (cost / base for cost, base in zip(each, first, strict=True))
        goals = f"1.4 | 1.15 | {judge(-now, -1.4, -1.15)}" if length > LENGTHS[0] else "| | "
        print(f"| {length} | {each[0]:.1f} ns | {each[1]:.1f} ns | {before:.2f} | {now:.2f} | {goals} |", flush=True)


class Effort(NamedTuple):
    """What a call took, in milliseconds, and how many pages it asked the system for."""

    wall: float
    processor: float
    alone: float
    page_faults: float


def show_million(folders: list[str]) -> None:
    """A million segments on all cores, against as many processes, and what stands between the two."""
    print(f"\n| 1,000,000 segments | {CORES} threads | {CORES} processes | reached | at least | aim | verdict |")
    print("|---|---|---|---|---|---|---|")
    for title, folder in zip(("before", "now"), folders, strict=True):
        workers = [Worker(__file__, folder, "--wall") for _ in range(1 + CORES)]
        whole, parts = measure_million(workers[0], workers[1:])
        for worker in workers:
            worker.close()
        slowest = max(part.wall for part in parts)
        reached = slowest / whole.wall
        verdict = judge(reached, 0.95, 0.99) if title == "now" else ""
        print(
            f"| {title} | {whole.wall:,.0f} ms | {slowest:,.0f} ms | {reached:.0%} | 95 % | 99 % | {verdict} |",
            flush=True,
        )
    show_between(whole, parts)


def measure_million(whole: Worker, parts: list[Worker]) -> tuple[Effort, list[Effort]]:
    """Let one process with all threads and processes with one each take turns; give the best turn of either."""
    turns = []
    for _ in range(4):
        whole.ask(f"million 0 1 {CORES}")
        alone = Effort(*whole.numbers())
        for part, worker in enumerate(parts):
            worker.ask(f"million {part} {CORES} 1")
        turns.append((alone, [Effort(*worker.numbers()) for worker in parts]))
    return min(turn[0] for turn in turns), min((turn[1] for turn in turns), key=lambda own: max(own).wall)


def show_between(whole: Effort, parts: list[Effort]) -> None:
    """What stands between the time on threads and that on processes, each as the time on the wall that it takes."""
    waited = (CORES - 1) * whole.alone / CORES
    faults = page_fault_milliseconds() * (whole.page_faults - sum(part.page_faults for part in parts)) / CORES
    more = (whole.processor - sum(part.processor for part in parts)) / CORES - faults
    idle = whole.wall - whole.processor / CORES - waited
    idle_parts = max(part.wall for part in parts) - sum(part.processor for part in parts) / CORES
    causes = {
        "one thread alone lets go of the texts, while the others have ended": waited,
        f"pages that the system hands out, {whole.page_faults:,.0f} of them, beyond those of the processes": faults,
        "more time of the processor, for what threads share: memory and caches": more,
        "cores that wait: threads start, end apart, or another program runs": idle,
        "the same in the processes, which counts for the threads": -idle_parts,
    }
    print(f"\n| between {CORES} threads and {CORES} processes | ms on the wall | of the whole |\n|---|---|---|")
    for cause, taken in causes.items():
        print(f"| {cause} | {taken:+.1f} | {taken / whole.wall:+.1%} |", flush=True)


def main() -> None:
    """Measure what was asked for, or everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default=BEFORE, help="the commit to compare with")
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--wall", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        serve_times(options.serve, make_work, wall=options.wall)
        return
    chosen = options.only or PARTS
    with tempfile.TemporaryDirectory() as folder:
        name = build(options.before, folder)
        folders = [str(package_in(folder)), ""]
        print(f"{machine.describe()}; before: {name}\n")
        workers = [Worker(__file__, one) for one in folders]
        if "corpus" in chosen:
            show_rows(workers, CORPORA)
        if "lists" in chosen:
            show_lists(workers[1])
        if "length" in chosen:
            show_lengths(workers)
        for worker in workers:
            worker.close()
        if "million" in chosen:
            show_million(folders)


if __name__ == "__main__":
    main()
