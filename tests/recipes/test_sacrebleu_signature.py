"""Signatures that sacreBLEU prints are read as recipes, and recipes it can express are printed as it would."""

from __future__ import annotations

import pytest
import sacrebleu

import bleuprint as bp
from bleuprint.errors import Location, RecipeError
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.tokenizers import registry as tokenizer_table
from covering import covering

SACREBLEU = Recipe.named("sacrebleu")
SACREBLEU_1 = Recipe.named("sacrebleu@1.5")
CANDIDATES = ["The cat sat on the mat today, 中文 too.", "Yes"]
REFERENCES = [["the cat sat on a mat, 中文.", "Yes"], ["a cat sat on the mat today", "yes indeed"]]
"""As sacreBLEU wants them: one list per reference. The texts tell all the settings below apart."""

PREFIXED = "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
SCORE_PART = " = 24.6 58.1/30.9/18.6/11.5 (BP = 0.986 ratio = 0.986 hyp_len = 61287 ref_len = 62142)"

TOKENIZERS = {"none": "whitespace", "13a": "13a", "intl": "intl", "zh": "zh", "char": "char"}
SMOOTHINGS = {
    ("none", None): "none",
    ("exp", None): "exp",
    ("floor", None): "floor(0.1)",
    ("floor", 0.25): "floor(0.25)",
    ("add-k", None): "add-k(1)",
    ("add-k", 2.5): "add-k(2.5)",
}

over_every_setting = pytest.mark.parametrize(
    ("tokenize", "smooth", "lowercase", "effective_order"),
    covering([*TOKENIZERS], [*SMOOTHINGS], [False, True], [False, True]),
)


def theirs_and_ours(tokenize, smooth, lowercase, effective_order):
    """Build sacreBLEU's metric and the recipe that it should print as."""
    metric = sacrebleu.BLEU(
        tokenize=tokenize,
        smooth_method=smooth[0],
        smooth_value=smooth[1],
        lowercase=lowercase,
        effective_order=effective_order,
    )
    recipe = SACREBLEU.replace(
        tokenizer=TOKENIZERS[tokenize],
        smoothing=SMOOTHINGS[smooth],
        case="lower" if lowercase else "mixed",
        absent_order="drop" if effective_order else "zero",
    )
    return metric, recipe


@over_every_setting
def test_what_sacrebleu_prints_parses_to_its_settings(tokenize, smooth, lowercase, effective_order):
    metric, recipe = theirs_and_ours(tokenize, smooth, lowercase, effective_order)
    score = metric.corpus_score(CANDIDATES, REFERENCES)
    signature = metric.get_signature()
    for short in (False, True):
        line = signature.format(short=short)
        assert Recipe.parse(line) == recipe
        assert Recipe.parse(score.format(signature=line)) == recipe
    ours = bp.score(CANDIDATES, list(zip(*REFERENCES, strict=True)), recipe=signature.format())
    assert ours.score == pytest.approx(score.score, rel=1e-12)


@over_every_setting
def test_a_recipe_prints_as_sacrebleu_prints_it(tokenize, smooth, lowercase, effective_order):
    metric, recipe = theirs_and_ours(tokenize, smooth, lowercase, effective_order)
    for references, nrefs in ((REFERENCES, 2), (REFERENCES[:1], 1), ([REFERENCES[0], ["a", None]], "var")):
        metric.corpus_score(CANDIDATES, references)
        assert recipe.sacrebleu_signature(nrefs) == str(metric.get_signature())


@pytest.mark.parametrize("short", [False, True])
def test_bootstrap_and_data_set_decide_no_score_and_are_dropped(short):
    metric = sacrebleu.BLEU()
    metric.corpus_score(CANDIDATES, REFERENCES, n_bootstrap=10)
    signature = metric.get_signature()
    for key, value in {"test": "wmt17/B", "lang": "en-de", "origlang": "non-en", "subset": "news", "ar": 10}.items():
        signature.update(key, value)
    line = signature.format(short=short)
    assert line.count("|") == 12
    assert Recipe.parse(line) == SACREBLEU


@pytest.mark.parametrize(
    ("line", "recipe"),
    [
        (PREFIXED, SACREBLEU),
        (PREFIXED + SCORE_PART, SACREBLEU),
        (f"  {PREFIXED}{SCORE_PART}\n", SACREBLEU),
        ("BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+test.wmt17+tok.13a+version.1.5.1", SACREBLEU_1),
        ("BLEU+case.lc+numrefs.?+smooth.none+tok.zh+version.1.4.2" + SCORE_PART,
         SACREBLEU_1.replace(case="lower", smoothing="none", tokenizer="zh")),
        ("BLEU+#.1+c.mixed+s.floor[0.10]+tok.13a+v.1.5.1", SACREBLEU_1.replace(smoothing="floor(0.1)")),
        ("BLEU+c.lc+l.en-de+#.2+s.add-k[1.00]+t.wmt17+tok.none+v.1.5.1",
         SACREBLEU_1.replace(case="lower", smoothing="add-k(1)", tokenizer="whitespace")),
    ],
)  # fmt: skip
def test_score_lines_and_the_form_of_sacrebleu_1_parse(line, recipe):
    assert Recipe.parse(line) == Recipe.of(line.strip()) == recipe


@pytest.mark.parametrize(
    ("smoothing", "printed"),
    [("exp", 2.761198891769736), ("none", 0.0), ("floor[0.10]", 1.5619699684601278), ("add-k[1.00]", 0.0)],
)
def test_a_line_of_sacrebleu_1_gives_what_that_gave_where_nothing_matches(smoothing, printed):
    # sacrebleu 1.5.1: corpus_bleu(["a b c d e f g h"], [["i j k l m n o p"]], smooth_method=…)
    line = f"BLEU+case.mixed+numrefs.1+smooth.{smoothing}+tok.13a+version.1.5.1"
    texts = ["a b c d e f g h"], ["i j k l m n o p"]
    assert bp.score(*texts, line).score == pytest.approx(printed, rel=1e-12)
    assert bp.score(*texts, Recipe.of(line).replace(nothing_matches="zero")).score == 0.0


@pytest.mark.parametrize(
    ("part", "instead"),
    [
        ("|tok:13a", ""),
        ("|case:mixed|eff:no|tok:13a|smooth:exp", ""),
        ("case:mixed", "case:upper"),
        ("eff:no", "eff:maybe"),
        ("smooth:exp", "smooth:floor"),
        ("smooth:exp", "smooth:exp[1.00]"),
        ("smooth:exp", "smooth:floor[0.00]"),
        ("eff:no", "eff:no|nw:2"),
        ("eff:no", "eff:no|e:no"),
        ("eff:no", "eff"),
        pytest.param("tok:13a", "tok:ja-mecab-0.9-IPA", marks=pytest.mark.needs("MeCab")),
        ("tok:13a", "tok:pretokenized"),
        ("tok:13a", "tok:whitespace"),
    ],
)
def test_a_line_that_sacrebleu_does_not_print_is_refused(part, instead):
    with pytest.raises(RecipeError) as caught:
        Recipe.parse(PREFIXED.replace(part, instead))
    assert caught.value.fix
    assert caught.value.where == "signature" or caught.value.location == Location("recipe", option="smoothing")


@pytest.mark.parametrize(
    "changes",
    [
        {"order": 2},
        {"weights": (0.4, 0.3, 0.2, 0.1)},
        {"smoothing": "floor(0.123)"},
        {"smoothing": "add-k(0.001)"},
        {"smoothing": "epsilon(0.1)"},
        {"smoothing": "add-k-all(1)"},
        {"case": "lower-ascii"},
        {"reference_length": "shortest"},
        {"segment_totals": "at-least-1"},
        {"absent_order": "one"},
        {"unmatched_order": "skip"},
        {"nothing_matches": "smoothed"},
        {"tokenizer": "pretokenized"},
        {"tokenizer": str.split},
    ],
    ids=str,
)
def test_a_recipe_that_the_line_would_not_mean_is_not_printed(changes):
    with pytest.raises(RecipeError):
        SACREBLEU.replace(**changes).sacrebleu_signature()


@pytest.mark.parametrize("name", ["nltk", "nltk-method1", "nltk-method3", "huggingface"])
def test_other_tools_have_no_sacrebleu_line(name):
    with pytest.raises(RecipeError):
        Recipe.named(name).sacrebleu_signature()


@pytest.mark.parametrize("name", ["none", "by-comma"])
def test_an_own_tokenizer_is_not_passed_off_as_one_of_sacrebleu(name, monkeypatch):
    monkeypatch.setattr(tokenizer_table, "_registered", {})
    bp.register_tokenizer(name, lambda text: text.split(","))
    with pytest.raises(RecipeError):
        SACREBLEU.replace(tokenizer=name).sacrebleu_signature()


@pytest.mark.parametrize("nrefs", [0, -1, "1|tok:zh", ""])
def test_a_number_of_references_that_sacrebleu_would_not_print_is_refused(nrefs):
    with pytest.raises(RecipeError) as caught:
        SACREBLEU.sacrebleu_signature(nrefs)
    assert caught.value.where == "nrefs"
