"""Accumulators from many processes: parts count once, and a state that travels is checked when it arrives."""

import copy
import json
import pickle
import sys
import threading
import zlib
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import InputTypeError
from bleuprint.scoring.accumulator import MAGIC, checksum_of
from bleuprint.text.faults import Faults, RowFault
from memory_use import MIB, peak_of
from refusals import refuse
from score_values import values_of

CANDIDATES = ["the cat is on mat", "a dog ran", "it purrs", "x", "", "so it goes on"]
REFERENCES = ["the cat is on the mat", "a dog ran off", "it purrs", "y", "z", "so it goes"]


def count_part(places):
    """Count some segments in a process of its own; what comes back are bytes."""
    part = bp.Accumulator(part=f"part {places}")
    for place in places:
        part.add(CANDIDATES[place], REFERENCES[place])
    return part.to_bytes()


def test_parts_of_many_processes_are_merged_and_a_task_that_ran_twice_counts_once():
    tasks = [(0, 1), (2,), (3, 4, 5)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        arrived = list(pool.map(count_part, [*tasks, tasks[0], tasks[2]]))
    total = bp.Accumulator()
    for data in arrived:
        total.merge(bp.Accumulator.from_bytes(data))
    expected = bp.score(CANDIDATES, REFERENCES)
    assert values_of(total.score()) == values_of(expected)
    assert total.census == expected.census
    assert total.parts == tuple(f"part {places}" for places in tasks)


PARTS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 5)), max_size=8)


@settings(max_examples=60)
@given(left=PARTS, right=PARTS)
def test_merging_is_idempotent_and_order_does_not_matter(left, right):
    def build(parts):
        total = bp.Accumulator("paper")
        for name, place in parts:
            total.add_part(f"{name}{place}", [CANDIDATES[place]], [REFERENCES[place]])
        return total

    one, other = build(left), build(right)
    one.merge(build(right))
    other.merge(build(left))
    other.merge(build(left))
    names = {*left, *right}
    assert one.stats == other.stats
    assert one.census == other.census
    assert one.census.segments == len(names)
    assert set(one.parts) == {f"{name}{place}" for name, place in names}


def test_a_part_with_other_numbers_is_refused_and_changes_nothing():
    total = bp.Accumulator()
    total.add_part("a", ["a b"], ["a b"])
    before = total.to_json()
    other = bp.Accumulator()
    other.add_part("b", ["a"], ["a"])
    other.add_part("a", ["a c"], ["a b"])
    found = refuse(lambda: total.merge(other), argument="part")
    assert str(found).startswith("Part 'a' was counted twice with different numbers (1 segment: ")
    assert total.to_json() == before
    refuse(lambda: total.add_part("a", ["a c"], ["a b"]), argument="part")
    assert total.to_json() == before


def test_what_has_no_name_adds_each_time():
    total, more = bp.Accumulator(), bp.Accumulator()
    more.add("a", "a")
    total.merge(more)
    total.merge(more)
    assert total.census.segments == 2
    assert total.parts == ()


def test_a_named_accumulator_adds_to_its_own_part():
    part = bp.Accumulator(part="day 1")
    assert part.parts == ("day 1",)
    part.add("a b", "a b")
    part = bp.Accumulator.from_json(part.to_json())
    part.add_batch(["a"], ["a"])
    total = bp.Accumulator()
    total.merge(part)
    total.merge(part)
    assert total.census.segments == 2
    refuse(lambda: bp.Accumulator(part=3), InputTypeError, argument="part")
    refuse(lambda: total.add_part(None, ["a"], ["a"]), InputTypeError, argument="part")


def filled():
    total = bp.Accumulator("nltk-method1")
    total.add_batch(CANDIDATES, REFERENCES)
    total.add_part("a", ["a b"], ["a b"])
    skipped = Faults.of([RowFault(7, "no-reference")], "f.parquet")
    total.add_table(bp.statistics(["c"], ["c"], "nltk-method1"), skipped)
    return total


@pytest.mark.parametrize("form", ["json", "bytes"])
def test_a_state_travels_with_all_it_knows(form):
    total = filled()
    state = getattr(total, f"to_{form}")()
    restored = getattr(bp.Accumulator, f"from_{form}")(state)
    assert getattr(restored, f"to_{form}")() == state
    assert values_of(restored.score()) == values_of(total.score())
    assert restored.parts == ("a",)
    assert restored.skipped == total.skipped
    assert restored.score().notes[0].text.startswith("1 malformed row left out: 1 with no reference")


@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
@settings(max_examples=100)
def test_a_flipped_bit_is_noticed(place, bit):
    data = bytearray(filled().to_bytes())
    data[place % len(data)] ^= 1 << bit
    refuse(lambda: bp.Accumulator.from_bytes(bytes(data)), where="Accumulator.from_bytes")


@pytest.mark.parametrize("data", [b"", MAGIC, MAGIC.replace(b"/2", b"/1") + bytes(40), "text", None], ids=repr)
def test_bytes_that_are_no_accumulator_are_refused(data):
    refuse(lambda: bp.Accumulator.from_bytes(data), where="Accumulator.from_bytes")


def resealed(**changes):
    state = json.loads(filled().to_json()) | changes
    state.pop("checksum")
    return json.dumps(state | {"checksum": checksum_of(state)})


def test_a_changed_number_is_noticed_by_the_checksum():
    state = json.loads(filled().to_json())
    state["row"][0] += 1
    refuse(lambda: bp.Accumulator.from_json(json.dumps(state)), where="Accumulator.from_json")
    assert values_of(bp.Accumulator.from_json(resealed()).score()) == values_of(filled().score())


def test_a_state_without_a_checksum_is_refused():
    state = json.loads(filled().to_json())
    del state["checksum"]
    refuse(lambda: bp.Accumulator.from_json(json.dumps(state)), where="Accumulator.from_json")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(resealed(schema="bleuprint.accumulator/1"), id="another schema"),
        pytest.param(resealed(recipe="no such recipe"), id="an unknown recipe"),
        pytest.param(resealed(row=[0] * 11), id="a row with a number too many"),
        pytest.param(resealed(census=[1, 2, 3, 4, 5, 6, 7]), id="a census with a number too many"),
        pytest.param(resealed(parts=[]), id="parts without names"),
        pytest.param(resealed(parts={"a": {}}), id="a part without numbers"),
        pytest.param(resealed(part="b"), id="an own part that is not there"),
        pytest.param(resealed(row=[5, 6, -1, 3, 2, 1, 5, 4, 3, 2]), id="a negative number"),
        pytest.param(resealed(row=[5, 6, 6, 3, 2, 1, 5, 4, 3, 2]), id="more matches than n-grams"),
        pytest.param(resealed(row=[0, 6, 1, 0, 0, 0, 1, 1, 1, 1]), id="matches of no text"),
        pytest.param(resealed(row=[5, 6, 5, 3, 2, 1, 5, 4, 3, 99]), id="more n-grams than tokens"),
        pytest.param(resealed(row=[10**400, *[10**400] * 9]), id="huge numbers"),
        pytest.param(resealed(row=[1, 10**400, *[1] * 8]), id="a huge length of references"),
        pytest.param(resealed(row=[float("nan"), *[0] * 9]), id="not a number"),
        pytest.param(resealed(row=[True, *[0] * 9]), id="a truth value"),
        pytest.param(resealed(census=[0] * 6), id="numbers of no segment"),
        pytest.param(resealed(census=[float("inf"), 0, 0, 0, 0, 0]), id="infinitely many segments"),
        pytest.param(resealed(census=[3, 0, 0, 0, 99, 0]), id="more short segments than segments"),
        pytest.param(resealed(census=[3, 0, 0, 0, 0, 99]), id="more empty segments than segments"),
        pytest.param(resealed(part=["a"]), id="an own part that is no name"),
        pytest.param(resealed(recipe={"a": 1}), id="a recipe that is no text"),
        pytest.param(resealed(recipe=None), id="no recipe"),
        pytest.param("[" * 100_000, id="deep nesting"),
        pytest.param('{"schema": ' * 100_000, id="deep nesting of objects"),
        pytest.param("9" * 5_000, id="more digits than Python reads"),
        pytest.param(resealed(skipped={"bad luck": {"rows": 1, "first": []}}), id="an unknown kind of fault"),
        pytest.param(resealed(skipped={"no-reference": {"rows": "1", "first": []}}), id="faults that are no number"),
    ],
)
def test_a_sealed_state_is_still_looked_at(text):
    with pytest.raises(bp.BleuprintError):
        bp.Accumulator.from_json(text)


def sealed(packed):
    return MAGIC + sha256(packed).digest() + packed


@pytest.mark.parametrize(
    "packed",
    [
        pytest.param(b"no zlib", id="not packed"),
        pytest.param(zlib.compress(b"{}")[:-3], id="cut off"),
        pytest.param(zlib.compress(b"\xff\xfe"), id="not UTF-8"),
        pytest.param(zlib.compress(b"[" * 1_000_000), id="deep nesting"),
        pytest.param(zlib.compress(resealed(row=[-1] * 10).encode()), id="negative numbers"),
    ],
)
def test_sealed_bytes_are_still_looked_at(packed):
    with pytest.raises(bp.BleuprintError, match=r"Accumulator\.from_"):
        bp.Accumulator.from_bytes(sealed(packed))


def test_bytes_that_unpack_to_far_more_are_refused_before_they_are_unpacked():
    data = sealed(zlib.compress(b" " * (64 * MIB) + bp.Accumulator().to_json().encode()))

    def read():
        with pytest.raises(bp.BleuprintError, match=r"Accumulator\.from_bytes"):
            bp.Accumulator.from_bytes(data)

    assert peak_of(read) < 16 * MIB


def test_thousands_of_parts_that_are_alike_are_read_back():
    total = bp.Accumulator("chrf")
    for number in range(2000):
        total.merge(bp.Accumulator("chrf", part=f"{'folder/' * 200}{number}"))
    data = total.to_bytes()
    assert bp.Accumulator.from_bytes(data) == total


@pytest.mark.parametrize("recipe", [*bp.Recipe.dialects()])
def test_what_any_dialect_counts_is_read_back(recipe):
    if bp.Recipe.named(recipe).is_pretokenized:
        candidates, references = [text.split() for text in CANDIDATES], [[text.split()] for text in REFERENCES]
    else:
        candidates, references = CANDIDATES, REFERENCES
    total = bp.Accumulator(recipe)
    total.add_batch(candidates, references)
    assert bp.Accumulator.from_bytes(total.to_bytes()) == total


# Threads and copies


def test_threads_lose_nothing():
    total, named = bp.Accumulator("paper"), bp.Accumulator("paper", part="all")
    other = bp.Accumulator("paper")
    other.add("a b", "a b")
    switched = sys.getswitchinterval()

    def work():
        for _ in range(150):
            total.add("a b", "a b")
            named.add("a b", "a b")
            total.merge(other)

    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switched)
    assert named.census.segments == 900
    assert total.census.segments == 1800
    assert total.stats.matches == (3600, 1800, 0, 0)


def test_an_accumulator_can_be_merged_into_itself():
    total = filled()
    total.merge(total)
    assert total.census.segments == 2 * (len(CANDIDATES) + 1) + 1, "all but the part count again"


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
@pytest.mark.parametrize("part", [None, "day 1"])
def test_a_copy_goes_its_own_way(again, part):
    total = bp.Accumulator("paper", part=part)
    total.add("a b", "a b")
    copied = again(total)
    assert copied == total
    copied.add("c d", "c d")
    total.add("e", "e")
    total.add("f", "f")
    assert (copied.census.segments, total.census.segments) == (2, 3)
    assert copied != total


@pytest.mark.parametrize("depth", [100_000, *range(900, 1000, 5)])
@pytest.mark.parametrize("start", ["", '{"schema": "bleuprint.accumulator/3", "parts": '], ids=["alone", "inside"])
def test_json_nested_too_deep_is_refused_as_any_other(start, depth):
    text = start + "[" * depth + "]" * depth + "}" * bool(start)
    with pytest.raises(bp.BleuprintError):
        bp.Accumulator.from_json(text)
