"""The drop-in for sacreBLEU's chrF and TER against sacreBLEU itself: the same numbers, strings and refusals."""

import inspect
import pickle
import subprocess
import sys

import numpy as np
import pytest
import sacrebleu
from bleuprint.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.helpers import extract_all_char_ngrams as their_ngrams
from sacrebleu.metrics.lib_ter import translation_edit_rate as their_edits
from sacrebleu.significance import _bootstrap_resample
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer as TheirTokenizer

from bleuprint.compat import sacrebleu as compat
from bleuprint.compat.sacrebleu import resampling
from bleuprint.compat.sacrebleu.metrics import lib_ter
from bleuprint.compat.sacrebleu.metrics.helpers import extract_all_char_ngrams
from sacrebleu_chrf_ter_calls import (
    CACHED,
    CALLS,
    CHANGES,
    CHRF_OPTIONS,
    METRIC_OPTIONS,
    METRICS,
    ODD_OPTIONS,
    OVERRIDING,
    SYSTEM,
    TER_OPTIONS,
    outcome,
    score_overridden,
    shown,
)
from strategies import as_streams, as_text, word_corpora


def both(name):
    return getattr(compat, name), getattr(sacrebleu, name)


def assert_alike(name, options, score):
    """Do the same with the drop-in and with sacreBLEU."""
    found = []
    for kind in both(name):
        metric = kind(**options)
        scores = outcome(lambda metric=metric: score(metric))
        lines = [metric.get_signature().format(short) for short in (False, True)] if hasattr(metric, "num_refs") else []
        found.append((scores, lines))
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_scores_have_the_same_attributes(name):
    ours, theirs = (vars(kind().corpus_score(["a b c d e"], [["a b c d f"]])) for kind in both(name))
    assert list(ours.items()) == list(theirs.items())


@settings(max_examples=400)
@given(word_corpora(), METRIC_OPTIONS)
def test_every_argument(corpus, metric):
    candidates, references = as_text(corpus)
    assert_alike(*metric, lambda metric: metric.corpus_score(candidates, as_streams(references)))


@settings(max_examples=150)
@given(word_corpora(), METRIC_OPTIONS)
def test_kept_references(corpus, metric):
    candidates, references = as_text(corpus)
    name, options = metric
    options = {**options, "references": as_streams(references)}
    for system in (candidates, candidates[::-1], candidates[:1]):
        assert_alike(name, options, lambda metric, system=system: metric.corpus_score(system, None))
    ours, theirs = (kind(**options)._ref_cache for kind in both(name))
    assert list(ours) == theirs


@settings(max_examples=200)
@given(word_corpora(), METRIC_OPTIONS)
def test_sentences(corpus, metric):
    for candidate, references in zip(*as_text(corpus), strict=True):
        assert_alike(*metric, lambda metric, text=candidate, own=references: metric.sentence_score(text, own))


@settings(max_examples=150)
@given(word_corpora(), METRIC_OPTIONS, st.sampled_from([2, 39, 40, 41, 100]))
def test_confidence_intervals(corpus, metric, samples):
    candidates, references = as_text(corpus)
    assert_alike(*metric, lambda metric: metric.corpus_score(candidates, as_streams(references), samples))


@settings(max_examples=100)
@given(
    st.lists(st.tuples(*[st.text(alphabet="aA,. \x1c\u00a0\u3000Σİé́中ァ。", max_size=12)] * 3), min_size=1),
    METRIC_OPTIONS,
)
def test_characters(rows, metric):
    candidates, *streams = map(list, zip(*rows, strict=True))
    assert_alike(*metric, lambda metric: metric.corpus_score(candidates, streams, 5))


@settings(max_examples=100)
@given(word_corpora(), CHRF_OPTIONS, TER_OPTIONS)
def test_functions(corpus, chrf, ter):
    candidates, references = as_text(corpus)
    chrf = {name: value for name, value in chrf.items() if name not in ("lowercase", "whitespace")}
    for name, options in (("chrf", chrf), ("chrf", {**chrf, "remove_whitespace": False}), ("ter", ter)):
        ours, theirs = both(f"corpus_{name}")
        streams = as_streams(references)
        assert shown(ours(candidates, streams, **options)) == shown(theirs(candidates, streams, **options))
        ours, theirs = both(f"sentence_{name}")
        assert shown(ours(candidates[0], references[0], **options)) == shown(
            theirs(candidates[0], references[0], **options)
        )


@pytest.mark.parametrize("name", [*METRICS, "corpus_chrf", "sentence_chrf", "corpus_ter", "sentence_ter"])
def test_arguments_have_the_same_names_and_values(name):
    ours, theirs = (
        [(own.name, own.kind, own.default) for own in inspect.signature(function).parameters.values()]
        for function in both(name)
    )
    assert ours == theirs


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("name", METRICS)
def test_odd_input_is_read_or_refused_alike(name, call, caplog):
    assert_alike(name, {}, call)
    assert not caplog.records


@pytest.mark.parametrize(("name", "options"), ODD_OPTIONS.values(), ids=ODD_OPTIONS)
def test_odd_metrics_are_used_or_refused_alike(name, options):
    corpus = ["The cat. a", "b c d"], [["the cat, a", "b c"], ["The. cat", "b d"]]
    for samples in (1, 9):
        ours, theirs = (
            outcome(lambda kind=kind: kind(**options).corpus_score(*corpus, samples))  # noqa: B023, called at once
            for kind in both(name)
        )
        assert ours == theirs


def test_messages_name_the_metric_and_what_was_given():
    with pytest.raises(TypeError, match=r"^CHRF: .*`hyps`"):
        compat.CHRF().corpus_score(5, [["a"]])
    with pytest.raises(RuntimeError, match=r"TER\(references="):
        compat.TER().corpus_score(["a"], None)


# Settings that change, and methods of others


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("first", [False, True])
def test_settings_changed_after_references_were_kept_act_as_there(first, change):
    name, changes = CHANGES[change]
    options = ({"word_order": 2, "lowercase": True} if name == "CHRF" else {"no_punct": True}) if first else {}

    def score(kind):
        metric = kind(**options, references=CACHED)
        scores = [outcome(lambda: metric.corpus_score(SYSTEM, None))]
        for field, value in changes.items():
            setattr(metric, field, value)
        return [*scores, *(outcome(lambda own=own: metric.corpus_score(SYSTEM, own)) for own in (None, CACHED))]

    ours, theirs = map(score, both(name))
    assert ours == theirs


@pytest.mark.parametrize(("metric", "name", "method"), OVERRIDING, ids=lambda value: getattr(value, "__name__", value))
def test_what_a_subclass_overrides_is_what_runs(metric, name, method):
    ours, theirs = both(metric)
    assert score_overridden(ours, name, method) == score_overridden(theirs, name, method)


@pytest.mark.parametrize("name", METRICS)
def test_metrics_with_references_can_be_copied(name):
    metric = getattr(compat, name)(references=CACHED)
    scored = shown(metric.corpus_score(SYSTEM, None))
    assert shown(pickle.loads(pickle.dumps(metric)).corpus_score(SYSTEM, None)) == scored


# The parts


@given(st.text(alphabet="aB1 .,-&;<>'s\"é€中。ァ\n\t\u3000\uff0e", max_size=12), TER_OPTIONS)
def test_the_tokenizer_prepares_as_theirs_does(text, options):
    ours, theirs = TercomTokenizer(**options), TheirTokenizer(**options)
    assert ours(text) == theirs(text)
    assert ours.signature() == theirs.signature()


@given(st.lists(st.sampled_from("abcd"), max_size=9), st.lists(st.sampled_from("abcd"), max_size=9))
def test_edits(candidate, reference):
    assert lib_ter.translation_edit_rate(candidate, reference) == their_edits(candidate, reference)


@given(st.text(alphabet="ab \t", max_size=9), st.integers(-1, 4), st.booleans())
def test_ngrams_of_characters(text, order, whitespace):
    assert extract_all_char_ngrams(text, order, whitespace) == their_ngrams(text, order, whitespace)


@pytest.mark.parametrize("name", METRICS)
def test_the_steps_can_be_called_one_by_one(name):
    ours, theirs = (kind() for kind in both(name))
    for texts in (["a b a"], ["a b a", "a a a b", ""]):
        known, theirs_known = ours._extract_reference_info(texts), theirs._extract_reference_info(texts)
        assert known == theirs_known
        for candidate in ("", "a b", "a a a a c", "b a"):
            counted = ours._compute_segment_statistics(candidate, known)
            assert counted == theirs._compute_segment_statistics(candidate, theirs_known)
            assert shown(ours._compute_score_from_stats(counted)) == shown(theirs._compute_score_from_stats(counted))


@pytest.mark.parametrize(("name", "width"), [("CHRF", 18), ("TER", 2)])
def test_large_sums_round_as_32_bit_floats_do(name, width):
    rows = np.random.default_rng(5).integers(1, 9_000_000, size=(30, width)).tolist()
    ours, theirs = both(name)
    expected = [score.score for score in _bootstrap_resample(rows, theirs(), 50)[1]]
    sums = resampling.draw_resamples(12345, 30, 50).sums(rows)
    assert (sums >= resampling.EXACT).any()
    found = ours._counts.score_sums(sums, ours())
    assert found == expected
    assert list(map(type, found)) == list(map(type, expected))


def test_neither_sacrebleu_nor_numpy_is_needed():
    program = (
        "import sys\n"
        "sys.modules['sacrebleu'] = sys.modules['numpy'] = None\n"
        "from bleuprint.compat.sacrebleu import CHRF, TER\n"
        "print(CHRF(word_order=2).corpus_score(['a b c d e'], [['a b c d e']]))\n"
        "print(TER().sentence_score('a b c d e', ['a b c d f']))\n"
        "try: TER().corpus_score(['a b'], [['a b']], 10)\n"
        "except ImportError as error: print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[:2] == ["chrF2++ = 100.00", "TER = 20.00"]
    assert "pip install numpy" in run.stdout


def test_what_the_documents_say_of_its_oddities():
    for tool in (compat, sacrebleu):
        assert tool.TER(normalized=True).corpus_score(["..1"], [["..1"]]).score == pytest.approx(200 / 3)
        assert tool.TER(normalized=True, no_punct=True).sentence_score("it's.", ["it's."]).score == 100
        with pytest.raises(TypeError, match="coerce"):
            tool.CHRF().corpus_score(["a", "b"], [["a", "c"]], 20)
