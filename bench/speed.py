"""Measure the kernel beside the tools that people use today.

    .venv/bin/python bench/speed.py [--only corpus] [--only million] ...

Every ratio comes from one run: ours and theirs take turns, and the best time of each counts, so that whatever else the
machine does meets both. Needs the dependency group `bench`.
"""

from __future__ import annotations

import argparse
import functools
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import machine
import texts
from turns import best_milliseconds, write_milliseconds

import bleuprint as bp

PEERS = ("sacrebleu", "bleuscore", "nltk", "fast-bleu")
BIN = Path(sys.executable).parent
MEMORY_LINES = {"sacrebleu": 10_000_000, "chrf": 1_000_000, "chrf++": 1_000_000, "ter": 1_000_000}
"""The most segments that the command is given, by recipe."""


class Goal(NamedTuple):
    """What a ratio should be, by the plan."""

    least: float
    aim: float


class Result(NamedTuple):
    """One line of the table; times in milliseconds."""

    work: str
    against: str
    ours: float
    theirs: float
    goal: Goal

    @property
    def ratio(self) -> float:
        """How many times faster ours is."""
        return self.theirs / self.ours

    def line(self) -> str:
        """Write it as a row of Markdown."""
        verdict = "aim met" if self.ratio >= self.goal.aim else "met" if self.ratio >= self.goal.least else "**missed**"
        ours, theirs = write_milliseconds(self.ours), write_milliseconds(self.theirs)
        return (
            f"| {self.work} | {self.against} | {ours} | {theirs} | {self.ratio:,.1f} × "
            f"| {self.goal.least:,g} × | {self.goal.aim:,g} × | {verdict} |"
        )


def each(work: Callable[[], object], times: int) -> Callable[[], object]:
    """Repeat a short work, to be divided afterwards."""

    def repeat() -> None:
        for _ in range(times):
            work()

    return repeat


def token_caches() -> list[functools._lru_cache_wrapper[object]]:
    """Find where sacreBLEU remembers texts it has split."""
    import gc

    kinds = (found for found in gc.get_objects() if isinstance(found, functools._lru_cache_wrapper))
    return [cache for cache in kinds if "sacrebleu" in getattr(cache, "__module__", "")]


def forget_tokens() -> None:
    """Empty sacreBLEU's memory of texts it has split, so that it starts cold."""
    for cache in token_caches():
        cache.cache_clear()


def bench_corpus() -> Iterator[Result]:
    """The corpus score, one thread and all cores, as text and as tokens."""
    import bleuscore
    from nltk.translate.bleu_score import corpus_bleu
    from sacrebleu.metrics import BLEU

    candidates, references, name = texts.corpus()
    lists = [[text] for text in references]
    title = f"corpus, 13a, {len(candidates):,} segments ({name})"

    theirs_cold = functools.partial(_score_theirs, candidates, references, BLEU)
    assert abs(theirs_cold() - bp.score(candidates, references).score) < 1e-9
    one, cores, sacre, rust = best_milliseconds(
        lambda: bp.score(candidates, references, threads=1).score,
        lambda: bp.score(candidates, references, threads=os.cpu_count()).score,
        theirs_cold,
        lambda: bleuscore.compute(lists, candidates, 4, False),
        rounds=15,
    )
    yield Result(f"{title}, one thread", "sacreBLEU, cold", one, sacre, Goal(100, 150))
    yield Result("the same", "bleuscore (its threads)", one, rust, Goal(6, 10))
    yield Result("the same, all cores", "sacreBLEU, cold", cores, sacre, Goal(160, 250))
    yield Result("the same, all cores", "bleuscore (its threads)", cores, rust, Goal(10, 15))

    tokens = [text.split() for text in candidates]
    reference_tokens = [[text.split()] for text in references]
    recipe = bp.Recipe.named("nltk").replace(tokenizer="pretokenized")
    ours, nltk = best_milliseconds(
        lambda: bp.score(tokens, reference_tokens, recipe, threads=1).score,
        lambda: corpus_bleu(reference_tokens, tokens),
        rounds=10,
    )
    yield Result("the same, pre-tokenised, one thread", "NLTK corpus_bleu", ours, nltk, Goal(60, 100))


def bench_readings() -> Iterator[Result]:
    """The corpus score with other tokenizers and in lower case, one thread, by the time of the processor."""
    from sacrebleu.metrics import BLEU

    corpus = texts.corpus()[:2]
    plain = bp.Recipe.named("sacrebleu")
    for title, recipe, options, (candidates, references) in (
        ("`intl`", plain.replace(tokenizer="intl"), {"tokenize": "intl"}, corpus),
        ("`char`", plain.replace(tokenizer="char"), {"tokenize": "char"}, corpus),
        ("13a, lower-cased", plain.replace(case="lower"), {"lowercase": True}, corpus),
        ("`zh`", plain.replace(tokenizer="zh"), {"tokenize": "zh"}, texts.chinese_corpus() or corpus),
    ):
        ours = functools.partial(_score_ours, candidates, references, recipe)
        theirs = functools.partial(_score_theirs, candidates, references, functools.partial(BLEU, **options))
        assert abs(ours() - theirs()) < 1e-9
        taken = best_milliseconds(ours, theirs, rounds=10, clock=time.process_time)
        yield Result(f"corpus, {title}, one thread", "sacreBLEU, cold, processor time", *taken, Goal(100, 150))


def _score_ours(candidates: list[str], references: list[str], recipe: bp.Recipe) -> float:
    return bp.score(candidates, references, recipe, threads=1).score


def _score_theirs(candidates: list[str], references: list[str], make_metric: Callable[[], Any]) -> float:
    forget_tokens()
    score: float = make_metric().corpus_score(candidates, [references]).score
    return score


def bench_million() -> Iterator[Result]:
    """A million segments."""
    from sacrebleu.metrics import BLEU

    candidates, references = texts.made_corpus(50_000)
    many = [f"{text} {copy}" for copy in range(20) for text in candidates]
    many_references = [f"{text} {copy}" for copy in range(20) for text in references]

    def theirs() -> None:
        forget_tokens()
        BLEU().corpus_score(candidates, [references])

    ours, sacre = best_milliseconds(lambda: bp.score(many, many_references).score, theirs, rounds=4)
    yield Result("1,000,000 segments, all cores", "sacreBLEU on 50,000, × 20", ours, 20 * sacre, Goal(160, 300))


def bench_segments() -> Iterator[Result]:
    """Scores of single segments."""
    from sacrebleu.metrics import BLEU

    candidates, references, _ = texts.corpus()
    metric = BLEU(effective_order=True)

    def theirs() -> list[float]:
        return [metric.sentence_score(c, [r]).score for c, r in zip(candidates, references, strict=True)]

    ours, sacre = best_milliseconds(
        lambda: bp.score_segments(candidates, references, "sacrebleu-sentence").scores, theirs, rounds=8
    )
    yield Result("score_segments(...).scores", "sacreBLEU sentence_score loop, warm", ours, sacre, Goal(30, 60))
    one, other, times = candidates[0], [references[0]], 200
    ours, sacre = best_milliseconds(
        each(lambda: bp.score_sentence(one, other, "sacrebleu-sentence").score, times),
        each(lambda: metric.sentence_score(one, other).score, times),
        rounds=25,
    )
    yield Result("one score_sentence", "sacreBLEU sentence_score, warm", ours / times, sacre / times, Goal(8, 15))


def bench_pairs() -> Iterator[Result]:
    """Every text against every other."""
    from sacrebleu.metrics import BLEU

    candidates, references, _ = texts.corpus()
    candidates, references = candidates[:2000], references[:2000]
    metric = BLEU(effective_order=True)
    rng = random.Random(1)
    sample = [(rng.choice(candidates), [rng.choice(references)]) for _ in range(2_000)]
    ours, sacre = best_milliseconds(
        lambda: bp.pairwise(candidates, references),
        lambda: [metric.sentence_score(c, r) for c, r in sample],
        rounds=4,
    )
    pairs = len(candidates) * len(references)
    yield Result(
        f"pairwise, {len(candidates):,} × {len(references):,}", f"sacreBLEU loop ({len(sample):,} sampled)",
        ours, sacre * pairs / len(sample), Goal(300, 1000),
    )  # fmt: skip
    try:
        from fast_bleu import SelfBLEU
    except ImportError:
        print("fast-bleu is not installed: self_bleu is not compared.", file=sys.stderr)
        return
    tokens = [text.split() for text in candidates[:500]]
    weights = {"4": (0.25,) * 4}
    recipe = bp.Recipe.named("nltk-method1").replace(tokenizer="pretokenized")
    ours, fast = best_milliseconds(
        lambda: bp.self_bleu(tokens, recipe), lambda: SelfBLEU(tokens, weights).get_score(), rounds=4
    )
    yield Result("self_bleu, 500 sentences", "fast-bleu SelfBLEU", ours, fast, Goal(5, 20))


def bench_command() -> Iterator[Result]:
    """The whole command, and the import."""
    candidates, references, _ = texts.corpus()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("c", "r")]
        for file, lines in zip(files, (candidates, references), strict=True):
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        ours, sacre = best_milliseconds(
            lambda: _run(BIN / "bleuprint", "score", files[0], files[1]),
            lambda: _run(BIN / "sacrebleu", files[1], "-i", files[0]),
            rounds=8,
        )
    yield Result("`bleuprint score`, the whole command", "`sacrebleu` command", ours, sacre, Goal(3, 6))
    empty, ours, sacre = best_milliseconds(
        lambda: _run(sys.executable, "-c", "pass"),
        lambda: _run(sys.executable, "-c", "import bleuprint"),
        lambda: _run(sys.executable, "-c", "import sacrebleu"),
        rounds=12,
    )
    yield Result(
        "`import bleuprint`, beyond Python's start", "`import sacrebleu`", ours - empty, sacre - empty, Goal(3, 10)
    )


def _run(*command: object) -> None:
    subprocess.run(list(map(str, command)), check=True, capture_output=True)


PRODUCER = """
import sys
lines = sys.argv[1].encode() + b"\\n"
block = lines * 10_000
for _ in range(int(sys.argv[2]) // 10_000): sys.stdout.buffer.write(block)
"""


def bench_memory(recipe: str, lines: int) -> None:
    """Peak memory of the command while two pipes bring it so many segments."""
    candidate = "Der Hund lief am Abend, wie immer, durch den Park und über die Brücke nach Hause."
    reference = "Am Abend lief der Hund wie immer durch den Park und dann über die Brücke heim."
    producers, pipes = [], []
    for text in (candidate, reference):
        command = [sys.executable, "-c", PRODUCER, text, str(lines)]
        producer = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert producer.stdout
        producers.append(producer)
        pipes.append(producer.stdout.fileno())
    started = time.perf_counter()
    scored = subprocess.Popen(
        [str(BIN / "bleuprint"), "score", "-b", "--recipe", recipe, *(f"/dev/fd/{pipe}" for pipe in pipes)],
        pass_fds=pipes,
        stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(scored.pid, 0)
    seconds = time.perf_counter() - started
    assert status == 0
    for producer in producers:
        producer.kill()
        producer.wait()
    print(
        f"| {recipe} | {lines:,} | {usage.ru_maxrss / 1024:,.0f} MB | {seconds:,.1f} s | {lines / seconds:,.0f} |",
        flush=True,
    )


def bench_growth() -> None:
    """How time grows with segments, their length, references and N, and what splitting alone would take."""
    from bleuprint import _kernel

    print("\n| what grows | size | ms | relative to the first |\n|---|---|---|---|")
    for title, sizes, make in (
        ("segments", (1_000, 4_000, 16_000, 64_000), lambda n: (*texts.made_corpus(n), 4)),
        ("tokens per segment (2,000 segments)", (10, 40, 160, 640), lambda n: (*texts.made_corpus(2_000, length=n), 4)),
        ("references (2,000 segments)", (1, 4, 16), _with_references),
        ("N (2,000 segments)", (1, 2, 4, 8), lambda n: (*texts.made_corpus(2_000), n)),
    ):
        first = 0.0
        for size in sizes:
            candidates, references, order = make(size)
            recipe = bp.Recipe.named("sacrebleu").replace(order=order)
            taken = best_milliseconds(
                functools.partial(bp.statistics, candidates, references, recipe, threads=1), rounds=5
            )[0]
            first = first or taken
            print(f"| {title} | {size:,} | {taken:.2f} | {taken / first:.2f} |")
    candidates, references = texts.made_corpus(20_000)
    both = candidates + references
    data = "".join(both).encode()
    whole, split, read = best_milliseconds(
        lambda: bp.statistics(candidates, references, threads=1),
        lambda: _kernel.split_only(both, "13a"),
        lambda: data.count(b"\x00"),
        rounds=10,
    )
    print(
        f"\n20,000 segments, {len(data) / 1e6:.1f} MB: all of it {whole:.1f} ms, splitting alone {split:.1f} ms "
        f"({split / whole:.0%}), reading the bytes {read:.2f} ms; {len(data) / whole / 1e3:,.0f} MB/s"
    )


def _with_references(count: int) -> tuple[list[str], list[list[str]], int]:
    candidates, references = texts.made_corpus(2_000)
    others = [texts.made_corpus(2_000, seed=seed)[1] for seed in range(count - 1)]
    return candidates, [list(row) for row in zip(references, *others, strict=True)], 4


@contextmanager
def measured(title: str) -> Iterator[None]:
    """Say on the way what is being measured."""
    print(f"measuring {title} ...", file=sys.stderr)
    yield


BENCHES: dict[str, Callable[[], Iterator[Result]]] = {
    "corpus": bench_corpus,
    "readings": bench_readings,
    "million": bench_million,
    "segments": bench_segments,
    "pairs": bench_pairs,
    "command": bench_command,
}


def main() -> None:
    """Measure what was asked for, or everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=[*BENCHES, "growth", "memory"], action="append")
    parser.add_argument("--memory", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory:
        bench_memory(options.memory[0], int(options.memory[1]))
        return
    chosen = options.only or [*BENCHES, "growth", "memory"]
    present = [name for name in PEERS if find_spec(name.replace("-", "_"))]
    print(f"{machine.describe(*present)}, engine {bp.engine()}\n")
    print("| work | against | ours | theirs | ratio | at least | aim | verdict |\n|---|---|---|---|---|---|---|---|")
    for name, bench in BENCHES.items():
        if name in chosen:
            with measured(name):
                for result in bench():
                    print(result.line(), flush=True)
    if "growth" in chosen:
        with measured("growth"):
            bench_growth()
    if "memory" in chosen:
        with measured("memory"):
            print("\n`bleuprint score`, segments through two pipes:\n")
            print("| recipe | segments | peak memory | time | segments/s |\n|---|---|---|---|---|", flush=True)
            # In a process of its own: a process that is started counts the memory of the one that starts it as its own.
            for recipe, most in MEMORY_LINES.items():
                for lines in (most // 10, most):
                    subprocess.run([sys.executable, __file__, "--memory", recipe, str(lines)], check=True)


if __name__ == "__main__":
    main()
