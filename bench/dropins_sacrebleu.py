"""Measure sacreBLEU as it is beside sacreBLEU accelerated, and beside the drop-in.

    .venv/bin/python bench/dropins_sacrebleu.py > bench/results/dropins_sacrebleu.md

Both sides take turns, with as many tries, and the best time of each counts. "Cold" means that sacreBLEU has not seen
the texts before (it keeps what it has tokenised). Acceleration keeps small draws for the next call, the drop-in does
not. The outputs of both sides are compared before anything is timed.
"""

from __future__ import annotations

import functools
import gc
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import machine
import texts
from sacrebleu.metrics import BLEU
from speed import BIN, Goal, Result, best_of, each

import bleuprint as bp
from bleuprint.compat import sacrebleu as drop_in

SYSTEMS = 9


def accelerated(work: Callable[[], object]) -> Callable[[], object]:
    """Do the same under acceleration."""

    def run() -> object:
        with bp.accelerate("sacrebleu"):
            return work()

    return run


def take_turns(fast: Callable[[], object], *others: Callable[[], object], rounds: int) -> list[float]:
    """Time works in turns, the first under acceleration; switching it on, which a program does once, is not timed."""
    best = [float("inf")] * (1 + len(others))
    for _ in range(rounds):
        with bp.accelerate("sacrebleu"):
            best[0] = min(best[0], *best_of(fast, rounds=2))
        for place, work in enumerate(others, start=1):  # two calls of each: the first finds caches full of other data
            best[place] = min(best[place], *best_of(work, rounds=2))
    return best


def cold(work: Callable[[], object]) -> Callable[[], object]:
    """Do it as if for the first time; finding sacreBLEU's memories is not timed."""
    work()
    memories = [
        found
        for found in gc.get_objects()
        if isinstance(found, functools._lru_cache_wrapper) and "sacrebleu" in getattr(found, "__module__", "")
    ]
    assert memories

    def run() -> object:
        for memory in memories:
            memory.cache_clear()
        return work()

    return run


def check(ours: Callable[[], object], theirs: Callable[[], object]) -> None:
    """Refuse to time what does not print the same."""
    left, right = str(ours()), str(theirs())
    assert left == right, f"{left}\n{right}"


def bench_calls() -> Iterator[Result]:
    """Calls from Python."""
    candidates, references, _ = texts.corpus()
    streams = [references]

    def corpus() -> object:
        return BLEU().corpus_score(candidates, streams)

    def interval() -> object:
        return BLEU().corpus_score(candidates, streams, 1000)

    def drop_in_corpus() -> object:
        return drop_in.BLEU().corpus_score(candidates, streams)

    def drop_in_interval() -> object:
        return drop_in.BLEU().corpus_score(candidates, streams, 1000)

    for work in (accelerated(corpus), drop_in_corpus):
        check(work, corpus)
    for work in (accelerated(interval), drop_in_interval):
        check(work, interval)
    fast, dropped, slow = take_turns(corpus, drop_in_corpus, cold(corpus), rounds=4)
    yield Result("`corpus_score`, accelerated", "sacreBLEU, cold", fast, slow, Goal(40, 100))
    yield Result("`corpus_score`, drop-in", "sacreBLEU, cold", dropped, slow, Goal(40, 100))
    fast, dropped, slow = take_turns(interval, drop_in_interval, cold(interval), rounds=2)
    yield Result("the same with `n_bootstrap=1000`, accelerated", "sacreBLEU, cold", fast, slow, Goal(2, 10))
    yield Result("the same with `n_bootstrap=1000`, drop-in", "sacreBLEU, cold", dropped, slow, Goal(2, 10))

    metric, dropped_metric = BLEU(effective_order=True), drop_in.BLEU(effective_order=True)
    one, own, times = candidates[0], [references[0]], 200

    def sentence() -> object:
        return metric.sentence_score(one, own)

    def drop_in_sentence() -> object:
        return dropped_metric.sentence_score(one, own)

    check(accelerated(sentence), sentence)
    check(drop_in_sentence, sentence)
    fast, dropped, slow = take_turns(
        each(sentence, times), each(drop_in_sentence, times), each(sentence, times), rounds=25
    )
    yield Result("one `sentence_score`, accelerated", "sacreBLEU, warm", fast / times, slow / times, Goal(2, 5))
    yield Result("one `sentence_score`, drop-in", "sacreBLEU, warm", dropped / times, slow / times, Goal(4, 8))


def write_systems(folder: Path) -> list[Path]:
    """Write a reference and nine systems: WMT22 English to German where it is, else made text."""
    real = sorted(texts.WMT.glob("generaltest2022.en-de.hyp.*.de"))[:SYSTEMS]
    if len(real) == SYSTEMS:
        return [texts.WMT / "generaltest2022.en-de.ref.A.de", *real]
    candidates, references = texts.made_corpus(2_037)
    mixed = [candidates[: 200 * number] + references[200 * number :] for number in range(1, SYSTEMS + 1)]
    files = [folder / f"{number}.txt" for number in range(SYSTEMS + 1)]
    for file, lines in zip(files, [references, *mixed], strict=True):
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return files


def output_of(*command: object) -> bytes:
    """Run a command and give what it printed."""
    return subprocess.run(list(map(str, command)), check=True, capture_output=True).stdout


def bench_commands() -> Iterator[Result]:
    """The whole command, its start included."""
    with tempfile.TemporaryDirectory() as folder:
        reference, *systems = write_systems(Path(folder))
        for title, own, flags, goal, rounds in (
            ("one system", systems[:1], [], Goal(1, 3), 5),
            ("nine systems, `--paired-bs`", systems, ["--paired-bs"], Goal(2, 5), 2),
            ("nine systems, `--paired-ar`", systems, ["--paired-ar"], Goal(2, 5), 1),
        ):
            plain = [BIN / "sacrebleu", reference, "-i", *own, *flags]
            fast = [BIN / "bleuprint", "accelerate", "--", "sacrebleu", *plain[1:]]
            assert output_of(*fast) == output_of(*plain)
            ours, theirs = best_of(partial(output_of, *fast), partial(output_of, *plain), rounds=rounds)
            yield Result(f"`sacrebleu` command, {title}", "the same, not accelerated", ours, theirs, goal)


def main() -> None:
    """Measure everything."""
    _, _, source = texts.corpus()
    print("# sacreBLEU: as it is, accelerated, and the drop-in\n")
    print(f"{machine.describe('sacrebleu', 'numpy')}, engine {bp.engine()}\n")
    print(f"2,037 segments ({source}), one reference. Printed by `python bench/dropins_sacrebleu.py`.\n")
    print("| work | against | ours | theirs | ratio | at least | aim | verdict |\n|---|---|---|---|---|---|---|---|")
    for bench in (bench_calls, bench_commands):
        print(f"measuring {bench.__name__} ...", file=sys.stderr)
        for result in bench():
            print(result.line(), flush=True)


if __name__ == "__main__":
    main()
