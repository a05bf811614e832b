"""Scores that other tools printed for WMT17's English-German systems, to their last digit, and tests of TER.

sacreBLEU's archive on PyPI has the texts of these sixteen systems, and in ``test.sh`` what chrF++.py, tercom and
mteval printed for them. The texts of the other languages there, of its runs with two references, and of Japanese are
not in the archive: it downloads them from data.statmt.org and GitHub.
"""

import bz2
import pickle
import re

import pytest

import bleuprint as bp
from peer_sources import bring_source_once

PAIR = ".en-de"
BASELINE = "LIUM-NMT.4900"
CHRF = {
    "C-3MA.4959": "51.9533", "FBK.4870": "54.7152", "KIT.4950": "55.7629", "LIUM-NMT.4900": "55.9284",
    "LMU-nmt-reranked.4934": "56.3908", "LMU-nmt-single.4893": "55.9216", "PROMT-Rule-based.4735": "50.3511",
    "RWTH-nmt-ensemble.4921": "55.6116", "SYSTRAN.4847": "55.5758", "TALP-UPC.4834": "51.6860",
    "online-A.0": "52.0023", "online-B.0": "56.2633", "online-F.0": "49.2588", "online-G.0": "51.5871",
    "uedin-nmt.4722": "57.7227", "xmu.4910": "55.9642",
}  # fmt: skip
"""What ``chrF++.py -H hyp -R ref -nw 0`` printed: sacreBLEU's ``test.sh`` at 02d948d, in Git; its releases have two."""
TABLES = {
    "CHRF": ("chrf-popovic", 2), "CHRFPP": ("chrf++-popovic", 2), "TER": ("ter", 16),
    "MTEVAL": ("mteval-v13a", 16), "MTEVAL14": ("mteval-v14", 1),
}  # fmt: skip
"""The tables of ``test.sh``: the dialect that each is of, and how many of these systems it has."""


@pytest.fixture(scope="module")
def archive():
    return bring_source_once("sacrebleu")


@pytest.fixture(scope="module")
def corpus(archive):
    """The systems by name, and the reference."""
    with bz2.open(archive / "test" / "wmt17_en_de_systems.pkl.bz2") as packed:
        *systems, (_, [references]) = pickle.load(packed)
    named = {short_name(name): candidates for name, candidates in systems}
    assert set(named) == set(CHRF)
    return named, references


def short_name(name):
    return name.removeprefix("newstest2017.").removesuffix(".sgm").removesuffix(PAIR)


def read_table(archive, name):
    """What a table of ``test.sh`` says of these systems, as it is printed there."""
    script = (archive / "test.sh").read_text(encoding="utf-8")
    [table] = re.findall(rf"declare -A {name}=\((.*?)\n *\)", script, re.DOTALL)
    entries = re.findall(r'\["([^"]+)"\]=([\d.]+)', table)
    return {short_name(file): value for file, value in entries if file.endswith(f"{PAIR}.sgm")}


def as_printed(score, value):
    """Print a score with the digits of a value, on the scale of the tool."""
    number = score.fraction if score.recipe.metric_key == "ter" else score.score
    return f"{number:.{len(value.partition('.')[2])}f}"


@pytest.mark.extended
@pytest.mark.parametrize("name", TABLES)
def test_recorded_scores(archive, corpus, name):
    dialect, known = TABLES[name]
    systems, references = corpus
    recipe = bp.Recipe.named(dialect)
    recipe = recipe.replace(case="mixed") if name.startswith("MTEVAL") else recipe  # they were made with -c
    recorded = read_table(archive, name)
    assert len(recorded) == known
    found = {system: bp.score(systems[system], references, recipe) for system in recorded}
    assert {system: as_printed(found[system], value) for system, value in recorded.items()} == recorded


def test_recorded_scores_of_popovics_script_for_every_system(corpus):
    systems, references = corpus
    found = {name: bp.score(candidates, references, "chrf-popovic") for name, candidates in systems.items()}
    assert {name: as_printed(found[name], value) for name, value in CHRF.items()} == CHRF


def test_sacrebleus_smoothed_chrf_differs_from_it_where_no_break_spaces_stand(corpus):
    systems, references = corpus
    eps = bp.Recipe.named("chrf").replace(averaging="each-order-eps")
    printed = {name: as_printed(bp.score(systems[name], references, eps), value) for name, value in CHRF.items()}
    others = {name for name, value in CHRF.items() if printed[name] != value}
    assert others == {name for name, texts in systems.items() if any("\u00a0" in text for text in texts)}
    assert others == {"PROMT-Rule-based.4735"}


def test_recorded_p_values_of_multeval(archive, corpus):
    """10,000 randomisations there and here: two such tries of one p-value may differ by 0.01."""
    systems, references = corpus
    script = (archive / "test" / "test_significance.py").read_text(encoding="utf-8")
    recorded = re.findall(r'"([^"]+)": \(([\d.]+), ([\d.]+)\)', script)
    assert len(recorded) == len(systems) - 1
    words = bp.Recipe.named("sacrebleu").replace(tokenizer="whitespace")  # on which multeval counted BLEU
    compared = bp.compare(systems, references, {"BLEU": words, "TER": "ter"}, baseline=BASELINE)
    for name, *values in recorded:
        for metric, value in zip(("BLEU", "TER"), values, strict=True):
            found = compared.pair(short_name(name), BASELINE, metric).p_randomisation
            assert found == pytest.approx(float(value), abs=0.015), (name, metric)
