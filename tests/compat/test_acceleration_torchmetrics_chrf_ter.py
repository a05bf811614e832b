"""torchmetrics' chrF and TER, accelerated: equal tensors, and its own code if anything is unusual."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("torchmetrics")

import copy
from contextlib import contextmanager
from importlib import import_module

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torchmetrics.functional.text import chrf_score, translation_edit_rate
from torchmetrics.text import CHRFScore, TranslationEditRate

from bleuprint.compat import accelerate, restore
from bleuprint.compat.acceleration import AccelerationError
from bleuprint.compat.torchmetrics import chrf, ter
from strategies import WORDS, as_text, corpora

pytestmark = pytest.mark.needs("torch", "torchmetrics")


PIECES = st.sampled_from((*WORDS, "\x1c", "\u00a0x", "a\tb", "İ", "ΣΑΣ", "(hi)", "\u3000"))
CORPORA = corpora(max_segments=3, texts=st.lists(PIECES, max_size=7), pieces=PIECES).map(as_text)
CHRF_OPTIONS = st.fixed_dictionaries(
    {"return_sentence_level_score": st.booleans()},
    optional={
        "n_char_order": st.integers(1, 6),
        "n_word_order": st.integers(0, 3),
        "beta": st.sampled_from([0, 0.3, 1, 1.1, 2.0, 3, 7.7]),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
    },
)
TER_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        name: st.booleans()
        for name in ("normalize", "no_punctuation", "lowercase", "asian_support", "return_sentence_level_score")
    },
)
METRICS = st.one_of(
    st.just(CHRFScore()),
    CHRF_OPTIONS.map(lambda own: CHRFScore(**own)),
    TER_OPTIONS.map(lambda own: TranslationEditRate(**own)),
)
COUNTERS = {CHRFScore: chrf, TranslationEditRate: ter}
KINDS = list(COUNTERS)
OWN = {kind: getattr(import_module(counter.HOME), counter.FUNCTION) for kind, counter in COUNTERS.items()}
HOLDERS = {CHRFScore: ("functional.text.chrf", "text.chrf"), TranslationEditRate: ("functional.text.ter", "text.ter")}
PLACES = {
    kind: [(import_module(f"torchmetrics.{name}"), COUNTERS[kind].FUNCTION) for name in names]
    for kind, names in HOLDERS.items()
}


pytestmark = pytest.mark.usefixtures("accelerated_torchmetrics")


@pytest.fixture
def asked(monkeypatch):
    """Count the calls of torchmetrics' own functions by the faster ones."""
    calls = []
    for kind, counter in COUNTERS.items():

        def own(*arguments, kind=kind):
            calls.append(kind)
            return OWN[kind](*arguments)

        faster = counter.make_update(own)
        for place in PLACES[kind]:
            monkeypatch.setattr(*place, faster)
    return calls


@contextmanager
def as_it_is():
    """Let torchmetrics itself count."""
    with pytest.MonkeyPatch.context() as patch:
        for kind, places in PLACES.items():
            for place in places:
                patch.setattr(*place, OWN[kind])
        yield


def shown(value):
    """A tensor, or several, with types and every bit."""
    if isinstance(value, torch.Tensor):
        return value.dtype, value.shape, value.tolist()
    return [shown(own) for own in value] if isinstance(value, (list, tuple)) else value


def state_of(metric, batches):
    """What a metric holds and computes after some batches, or the error that it raised, and what it then holds."""
    metric = copy.deepcopy(metric)
    raised = None
    try:
        for batch in batches:
            metric.update(*batch)
        computed = shown(metric.compute())
    except Exception as error:
        raised, computed = (type(error), str(error)), None
    return raised, computed, {name: repr(shown(getattr(metric, name))) for name in metric._defaults}


def assert_equal(metric, *batches):
    ours = state_of(metric, copy.deepcopy(batches))
    with as_it_is():
        assert ours == state_of(metric, batches)


@settings(max_examples=300)
@given(METRICS, CORPORA, CORPORA)
def test_equal_sums_after_two_batches(metric, first, second):
    assert_equal(metric, first, second)


@settings(max_examples=30)
@given(
    METRICS,
    st.lists(PIECES, max_size=6).map(" ".join),
    st.lists(st.lists(PIECES, max_size=6).map(" ".join), max_size=4),
)
def test_texts_without_lists(metric, text, references):
    assert_equal(metric, (text, references), ([text], references), ([text] * len(references), references))


@settings(max_examples=100)
@given(CORPORA, CHRF_OPTIONS, TER_OPTIONS)
def test_the_functions_too(corpus, of_chrf, of_ter):
    def score():
        return shown([chrf_score(*corpus, **of_chrf), translation_edit_rate(*corpus, **of_ter)])

    faster = score()
    with as_it_is():
        assert faster == score()


@pytest.mark.parametrize("kind", KINDS)
def test_the_engine_counts_what_is_usual(kind, asked):
    for options in ({}, {"lowercase": True, "return_sentence_level_score": True}):
        metric = kind(**options)
        metric.update(("the cat, 3.5-4", "b"), [("the cat", "3.5"), ["b", ""]])
        metric.update("one text", ["one", "two texts"])
        metric.update(["two", "texts"], ["two", "text"])
    assert not asked


A_GENERATOR = [["a b"]]
ODD = {
    "another length": (["a b c d", "x"], [["a b c d"]]),
    "another length, an empty entry": (["a b c d", "x"], [[]]),
    "no reference": (["a b"], [[]]),
    "texts among lists": (["a b", "c"], [["a b"], "c d"]),
    "none": (["a b", None], [["a b"], ["x"]]),
    "a None reference": (["a b", "c"], [["a b"], ["x", None]]),
    "surrogates": (["a \ud800"], [["a \ud800"]]),
    "nothing": ([], []),
    "a generator": (["a b"], A_GENERATOR),
    "numbers": ([5], [["a"]]),
    "a subclass": ([type("Text", (str,), {})("A b")], [["a b"]]),
}
REFUSED = ("another length",)
"""By torchmetrics' check, which runs first."""


def updated(metric, preds, target):
    """What a metric holds after an update, or raises."""
    try:
        metric.update(preds, iter(target) if target is A_GENERATOR else target)
        raised = None
    except Exception as error:
        raised = type(error), str(error)
    return repr((raised, {state: shown(getattr(metric, state)) for state in metric._defaults}))


def updated_by_own(metric, preds, target):
    """The same, of torchmetrics itself."""
    with as_it_is():
        return updated(metric, preds, target)


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_unusual_goes_to_torchmetrics(name, kind, asked):
    assert updated(kind(), *ODD[name]) == updated_by_own(kind(), *ODD[name])
    assert asked == ([] if name in REFUSED else [kind])


def starting_at(metric, state, value):
    """Let a sum start elsewhere."""
    metric._defaults[state] += value
    metric.reset()
    return metric


@pytest.mark.parametrize("start", [2.0**24 - 3, 0.5, float("nan")])
@pytest.mark.parametrize(
    ("kind", "state"), [(CHRFScore, "total_preds_char_1_grams"), (TranslationEditRate, "total_num_edits")]
)
def test_sums_that_would_be_rounded_are_theirs(kind, state, start, asked):
    batch = ["a b c d e f"], [["x"]]
    ours, theirs = (starting_at(kind(), state, start) for _ in range(2))
    assert updated(ours, *batch) == updated_by_own(theirs, *batch)
    assert asked == [kind]


@pytest.mark.parametrize("start", [0, 0.1, 2.0**24 - 3])
def test_lengths_that_are_rounded_are_added_one_by_one(start, asked):
    batch = ["a"] * 5, [["a"], ["a b", "a", "a"], ["a", "b c d"], ["a b c d"] * 3, ["a"] * 16]
    ours, theirs = (starting_at(TranslationEditRate(), "total_tgt_len", start) for _ in range(2))
    assert updated(ours, *batch) == updated_by_own(theirs, *batch)
    assert asked == []


def test_more_references_than_are_averaged_exactly_are_theirs(asked):
    batch = ["a b"], [["a", "b c"] * 9]
    theirs = updated_by_own(TranslationEditRate(), *batch)
    assert updated(TranslationEditRate(), *batch) == theirs
    assert asked == [TranslationEditRate]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [torch.float16, torch.float64])
def test_other_floats(kind, dtype):
    batch = ["a b c d e", "x y"], [["a b c d", "a b"], ["x", "y z z"]]
    assert_equal(kind().set_dtype(dtype), batch)
    torch.set_default_dtype(dtype)
    try:
        assert_equal(kind(return_sentence_level_score=True), batch)
    finally:
        torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("pairs", [((1, 3), (3, 24)), ((2, 5), (6, 30)), ((5, 5), (13, 25))])
def test_the_reference_is_chosen_by_32_bit_floats(pairs):
    """Equal scores, of which floats of 32 and of 64 bits round another one up."""
    references = ["a" * matches + "b" * (length - matches) for matches, length in pairs]
    assert_equal(CHRFScore(n_char_order=1, n_word_order=0), (["a" * 30], [references]))


def test_a_tokenizer_of_somebody_else_is_used(asked, monkeypatch):
    class Marked(type(TranslationEditRate().tokenizer)):
        def __call__(self, sentence):
            return "x " + sentence

    metric = TranslationEditRate()
    metric.tokenizer = Marked()
    metric.update(["a"], [["a"]])
    assert (metric.total_tgt_len, asked) == (2, [TranslationEditRate])
    monkeypatch.setattr(type(TranslationEditRate().tokenizer), "__call__", lambda self, sentence: "x y " + sentence)
    metric = TranslationEditRate()
    metric.update(["a"], [["a"]])
    assert (metric.total_tgt_len, asked) == (3, [TranslationEditRate] * 2)


@pytest.mark.parametrize("kind", KINDS)
def test_every_module_gets_the_new_function_and_the_old_one_back(kind):
    assert all(getattr(*place).__wrapped__ is OWN[kind] for place in PLACES[kind])
    restore()
    assert all(getattr(*place) is OWN[kind] for place in PLACES[kind])
    accelerate("torchmetrics")


UNCHANGED = {
    CHRFScore: lambda *arguments: (*arguments[2:8], arguments[-1]),
    TranslationEditRate: lambda *arguments: arguments[3:],
}
"""Functions that count nothing."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_function_that_computes_something_else_is_refused(kind, monkeypatch):
    restore()
    with monkeypatch.context() as patch:
        for place in PLACES[kind]:
            patch.setattr(*place, UNCHANGED[kind])
        with pytest.raises(AccelerationError):
            accelerate("torchmetrics")
    assert all(getattr(*place) is OWN[counted] for counted, places in PLACES.items() for place in places)
    accelerate("torchmetrics")
