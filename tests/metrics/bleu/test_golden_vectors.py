"""Recorded outputs of the tools; ``data/golden_vectors.json`` says which versions, and how they were run."""

import json
from pathlib import Path

import pytest

import bleuprint as bp
from printed_numbers import twelve_digits

SMOOTHINGS = ("none", "floor", "add-k", "exp")
CASES = json.loads((Path(__file__).parents[2] / "data" / "golden_vectors.json").read_text(encoding="utf-8"))["cases"]


def named(dialect, **choices):
    return bp.Recipe.named(dialect).replace(tokenizer="pretokenized", **choices)


RECIPES = {
    "nltk.method0": named("nltk"),
    **{f"nltk.method{number}": named(f"nltk-method{number}") for number in (1, 2, 3, 4)},
    **{f"sacrebleu.{kind}.eff=0": named("sacrebleu", smoothing=kind) for kind in SMOOTHINGS},
    **{f"sacrebleu.{kind}.eff=1": named("sacrebleu-sentence", smoothing=kind) for kind in SMOOTHINGS},
    "tf_nmt(HF bleu).smooth=0": named("huggingface"),
    "tf_nmt(HF bleu).smooth=1": named("huggingface-smooth"),
    "bleuscore.smooth=0.shortest": named("bleuscore"),
    "bleuscore.smooth=1.shortest": named("huggingface-smooth"),
    "bleuscore.smooth=0.closest": named("bleuscore", reference_length="closest"),
    "bleuscore.smooth=1.closest": named("huggingface-smooth", reference_length="closest"),
}
FLOAT32 = {"torchmetrics.smooth=0": named("torchmetrics"), "torchmetrics.smooth=1": named("torchmetrics-smooth")}
MULTI_BLEU, MTEVAL = "multi-bleu.perl", "mteval-v13a -b -c -d2"
SEVERAL = "nltk.bleu1..4"
PARTS = "sacrebleu.counts,totals,bp,sys_len,ref_len"

# Where a tool crashes on an empty text, or where smoothing alone makes its score, bleuprint says 0 with a note.
DECIDED = {
    (case, key)
    for case, data in CASES.items()
    for key, printed in data["scores"].items()
    if isinstance(printed, dict) or (case in ("G empty ref", "H both empty") and key.startswith("bleuscore.smooth=1"))
}
SINGLE = [(case, key) for case, data in CASES.items() for key in data["scores"] if key in RECIPES]


def score(case, recipe):
    return bp.score(CASES[case]["hyps"], CASES[case]["refs"], recipe)


def test_every_recorded_key_is_tested():
    assert {key for data in CASES.values() for key in data["scores"]} == {
        *RECIPES,
        *FLOAT32,
        MULTI_BLEU,
        MTEVAL,
        SEVERAL,
        PARTS,
    }


@pytest.mark.parametrize("case", CASES)
def test_scores(case):
    keys = [key for name, key in SINGLE if name == case and (case, key) not in DECIDED]
    assert keys
    ours = {key: score(case, RECIPES[key]) for key in keys}
    shown = {key: one.score if key.startswith("sacrebleu") else one.fraction for key, one in ours.items()}
    assert shown == {key: twelve_digits(CASES[case]["scores"][key]) for key in keys}


@pytest.mark.parametrize(("case", "key"), sorted(DECIDED))
def test_what_tools_make_of_no_text_is_zero_with_a_note(case, key):
    scored = score(case, RECIPES[key])
    assert scored.score == 0.0
    assert {"empty-candidate", "empty-reference"} & {note.code for note in scored.notes}


@pytest.mark.parametrize("key", FLOAT32)
@pytest.mark.parametrize("case", CASES)
def test_torchmetrics_to_the_precision_it_has(case, key):
    assert score(case, FLOAT32[key]).fraction == pytest.approx(CASES[case]["scores"][key], rel=1e-6, abs=0)


@pytest.mark.parametrize("case", [case for case in CASES if MULTI_BLEU in CASES[case]["scores"]])
def test_every_digit_that_multi_bleu_prints(case):
    printed = CASES[case]["scores"][MULTI_BLEU]
    scored = score(case, named("moses"))
    stats = scored.stats
    if "hyp_len=0" in printed or "division by zero" in printed:  # it gives up on empty texts; here they score 0
        assert (scored.score, min(stats.candidate_length, stats.reference_length)) == (0.0, 0)
        return
    precisions = "/".join(f"{100 * precision:.1f}" for precision in scored.precisions)
    lengths = f"hyp_len={stats.candidate_length}, ref_len={stats.reference_length}"
    ratio = stats.candidate_length / stats.reference_length
    parts = f"BP={scored.brevity_penalty:.3f}, ratio={ratio:.3f}, {lengths}"
    assert f"BLEU = {scored.score:.2f}, {precisions} ({parts})" == printed


@pytest.mark.parametrize("case", [case for case in CASES if MTEVAL in CASES[case]["scores"]])
def test_every_digit_that_mteval_prints(case):
    printed = CASES[case]["scores"][MTEVAL]
    scored = score(case, named("mteval-v13a", case="mixed"))
    if "ERR" in printed:  # it dies of empty texts; here they score 0
        assert (scored.score, min(scored.stats.candidate_length, scored.stats.reference_length)) == (0.0, 0)
        return
    assert f"BLEU score = {scored.fraction:.4f} for system" in printed


@pytest.mark.parametrize("case", CASES)
def test_nltk_bleu_1_to_4_in_one_pass(case):
    recipes = [named("nltk", order=order) for order in (1, 2, 3, 4)]
    scores = bp.score_recipes(CASES[case]["hyps"], CASES[case]["refs"], recipes)
    assert [scored.fraction for scored in scores] == [twelve_digits(p) for p in CASES[case]["scores"][SEVERAL]]


@pytest.mark.parametrize("case", CASES)
def test_the_parts_of_sacrebleu(case):
    scored = score(case, named("sacrebleu"))
    matches, totals, penalty, candidate_length, reference_length = CASES[case]["scores"][PARTS]
    assert scored.stats == bp.BleuStats(tuple(matches), tuple(totals), candidate_length, reference_length)
    if case == "H both empty":
        penalty = 0.0  # sacreBLEU prints 1; here every empty candidate has 0
    assert scored.brevity_penalty == twelve_digits(penalty)
