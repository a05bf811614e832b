"""Measure BLEU's counting side by side with that of an earlier commit.

    .venv/bin/python bench/kernel_before.py [--before COMMIT] [--only corpus|lists|length|million] ...

The earlier package is built from its commit into a temporary folder (a minute or two). Each of the two has a process of
its own; they take turns on one thread, and the best processor time of each counts. Lists of strings are also walked
along by Python itself, and copied without being counted, to show what reading alone takes. Cost by length is per token,
of candidates and references, and against that at 40 tokens. A million segments on all cores are compared with as many
processes, each with its part, by the clock on the wall; how much of the processor's time one thread is alone at work
bounds what can be reached.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from itertools import chain

import machine
import texts
from old_kernel import BEFORE, Row, Worker, build, in_turns, judge, package_in, serve_times, show_rows

CHINESE = ("generaltest2022.en-zh.hyp.Online-B.zh", "generaltest2022.en-zh.ref.A.zh")
LENGTHS = (40, 160, 640)
MILLION = 1_000_000
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
    chinese = [texts.WMT / file for file in CHINESE]
    if name == "zh" and all(file.exists() for file in chinese):
        candidates, references = map(texts.read_lines, chinese)
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
    """Give a work that scores one of so many parts of a million segments."""
    import bleuprint as bp

    many, many_references = million_texts(part, parts)
    return lambda: bp.score(many, many_references, threads=threads).score


def alone_work() -> Callable[[], float]:
    """Give a work that finds the share of the processor's time in which one thread is alone at work.

    While the kernel looks over and counts texts all threads are at work; alone is who lets go of a million of them.
    """
    import bleuprint as bp
    from bleuprint.engines import find_engine

    many, many_references = million_texts(0, 1)
    layout = bp.Recipe.named("sacrebleu").layout

    def measure() -> float:
        started = time.process_time()
        added_up = find_engine().add_up(many, many_references, layout, CORES)
        together = time.process_time()
        assert added_up
        del added_up
        return (time.process_time() - together) / (time.process_time() - started)

    return measure


def make_work(line: str) -> Callable[[], object]:
    """Give the work that a line asks for."""
    kind, *words = line.split()
    makers: dict[str, Callable[..., Callable[[], object]]] = {
        "corpus": corpus_work,
        "lists": lists_work,
        "length": lambda length: length_work(int(length)),
        "million": lambda *numbers: million_work(*map(int, numbers)),
        "alone": alone_work,
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


def show_million(folders: list[str]) -> None:
    """A million segments on all cores, against as many processes."""
    print(f"\n| 1,000,000 segments | {CORES} threads | {CORES} processes | reached | at least | aim | verdict |")
    print("|---|---|---|---|---|---|---|")
    for title, folder in zip(("before", "now"), folders, strict=True):
        workers = [Worker(__file__, folder, "--wall") for _ in range(1 + CORES)]
        whole, parts = workers[0], workers[1:]
        best_whole = best_parts = float("inf")
        for _ in range(4):
            whole.ask(f"million 0 1 {CORES}")
            best_whole = min(best_whole, whole.answer().milliseconds)
            for part, worker in enumerate(parts):
                worker.ask(f"million {part} {CORES} 1")
            best_parts = min(best_parts, max(worker.answer().milliseconds for worker in parts))
        for worker in workers:
            worker.close()
        reached = best_parts / best_whole
        verdict = judge(reached, 0.95, 0.99) if title == "now" else ""
        print(
            f"| {title} | {best_whole:,.0f} ms | {best_parts:,.0f} ms | {reached:.0%} | 95 % | 99 % | {verdict} |",
            flush=True,
        )
    worker = Worker(__file__)
    alone = min(worker.measure("alone").result for _ in range(4))
    worker.close()
    print(
        f"\nOne thread is alone at work for {alone:.1%} of the processor's time: "
        f"on {CORES} cores at most {1 / (1 + (CORES - 1) * alone):.0%} can be reached."
    )


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
