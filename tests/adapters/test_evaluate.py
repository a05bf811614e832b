"""bleuprint's module for Hugging Face evaluate, loaded by the package itself, with and without a network."""

import pytest

pytest.importorskip("bleuscore")

import json
import os
import subprocess
import sys
from pathlib import Path

import bleuscore
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.adapters.evaluate_module import evaluate_path
from bleuprint.errors import InputTypeError, Location, RecipeError, ShapeError
from strategies import ASCII_WORDS, as_text, word_corpora

pytestmark = pytest.mark.needs("bleuscore")


OFFLINE = dict.fromkeys(("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_EVALUATE_OFFLINE"), "1")
CORPUS = ["the cat is on mat", "it purrs."], [["the cat is on the mat"], ["it purrs.", "it sleeps."]]


def load(*arguments, **options):
    """Load a module with evaluate, whose import takes seconds that collecting tests need not take."""
    import evaluate

    return evaluate.load(*arguments, **options)


@pytest.fixture
def metric():
    return load(evaluate_path())


def test_the_whole_score_comes_back(metric):
    result = metric.compute(predictions=CORPUS[0], references=CORPUS[1])
    scored = bp.score(*CORPUS)
    assert {name: result[name] for name in scored.to_dict()} == scored.to_dict()
    stats = scored.stats
    assert result["bleu"] == scored.fraction
    assert result["translation_length"] == stats.candidate_length
    assert result["length_ratio"] == stats.candidate_length / stats.reference_length
    assert [note["code"] for note in result["notes"]] == [note.code for note in scored.notes] != []


@pytest.mark.parametrize(
    ("metric", "options", "recipe"),
    [
        ("chrf", {}, bp.Recipe.named("chrf")),
        ("chrf", {"word_order": 2, "lowercase": True}, bp.Recipe.named("chrf++").replace(case="lower")),
        ("chrf", {"eps_smoothing": True, "whitespace": True, "beta": 3, "char_order": 4},
         bp.Recipe.named("chrf").replace(averaging="each-order-eps", whitespace="kept", beta=3, char_order=4)),
        ("chrf", {"recipe": "torchmetrics-chrf"}, bp.Recipe.named("torchmetrics-chrf")),
        ("ter", {}, bp.Recipe.named("ter")),
        ("ter", {"normalized": True, "ignore_punct": True, "case_sensitive": True},
         bp.Recipe.named("ter").replace(normalized="yes", punctuation="remove", case="mixed")),
        ("ter", {"support_zh_ja_chars": True}, bp.Recipe.named("ter").replace(asian="yes")),
    ],
)  # fmt: skip
def test_other_metrics_are_modules_of_their_own(metric, options, recipe):
    result = load(evaluate_path(metric)).compute(predictions=CORPUS[0], references=CORPUS[1], **options)
    scored = bp.score(*CORPUS, recipe)
    assert {name: result[name] for name in scored.to_dict()} == scored.to_dict()
    if metric == "chrf":
        names = ("char_order", "word_order", "beta")
        assert {name: result[name] for name in names} == {name: getattr(recipe, name) for name in names}
    else:
        assert (result["num_edits"], result["ref_length"]) == (scored.edits, scored.reference_length)


def test_a_recipe_or_a_name_of_another_metric_is_refused():
    with pytest.raises(RecipeError, match=r"TER.*chrF"):
        load(evaluate_path("ter")).compute(predictions=["a"], references=["a"], recipe="chrf")
    with pytest.raises(RecipeError) as caught:
        evaluate_path("chrff")
    assert caught.value.suggestion == "chrf"


def test_added_one_by_one_in_batches_and_all_at_once(metric):
    metric.add(prediction=CORPUS[0][0], reference=CORPUS[1][0][0])
    metric.add_batch(predictions=CORPUS[0][1:], references=CORPUS[1][1:])
    assert metric.compute(predictions=["a b"], references=["a b"]) == metric.compute(
        predictions=[*CORPUS[0], "a b"], references=[*CORPUS[1], "a b"]
    )


@pytest.mark.parametrize(
    "recipe", ["nltk", "huggingface-smooth", "nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0"]
)
def test_dialects_and_signatures(metric, recipe):
    result = metric.compute(predictions=CORPUS[0], references=CORPUS[1], recipe=recipe)
    assert result["score"] == bp.score(*CORPUS, recipe).score
    assert result["signature"] == str(bp.Recipe.of(recipe))


def test_the_arguments_and_numbers_of_evaluates_own_bleu(metric):
    # That is downloaded when it is loaded; bleuscore computes the same.
    @settings(max_examples=15)
    @given(word_corpora(ASCII_WORDS), st.integers(1, 4), st.booleans())
    def agrees(corpus, order, smooth):
        candidates, references = as_text(corpus)
        ours = bp.statistics(candidates, references, "huggingface").total()
        assume(ours.candidate_length and ours.reference_length)
        result = metric.compute(
            predictions=candidates, references=references, recipe="huggingface", max_order=order, smooth=smooth
        )
        theirs = bleuscore.compute(references, candidates, max_order=order, smooth=smooth)
        for name in ("bleu", "brevity_penalty", "length_ratio", "translation_length", "reference_length"):
            assert result[name] == pytest.approx(theirs[name], rel=1e-12, abs=0), name
        assert result["smoothed_precisions"] == pytest.approx(theirs["precisions"], rel=1e-12, abs=0)

    agrees()


def test_a_tokenizer_by_name_or_of_ones_own(metric):
    for tokenizer in ("whitespace", str.split, lambda text: text.split()):
        result = metric.compute(predictions=CORPUS[0], references=CORPUS[1], tokenizer=tokenizer)
        assert result["matches"] == list(bp.score(*CORPUS, "paper").stats.matches)


def test_no_reference_token_has_no_ratio(metric):
    assert metric.compute(predictions=["a"], references=[""])["length_ratio"] is None


def test_in_memory():
    kept = load(evaluate_path(), keep_in_memory=True)
    assert kept.compute(predictions=CORPUS[0], references=CORPUS[1])["score"] == bp.score(*CORPUS).score


# evaluate checks the first segment alone, reads later strings as characters, and turns numbers into text.


def test_strings_and_lists_may_be_mixed(metric):
    mixed = ["the cat is on the mat", ["it purrs.", None, "it sleeps."]]
    assert metric.compute(predictions=CORPUS[0], references=mixed)["score"] == bp.score(*CORPUS).score


@pytest.mark.parametrize(
    ("predictions", "references", "error", "location"),
    [
        (["a", "b"], [["a"]], ShapeError, Location("references")),
        (["a", "b"], [["a"], []], ShapeError, Location("references", 1)),
        (["a", 3], [["a"], ["3"]], InputTypeError, Location("candidates", 1)),
        (["a", None], [["a"], ["b"]], InputTypeError, Location("candidates", 1)),
        (["a", "b"], [["a"], [4]], InputTypeError, Location("references", 1, 0)),
    ],
)
def test_bad_texts_are_refused_and_nothing_is_lost(metric, predictions, references, error, location):
    metric.add_batch(predictions=CORPUS[0], references=CORPUS[1])
    with pytest.raises(error) as caught:
        metric.add_batch(predictions=predictions, references=references)
    assert caught.value.location == location
    assert metric.compute()["score"] == bp.score(*CORPUS).score


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"recipe": "sacrebluh"}, RecipeError, "sacrebluh"),
        ({"smooth": True}, RecipeError, "huggingface-smooth"),
        ({"max_order": 0}, RecipeError, "order"),
        ({"threads": 0}, InputTypeError, "threads"),
        ({"lowercase": True}, InputTypeError, "'lowercase'"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_bad_options_are_refused_and_nothing_is_lost(metric, options, error, message):
    metric.add_batch(predictions=CORPUS[0], references=CORPUS[1])
    with pytest.raises(error, match=message):
        metric.compute(**options)
    assert metric.compute()["score"] == bp.score(*CORPUS).score


@pytest.mark.extended
@pytest.mark.parametrize("offline", [{}, OFFLINE], ids=["unaware", "told"])
def test_without_a_network(offline, tmp_path, without_network):
    program = Path(__file__).parents[1] / "support/evaluate_offline.py"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    done = subprocess.run(
        [*without_network, sys.executable, "-W", "ignore", str(program), json.dumps(CORPUS)],
        capture_output=True, text=True, check=True, env={**environment, **offline, "HF_HOME": str(tmp_path)},
    )  # fmt: skip
    said = json.loads(done.stdout)
    assert said["network"] == "none"
    assert said["result"]["score"] == bp.score(*CORPUS).score
