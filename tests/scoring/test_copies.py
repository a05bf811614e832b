"""Every public value can be copied and pickled, and what comes out is equal to what went in."""

import copy
import inspect
import pickle
from collections.abc import Hashable

import pytest

import bleuprint as bp
import engine_process
from bleuprint import results
from bleuprint.findings.reconciliation import group_dialects
from score_values import values_of

CANDIDATES = ["the cat is on mat", "a dog ran", ""]
REFERENCES = [["the cat is on the mat", "a cat"], ["a dog ran off"], ["so"]]
TOKENS = [text.split() for text in CANDIDATES], [[text.split() for text in texts] for texts in REFERENCES]
PRETOKENIZED = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle {n}": lambda value, n=n: pickle.loads(pickle.dumps(value, n)) for n in range(2, 6)},
}


def accumulated(**options):
    total = bp.Accumulator("paper", **options)
    total.add_batch(CANDIDATES, REFERENCES)
    total.add_part("b", ["a"], ["a"]) if not options else None
    return total


def refused():
    with pytest.raises(bp.BleuprintError) as caught:
        bp.score([], [])
    return caught.value


MAKERS = {
    "Accumulator": accumulated,
    "Accumulator of a part": lambda: accumulated(part="a"),
    "BleuScore": lambda: bp.score(CANDIDATES, REFERENCES),
    "BleuScore of a document": lambda: bp.score_documents(CANDIDATES, REFERENCES, ["a", "b", "a"])["a"],
    "BleuScore of a sentence": lambda: bp.score_sentence(CANDIDATES[0], REFERENCES[0]),
    "BleuScore of tokens": lambda: bp.score(*TOKENS, PRETOKENIZED),
    "BleuScore of a sentence of tokens": lambda: bp.score_sentence(TOKENS[0][0], TOKENS[1][0], PRETOKENIZED),
    "BleuStats": lambda: bp.statistics(CANDIDATES, REFERENCES)[0],
    "BleuprintError": refused,
    "Comparison": lambda: bp.compare({"a": CANDIDATES, "b": CANDIDATES[::-1]}, REFERENCES),
    "DialectGroups": lambda: group_dialects(CANDIDATES, REFERENCES),
    "Explanation": lambda: bp.explain(CANDIDATES[0], REFERENCES[0]),
    "Explanation of a corpus": lambda: bp.explain(CANDIDATES, REFERENCES),
    "Explanation of a document": lambda: bp.explain(MAKERS["BleuScore of a document"]()),
    "Explanation of tokens": lambda: bp.explain(bp.score(*TOKENS, PRETOKENIZED)),
    "Identification": lambda: bp.identify(CANDIDATES, REFERENCES, reported="30.1"),
    "Note": lambda: bp.score(["a"], ["b"]).notes[0],
    "PairScores": lambda: bp.pairwise(CANDIDATES, REFERENCES),
    "Recipe": lambda: bp.Recipe.named("nltk"),
    "Recipe of an own tokenizer": lambda: bp.Recipe.named("nltk").replace(tokenizer=str.split),
    "Reconciliation": lambda: bp.reconcile(CANDIDATES, REFERENCES, "nltk", "sacrebleu"),
    "References": lambda: bp.References(REFERENCES),
    "References of tokens": lambda: bp.References(TOKENS[1], PRETOKENIZED),
    "References split by an own tokenizer": lambda: bp.References(
        REFERENCES, bp.Recipe.named("nltk").replace(tokenizer=str.split)
    ),
    "SegmentScores": lambda: bp.score_segments(CANDIDATES, REFERENCES),
    "SegmentScores of tokens": lambda: bp.score_segments(*TOKENS, PRETOKENIZED),
    "StatsTable": lambda: bp.statistics(CANDIDATES, REFERENCES),
    "choose_best": lambda: bp.choose_best(CANDIDATES, REFERENCES[0]),
    "self_bleu": lambda: bp.self_bleu(CANDIDATES[:2]),
}
UNHASHABLE = ("choose_best", "self_bleu")
"""They hold lists and arrays."""


def test_every_public_type_is_tried():
    types = {name for name in bp.__all__ if inspect.isclass(getattr(bp, name))}
    types |= {"DialectGroups", "Note", "PairScores", "SegmentScores", "StatsTable"}
    assert types - set(MAKERS) == set()


def shown(value):
    """All that a value tells, in plain data where it gives that."""
    return value.to_dict() if hasattr(value, "to_dict") else str(value)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", MAKERS)
def test_a_copy_is_equal(name, way):
    value = MAKERS[name]()
    copied = WAYS[way](value)
    assert type(copied) is type(value)
    assert shown(copied) == shown(value)
    if not isinstance(value, Exception):
        assert copied == value
        assert value == copied


@pytest.mark.parametrize("name", [name for name in MAKERS if name != "BleuprintError"])
def test_equal_data_are_equal_results(name):
    one, other = MAKERS[name](), MAKERS[name]()
    assert shown(one) == shown(other)
    assert one == other
    assert not one != other  # noqa: SIM202, both operators are tried
    assert one != "something else"
    if isinstance(one, Hashable) and name not in UNHASHABLE:
        assert hash(one) == hash(other)
        assert len({one, other}) == 1
    else:
        with pytest.raises(TypeError, match="unhashable"):
            hash(one)


def test_every_result_has_an_equality_of_its_own():
    assert not [name for name in results.__all__ if getattr(results, name).__eq__ is object.__eq__]


EMPTY = [["the cat is on the mat", ""], ["a dog ran off"], ["so"]]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "make",
    [lambda: bp.reconcile(CANDIDATES, EMPTY, "nltk", "sacrebleu"), lambda: group_dialects(CANDIDATES, EMPTY)],
    ids=["reconciliation", "dialect groups"],
)
def test_a_copy_still_tells_what_is_odd_about_the_texts(make, way):
    made = make()
    assert "1 of 4 references is empty" in " ".join(str(made).split())
    assert str(WAYS[way](made)) == str(made)


def test_what_differs_is_not_equal():
    assert bp.explain("a b", "a c", "paper") != bp.explain("x y", "x z", "paper"), "equal counts, other words"
    assert bp.explain(["a b"], ["a c"], "paper") != bp.explain("a b", "a c", "paper"), "a corpus is no segment"
    assert bp.reconcile(CANDIDATES, REFERENCES, "nltk", "sacrebleu") != bp.reconcile(
        CANDIDATES, REFERENCES, "nltk", "paper"
    )
    assert bp.identify(CANDIDATES, REFERENCES, "30.1") != bp.identify(CANDIDATES, REFERENCES, "30.2")
    assert group_dialects(CANDIDATES, REFERENCES) != group_dialects(CANDIDATES[::-1], REFERENCES)
    assert bp.score_segments(CANDIDATES, REFERENCES) != bp.score_segments(CANDIDATES, REFERENCES, "nltk")
    assert bp.References(REFERENCES) != bp.References(REFERENCES[::-1])
    assert bp.pairwise(CANDIDATES, REFERENCES) != bp.pairwise(CANDIDATES[::-1], REFERENCES)
    assert bp.explain("a b", "a b") != bp.explain("a b", "a c")
    short, long = (["a b c d"],) * 2, (["a b c d e"],) * 2  # both score 100
    one, other = (pickle.loads(pickle.dumps(bp.score(*texts))) for texts in (short, long))
    assert (one == other, bp.explain(one) == bp.explain(other)) == (True, False)
    assert bp.reconcile(*short, "nltk", "sacrebleu") != bp.reconcile(*long, "nltk", "sacrebleu")
    for value in (bp.Accumulator(), bp.References(REFERENCES), bp.score_segments(CANDIDATES, REFERENCES)):
        assert value != "something else"


@pytest.mark.parametrize("way", ["copy", "deepcopy", "pickle 5"])
def test_copies_of_what_was_counted_from_tokens_still_work(way):
    segments = WAYS[way](bp.score(*TOKENS, PRETOKENIZED).segments)
    assert len(segments) == 3
    assert [len(own.references) for own in segments] == [2, 1, 1]
    scores = WAYS[way](bp.score_segments(*TOKENS, PRETOKENIZED))
    assert [str(bp.explain(score)) for score in scores] == [
        str(bp.explain(score)) for score in bp.score_segments(*TOKENS, PRETOKENIZED)
    ]


@pytest.mark.parametrize("way", ["copy", "deepcopy", "pickle 5"])
def test_a_table_that_was_copied_grows_alone(way):
    table = bp.statistics(CANDIDATES, REFERENCES)
    copied = WAYS[way](table)
    copied.append(table[0])
    assert (len(copied), len(table)) == (4, 3)


@pytest.mark.parametrize("way", ["copy", "deepcopy", "pickle 5"])
def test_references_that_were_copied_score_as_before(way):
    for references, candidates, recipe in ((REFERENCES, CANDIDATES, "paper"), (TOKENS[1], TOKENS[0], PRETOKENIZED)):
        copied = WAYS[way](bp.References(references, recipe))
        assert values_of(copied.score(candidates)) == values_of(bp.score(candidates, references, recipe))


def test_both_engines_unpickle_references_of_the_other():
    program = """
import json, pickle
import bleuprint as bp
references = bp.References(["a b c", "d e"], "paper")
print(json.dumps([pickle.dumps(references).hex()]))
"""
    for name in engine_process.ENGINES:
        restored = pickle.loads(bytes.fromhex(engine_process.answer(program, name)[0]))
        assert restored == bp.References(["a b c", "d e"], "paper")
        assert restored.score(["a b c", "d e"]).stats.matches == (5, 3, 1, 0)
