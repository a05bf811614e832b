"""The drop-in for sacreBLEU against sacreBLEU itself: every argument, the same numbers, strings and refusals."""

import copy
import logging
import pickle
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU as THEIRS
from sacrebleu.metrics.bleu import BLEUScore as TheirScore

from bleuprint.compat import sacrebleu as compat
from bleuprint.compat.sacrebleu import BLEU as OURS
from bleuprint.compat.sacrebleu import resampling
from bleuprint.compat.sacrebleu.resampled_scores import score_bleu
from sacrebleu_calls import (
    CACHED,
    CALLS,
    CHANGES,
    FIRST,
    NATIVE,
    NUMBERS,
    OBJECT_CALLS,
    OVERRIDES,
    SMOOTHINGS,
    SYSTEM,
    options,
    outcome,
    score_before_and_after,
    score_overridden,
)
from strategies import as_columns, as_streams, as_text, word_corpora


def streams_and_text(corpus):
    candidates, references = as_text(corpus)
    return candidates, as_streams(references)


def assert_same(ours, theirs):
    """Every field with ==, every way to print byte by byte."""
    for field in NUMBERS:
        assert getattr(ours, field) == getattr(theirs, field), field
    assert [type(count) for count in ours.counts] == [type(count) for count in theirs.counts]
    assert (ours._mean, ours._ci) == (theirs._mean, theirs._ci)
    assert str(ours) == str(theirs)
    assert repr(ours) == repr(theirs)
    for width in (0, 1, 4):
        for signature in ("", "nrefs:1|case:mixed"):
            assert ours.format(width, False, signature) == theirs.format(width, False, signature)
            assert ours.format(width, True, signature) == theirs.format(width, True, signature)
        assert ours.format(width, False, "nrefs:1", True) == theirs.format(width, False, "nrefs:1", True)


def assert_same_signature(ours, theirs):
    assert str(ours.get_signature()) == str(theirs.get_signature())
    assert ours.get_signature().format(short=True) == theirs.get_signature().format(short=True)


@settings(max_examples=400)
@given(word_corpora(), options())
def test_every_argument(corpus, options):
    candidates, streams = streams_and_text(corpus)
    ours, theirs = OURS(**options), THEIRS(**options)
    assert_same(ours.corpus_score(candidates, streams), theirs.corpus_score(candidates, streams))
    assert_same_signature(ours, theirs)


@settings(max_examples=150)
@given(word_corpora(), options())
def test_kept_references(corpus, options):
    candidates, streams = streams_and_text(corpus)
    ours, theirs = OURS(**options, references=streams), THEIRS(**options, references=streams)
    assert_same_signature(ours, theirs)
    for own in (candidates, candidates[::-1], candidates[:1], [*candidates, "one more"]):
        assert_same(ours.corpus_score(own, None), theirs.corpus_score(own, None))
    assert_same(ours.corpus_score(candidates, streams[:1]), theirs.corpus_score(candidates, streams[:1]))
    assert_same(
        pickle.loads(pickle.dumps(ours)).corpus_score(candidates, None),
        copy.deepcopy(theirs).corpus_score(candidates, None),
    )


@settings(max_examples=200)
@given(word_corpora(), options())
def test_sentences(corpus, options):
    candidates, references = as_text(corpus)
    ours, theirs = OURS(**options), THEIRS(**options)
    for candidate, own in zip(candidates, references, strict=True):
        for given_references in (own, tuple(own), [*own, None]):
            assert_same(
                ours.sentence_score(candidate, given_references), theirs.sentence_score(candidate, given_references)
            )
        assert_same_signature(ours, theirs)


@settings(max_examples=60)
@given(word_corpora(), options(), st.sampled_from([2, 39, 40, 41, 100]))
def test_confidence_intervals(corpus, options, samples):
    candidates, streams = streams_and_text(corpus)
    ours, theirs = OURS(**options), THEIRS(**options)
    assert_same(ours.corpus_score(candidates, streams, samples), theirs.corpus_score(candidates, streams, samples))
    assert_same_signature(ours, theirs)


@settings(max_examples=100)
@given(word_corpora(), options(), st.sampled_from(NATIVE), st.booleans())
def test_functions(corpus, options, tokenize, effective):
    candidates, streams = streams_and_text(corpus)
    method, value, lowercase = options["smooth_method"], options["smooth_value"], options["lowercase"]
    arguments = (candidates, streams, method, value, options["force"], lowercase, tokenize, effective)
    assert_same(compat.corpus_bleu(*arguments), sacrebleu.corpus_bleu(*arguments))
    arguments = (candidates, streams, value)
    assert_same(compat.raw_corpus_bleu(*arguments), sacrebleu.raw_corpus_bleu(*arguments))
    own = [stream[0] for stream in streams]
    arguments = (candidates[0], own, method, value, lowercase, tokenize, effective)
    assert_same(compat.sentence_bleu(*arguments), sacrebleu.sentence_bleu(*arguments))


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=5),
    st.integers(0, 12),
    st.integers(0, 12),
    st.sampled_from(SMOOTHINGS),
    st.booleans(),
)
def test_scores_from_counts(counts, candidate_length, reference_length, smoothing, effective):
    def compute(kind):
        matches, totals = as_columns(counts)
        return kind.compute_bleu(
            matches, totals, candidate_length, reference_length, *smoothing, effective, len(counts)
        )

    assert_same(compute(OURS), compute(THEIRS))


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_odd_input_is_read_or_refused_alike(call):
    assert outcome(lambda: call(compat)) == outcome(lambda: call(sacrebleu))


@pytest.mark.parametrize("call", OBJECT_CALLS.values(), ids=OBJECT_CALLS)
def test_odd_metrics_are_used_or_refused_alike(call):
    assert outcome(lambda: call(OURS)) == outcome(lambda: call(THEIRS))


def test_a_perfect_score_and_changed_counts_stay_as_they_are():
    assert compat.corpus_bleu(["a b c d e"], [["a b c d e"]]).score == 100.00000000000004
    score = compat.corpus_bleu(["a b c d e"], [["a b c x e"]], smooth_method="add-k", smooth_value=2)
    assert score.counts == [4, 4, 3, 2]
    assert_same(score, sacrebleu.corpus_bleu(["a b c d e"], [["a b c x e"]], smooth_method="add-k", smooth_value=2))


def test_messages_name_what_was_given():
    with pytest.raises(KeyError, match="magic"):
        OURS(tokenize="magic")
    with pytest.raises(AssertionError, match="magic"):
        OURS(smooth_method="magic")
    with pytest.raises(TypeError, match=r"^BLEU: .*`hyps`"):
        OURS().corpus_score(5, [["a"]])


@pytest.mark.parametrize(
    ("call", "number"),
    [
        (lambda kind: kind().sentence_score("a", ["a"]), 1),
        (lambda kind: kind(effective_order=True).sentence_score("a", ["a"]), 0),
        (lambda kind: kind(tokenize="13a", trg_lang="zh"), 1),
        (lambda kind: kind(tokenize="13a", trg_lang="ja"), 1),
        (lambda kind: kind(tokenize="13a", trg_lang="ko"), 1),
        (lambda kind: kind(tokenize="zh", trg_lang="zh"), 0),
        (lambda kind: kind().corpus_score(["a ."] * 99, [["a"] * 99]), 0),
        (lambda kind: kind().corpus_score(["a ."] * 100, [["a"] * 99]), 0),
        (lambda kind: kind(force=True).corpus_score(["a ."] * 100, [["a"] * 100]), 0),
    ],
)
def test_warnings_are_logged_where_sacrebleu_logs_them(caplog, call, number):
    for kind in (OURS, THEIRS):
        caplog.clear()
        call(kind)
        assert [(record.name, record.levelno) for record in caplog.records] == [("sacrebleu", logging.WARNING)] * number


def test_tokenised_candidates_are_warned_of(caplog):
    for kind in (OURS, THEIRS):
        caplog.clear()
        kind().corpus_score(["a ."] * 100, [["a"] * 100])
        assert caplog.records
        assert "`force`" in caplog.text


def test_an_own_tokenizer_and_a_subclass_keep_their_code():
    class Halves(OURS):
        def _preprocess_segment(self, sent):
            return sent.replace("-", " ")

    class TheirHalves(THEIRS):
        def _preprocess_segment(self, sent):
            return sent.replace("-", " ")

    corpus = ["a-b c d e", "f.g"], [["a b c d", "f.g h"]]
    assert_same(Halves().corpus_score(*corpus), TheirHalves().corpus_score(*corpus))
    ours, theirs = OURS(), THEIRS()
    ours.tokenizer = theirs.tokenizer = lambda line: line.replace("-", " ")
    assert_same(ours.corpus_score(*corpus), theirs.corpus_score(*corpus))
    assert_same(ours.sentence_score("a-b", ["a b"]), theirs.sentence_score("a-b", ["a b"]))


@given(st.text(alphabet="aB1 .,-&;<>'\"é€中。“ \t\n\u3000", max_size=12), st.sampled_from(NATIVE))
def test_tokenizers_give_the_same_tokens(text, name):
    ours, theirs = OURS(tokenize=name).tokenizer, THEIRS(tokenize=name).tokenizer
    assert ours(text.rstrip()).split() == theirs(text.rstrip()).split()
    assert ours.signature() == theirs.signature()


def test_the_same_names_as_sacrebleu():
    assert list(OURS.TOKENIZERS) == list(THEIRS.TOKENIZERS)
    assert OURS.SMOOTH_DEFAULTS == THEIRS.SMOOTH_DEFAULTS
    assert OURS.TOKENIZER_DEFAULT == THEIRS.TOKENIZER_DEFAULT


def test_signatures_can_be_added_to():
    ours, theirs = (kind(references=[["a"]]).get_signature() for kind in (OURS, THEIRS))
    for signature in (ours, theirs):
        signature.update("test", "wmt22")
        signature.update("ar", 10)
        signature.update("subset", True)
    assert ours.format() == theirs.format()
    assert ours.format(short=True) == theirs.format(short=True)


@pytest.mark.parametrize("seed", ["1", "99999"])
def test_the_seed_comes_from_the_environment(monkeypatch, seed):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    corpus = ["a b c d e", "b c d e x", "x y"], [["a b c d f", "b c d f x", "y"]]
    ours, theirs = OURS(), THEIRS()
    assert_same(ours.corpus_score(*corpus, 50), theirs.corpus_score(*corpus, 50))
    assert f"seed:{seed}" in str(ours.get_signature())


def test_no_seed_is_no_error(monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    metric = OURS()
    assert metric.corpus_score(["a b c d e", "b"], [["a b c d f", "b"]], 50)._mean > 0
    assert "seed:none" in str(metric.get_signature())


def test_large_sums_round_as_32_bit_floats_do():
    from sacrebleu.significance import _bootstrap_resample

    rng = np.random.default_rng(5)
    matches = rng.integers(0, 3_000_000, size=(30, 4))
    rows = np.hstack([rng.integers(1, 9_000_000, size=(30, 2)), matches, matches + rng.integers(1, 999, size=(30, 4))])
    theirs = [score.score for score in _bootstrap_resample(rows.tolist(), THEIRS(), 50)[1]]
    sums = resampling.draw_resamples(12345, 30, 50).sums(rows.tolist())
    assert (sums >= resampling.EXACT).any()
    assert score_bleu(sums, OURS()) == theirs


def test_scores_can_be_made_by_hand():
    arguments = (12.3456, [1, 2], [3, 4], [5.0, 6.0], 0.9, 7, 8)
    ours, theirs = compat.BLEUScore(*arguments), TheirScore(*arguments)
    samples = [TheirScore(score, *arguments[1:]) for score in (3.0, 1.0, 2.5, 9.0)]
    ours.estimate_ci(samples)
    theirs.estimate_ci(samples)
    assert_same(ours, theirs)


def test_neither_sacrebleu_nor_numpy_is_needed():
    program = (
        "import sys\n"
        "sys.modules['sacrebleu'] = sys.modules['numpy'] = None\n"
        "from bleuprint.compat.sacrebleu import BLEU\n"
        "print(BLEU().corpus_score(['a b c d e'], [['a b c d e']]))\n"
        "try: BLEU().corpus_score(['a b'], [['a b']], 10)\n"
        "except ImportError as error: print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("BLEU = 100.00 100.0/100.0")
    assert "pip install numpy" in run.stdout


# Settings that change, and methods of others


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("first", FIRST)
def test_settings_changed_after_references_were_kept_act_on_candidates_alone(first, change):
    ours, theirs = (score_before_and_after(kind, FIRST[first], CHANGES[change]) for kind in (OURS, THEIRS))
    assert ours == theirs


def test_a_tokenizer_exchanged_after_references_were_kept_splits_candidates_alone():
    scores = []
    for kind in (OURS, THEIRS):
        metric = kind(references=CACHED)
        metric.tokenizer = kind(tokenize="char").tokenizer
        scores.append(str(metric.corpus_score(SYSTEM, None)))
    assert scores[0] == scores[1]
    assert scores[0] != str(OURS(references=CACHED).corpus_score(SYSTEM, None))


@pytest.mark.parametrize("name", OVERRIDES)
def test_what_a_subclass_overrides_is_what_runs(name):
    assert score_overridden(OURS, name) == score_overridden(THEIRS, name)


def result_of(call, *arguments):
    """What a call gives, or the type of what it raises."""
    try:
        return call(*arguments)
    except Exception as error:
        return type(error)


def test_the_steps_can_be_called_one_by_one():
    ours, theirs = OURS(), THEIRS()
    for texts in ([], ["a b a"], ["a b a", "a a a b", ""]):
        assert ours._extract_reference_info(texts) == theirs._extract_reference_info(texts)
        for candidate in ("", "a b", "a a a a c"):
            steps = [(one._compute_segment_statistics, one._extract_reference_info(texts)) for one in (ours, theirs)]
            counted, expected = (result_of(count, candidate, known) for count, known in steps)
            assert counted == expected
    kept, original = OURS(references=CACHED)._ref_cache, THEIRS(references=CACHED)._ref_cache
    assert list(kept) == original
    assert kept[-1:] == original[-1:]


# Modules


def test_names_stand_in_the_modules_where_sacrebleu_has_them():
    from bleuprint.compat.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    from bleuprint.compat.sacrebleu import metrics, tokenizers, utils
    from bleuprint.compat.sacrebleu.compat import corpus_bleu
    from bleuprint.compat.sacrebleu.metrics.bleu import MAX_NGRAM_ORDER

    assert metrics.BLEU is compat.BLEU is OURS
    assert metrics.METRICS == {"BLEU": OURS, "CHRF": compat.CHRF, "TER": compat.TER}
    assert compat.compat.corpus_bleu is corpus_bleu is compat.corpus_bleu
    assert MAX_NGRAM_ORDER == 4
    assert compat.__version__ == sacrebleu.__version__
    assert isinstance(OURS().tokenizer, Tokenizer13a)
    for name, path in sacrebleu.metrics.bleu._TOKENIZERS.items():
        module, kind = path.split(".")
        assert getattr(import_module(f"{tokenizers.__name__}.{module}"), kind) is tokenizers.CLASSES[name]
        assert getattr(getattr(tokenizers, module), kind) is tokenizers.CLASSES[name]
    assert [utils.my_log(number) for number in (0, 2.5)] == [sacrebleu.utils.my_log(number) for number in (0, 2.5)]
    for lists in ([[1, 2]], [[1, 2], [3, 4], [0.5, 1]], [[0.1], [0.2], [0.3]], [[], []]):
        assert result_of(utils.sum_of_lists, lists) == result_of(sacrebleu.utils.sum_of_lists, lists)
    for count, line in (("extract_word_ngrams", ["a", "b", "a", "b"]), ("extract_char_ngrams", "ab ab")):
        assert getattr(compat, count)(line, 2) == getattr(sacrebleu, count)(line, 2)


@pytest.mark.parametrize("name", ["lines.txt", "lines.txt.gz"])
def test_smart_open_ends_lines_at_line_feeds_alone(tmp_path, name):
    path = str(tmp_path / name)
    with compat.smart_open(path, "wt") as file:
        file.write("é\r\nb\x0bc\n")
    for tool in (compat, sacrebleu):
        with tool.smart_open(path) as file:
            assert file.readlines() == ["é\r\n", "b\x0bc\n"]


@pytest.mark.parametrize(
    "line",
    [
        "from bleuprint.compat.sacrebleu import DATASETS",
        "from bleuprint.compat.sacrebleu.utils import get_source_file",
        "from bleuprint.compat import sacrebleu; sacrebleu.get_source_file",
    ],
)
def test_what_is_not_there_is_said_when_it_is_imported(line):
    with pytest.raises(ImportError, match=r"^bleuprint\.compat\.sacrebleu.*Import it from sacreBLEU"):
        exec(line)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = compat.nonsense
