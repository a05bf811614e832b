"""Acceleration of sacreBLEU's chrF and TER: the same bytes, only sooner."""

import pickle

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu import significance
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.metrics import chrf as chrf_module
from sacrebleu.metrics import ter as ter_module
from sacrebleu.significance import PairedTest

from accelerated_calls import accelerated, both_ways, refuse
from bleuprint.compat import accelerate
from sacrebleu_chrf_ter_calls import (
    CACHED,
    CALLS,
    CHANGES,
    METRIC_OPTIONS,
    METRICS,
    ODD_OPTIONS,
    OVERRIDING,
    SYSTEM,
    outcome,
    score_overridden,
    shown,
)
from strategies import as_streams, as_text, word_corpora

KINDS = {"CHRF": CHRF, "TER": TER}


pytestmark = pytest.mark.usefixtures("unaccelerated")


def assert_same(call):
    fast, slow = both_ways(call)
    assert fast == slow


@settings(max_examples=250)
@given(word_corpora(), METRIC_OPTIONS, st.booleans())
def test_corpus_scores_and_their_statistics(corpus, options, keep):
    candidates, references = as_text(corpus)
    streams = as_streams(references)

    def score():
        metric = KINDS[options[0]](**options[1], references=streams if keep else None)
        found = outcome(lambda: metric.corpus_score(candidates, None if keep else streams))
        rows = metric._extract_corpus_statistics(candidates, None if keep else streams)
        return found, str(metric.get_signature()), repr(rows)

    assert_same(score)


@settings(max_examples=100)
@given(word_corpora(), METRIC_OPTIONS)
def test_sentence_scores(corpus, options):
    def score():
        metric = KINDS[options[0]](**options[1])
        found = [shown(metric.sentence_score(*segment)) for segment in zip(*as_text(corpus), strict=True)]
        return found, str(metric.get_signature())

    assert_same(score)


@settings(max_examples=100)
@given(word_corpora(), word_corpora(), METRIC_OPTIONS, st.sampled_from([("bs", 0), ("ar", -1), ("ar", 25)]))
def test_significance(corpus, other, options, test):
    candidates, references = as_text(corpus)
    others = (as_text(other)[0] * len(candidates))[: len(candidates)]
    kind, intervals = test

    def compare():
        metrics = {"it": KINDS[options[0]](**options[1]), "BLEU": BLEU()}
        systems = [("a", candidates), ("b", others), ("c", candidates[::-1])]
        found = PairedTest(systems, metrics, as_streams(references), kind, 40, intervals)()
        return {key: list(map(repr, own)) for key, own in found[1].items()}

    assert_same(compare)


@settings(max_examples=80)
@given(word_corpora(), METRIC_OPTIONS)
def test_confidence_intervals_and_whole_scores_of_resamples(corpus, options):
    candidates, references = as_text(corpus)
    streams = as_streams(references)

    def score():
        metric = KINDS[options[0]](**options[1])
        rows = metric._extract_corpus_statistics(candidates, streams)
        seed, resamples = significance._bootstrap_resample(rows, metric, 30)
        whole = [(repr(own.score), str(own), own.name, own.format(4)) for own in resamples]
        return outcome(lambda: metric.corpus_score(candidates, streams, 50)), seed, whole

    assert_same(score)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("name", METRICS)
def test_odd_input_is_read_or_refused_alike(name, call):
    assert_same(lambda: outcome(lambda: call(KINDS[name]())))


@pytest.mark.parametrize(("name", "options"), ODD_OPTIONS.values(), ids=ODD_OPTIONS)
def test_odd_metrics_are_used_or_refused_alike(name, options):
    assert_same(lambda: outcome(lambda: KINDS[name](**options).corpus_score(SYSTEM, CACHED, 9)))


@pytest.mark.parametrize(("metric", "name", "method"), OVERRIDING, ids=lambda value: getattr(value, "__name__", value))
def test_what_a_subclass_overrides_is_what_runs(metric, name, method):
    def score():
        kind = type("Own", (KINDS[metric],), {name: method})
        tests = [] if name == "_extract_corpus_statistics" else ["bs", "ar"]  # which need a row for every segment
        systems = [("a", SYSTEM), ("b", [stream[0] for stream in CACHED])]
        compared = [PairedTest(systems, {"it": kind()}, CACHED, test, 30, 20)()[1] for test in tests]
        return score_overridden(KINDS[metric], name, method), repr(compared)

    assert_same(score)


@pytest.mark.parametrize("change", CHANGES)
def test_settings_changed_after_caching_act_as_before(change):
    name, changes = CHANGES[change]

    def score():
        metric = KINDS[name](references=CACHED)
        scores = [shown(metric.corpus_score(SYSTEM, None))]
        for field, value in changes.items():
            setattr(metric, field, value)
        return [*scores, *(outcome(lambda own=own: metric.corpus_score(SYSTEM, own)) for own in (None, CACHED))]

    assert_same(score)


OPTIONS = [
    ("CHRF", {"word_order": 2}),
    ("CHRF", {"lowercase": True, "eps_smoothing": True, "whitespace": True}),
    ("TER", {}),
    ("TER", {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True}),
]


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_sacrebleu_itself_does_not_count_any_more(monkeypatch, name, options):
    class Marked(KINDS[name]):
        def _preprocess_segment(self, sent):
            return super()._preprocess_segment(sent.replace("a", "x "))

    def score(kind=KINDS[name]):
        metrics = {"it": kind(**options)}
        return [
            shown(kind(**options).corpus_score(SYSTEM, CACHED, 20)),
            shown(kind(**options, references=CACHED).corpus_score(SYSTEM, None, 20)),
            shown(kind(**options).sentence_score(SYSTEM[0], [CACHED[0][0]])),
            repr(PairedTest([("a", SYSTEM), ("b", CACHED[1])], metrics, CACHED, "bs", 9)()[1]),
        ]

    expected = score(), score(Marked)
    with accelerate("sacrebleu"):
        for module, part in ((chrf_module, "extract_all_char_ngrams"), (ter_module, "translation_edit_rate")):
            monkeypatch.setattr(module, part, refuse)
        assert (score(), score(Marked)) == expected
        assert score(type("Subclass", (KINDS[name],), {})) == expected[0]
    with pytest.raises(AssertionError, match="own counting"):
        score()
    assert expected[0] != expected[1]


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_resamples_are_not_scored_one_by_one(monkeypatch, name, options):
    corpus = ["The cat sat on the mat.", "A dog sat on a mat."], [["The cat sat on a mat.", "The dog sat on a mat."]]
    expected = shown(KINDS[name](**options).corpus_score(*corpus, 500))
    asked = []
    own = KINDS[name]._compute_score_from_stats
    monkeypatch.setattr(KINDS[name], "_compute_score_from_stats", lambda *stats: asked.append(1) or own(*stats))
    with accelerated("sacrebleu"):
        assert shown(KINDS[name](**options).corpus_score(*corpus, 500)) == expected
    assert len(asked) == 1


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_kept_references_outlive_acceleration(name, options):
    with accelerate("sacrebleu"):
        metric = KINDS[name](**options, references=CACHED)
        fast = shown(metric.corpus_score(SYSTEM, None))
        copied = pickle.loads(pickle.dumps(metric))
        assert shown(copied.corpus_score(SYSTEM, None)) == fast
    assert shown(metric.corpus_score(SYSTEM, None)) == fast
    before = KINDS[name](**options, references=CACHED)
    assert list(metric._ref_cache) == before._ref_cache
    with accelerate("sacrebleu"):
        assert shown(before.corpus_score(SYSTEM, None)) == fast


def test_a_tokenizer_whose_class_was_changed_is_seen(monkeypatch):
    expected = shown(TER().corpus_score(SYSTEM, CACHED))
    with accelerate("sacrebleu"):
        assert shown(TER().corpus_score(SYSTEM, CACHED)) == expected
        monkeypatch.setattr(ter_module.TercomTokenizer, "__call__", lambda self, line: "x y " + line)
        assert TER().corpus_score(SYSTEM, CACHED).ref_length == 18
    assert TER().corpus_score(SYSTEM, CACHED).ref_length == 18


def test_the_functions_too():
    texts = SYSTEM, CACHED
    assert_same(lambda: [shown(sacrebleu.corpus_chrf(*texts)), shown(sacrebleu.corpus_ter(*texts))])
