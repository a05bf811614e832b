"""Significance beside sacreBLEU's: the same tests on the same systems, within what resampling itself varies.

Where sacreBLEU counts otherwise (one tail in its bootstrap, "greater" instead of "at least"), its count is made from
our resamples, so that what differs is the definition and nothing else.
"""

import json
import math
import random

import pytest
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

import bleuprint as bp
from bleuprint.engines import find_engine
from bleuprint.findings.significance import average
from wmt22_texts import FOLDER, find_texts, read_lines

RESAMPLES = 2_000


def worsen(text, share, chance):
    return " ".join(word for word in text.split() if chance.random() > share)


def made_systems():
    """Systems that differ by much, by little and not at all; made, so that this runs anywhere."""
    chance = random.Random(31)
    words = [f"w{number}" for number in range(300)]
    references = [" ".join(chance.choices(words, k=chance.randrange(3, 25))) for _ in range(300)]
    base = [worsen(text, 0.15, chance) for text in references]
    systems = {"base": base, "much worse": [worsen(text, 0.05, chance) for text in base]}
    systems["other"] = [worsen(text, 0.15, chance) for text in references]
    systems["a little worse"] = [worsen(text, 0.01, chance) if n % 4 else text for n, text in enumerate(base)]
    return systems, references


def wmt22_systems():
    systems = find_texts("en-de", "hyp")
    names = ("Online-W", "Online-A", "Online-Y", "JDExploreAcademy")
    reference = find_texts("en-de", "ref")["A"]
    return {name: read_lines(systems[name]) for name in names}, read_lines(reference)


needs_wmt22 = pytest.mark.skipif(
    not find_texts("en-de", "hyp"), reason=f"the systems of WMT22 are not in {FOLDER.parent.name}/{FOLDER.name}"
)
CORPORA = [made_systems, pytest.param(wmt22_systems, marks=[needs_wmt22, pytest.mark.extended])]


THEIRS = {"sacrebleu": BLEU, "chrf": CHRF, "ter": TER}


def sacrebleu_results(systems, references, kind, samples=RESAMPLES, recipe="sacrebleu"):
    named = list(systems.items())
    metrics = {"theirs": THEIRS[recipe](references=[references])}
    _, results = PairedTest(named, metrics, None, test_type=kind, n_samples=samples, n_jobs=1)()
    [own] = [column for title, column in results.items() if title != "System"]
    return dict(zip(systems, own, strict=True))


def varies(p, samples):
    """How far two estimates of a p-value may be apart: both resample, each with its own luck."""
    spread = math.sqrt(2 * max(p * (1 - p), 1 / samples) / samples)
    return 4.5 * spread


@pytest.mark.parametrize("corpus", CORPORA)
def test_randomisation_agrees(corpus):
    systems, references = corpus()
    baseline = next(iter(systems))
    theirs = sacrebleu_results(systems, references, "ar")
    ours = bp.compare(systems, references, baseline=baseline, resamples=RESAMPLES).result()
    for name in systems:
        assert ours.system(name).score.score == pytest.approx(theirs[name].score, abs=1e-4)  # float32 over there
        if name != baseline:
            p = ours.pair(name, baseline).p_randomisation
            assert abs(p - theirs[name].p_value) <= varies(p, RESAMPLES), name
    found = [ours.pair(name, baseline).p for name in systems if name != baseline]
    assert min(found) < 0.05 < max(found), "the systems must show both"


@pytest.mark.parametrize("corpus", CORPORA)
def test_intervals_and_the_bootstrap_agree(corpus):
    systems, references = corpus()
    baseline = next(iter(systems))
    theirs = sacrebleu_results(systems, references, "bs")
    made = bp.compare(systems, references, baseline=baseline, resamples=RESAMPLES)
    ours, [tables] = made.result(), made.tables.values()
    drawn = find_engine().resample(list(tables.values()), ours.recipe, seed=99, resamples=RESAMPLES)
    resampled = dict(zip(tables, drawn, strict=True))
    for name in systems:
        system = ours.system(name)
        error = system.interval.standard_error
        assert average(resampled[name]) == pytest.approx(theirs[name].mean, abs=0.15 * error)
        assert (system.interval.high - system.interval.low) / 2 == pytest.approx(theirs[name].ci, rel=0.12)
        if name != baseline:
            observed = abs(ours.pair(name, baseline).difference)
            apart = [abs(one - other) for one, other in zip(resampled[name], resampled[baseline], strict=True)]
            one_tail = (sum(value - average(apart) > observed for value in apart) + 1) / (RESAMPLES + 1)
            assert abs(one_tail - theirs[name].p_value) <= varies(one_tail, RESAMPLES), name


@pytest.mark.parametrize("recipe", ["chrf", "ter"])
def test_other_metrics_agree_too(recipe):
    systems, references = made_systems()
    systems, references = {name: texts[:120] for name, texts in systems.items()}, references[:120]
    compared = bp.compare(systems, references, recipe, baseline="base", resamples=RESAMPLES)
    made, [tables] = compared.result(), compared.tables.values()
    swapped = sacrebleu_results(systems, references, "ar", recipe=recipe)
    drawn = sacrebleu_results(systems, references, "bs", recipe=recipe)
    for name in systems:
        ours = made.system(name)
        assert ours.score.score == pytest.approx(swapped[name].score, abs=1e-4)
        error = ours.interval.standard_error
        assert (ours.interval.low + ours.interval.high) / 2 == pytest.approx(drawn[name].mean, abs=0.3 * error)
        assert (ours.interval.high - ours.interval.low) / 2 == pytest.approx(drawn[name].ci, rel=0.12)
        if name != "base":
            at_least = made.pair(name, "base").p_randomisation
            further = abs(made.pair(name, "base").difference) + 1e-4  # by more than its floats of 32 bits may round
            greater = find_engine().count_extremes(
                tables[name], tables["base"], made.recipe, seed=12345, trials=RESAMPLES, threshold=further
            )
            low, high = (greater + 1) / (RESAMPLES + 1), at_least
            assert low - varies(low, RESAMPLES) <= swapped[name].p_value <= high + varies(high, RESAMPLES), name
    best = min if recipe == "ter" else max
    assert made.ranked[0].name == best(systems, key=lambda name: swapped[name].score)


def test_identical_systems_where_sacrebleu_finds_a_difference():
    systems, references = made_systems()
    pair = {"base": systems["base"], "same": systems["base"]}
    theirs = {kind: sacrebleu_results(pair, references, kind, 1000)["same"].p_value for kind in ("ar", "bs")}
    assert max(theirs.values()) < 0.001
    ours = bp.compare(pair, references, resamples=1000).result().pairs[0]
    assert ours.p_randomisation == ours.p_bootstrap == 1


@pytest.mark.parametrize("recipe", THEIRS)
def test_the_interval_of_one_score_is_sacrebleus(recipe, output, tmp_path):
    """What ``sacrebleu --confidence`` prints: the mean of resampled scores, and half the width of their interval."""
    systems, references = made_systems()
    texts, references = systems["base"][:120], references[:120]
    files = [tmp_path / name for name in ("candidate", "reference")]
    for file, lines in zip(files, (texts, references), strict=True):
        file.write_text("\n".join(lines), encoding="utf-8")
    options = ("--recipe", recipe, "--confidence", 0.95, "--resamples", RESAMPLES, "--format", "json")
    ours = json.loads(output("score", *files, *options))
    theirs = THEIRS[recipe](references=[references]).corpus_score(texts, None, n_bootstrap=RESAMPLES)
    low, high, error = (ours["interval"][name] for name in ("low", "high", "standard_error"))
    assert ours["score"] == pytest.approx(theirs.score, abs=1e-9)
    assert (low + high) / 2 == pytest.approx(theirs._mean, abs=0.3 * error)
    assert (high - low) / 2 == pytest.approx(theirs._ci, rel=0.12)
