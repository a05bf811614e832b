"""The drop-in for NLTK beside NLTK itself: equal results to the last bit, equal types, warnings and errors."""

import inspect
import pickle
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate import bleu_score as nltk

from bleuprint.compat import nltk as compat
from nltk_calls import (
    AUTO,
    METHODS,
    ORDINARY_WEIGHTS,
    SMOOTHINGS,
    WEIGHTS,
    Free,
    Method,
    Outcome,
    odd_corpora,
    odd_segments,
    outcome,
)
from strategies import corpora, segments

NAMES = ("sentence_bleu", "corpus_bleu", "modified_precision", "closest_ref_length", "brevity_penalty")


def both(name, *arguments, smoothing=None, **options):
    """Call the drop-in and NLTK alike."""
    results = []
    for module in (compat, nltk):
        own = {"smoothing_function": smoothing.of(module)} if smoothing else {}
        results.append(outcome(getattr(module, name), *arguments, **options, **own))
    return results


def check(name, *arguments, **options):
    ours, theirs = both(name, *arguments, **options)
    assert ours == theirs


@pytest.mark.parametrize("name", NAMES)
def test_signatures(name):
    ours, theirs = (inspect.signature(getattr(module, name)).parameters for module in (compat, nltk))
    assert [(p.name, p.default, p.kind) for p in ours.values()] == [
        (p.name, p.default, p.kind) for p in theirs.values()
    ]


@pytest.mark.parametrize("name", ["__init__", *METHODS])
def test_signatures_of_smoothing(name):
    ours, theirs = (inspect.signature(getattr(m.SmoothingFunction, name)).parameters for m in (compat, nltk))
    assert [(p.name, p.default, p.kind) for p in ours.values()] == [
        (p.name, p.default, p.kind) for p in theirs.values()
    ]


@settings(max_examples=250)
@given(corpora(), ORDINARY_WEIGHTS, SMOOTHINGS, AUTO)
def test_ordinary_corpora(corpus, weights, smoothing, auto_reweigh):
    check("corpus_bleu", corpus[1], corpus[0], weights, smoothing=smoothing, auto_reweigh=auto_reweigh)


@settings(max_examples=250)
@given(odd_corpora(), WEIGHTS, SMOOTHINGS, AUTO)
def test_odd_corpora(corpus, weights, smoothing, auto_reweigh):
    check("corpus_bleu", *corpus, weights, smoothing=smoothing, auto_reweigh=auto_reweigh)


@settings(max_examples=250)
@given(odd_segments(), WEIGHTS, SMOOTHINGS, AUTO)
def test_odd_segments(segment, weights, smoothing, auto_reweigh):
    check("sentence_bleu", *segment, weights, smoothing=smoothing, auto_reweigh=auto_reweigh)


@given(segments(), st.sampled_from(METHODS), st.booleans())
def test_every_method_on_ordinary_segments(segment, name, auto_reweigh):
    candidate, references = segment
    check("sentence_bleu", references, candidate, smoothing=Method(name, {}), auto_reweigh=auto_reweigh)


@given(odd_segments(), st.sampled_from([1, 2, 3, 4, 9, 0, -1, True, 1.0, 2.5, None, "2"]))
def test_modified_precision(segment, n):
    check("modified_precision", *segment, n)


@given(odd_segments(), st.sampled_from([1, 2, 3, 0]))
def test_what_a_precision_is(segment, n):
    try:
        theirs = nltk.modified_precision(*segment, n)
    except (KeyError, TypeError):
        return
    ours = compat.modified_precision(*segment, n)
    for look in (
        lambda p: (p.numerator, p.denominator),
        float,
        bool,
        str,
        lambda p: p == 0,
        lambda p: p > 0,
        lambda p: p + 1,
        lambda p: p**2 / 3,
        lambda p: 0.5 * p,
        lambda p: pickle.loads(pickle.dumps(p)).numerator,
    ):
        assert outcome(look, ours) == outcome(look, theirs)


LENGTHS = st.one_of(st.integers(-3, 9), st.sampled_from([0.0, 2.5, float("nan"), None, "3"]))


@given(st.lists(st.one_of(st.lists(st.just("a"), max_size=9), st.just("text"), st.just(5)), max_size=3), LENGTHS)
def test_closest_ref_length(references, length):
    check("closest_ref_length", references, length)


@given(LENGTHS, LENGTHS)
def test_brevity_penalty(closest, length):
    check("brevity_penalty", closest, length)


COUNTS = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5)), max_size=6)


VALUES = st.sampled_from([-1, 0, 1e-300, 0.1, 0.5, 3, 5, 1000]) | st.floats(0, 10)
PARAMETERS = st.fixed_dictionaries({}, optional=dict.fromkeys(("epsilon", "alpha", "k"), VALUES))


@settings(max_examples=200)
@given(COUNTS, st.sampled_from(METHODS), PARAMETERS, odd_segments(), st.sampled_from([None, 0, 1, 2, 9]))
def test_methods_called_by_hand(counts, name, parameters, segment, length):
    seen = []
    for module in (compat, nltk):
        p_n = [module.Fraction(*count) for count in counts]
        method = getattr(module.SmoothingFunction(**parameters), name)
        result = outcome(method, p_n, *segment, length)
        seen.append((result, repr(p_n)))  # methods 3 to 7 change the list that they get
    assert seen[0] == seen[1]


@pytest.mark.parametrize("name", METHODS)
def test_methods_accept_what_the_formula_does_not_send(name):
    counts = [(3, 4), (2, 3), (1, 2), (1, 1)]
    for arguments, options in (((), {}), ((1, 2, 3), {}), ((), {"references": [], "other": 1})):
        seen = []
        for module in (compat, nltk):
            p_n = [module.Fraction(*count) for count in counts]
            method = getattr(module.SmoothingFunction(), name)
            seen.append(outcome(method, p_n, *arguments, **options))
        assert seen[0] == seen[1]


def test_nothing_matches_is_a_whole_number_and_a_list_for_several_weights():
    assert both("sentence_bleu", [["a"]], ["b"]) == [Outcome(int, "0", ())] * 2
    assert both("sentence_bleu", [["a"]], ["b"], [(1.0,), (0.5, 0.5)]) == [Outcome(list, "[0, 0]", ())] * 2


def test_strings_are_read_as_characters_and_shallow_references_as_many():
    check("sentence_bleu", ["the cat is here"], "the cat is there")
    check("sentence_bleu", ["the", "cat", "is"], ["the", "cat", "is"])
    check("sentence_bleu", "the cat", "the cat")
    check("corpus_bleu", ["the cat", "a dog"], ["the cat", "a dog"])
    check("sentence_bleu", [b"the cat is here"], b"the cat is there")


def test_generators_work_where_they_work_in_nltk():
    tokens = ["a", "b", "c", "d"]

    def call(name, *arguments, **options):
        return [
            outcome(getattr(module, name), *(argument() for argument in arguments), **options)
            for module in (compat, nltk)
        ]

    def generated():
        return (reference for reference in [tokens, tokens[:2]])

    for name, second in (("modified_precision", lambda: tokens), ("closest_ref_length", lambda: 3)):
        options = {"n": 2} if name == "modified_precision" else {}
        ours, theirs = call(name, generated, second, **options)
        assert ours == theirs
        assert theirs.kind.__name__ in ("Fraction", "int")
    for references, hypothesis, options in (
        (generated, lambda: tokens, {"weights": ()}),
        (generated, lambda: tokens, {}),
        (generated, lambda: ["a"], {}),
        (lambda: [tokens], lambda: iter(tokens), {}),
        (lambda: [iter(tokens)], lambda: tokens, {}),
    ):
        ours, theirs = call("sentence_bleu", references, hypothesis, **options)
        assert ours == theirs
    ours, theirs = call("corpus_bleu", lambda: iter([[tokens]]), lambda: [tokens])
    assert ours == theirs


def test_errors_by_name():
    for wanted, arguments in (
        (AssertionError, ([[["a"]]], [["a"], ["b"]])),
        (KeyError, ([[]], [["a"]])),
        (ValueError, ([[]], [[]])),
        (ZeroDivisionError, ([], [])),
        (TypeError, ([[[["a"]]]], [[["a"]]])),
        (TypeError, ([[None]], [["a"]])),
    ):
        ours, theirs = both("corpus_bleu", *arguments)
        assert ours == theirs
        assert theirs.kind is wanted


def test_only_the_sixth_method_refuses_and_names_the_trigram():
    references, hypothesis = [["a", "b", "x"]], ["a", "b", "c"]
    with pytest.raises(AssertionError, match="trigram"):
        compat.sentence_bleu(references, hypothesis, smoothing_function=compat.SmoothingFunction().method6)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("swapped", [False, True])
def test_methods_on_a_corpus_look_at_the_last_segment_where_nltk_does(name, swapped):
    texts = [["the", "cat", "is", "on", "the", "mat", "today", "."], ["it", "purrs", "a", "lot", "as", "ever", "."]]
    hypotheses = texts[::-1] if swapped else texts
    check("corpus_bleu", [[text] for text in hypotheses], hypotheses, smoothing=Method(name, {}))


def test_the_sixth_method_depends_on_the_order_of_the_corpus_there_and_here():
    short, long = ["a", "b", "c", "d"], ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
    for module in (compat, nltk):
        smooth = module.SmoothingFunction().method6
        scores = {
            module.corpus_bleu([[text] for text in texts], texts, smoothing_function=smooth)
            for texts in ([short, long], [long, short])
        }
        assert len(scores) == 2
        assert max(scores) > 1


def test_the_warning_can_be_silenced_by_its_first_line_and_comes_once_for_each_order():
    ours, theirs = both("sentence_bleu", [["a", "b", "x"]], ["a", "b", "c"])
    assert ours == theirs
    assert [line for _, line in ours.warned] == [
        f"The hypothesis contains 0 counts of {n}-gram overlaps." for n in (3, 4)
    ]


def test_a_warning_made_an_error_is_raised():
    with pytest.raises(UserWarning, match="3-gram"):
        compat.sentence_bleu([["a", "b", "x"]], ["a", "b", "c"])


@pytest.mark.parametrize("size", [1, 2, 9, 400])
def test_long_corpora_of_strings_and_of_numbers(size):
    words = [f"w{number % 7}" for number in range(41)]
    for tokens in (words, list(range(41)), ["ä" * (1 + number % 5) for number in range(41)]):
        hypotheses = [tokens[place % 11 :][: 1 + place % 23] for place in range(size)]
        references = [[tokens[place % 5 :][:20], tokens[place % 13 :][: place % 17]] for place in range(size)]
        for name in METHODS[:5]:
            check("corpus_bleu", references, hypotheses, smoothing=Method(name, {}))


def test_arguments_are_left_as_they_were():
    references, hypothesis, weights = [["a", "b"], ["c"]], ["a", "b"], [(0.5, 0.5), (1.0,)]
    compat.sentence_bleu(references, hypothesis, weights, compat.SmoothingFunction().method7)
    assert (references, hypothesis, weights) == ([["a", "b"], ["c"]], ["a", "b"], [(0.5, 0.5), (1.0,)])


def test_a_users_function_gets_fractions_and_the_last_segment():
    seen = {}

    def smooth(p_n, references, hypothesis, hyp_len):
        seen.update(p_n=p_n, references=references, hypothesis=hypothesis, hyp_len=hyp_len)
        return p_n

    references, hypotheses = [[["a", "b"]], [["c", "d", "e"]]], [["a", "b"], ["c", "d"]]
    compat.corpus_bleu(references, hypotheses, (0.5, 0.5), smooth)
    assert seen["references"] is references[1]
    assert seen["hypothesis"] is hypotheses[1]
    assert seen["hyp_len"] == 4
    assert [(p.numerator, p.denominator) for p in seen["p_n"]] == [(4, 4), (2, 2)]
    assert all(isinstance(p, compat.Fraction) for p in seen["p_n"])


def test_a_function_that_is_none():
    check("sentence_bleu", [["a", "b"]], ["a", "b"], smoothing=Free(5))
    check("sentence_bleu", [["a", "b"]], ["c", "d"], smoothing=Free(5))  # nothing matches: it is never called


WITHOUT = """
import sys
sys.modules["nltk"] = None
from bleuprint.compat.nltk import SmoothingFunction, sentence_bleu
print(sentence_bleu([["a", "b", "c"]], ["a", "b"], smoothing_function=SmoothingFunction().method7))
"""


@pytest.mark.parametrize("engine", ["native", "python"])
def test_without_nltk_and_with_either_engine(engine):
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        capture_output=True,
        text=True,
        check=True,
        env={"BLEUPRINT_ENGINE": engine, "PATH": ""},
    )
    smooth = nltk.SmoothingFunction().method7
    assert float(run.stdout) == nltk.sentence_bleu([["a", "b", "c"]], ["a", "b"], smoothing_function=smooth)


def test_what_the_documents_say_of_method6_on_a_corpus():
    long, short = list("abcdefghijkl"), list("abc")
    smoothing = compat.SmoothingFunction().method6
    scores = [
        compat.corpus_bleu([[text] for text in texts], texts, smoothing_function=smoothing)
        for texts in ([long, short], [short, long])
    ]
    assert [round(score, 2) for score in scores] == [2.21, 1.03]
