"""Do intervals and tests keep their promises? Simulated on real systems, of which everything is known.

    .venv/bin/python bench/coverage.py > bench/results/coverage.md

A system's whole output is the world: its score is the truth. Test sets are drawn from it. Of intervals of 95 %, 95 of
100 should hold the truth; of tests at 5 % between systems that are equally good, 5 of 100 should raise an alarm.
Equally good systems are made in two ways: both outputs of a segment dealt at random to two "systems", and two halves of
one system's output. Where the systems of WMT22 are not there, made ones take their place.
"""

from __future__ import annotations

import math
import random

import machine
import texts

import bleuprint as bp
from bleuprint.counting.rows import StatsTable
from bleuprint.engines import find_engine
from bleuprint.findings.significance import bootstrap_p, estimate_interval, randomisation_p

RECIPE = bp.Recipe.named("sacrebleu")
TRIALS = 1_000
RESAMPLES = 1_000
SIZES = (30, 100, 300, 1_000)


def load_tables() -> tuple[StatsTable, StatsTable, str]:
    """Count two systems."""
    reference = texts.WMT / "generaltest2022.en-de.ref.A.de"
    if reference.exists():
        names = ("Online-B", "PROMT")
        files = [reference, *(texts.WMT / f"generaltest2022.en-de.hyp.{name}.de" for name in names)]
        lines = [file.read_text(encoding="utf-8").removesuffix("\n").split("\n") for file in files]
        what = f"WMT22 English to German, {' and '.join(names)}"
    else:
        candidates, references = texts.made_corpus(2_037)
        chance = random.Random(2)
        other = [" ".join(word for word in text.split() if chance.random() > 0.05) for text in candidates]
        lines, what = [references, candidates, other], "made text"
    first, second = (bp.statistics(system, lines[0], RECIPE) for system in lines[1:])
    return first, second, what


def score(table: StatsTable) -> float:
    """Score a table on 0 to 100."""
    return bp.BleuScore(table.total(), RECIPE).score


def cover(first: StatsTable, second: StatsTable, size: int, chance: random.Random) -> tuple[float, float]:
    """Give the share of intervals that hold the truth: of a score, and of a difference."""
    truth, difference, held, held_difference = score(first), score(first) - score(second), 0, 0
    for trial in range(TRIALS):
        places = [chance.randrange(len(first)) for _ in range(size)]
        tables = [first.pick(places), second.pick(places)]
        one, other = find_engine().resample(tables, RECIPE, seed=trial, resamples=RESAMPLES)
        low, high, _ = estimate_interval(one, 0.95)
        held += low <= truth <= high
        low, high, _ = estimate_interval([a - b for a, b in zip(one, other, strict=True)], 0.95)
        held_difference += low <= difference <= high
    return held / TRIALS, held_difference / TRIALS


def alarm(first: StatsTable, second: StatsTable, trial: int) -> tuple[bool, bool]:
    """Say whether each test takes two equally good systems for different: randomisation, bootstrap."""
    one, other = find_engine().resample([first, second], RECIPE, seed=trial, resamples=RESAMPLES)
    differences = [a - b for a, b in zip(one, other, strict=True)]
    p = randomisation_p(first, second, RECIPE, seed=trial, trials=RESAMPLES)
    return p <= 0.05, bootstrap_p(differences, score(first) - score(second)) <= 0.05


def deal(first: StatsTable, second: StatsTable, size: int, chance: random.Random) -> tuple[StatsTable, StatsTable]:
    """Deal the outputs of two systems at random to two that are equally good."""
    places = [chance.randrange(len(first)) for _ in range(size)]
    tables, own, others = (first, second), StatsTable(first.order), StatsTable(first.order)
    for place in places:
        coin = chance.randrange(2)
        own.append(tables[coin][place])
        others.append(tables[1 - coin][place])
    return own, others


def halve(table: StatsTable, size: int, chance: random.Random) -> tuple[StatsTable, StatsTable]:
    """Take two parts of one system's output, as if they were two systems."""
    places = chance.sample(range(len(table)), 2 * size)
    return table.pick(places[:size]), table.pick(places[size:])


def share(flags: list[tuple[bool, bool]]) -> str:
    """Write the two shares of alarms as cells."""
    return " | ".join(f"{100 * sum(column) / len(flags):.1f} %" for column in zip(*flags, strict=True))


def main() -> None:
    """Simulate, and print tables in Markdown."""
    first, second, what = load_tables()
    chance = random.Random(2005)
    luck = 196 * math.sqrt(0.95 * 0.05 / TRIALS)
    print("# Coverage and false alarms\n")
    print(f"{machine.describe()}\n{what}; {TRIALS:,} test sets, {RESAMPLES:,} resamples each: luck ± {luck:.1f} %\n")
    print("| segments | intervals of a score that hold it (95 %) | of a difference (95 %) |\n|---:|---:|---:|")
    for size in SIZES:
        print(
            f"| {size:,} | " + " | ".join(f"{100 * held:.1f} %" for held in cover(first, second, size, chance)) + " |"
        )
    print("\n| equally good systems | segments | false alarms of randomisation (5 %) | of the bootstrap (5 %) |")
    print("|---|---:|---:|---:|")
    for size in SIZES:
        flags = [alarm(*deal(first, second, size, chance), trial) for trial in range(TRIALS)]
        print(f"| outputs dealt at random | {size:,} | {share(flags)} |")
    for size in SIZES:
        flags = [alarm(*halve(first, size, chance), trial) for trial in range(TRIALS)]
        print(f"| halves of one system | {size:,} | {share(flags)} |")


if __name__ == "__main__":
    main()
