"""The dialects of chrF against the tools themselves: sacreBLEU, NLTK and torchmetrics run, chrF++.py as recorded."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from nltk.translate.chrf_score import corpus_chrf, sentence_chrf
from sacrebleu.metrics import CHRF

import bleuprint as bp
from packages import optional
from peer_sources import bring_packages_once
from strategies import as_columns

chrf_score = optional("torchmetrics.functional.text", "chrf_score")

RECORDED = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "more_vectors.json"
PLAIN = "aabbcx. ,(é"
ODD = PLAIN + "\tA\u0130\u0301\u00a0\u3000\u1680\x1c\x85中😀‘"
"""Combining marks, a letter that becomes two when lowered, and every kind of white space that somebody treats apart."""
TEXTS = st.text(alphabet=PLAIN, max_size=12) | st.text(alphabet=ODD, max_size=10)
OPTIONS = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 8),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([0, 1, 2, 3]),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
    }
)


@st.composite
def segments(draw, most_references=3):
    """A candidate and its references; half of the candidates are edited copies, as independent texts share little."""
    references = draw(st.lists(TEXTS, min_size=1, max_size=most_references))
    copied = draw(st.sampled_from(references))
    edited = copied[draw(st.integers(0, 2)) :] + draw(st.text(alphabet=PLAIN, max_size=3))
    return draw(st.sampled_from([edited, draw(TEXTS)])), references


CORPORA = st.lists(segments(), min_size=1, max_size=4).map(as_columns)


@st.composite
def long_segments(draw, most_references=20):
    """A candidate and many references, all of them a few characters again and again: everything is clipped."""
    texts = st.builds(
        lambda text, times, rest: text * times + rest,
        st.text(alphabet="ab é\u0301中.", min_size=1, max_size=5),
        st.integers(1, 60),
        st.text(alphabet=ODD, max_size=3),
    )
    return draw(texts), draw(st.lists(texts | TEXTS, min_size=1, max_size=most_references))


def digits(theirs, number=12):
    return pytest.approx(theirs, rel=10.0**-number, abs=0)


def columns_of(references):
    """Turn references as sacreBLEU takes them: a list for each reference, None where a segment has fewer."""
    most = max(map(len, references))
    return [[own[place] if place < len(own) else None for own in references] for place in range(most)]


def named(dialect, options):
    """Give a dialect the options of sacreBLEU and torchmetrics, which have the same names."""
    given = {**options, "case": "lower" if options["lowercase"] else "mixed"}
    if options["whitespace"]:
        given["whitespace"] = "kept"
    else:
        del given["whitespace"]
    del given["lowercase"]
    return bp.Recipe.named(dialect).with_choices(given)


# sacreBLEU


@settings(max_examples=300)
@given(CORPORA, OPTIONS, st.booleans())
def test_sacrebleu(corpus, options, eps):
    candidates, references = corpus
    metric = CHRF(**options, eps_smoothing=eps)
    theirs = metric.corpus_score(candidates, columns_of(references))
    recipe = named("chrf", options).replace(averaging="each-order-eps" if eps else "effective-order")
    ours = bp.score(candidates, references, recipe)
    assert ours.score == digits(theirs.score)
    assert ours.label == theirs.name
    rows = metric._extract_corpus_statistics(candidates, columns_of(references))  # hyp, ref, match of each order
    assert [(s.candidate, s.reference, s.matches) for s in bp.statistics(candidates, references, recipe)] == [
        (tuple(row[0::3]), tuple(row[1::3]), tuple(row[2::3])) for row in rows
    ]
    for candidate, own, score in zip(candidates, references, bp.score_segments(candidates, references, recipe)):
        assert score.score == digits(metric.sentence_score(candidate, own).score)
    if options["beta"] == 2:
        for short in (False, True):
            assert bp.Recipe.parse(metric.get_signature().format(short=short)) == recipe
        assert recipe.sacrebleu_signature("var") == metric.get_signature().format().replace(
            f"nrefs:{metric.get_signature().info['nrefs']}", "nrefs:var"
        )


@settings(max_examples=50)
@given(st.lists(long_segments(), min_size=1, max_size=2).map(as_columns), st.integers(0, 2))
def test_sacrebleu_on_long_repeats_and_many_references(corpus, word_order):
    candidates, references = corpus
    recipe = bp.Recipe.named("chrf").replace(word_order=word_order)
    theirs = CHRF(word_order=word_order).corpus_score(candidates, columns_of(references))
    assert bp.score(candidates, references, recipe).score == digits(theirs.score)


OLD = """
import json, sys
from argparse import Namespace
from sacrebleu.metrics.chrf import CHRF

made = []
for texts, order, beta, space, short in json.load(sys.stdin):
    metric = CHRF(Namespace(chrf_whitespace=space, chrf_order=order, chrf_beta=beta, short=short))
    score = metric.corpus_score([text[0] for text in texts], [[text[1] for text in texts]])
    made.append((score.score, score.format(signature=str(metric.signature))))
print(json.dumps(made))
"""


def test_signatures_of_sacrebleu_1_give_its_scores():
    chance = random.Random(15)

    def text():
        return "".join(chance.choices(ODD, k=chance.choice((0, 1, 3, 5, 8, 13))))

    cases = [
        ([(text(), text()) for _ in range(chance.randint(1, 3))], chance.randint(1, 7), chance.randint(1, 3), *flags)
        for flags in [(False, False), (False, True), (True, False)] * 50
    ]
    folder = bring_packages_once(["sacrebleu==1.5.1", "portalocker==3.2.0"])
    done = subprocess.run(
        [sys.executable, "-c", OLD],
        input=json.dumps(cases), capture_output=True, text=True, check=True, env={"PYTHONPATH": str(folder)},
    )  # fmt: skip
    scores = []
    for (texts, *_), (theirs, line) in zip(cases, json.loads(done.stdout), strict=True):
        candidates, references = map(list, zip(*texts, strict=True))
        assert bp.score(candidates, references, line).fraction == digits(theirs)
        scores.append(theirs)
    assert sum(0 < score < 1 for score in scores) > 50


# NLTK


@settings(max_examples=300)
@given(segments(most_references=1), st.integers(1, 8), st.sampled_from([0.5, 1.0, 2.0, 3.0]), st.booleans())
def test_nltk(segment, char_order, beta, ignored):
    candidate, [reference] = segment
    recipe = bp.Recipe.named("nltk-chrf").replace(char_order=char_order, beta=beta)
    theirs = sentence_chrf(reference, candidate, max_len=char_order, beta=beta, ignore_whitespace=ignored)
    ours = bp.score_sentence(candidate, reference, recipe if ignored else recipe.replace(whitespace="kept"))
    assert ours.fraction == digits(theirs)


@settings(max_examples=50)
@given(long_segments(most_references=1))
def test_nltk_on_long_repeats(segment):
    candidate, [reference] = segment
    theirs = sentence_chrf(reference, candidate)
    assert bp.score_sentence(candidate, reference, "nltk-chrf").fraction == digits(theirs)


@settings(max_examples=60)
@given(st.lists(segments(most_references=1), min_size=1, max_size=4))
def test_nltks_corpus_score_is_the_mean_of_its_segments(found):
    candidates, references = as_columns(found)
    theirs = corpus_chrf([own[0] for own in references], candidates)
    scores = bp.score_segments(candidates, references, "nltk-chrf").scores
    assert sum(scores) / len(scores) / 100 == digits(theirs)


# torchmetrics


@pytest.mark.needs("torchmetrics")
@settings(max_examples=100)
@given(CORPORA, OPTIONS)
def test_torchmetrics(corpus, options):
    candidates, references = corpus
    recipe = named("torchmetrics-chrf", options)
    names = {"char_order": "n_char_order", "word_order": "n_word_order"}
    theirs, by_segment = chrf_score(
        candidates,
        references,
        **{names.get(name, name): value for name, value in options.items()},
        return_sentence_level_score=True,
    )
    ours = bp.score_segments(candidates, references, recipe)
    assert [score / 100 for score in ours.scores] == digits(by_segment.tolist(), 6)
    for candidate, own in zip(candidates, references, strict=True):
        assume(not is_near_tie(candidate, own, recipe))  # 32 bits tell these apart by rounding alone
    assert bp.score(candidates, references, recipe).fraction == digits(theirs.item(), 6)


@pytest.mark.needs("torchmetrics")
@settings(max_examples=20)
@given(long_segments(most_references=6))
def test_torchmetrics_on_long_repeats_and_many_references(segment):
    candidate, references = segment
    _, [theirs] = chrf_score([candidate], [references], return_sentence_level_score=True)
    assert bp.score_sentence(candidate, references, "torchmetrics-chrf").fraction == digits(theirs.item(), 6)


def is_near_tie(candidate, references, recipe):
    """Whether two references with other counts score alike."""
    tried = [bp.score_sentence(candidate, [reference], recipe) for reference in references]
    best = max(score.score for score in tried)
    return len({score.stats for score in tried if score.score > best * (1 - 1e-5)}) > 1


@pytest.mark.needs("torchmetrics")
def test_torchmetrics_takes_the_first_of_references_that_tie():
    candidates, references = ["ba b", "aba c"], [["bcbbaaab"], [" bbba  ", "aa"]]
    recipe = bp.Recipe.named("torchmetrics-chrf")
    scores = [bp.score_sentence(candidates[1], text, recipe).score for text in references[1]]
    assert 0 < scores[1] - scores[0] < 1e-12  # floats of 64 bits round the two differently
    assert bp.score(candidates, references, recipe).fraction == digits(chrf_score(candidates, references).item(), 6)
    explained = bp.explain(candidates[1], references[1], recipe)
    assert explained.evidence.chosen == 0
    exact = bp.score_sentence(candidates[1], references[1], recipe.replace(unmatched_segment="counted"))
    assert exact.score == scores[1]


@pytest.mark.needs("torchmetrics")
def test_torchmetrics_loses_the_references_of_segments_without_a_match():
    candidates, references = ["abcdef", ""], [["abcdef"], ["uvwxyz"]]
    assert chrf_score(candidates, references, n_word_order=0).item() == 1
    recipe = bp.Recipe.named("torchmetrics-chrf").replace(word_order=0)
    assert bp.score(candidates, references, recipe).score == 100
    assert bp.score(candidates, references, recipe.replace(unmatched_segment="counted")).score < 90


# Recorded outputs

SACREBLEU = {
    "sacrebleu.chrf": ("chrf", {}),
    "sacrebleu.chrf++": ("chrf++", {}),
    "sacrebleu.chrf.eps": ("chrf", {"averaging": "each-order-eps"}),
    "sacrebleu.chrf++.lc": ("chrf++", {"case": "lower"}),
    "sacrebleu.chrf.space": ("chrf", {"whitespace": "kept"}),
}
POPOVIC = {"chrF++.py.chrf": "chrf-popovic", "chrF++.py.chrf++": "chrf++-popovic"}
TORCHMETRICS = {"torchmetrics.chrf++": {}, "torchmetrics.chrf": {"word_order": 0}}


@pytest.fixture(scope="module")
def recorded():
    """The recorded cases: candidates, references, and what each tool printed."""
    if not RECORDED.exists():
        pytest.skip("the recorded outputs lie in ../shared/conformance, which is not here")
    return json.loads(RECORDED.read_text(encoding="utf-8"))["cases"].values()


def test_recorded_scores_of_sacrebleu(recorded):
    for case in recorded:
        for key, (dialect, changes) in SACREBLEU.items():
            recipe = bp.Recipe.named(dialect).with_choices(changes)
            whole = bp.score(case["candidates"], case["references"], recipe)
            each = bp.score_segments(case["candidates"], case["references"], recipe)
            assert whole.score == digits(case["scores"][key])
            assert list(each.scores) == digits(case["scores"][f"{key}.segments"])


def test_recorded_scores_of_popovics_script(recorded):
    compared = 0
    for case in recorded:
        for key, dialect in POPOVIC.items():
            theirs = case["scores"][key]
            each = bp.score_segments(case["candidates"], case["references"], dialect).scores
            if "error" in theirs or not all(each):  # it stops, or counts the segment before once more
                assert not all(each)
                continue
            compared += 1
            assert bp.score(case["candidates"], case["references"], dialect).fraction == digits(theirs["document"])
            assert sum(each) / len(each) / 100 == digits(theirs["mean"])
    assert compared > 40


def test_recorded_scores_of_nltk_and_torchmetrics(recorded):
    for case in recorded:
        candidates, references = case["candidates"], case["references"]
        each = bp.score_segments(candidates, [own[0] for own in references], "nltk-chrf").scores
        assert [score / 100 for score in each] == digits(case["scores"]["nltk.sentence_chrf"])
        for key, changes in TORCHMETRICS.items():
            recipe = bp.Recipe.named("torchmetrics-chrf").with_choices(changes)
            assert bp.score(candidates, references, recipe).fraction == digits(case["scores"][key], 6)
