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
from typing import Any, NamedTuple

import machine
import texts
from sacrebleu import metrics
from speed import BIN, Goal, Result, each
from turns import Accelerated, best_milliseconds

import bleuprint as bp
from bleuprint.compat import sacrebleu as drop_in

SYSTEMS = 9
EVERY_METRIC = ["-m", "bleu", "chrf", "ter", "--paired-bs", "-f", "text"]  # which it cannot write as JSON


def take_turns(fast: Callable[[], object], *others: Callable[[], object], rounds: int) -> list[float]:
    """Time works in turns, the first under acceleration; switching it on, which a program does once, is not timed."""
    best = [float("inf")] * (1 + len(others))
    for _ in range(rounds):
        for place, work in enumerate([Accelerated("sacrebleu", fast), *others]):
            # two calls of each: the first finds caches full of other data
            best[place] = min(best[place], *best_milliseconds(work, rounds=2))
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


class Kind(NamedTuple):
    """A metric of sacreBLEU, and how often a corpus is timed: TER takes it seconds."""

    name: str
    options: dict[str, object]
    rounds: int

    @property
    def title(self) -> str:
        """How the metric is made, in code."""
        return f"{self.name}({', '.join(f'{name}={value}' for name, value in self.options.items())})"


KINDS = (
    Kind("BLEU", {}, 4),
    Kind("CHRF", {}, 2),
    Kind("CHRF", {"word_order": 2}, 2),
    Kind("TER", {}, 1),
)
CORPUS, INTERVAL = Goal(40, 100), Goal(2, 10)
SENTENCE, ACCELERATED_SENTENCE = Goal(4, 8), Goal(2, 5)


def bench_calls() -> Iterator[Result]:
    """Calls from Python."""
    for kind in KINDS:
        yield from bench_corpus(kind)
        yield from bench_sentence(kind)


def bench_corpus(kind: Kind) -> Iterator[Result]:
    """A whole corpus, alone and with resamples."""
    candidates, references, _ = texts.corpus()
    theirs, ours = getattr(metrics, kind.name), getattr(drop_in, kind.name)

    def score(metric: Any, resamples: int) -> Callable[[], object]:
        return lambda: metric(**kind.options).corpus_score(candidates, [references], resamples)

    for title, resamples, goal, rounds in (
        (f"`{kind.title}.corpus_score`", 1, CORPUS, kind.rounds),
        ("the same with `n_bootstrap=1000`", 1000, INTERVAL, (kind.rounds + 1) // 2),
    ):
        plain, dropped_in = score(theirs, resamples), score(ours, resamples)
        for work in (Accelerated("sacrebleu", plain), dropped_in):
            check(work, plain)
        fast, dropped, slow = take_turns(plain, dropped_in, cold(plain), rounds=rounds)
        yield Result(f"{title}, accelerated", "sacreBLEU, cold", fast, slow, goal)
        yield Result(f"{title}, drop-in", "sacreBLEU, cold", dropped, slow, goal)


def bench_sentence(kind: Kind) -> Iterator[Result]:
    """One segment, again and again."""
    candidates, references, _ = texts.corpus(1)
    options = {**kind.options, **({"effective_order": True} if kind.name == "BLEU" else {})}
    metric, dropped_metric = getattr(metrics, kind.name)(**options), getattr(drop_in, kind.name)(**options)
    times = 200

    def sentence() -> object:
        return metric.sentence_score(candidates[0], references)

    def drop_in_sentence() -> object:
        return dropped_metric.sentence_score(candidates[0], references)

    check(Accelerated("sacrebleu", sentence), sentence)
    check(drop_in_sentence, sentence)
    fast, dropped, slow = take_turns(
        each(sentence, times), each(drop_in_sentence, times), each(sentence, times), rounds=25
    )
    title = f"one `{kind.title}.sentence_score`"
    yield Result(f"{title}, accelerated", "sacreBLEU, warm", fast / times, slow / times, ACCELERATED_SENTENCE)
    yield Result(f"{title}, drop-in", "sacreBLEU, warm", dropped / times, slow / times, SENTENCE)


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
            ("six systems, `-m bleu chrf ter --paired-bs`", systems[:6], EVERY_METRIC, Goal(2, 5), 1),
        ):
            plain = [BIN / "sacrebleu", reference, "-i", *own, *flags]
            fast = [BIN / "bleuprint", "accelerate", "--", "sacrebleu", *plain[1:]]
            assert output_of(*fast) == output_of(*plain)
            ours, theirs = best_milliseconds(partial(output_of, *fast), partial(output_of, *plain), rounds=rounds)
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
