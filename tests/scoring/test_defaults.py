"""Whoever names no recipe gets sacreBLEU's number: a corpus its corpus score, a single segment its sentence score."""

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("pyspark")
pytest.importorskip("torchmetrics")

import inspect
import json

import pyarrow as pa
import sacrebleu

import bleuprint as bp
from bleuprint.adapters import arrow, evaluate_module, spark, torchmetrics
from bleuprint.findings.comparison import compare_statistics
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT
from bleuprint.web.api import answer

pytestmark = pytest.mark.needs("pyarrow", "pyspark", "torchmetrics")


CANDIDATES = ["hello world", "the cat is on mat today"]
REFERENCES = [["hello world"], ["the cat is on the mat today"]]
CORPUS = sacrebleu.corpus_bleu(CANDIDATES, [["hello world", "the cat is on the mat today"]]).score
SEGMENTS = [
    sacrebleu.sentence_bleu(candidate, references).score
    for candidate, references in zip(CANDIDATES, REFERENCES, strict=True)
]
TABLE = pa.table({"candidate": CANDIDATES, "references": REFERENCES})
BODY = {"candidates": CANDIDATES, "references": REFERENCES}
ONE = {"candidate": CANDIDATES[0], "references": REFERENCES[0]}


def accumulated():
    total = bp.Accumulator()
    total.add_batch(CANDIDATES, REFERENCES)
    return total.score().score


def ask_api(call, body):
    return json.loads(answer(call, json.dumps(body).encode()).content)["score"]


OF_A_CORPUS = {
    "score": lambda: bp.score(CANDIDATES, REFERENCES).score,
    "score_documents": lambda: bp.score_documents(CANDIDATES, REFERENCES, ["a", "a"])["a"].score,
    "explain": lambda: bp.explain(CANDIDATES, REFERENCES).score.score,
    "compare": lambda: bp.compare({"a": CANDIDATES}, REFERENCES, resamples=100).result().systems[0].score.score,
    "Accumulator": accumulated,
    "References.score": lambda: bp.References(REFERENCES).score(CANDIDATES).score,
    "Arrow": lambda: arrow.score(TABLE).score,
    "the API's score": lambda: ask_api("score", BODY),
    "the API's explain": lambda: ask_api("explain", BODY),
}
OF_SEGMENTS = {
    "score_sentence": lambda: list(map(lambda *one: bp.score_sentence(*one).score, CANDIDATES, REFERENCES)),
    "score_segments": lambda: list(bp.score_segments(CANDIDATES, REFERENCES).scores),
    "explain": lambda: list(map(lambda *one: bp.explain(*one).score.score, CANDIDATES, REFERENCES)),
    "References.score_segments": lambda: list(bp.References(REFERENCES).score_segments(CANDIDATES).scores),
    "pairwise": lambda: [row[place] for place, row in enumerate(bp.pairwise(CANDIDATES, REFERENCES))],
    "Arrow": lambda: arrow.score_segments(TABLE)["bleu"].to_pylist(),
    "the API's score": lambda: [ask_api("score", ONE), SEGMENTS[1]],
    "the API's explain": lambda: [ask_api("explain", ONE), SEGMENTS[1]],
}


@pytest.mark.parametrize("verb", OF_A_CORPUS)
def test_a_corpus_gets_the_corpus_score(verb):
    assert OF_A_CORPUS[verb]() == pytest.approx(CORPUS, rel=1e-12)


@pytest.mark.parametrize("verb", OF_SEGMENTS)
def test_a_segment_gets_the_sentence_score(verb):
    assert OF_SEGMENTS[verb]() == pytest.approx(SEGMENTS, rel=1e-12)


def test_the_two_defaults_differ_on_these_texts():
    assert bp.score(CANDIDATES[:1], REFERENCES[:1]).score == 0.0
    assert bp.score_sentence(CANDIDATES[0], REFERENCES[0]).score == 100.0


@pytest.mark.parametrize(
    ("verb", "default"),
    [
        (bp.statistics, DEFAULT),
        (bp.self_bleu, SEGMENT_DEFAULT),
        (bp.choose_best, SEGMENT_DEFAULT),
        (compare_statistics, DEFAULT),
        (arrow.statistics, DEFAULT),
        (arrow.sum_statistics, DEFAULT),
        (arrow.score_sums, DEFAULT),
        (spark.score, DEFAULT),
        (spark.statistics, DEFAULT),
        (spark.sum_statistics, DEFAULT),
        (spark.compare, DEFAULT),
        (spark.score_segments, SEGMENT_DEFAULT),
        (torchmetrics.BleuMetric, DEFAULT),
        (evaluate_module._choose_bleu, DEFAULT),
    ],
    ids=lambda value: getattr(value, "__qualname__", value),
)
def test_every_other_verb_names_the_default_of_its_kind(verb, default):
    assert inspect.signature(verb).parameters["recipe"].default == default


def test_the_two_defaults_count_alike():
    """So that prepared references serve both, and statistics of one may be scored by the other."""
    assert bp.Recipe.named(DEFAULT).layout == bp.Recipe.named(SEGMENT_DEFAULT).layout


def test_references_keep_their_recipe_for_segments_where_one_is_named():
    named = bp.References(REFERENCES, DEFAULT)
    assert named.score_segments(CANDIDATES).scores[0] == 0.0
    assert named != bp.References(REFERENCES)


def explained(output, *arguments):
    return json.loads(output("explain", *arguments, "--format", "json"))["score"]


def test_the_command_line_follows_the_verbs(output, tmp_path):
    candidate, reference = tmp_path / "candidate", tmp_path / "reference"
    candidate.write_text("\n".join(CANDIDATES))
    reference.write_text("\n".join(texts[0] for texts in REFERENCES))
    assert explained(output, "hello world", "hello world") == 100.0
    assert explained(output, candidate, reference, "--segment", 1) == 100.0
    assert explained(output, candidate, reference, "--files") == pytest.approx(CORPUS, rel=1e-12)
    rows = [json.loads(line) for line in output("segments", candidate, reference, "--format", "jsonl").splitlines()]
    assert [row["score"] for row in rows] == pytest.approx(SEGMENTS, rel=1e-12)
    assert json.loads(output("score", candidate, reference, "--format", "json"))["score"] == pytest.approx(CORPUS)
    listed = output("recipes")
    assert "with its own defaults (default)" in listed
    assert "are dropped (default for single segments)" in listed
