"""Every BLEU score that the organisers of WMT22 published for the systems in ``../shared/wmt22``."""

import csv
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

import bleuprint as bp

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "wmt22"


def read_official():
    """The published scores: for each pair and system, what each metric (bleu-all, bleu-A, …) says."""
    official = defaultdict(dict)
    table = FOLDER / "official-bleu.tsv"
    if table.exists():
        with table.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                official[row["pair"], row["system"]][row["metric"]] = float(row["score"])
    return official


def find_texts(pair, kind):
    """The files of a pair, by the name of the system or of the reference."""
    language = pair.split("-")[1]
    files = FOLDER.glob(f"generaltest2022.{pair}.{kind}.*.{language}")
    return {path.name.split(".")[3]: path for path in sorted(files)}


@cache
def read_lines(path):
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


OFFICIAL = read_official()
SYSTEMS = [(pair, system) for pair, system in OFFICIAL if system in find_texts(pair, "hyp")]


@pytest.mark.skipif(not SYSTEMS, reason=f"the WMT22 texts are not there: {FOLDER}")
@pytest.mark.parametrize(("pair", "system"), SYSTEMS)
def test_published_scores(pair, system):
    candidates = read_lines(find_texts(pair, "hyp")[system])
    references = {name: read_lines(path) for name, path in find_texts(pair, "ref").items()}
    sets = {f"bleu-{name}": lines for name, lines in references.items()}
    sets["bleu-all"] = list(zip(*references.values(), strict=True))
    recipe = bp.Recipe.named("sacrebleu").replace(tokenizer="zh" if pair == "en-zh" else "13a")
    scores = {metric: bp.score(candidates, sets[metric], recipe).score for metric in OFFICIAL[pair, system]}
    assert scores == pytest.approx(OFFICIAL[pair, system], rel=0, abs=1e-9)


@pytest.mark.skipif(not SYSTEMS, reason=f"the WMT22 texts are not there: {FOLDER}")
def test_every_published_score_is_tested():
    assert sorted(OFFICIAL) == sorted(SYSTEMS)
    assert sum(map(len, OFFICIAL.values())) == 99
