"""Arrays of token ids where a recipe says pretokenized: the numbers of lists of ints, without an object per token."""

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("torch")

from array import array

import numpy as np
import pyarrow as pa
import torch
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.adapters.torch import statistics_ids
from bleuprint.engines.python import PythonEngine
from bleuprint.errors import InputTypeError, Location
from bleuprint.text import segments as segments_module
from bleuprint.text.segments import SnapshotSegments, pair_segments
from covering import covering
from engine_pair import NATIVE
from score_values import values_of
from strategies import corpora

pytestmark = pytest.mark.needs("pyarrow", "torch")


RECIPE = bp.Recipe.named("sacrebleu").replace(tokenizer="pretokenized")
NUMBERS = st.integers(-2, 3)
FORMS = {
    "int64": np.array,
    "int8": lambda row: np.array(row, dtype=np.int8),
    "int32 from behind": lambda row: np.array(row[::-1], dtype=np.int32)[::-1],
    "int16 in a column": lambda row: np.array([[one, 9] for one in row], dtype=np.int16).reshape(-1, 2)[:, 0],
    "not aligned": lambda row: np.frombuffer(b"x" + np.array(row, dtype=np.int64).tobytes(), dtype=np.int64, offset=1),
    "read-only": lambda row: np.frombuffer(np.array(row, dtype=np.int64).tobytes(), dtype=np.int64),
    "the other byte order": lambda row: np.array(row, dtype=">i4"),
    "torch": lambda row: torch.tensor(row, dtype=torch.int32),
    "array": lambda row: array("h", row),
    "list": list,
    "tuple": tuple,
}


def as_arrays(corpus, candidate_form, reference_form):
    candidates, references = corpus
    # NumPy makes floats of nothing, which no list of ints is.
    own, others = (FORMS[form] for form in (candidate_form, reference_form))
    return [own(row) if row else [] for row in candidates], [
        [others(row) if row else [] for row in rows] for rows in references
    ]


@given(
    corpora(texts=st.lists(NUMBERS, max_size=8), pieces=NUMBERS), st.sampled_from([*FORMS]), st.sampled_from([*FORMS])
)
def test_arrays_give_the_numbers_of_lists(corpus, candidate_form, reference_form):
    arrays = as_arrays(corpus, candidate_form, reference_form)
    expected = PythonEngine().count(pair_segments(*corpus, pretokenized=True), RECIPE.layout)
    assert bp.statistics(*arrays, recipe=RECIPE) == expected
    assert values_of(bp.score(*arrays, recipe=RECIPE)) == values_of(bp.score(*corpus, recipe=RECIPE))
    assert list(bp.score_segments(*arrays, recipe=RECIPE).scores) == list(
        bp.score_segments(*corpus, recipe=RECIPE).scores
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segments_module, "find_kernel", lambda: None)
        paired = pair_segments(*arrays, pretokenized=True)
    assert PythonEngine().count(paired, RECIPE.layout) == expected


class OnlyMemory:
    """An array that shows its memory and nothing else: whoever asks for one element fails."""

    def __init__(self, numbers):
        self._numbers = np.array(numbers)

    def __dlpack__(self, **options):
        return self._numbers.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._numbers.__dlpack_device__()

    def tolist(self):
        raise AssertionError("somebody listed the ids")


def test_no_token_becomes_an_object():
    candidates, references = [OnlyMemory([1, 2, 3, 4, 5])], [[OnlyMemory([1, 2, 3, 4, 6]), OnlyMemory([7])]]
    expected = bp.score([[1, 2, 3, 4, 5]], [[[1, 2, 3, 4, 6], [7]]], RECIPE)
    assert values_of(bp.score(candidates, references, RECIPE)) == values_of(expected)
    batch = np.arange(20).reshape(2, 10)
    paired = pair_segments(batch, batch[:, None], pretokenized=True)
    assert isinstance(paired, SnapshotSegments)
    assert NATIVE.count(paired, RECIPE.layout).column("matches_4").tolist() == [7, 7]


def test_arrays_of_two_and_three_axes():
    candidates = np.array([[1, 2, 3, 4], [5, 6, 7, 8]], dtype=np.uint16)
    references = np.stack([candidates, candidates[::-1]], axis=1).astype(np.int64)
    assert bp.score(candidates, references, RECIPE).score == 100.0
    assert bp.score(torch.tensor(candidates.tolist()), torch.from_numpy(references), RECIPE).score == 100.0


def test_what_was_scored_does_not_change_with_its_array():
    candidates, references = np.array([[1, 2, 3, 4]]), np.array([[[1, 2, 3, 5]]])
    scored = bp.score(candidates, references, RECIPE)
    before = bp.score([[1, 2, 3, 4]], [[[1, 2, 3, 5]]], RECIPE)
    candidates[:] = 9
    assert bp.explain(scored).to_dict() == bp.explain(before).to_dict()


def test_ids_that_only_64_bits_without_a_sign_hold():
    huge, negative = np.array([2**64 - 1, 5], dtype=np.uint64), np.array([-1, 5])
    recipe = RECIPE.replace(order=1)
    assert bp.statistics([huge], [[negative]], recipe).column("matches_1").tolist() == [1]
    assert bp.statistics([huge], [[huge]], recipe).column("matches_1").tolist() == [2]
    assert pair_segments([huge], [[huge]], pretokenized=True).candidates == [(2**64 - 1, 5)]


def test_equal_tokens_of_lists_stay_equal():
    same = bp.statistics([[1, True, 1.0]], [[[1.0, 1, 1]]], RECIPE)
    assert same.column("matches_3").tolist() == [1]
    mixed = bp.statistics([np.array([1.0, 2.0])], [[np.array([1, 2])]], RECIPE)
    assert mixed.column("matches_2").tolist() == [1]
    truths = bp.statistics([np.array([True, False])], [[np.array([1, 0])]], RECIPE)
    assert truths.column("matches_2").tolist() == [1]


@pytest.mark.parametrize(
    ("candidates", "references", "location"),
    [
        (np.array([[[1]]]), [[[1]]], Location("candidates", 0, token=0)),
        (np.array([[1]]), np.array([[1]]), Location("references", 0, 0)),
        ([np.array([float("nan")])], [[[1]]], Location("candidates", 0, token=0)),
        ([b"ab"], [[[1]]], Location("candidates", 0)),
        ([np.array(1)], [[[1]]], Location("candidates", 0)),
        (torch.tensor([1, 2]), [[[1]], [[2]]], Location("candidates", 0)),
    ],
)
def test_arrays_of_another_shape_are_refused(candidates, references, location):
    with pytest.raises(InputTypeError) as caught:
        bp.score(candidates, references, RECIPE)
    assert caught.value.location == location


class OnlyDlpack:
    """An array that shows its memory, and lists nothing."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.fixture(params=["kernel", "python"])
def looked_over_by(request, monkeypatch):
    if request.param == "python":
        monkeypatch.setattr(segments_module, "find_kernel", lambda: None)


@pytest.mark.usefixtures("looked_over_by")
@pytest.mark.parametrize(
    "array",
    [
        np.ma.masked_array([1, 2, 3], mask=[False] * 3),
        pa.array([1, 2, 3]),
        torch._neg_view(torch.tensor([-1, -2, -3])),
    ],
    ids=["unmasked", "arrow", "negated"],
)
def test_arrays_stand_for_their_values_and_not_for_their_memory(array):
    assert bp.statistics([array], [[[1, 2, 3]]], RECIPE).column("matches_3").tolist() == [1]


@pytest.mark.usefixtures("looked_over_by")
@pytest.mark.parametrize(
    ("array", "token"),
    [
        (np.ma.masked_array([1, 2, 3], mask=[0, 0, 1]), 2),
        (torch.tensor([1, 2, 3]).to_sparse(), None),
        (OnlyDlpack(np.array([1, 2, 3])), None),
    ],
    ids=["masked", "sparse", "only dlpack"],
)
def test_arrays_that_cannot_list_their_values_are_refused_by_both_engines(array, token):
    with pytest.raises(InputTypeError) as caught:
        bp.score([array], [[[1, 2, 3]]], RECIPE)
    assert caught.value.location == Location("candidates", 0, token=token)


LENGTHS = [64, 65, 400, 16_384, 16_385]
VOCABULARIES = [2, 30, 1000, 2**20, 2**20 + 1, 2**62]


@pytest.mark.parametrize(("length", "vocabulary", "kind"), covering(LENGTHS, VOCABULARIES, [(4, 1), (4, 3), (9, 2)]))
def test_every_way_of_counting_gives_the_definition(length, vocabulary, kind):
    """Short, long and longest rows; ids with a place each in a table, and others; n-grams that occur once or often."""
    order, references = kind
    draw = np.random.default_rng([length, vocabulary % 1009, order])
    candidates = draw.integers(0, vocabulary, (2, length) if length < 1000 else (1, length))
    candidates[0, -1] = vocabulary - 1
    texts = draw.integers(0, vocabulary, (len(candidates), references, length + 3))
    for place in range(references):
        alike = draw.random(candidates.shape) < (0.9, 0.5, 0.97)[place]
        moved = np.roll(candidates, 2 * place, axis=1)
        texts[:, place, :length] = np.where(alike, moved, texts[:, place, :length])
    recipe = RECIPE.replace(order=order)
    lists = pair_segments(candidates.tolist(), texts.tolist(), pretokenized=True)
    expected = PythonEngine().count(lists, recipe.layout)
    assert NATIVE.count(pair_segments(candidates, texts, pretokenized=True), recipe.layout) == expected
    counted = statistics_ids(torch.from_numpy(candidates), torch.from_numpy(texts), recipe=recipe)
    assert [tuple(row) for row in counted.tolist()] == [tuple(expected.row(place)) for place in range(len(expected))]


def test_steps_of_searches_grow_with_the_ids_alone():
    """Ids in strides, and n-grams that branch at every place, take no long searches."""
    from bleuprint._kernel import BleuKernel, TokenIds

    bleu = BleuKernel(["whitespace", "closest", "exact"], [4])
    for step in (1, 2**20, 2**32):
        row = np.arange(20_000, dtype=np.int64) * step
        ids = TokenIds()
        ids.add_candidates(np.stack([row, row // 3 * 3]), None, None, None)
        ids.add_references(np.stack([row[::-1], row // 2 * 2]), None, None, None)
        ids.share_out([1, 1], 1)
        assert ids.count(bleu, array("q", bytes(8 * 20)), 1) < 10 * row.size
