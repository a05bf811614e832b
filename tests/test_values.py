"""Values are what frozen dataclasses would be: they never change, compare by what they hold, print and copy."""

import copy
import inspect
import pickle

import pytest

from bleuprint.counting.layout import Layout, Threshold
from bleuprint.counting.sums import Sums
from bleuprint.metrics.bleu.counting import BleuStats, bleu_layout
from bleuprint.metrics.bleu.recipe import Smoothing
from bleuprint.metrics.chrf.counting import ChrfStats
from bleuprint.metrics.ter.counting import PARTS, TerStats
from bleuprint.text.faults import Faults
from bleuprint.text.segments import Segments

VALUES = [
    BleuStats((1, 0), (2, 1), 2, 3),
    ChrfStats((1,), (2,), (3,), 2, 3),
    TerStats(5, 6 * PARTS, 4, 3, 2, 1),
    Faults({"no-reference": 1}, {"no-reference": ("row 2",)}),
    Layout("bleu", 1, None, ("a", "b"), (Threshold("c", 0, 1),), tuple, tuple, True, True),
    Segments(["a"], [("b", "c")]),
    Smoothing("epsilon", 0.5),
    Sums(bleu_layout(1), (1, 2, 3, 4), (1, 0, 0), Faults({"no-reference": 2})),
]
ALL = pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)


@ALL
def test_the_fields_are_the_arguments_in_their_order(value):
    assert value.__match_args__ == tuple(inspect.signature(type(value)).parameters)
    arguments = [getattr(value, field) for field in value.__match_args__]
    assert [getattr(type(value)(*arguments), field) for field in value.__match_args__] == arguments


@ALL
def test_a_value_never_changes(value):
    field, before = value.__match_args__[0], repr(value)
    with pytest.raises(AttributeError, match=f"cannot assign to '{field}': a {type(value).__name__} never changes"):
        setattr(value, field, None)
    with pytest.raises(AttributeError, match=f"cannot delete '{field}'"):
        delattr(value, field)
    with pytest.raises(AttributeError):
        value.other = 1
    assert repr(value) == before


@ALL
def test_a_value_prints_as_it_is_made(value):
    fields = ", ".join(f"{field}={getattr(value, field)!r}" for field in value.__match_args__)
    assert repr(value) == f"{type(value).__name__}({fields})"


@ALL
@pytest.mark.parametrize(
    "way",
    [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value)), lambda value: value.replace()],
    ids=["copy", "deepcopy", "pickle", "replace"],
)
def test_a_copy_holds_the_same(value, way):
    copied = way(value)
    assert copied is not value
    assert type(copied) is type(value)
    assert copied == value
    for field in value.__match_args__:
        assert getattr(copied, field) == getattr(value, field)


@ALL
def test_another_first_field_makes_another_value(value):
    field = value.__match_args__[0]
    given = getattr(value, field)
    other = {Faults: {}, Smoothing: "floor", Sums: bleu_layout(2)}.get(type(value))
    other = given * 2 if other is None else other
    changed = value.replace(**{field: other})
    assert getattr(changed, field) == other
    assert changed != value
    assert getattr(value, field) == given


@ALL
def test_a_value_is_not_a_tuple_of_its_fields(value):
    held = tuple(getattr(value, field) for field in value.__match_args__)
    assert value != held
    assert held != value


def test_what_holds_lists_cannot_be_hashed():
    unhashable = {Faults, Segments, Sums}
    for value in VALUES:
        if type(value) in unhashable:
            with pytest.raises(TypeError, match="unhashable"):
                hash(value)
        else:
            assert hash(value) == hash(copy.copy(value))


def test_values_match_by_position():
    match BleuStats((1,), (2,), 3, 4):
        case BleuStats(matches, totals, 3, length):
            assert (matches, totals, length) == ((1,), (2,), 4)
        case _:
            pytest.fail("the pattern does not match")
