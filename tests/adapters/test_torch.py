"""Token ids in tensors: rows of every shape and type, held to the definition over plain lists with ==."""

import pytest

pytest.importorskip("torch")

import subprocess
import sys
from itertools import islice

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.adapters import torch as ids
from bleuprint.adapters.token_ids import loader
from bleuprint.adapters.torch import (
    choose_best_ids,
    corpus_score_ids,
    device_engine,
    pairwise_ids,
    prepare,
    recipe_for_ids,
    score_ids,
    statistics_ids,
)
from bleuprint.adapters.torch.devices import COUNTED, to_tensors
from bleuprint.adapters.torch.repeats import describe_call, describe_tensors
from bleuprint.adapters.torch.shapes import INTEGERS, read_batch
from bleuprint.engines.python import PythonEngine
from bleuprint.errors import InputTypeError, RecipeError, ShapeError
from bleuprint.text.token_ids import pairs_of_ids, segments_of_ids, trim_row

pytestmark = pytest.mark.needs("torch")


PAD, EOS = 0, 2
RECIPES = ["sacrebleu-sentence", "paper", "nltk", "nltk-method4", "nltk-method5", "torchmetrics", "huggingface-smooth"]
TYPES = sorted(INTEGERS, key=str)
ENDS = st.sampled_from([{}, {"pad": PAD}, {"eos": EOS}, {"pad": PAD, "eos": EOS}, {"pad": PAD, "eos": PAD}])


def defined_rows(segments, recipe):
    """What the readable engine counts, and the scores it makes of that."""
    table = PythonEngine().count(segments, recipe_for_ids(recipe).layout)
    rows = [list(table.row(place)) for place in range(len(table))]
    return rows, list(PythonEngine().score_rows(table, recipe_for_ids(recipe)))


def list_of(tensor):
    return tensor.flatten(end_dim=-2).tolist()


@st.composite
def tensors(draw, *shape, kind=None):
    """Ids of a tiny vocabulary, in any type, and often as a view that is not contiguous."""
    kind = kind or draw(st.sampled_from(TYPES))
    lowest = 0 if str(kind).startswith("torch.uint") else -2
    size = int(np.prod(shape))
    numbers = draw(st.lists(st.integers(lowest, 4), min_size=size, max_size=size))
    tensor = torch.tensor(numbers, dtype=torch.int64).reshape(shape)
    look = draw(st.sampled_from(["plain", "strided", "turned", "expanded", "shifted"]))
    if look == "strided":
        return torch.stack([tensor, tensor + 1], -1).to(kind)[..., 0]  # what lies between must not be read
    if look == "turned":
        return tensor.transpose(0, -1).contiguous().to(kind).transpose(0, -1)
    if look == "expanded" and shape[0]:
        return tensor[:1].to(kind).expand(shape)
    if look == "shifted":
        return torch.cat([tensor[..., :1], tensor], -1).to(kind)[..., -shape[-1] :]
    return tensor.to(kind)


@st.composite
def batches(draw, kinds=TYPES):
    """Candidates and references as tensors, and how rows end."""
    own, others = draw(st.sampled_from(kinds)), draw(st.sampled_from(kinds))
    rows, group = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    grouped, several = draw(st.booleans()), draw(st.booleans())
    leading = (rows, group) if grouped else (rows,)
    candidates = draw(tensors(*leading, draw(st.integers(0, 9)), kind=own))
    references = (rows, draw(st.integers(1, 3))) if several else (rows,)
    references = draw(tensors(*references, draw(st.integers(0, 9)), kind=others))
    options = dict(draw(ENDS))
    for name, tensor in (("candidate_lengths", candidates), ("reference_lengths", references)):
        if draw(st.booleans()):
            count = int(np.prod(tensor.shape[:-1]))
            lengths = draw(st.lists(st.integers(0, tensor.shape[-1]), min_size=count, max_size=count))
            options[name] = torch.tensor(lengths, dtype=torch.int64).reshape(tensor.shape[:-1])
    return candidates, references, options


def trimmed(tensor, lengths, options):
    ends = {name: options[name] for name in ("pad", "eos") if name in options}
    given = [None] * len(list_of(tensor)) if lengths is None else lengths.flatten().tolist()
    return [trim_row(row, length, **ends) for row, length in zip(list_of(tensor), given, strict=True)]


def segments_of(candidates, references, options):
    rows = trimmed(candidates, options.get("candidate_lengths"), options)
    others = iter(trimmed(references, options.get("reference_lengths"), options))
    count = references.shape[1] if references.ndim == 3 else 1
    entries = [list(islice(others, count)) for _ in range(references.shape[0])]
    return segments_of_ids(rows, entries, candidates.shape[1] if candidates.ndim == 3 else 1)


@given(batches(), st.sampled_from(RECIPES))
def test_every_row_is_that_of_the_definition(batch, recipe):
    candidates, references, options = batch
    rows, scores = defined_rows(segments_of(*batch), recipe)
    counted = statistics_ids(candidates, references, recipe=recipe, **options)
    scored = score_ids(candidates, references, recipe=recipe, **options)
    assert (counted.dtype, scored.dtype) == (torch.int64, torch.float64)
    assert counted.shape == (*candidates.shape[:-1], recipe_for_ids(recipe).layout.width)
    assert scored.shape == candidates.shape[:-1]
    assert list_of(counted) == rows
    assert scored.flatten().tolist() == scores
    fractions = score_ids(candidates, references, recipe=recipe, as_fraction=True, dtype=torch.float32, **options)
    assert torch.equal(fractions, (scored / 100).to(torch.float32))


@given(batches())
def test_without_the_kernel_nothing_changes(batch):
    candidates, references, options = batch
    expected = statistics_ids(candidates, references, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ids.counting, "find_kernel", lambda: None)
        patch.setattr(ids.counting, "find_engine", PythonEngine)
        assert torch.equal(statistics_ids(candidates, references, **options), expected)


@given(batches(), st.sampled_from(["sacrebleu", "nltk-method2"]))
def test_a_corpus_is_scored_as_one(batch, recipe):
    candidates, references, options = batch
    segments = segments_of(*batch)
    if not len(segments):
        with pytest.raises(ShapeError, match="rows"):
            corpus_score_ids(candidates, references, recipe=recipe, **options)
        return
    whole = bp.score(segments.candidates, segments.references, recipe_for_ids(recipe))
    scored = corpus_score_ids(candidates, references, recipe=recipe, **options)
    assert (scored.shape, scored.dtype, scored.item()) == ((), torch.float64, whole.score)
    assert corpus_score_ids(candidates, references, recipe=recipe, as_fraction=True, **options).item() == whole.fraction


@given(st.data())
def test_pairs_within_groups(data):
    size, group = data.draw(st.integers(0, 2)), data.draw(st.integers(0, 3))
    candidates = data.draw(tensors(size, group, data.draw(st.integers(0, 6))))
    options, recipe = data.draw(ENDS), data.draw(st.sampled_from(RECIPES))
    texts = trimmed(candidates, None, options)
    _, scores = defined_rows(pairs_of_ids(texts, max(1, group)), recipe)
    found = pairwise_ids(candidates, recipe=recipe, **options)
    assert found.shape == (size, group, group)
    assert found.flatten().tolist() == scores
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ids.counting, "find_kernel", lambda: None)
        assert torch.equal(pairwise_ids(candidates, recipe=recipe, **options), found)
    if group:
        best = choose_best_ids(candidates, recipe=recipe, **options)
        chosen = [
            bp.choose_best(texts[first : first + group], recipe=recipe_for_ids(recipe))
            for first in range(0, len(texts), group)
        ]
        assert best.places.tolist() == [choice.place for choice in chosen]
        assert best.means.tolist() == [choice.means for choice in chosen]


def test_rows_with_the_same_scores_are_equals():
    best = choose_best_ids(torch.tensor([[[2, 4, 0, 0], [2, 4, 3, 3], [3, 2, 4, 3]]]), pad=0)
    assert best.means[0, 1] == best.means[0, 2] > best.means[0, 0]
    assert best.places.tolist() == [1]


ROWS = st.lists(st.integers(-2, 4), max_size=7)


@settings(max_examples=100)
@given(st.lists(st.tuples(ROWS, st.lists(ROWS, min_size=1, max_size=3)), max_size=3), ENDS, st.data())
def test_lists_of_rows_of_different_lengths(rows, options, data):
    def as_given(row):
        return data.draw(st.sampled_from([list, tuple, torch.tensor]))(row) if row else row

    candidates = [as_given(candidate) for candidate, _ in rows]
    references = [[as_given(one) for one in own] for _, own in rows]
    trim = [(trim_row(row, **options), [trim_row(one, **options) for one in own]) for row, own in rows]
    expected, scores = defined_rows(segments_of_ids([row for row, _ in trim], [own for _, own in trim]), "paper")
    assert statistics_ids(candidates, references, recipe="paper", **options).tolist() == expected
    assert score_ids(candidates, references, recipe="paper", **options).tolist() == scores


def test_an_entry_is_one_reference_or_several():
    candidates = torch.tensor([[1, 2, 3, 4, 5]] * 4)
    one, two = [1, 2, 3, 4, 6], [9, 2, 3, 4, 5]
    both = [one, two]
    entries = [one, torch.tensor(one), both, torch.tensor(both)]
    expected = [score_ids([[1, 2, 3, 4, 5]], [own]).item() for own in ([one], [one], both, both)]
    assert score_ids(candidates, entries).tolist() == expected


def test_groups_share_their_references_in_lists_too():
    candidates = torch.tensor([[[1, 2, 3], [1, 2, 4]], [[5, 6, 7], [1, 2, 3]]])
    shared = [[[1, 2, 3]], [[5, 6, 7], [1, 2, 4, 4]]]
    flat = [[1, 2, 3], [1, 2, 4], [5, 6, 7], [1, 2, 3]]
    expected = statistics_ids(flat, [shared[0], shared[0], shared[1], shared[1]])
    assert torch.equal(statistics_ids(candidates, shared), expected.reshape(2, 2, -1))


def test_ids_that_only_64_bits_without_a_sign_hold_are_no_negative_ones():
    huge = torch.tensor([[2**64 - 1, 5]], dtype=torch.uint64)
    assert statistics_ids(huge, torch.tensor([[-1, 5]]), recipe="paper")[0, 2] == 1
    assert statistics_ids(huge, huge, recipe="paper")[0, 2] == 2
    assert statistics_ids(huge, huge, recipe="paper", pad=-1)[0, 0] == 2


@pytest.mark.parametrize("threads", [None, 1, 3])
def test_long_rows_on_any_number_of_threads(threads):
    chance = torch.Generator().manual_seed(7)
    references = torch.randint(0, 40, (20, 2, 300), generator=chance)
    noise = torch.rand((20, 300), generator=chance) < 0.2
    candidates = torch.where(noise, torch.randint(0, 40, (20, 300), generator=chance), references[:, 0])
    rows, scores = defined_rows(segments_of(candidates, references, {}), "sacrebleu-sentence")
    assert statistics_ids(candidates, references, threads=threads).tolist() == rows
    assert score_ids(candidates, references, threads=threads).tolist() == scores


def test_an_empty_candidate_is_0_and_a_perfect_one_100():
    assert score_ids([[], [1, 2, 3, 4]], [[1, 2], [1, 2, 3, 4]]).tolist() == [0.0, 100.0]


def test_the_signature_says_that_ids_are_tokens():
    line = str(recipe_for_ids("mteval-v13a"))
    assert "|tok:pretokenized|case:mixed|" in line
    assert bp.Recipe.parse(line) == bp.Recipe.named("mteval-v13a").replace(tokenizer="pretokenized", case="mixed")


def test_who_counts():
    assert device_engine() == bp.engine()
    assert device_engine("mps") == (bp.engine().name, "on the CPU: there is no kernel for mps")
    assert device_engine("cuda").reason.startswith("on the CPU: ")
    assert prepare("cpu", candidate_columns=8, reference_columns=8) == bp.engine()


def test_the_front_door_says_who_counts_ids_and_never_imports_torch():
    asked = """
import sys
import bleuprint as bp
bp.score(["a"], ["a"])
print(bp.engine().token_ids, "torch" in sys.modules, sep="; ")
"""
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "not known before bleuprint.adapters.torch is imported; False\n"


def test_where_torch_is_imported_the_front_door_says_what_the_adapter_says(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)  # as on a machine that has no device
    loader.why_no_kernel.cache_clear()
    told = bp.engine().token_ids, str(device_engine("cuda"))
    loader.why_no_kernel.cache_clear()
    assert told == (f"{bp.engine().name} (on the CPU: torch finds no device with CUDA)",) * 2


def test_calls_are_alike_only_if_checks_and_plans_would_be():
    ids = torch.zeros((4, 6), dtype=torch.int64)
    usual = {"candidates": ids, "references": ids, "recipe": "paper", "pad": 1, "eos": None, "as_fraction": False}
    described = describe_tensors(**usual)
    assert described == describe_tensors(**{**usual, "candidates": ids.clone(), "as_fraction": 0})
    changes = [
        {"candidates": ids[:2]}, {"candidates": ids.T.contiguous().T}, {"references": ids[:, None]},
        {"candidates": ids.to(torch.int32), "references": ids.to(torch.int32)}, {"references": ids.to("meta")},
        {"recipe": "nltk"}, {"recipe": recipe_for_ids("paper")}, {"pad": 0}, {"pad": None}, {"eos": 1},
        {"as_fraction": True},
    ]  # fmt: skip
    others = [describe_tensors(**{**usual, **change}) for change in changes]
    assert None not in others
    assert len({described, *others}) == 1 + len(changes)
    checked_each_time = [
        {"pad": True}, {"pad": 1.0}, {"eos": np.int64(1)}, {"recipe": ["paper"]}, {"references": ids.to(torch.int16)}
    ]  # fmt: skip
    assert [describe_tensors(**{**usual, **change}) for change in checked_each_time] == [None] * 5
    assert describe_call(*usual.values()) is None  # as the CPU has them


@settings(max_examples=100)
@given(batches(kinds=sorted(COUNTED, key=str)).filter(lambda batch: batch[1].shape[0] > 0))
def test_what_a_device_would_get_has_the_same_texts(batch):
    candidates, references, options = batch
    ends = {name: options.get(name) for name in ("pad", "eos")}
    lengths = {name: options.get(name) for name in ("candidate_lengths", "reference_lengths")}
    sent = to_tensors(read_batch(candidates, references, **lengths, **ends))
    assert sent.candidates.dtype == sent.references.dtype
    assert sent.references.ndim == 3
    assert sent.reference_counts is None
    again = {**ends, "candidate_lengths": sent.candidate_lengths, "reference_lengths": sent.reference_lengths}
    assert torch.equal(
        statistics_ids(sent.candidates, sent.references, **again), statistics_ids(candidates, references, **options)
    )


@settings(max_examples=100)
@given(st.lists(st.tuples(ROWS, st.lists(ROWS, min_size=1, max_size=3)), min_size=1, max_size=3), ENDS)
def test_lists_reach_a_device_trimmed_and_filled_up(rows, options):
    candidates, references = [row for row, _ in rows], [own for _, own in rows]
    ends = {name: options.get(name) for name in ("pad", "eos")}
    sent = to_tensors(read_batch(candidates, references, **ends))
    most = max(map(len, references))
    counts = [most] * len(rows) if sent.reference_counts is None else sent.reference_counts.tolist()
    assert counts == list(map(len, references))

    def unfilled(tensor, lengths):
        return [row[:length] for row, length in zip(list_of(tensor), lengths.flatten().tolist(), strict=True)]

    assert unfilled(sent.candidates, sent.candidate_lengths) == [list(trim_row(row, **options)) for row in candidates]
    found = unfilled(sent.references, sent.reference_lengths)
    for place, own in enumerate(references):
        kept = found[place * most : place * most + len(own)]
        assert kept == [list(trim_row(row, **options)) for row in own]


ONE = torch.tensor([[1, 2, 3]])
META = torch.zeros((1, 3), dtype=torch.int64, device="meta")
REFUSED = {
    "floats": (
        lambda: score_ids(ONE.float(), ONE),
        InputTypeError,
        "candidates",
    ),
    "truths": (
        lambda: score_ids(ONE, ONE.bool()),
        InputTypeError,
        "references",
    ),
    "one axis": (
        lambda: score_ids(ONE[0], ONE),
        ShapeError,
        "candidates",
    ),
    "four axes": (
        lambda: score_ids(ONE, ONE[None, None]),
        ShapeError,
        "references",
    ),
    "a text": (
        lambda: score_ids("1 2 3", ONE),
        InputTypeError,
        "candidates",
    ),
    "too few references": (
        lambda: score_ids(ONE.expand(2, 3), ONE),
        ShapeError,
        "references",
    ),
    "too few in a list": (
        lambda: score_ids(ONE.expand(2, 3), [[1]]),
        ShapeError,
        "references",
    ),
    "no references": (
        lambda: score_ids(ONE, ONE[:, None][:, :0]),
        ShapeError,
        "references[0]",
    ),
    "a row without references": (
        lambda: score_ids([[1], [2]], [[[1]], []]),
        ShapeError,
        "references[1]",
    ),
    "a float in a list": (
        lambda: score_ids([[1], [2]], [[1], [[2], [2, 2.5]]]),
        InputTypeError,
        "references[1][1], token 1",
    ),
    "a float first": (
        lambda: score_ids([[1.5, 2]], [[1]]),
        InputTypeError,
        "candidates[0], token 0",
    ),
    "an id of 65 bits": (
        lambda: score_ids([[2**64]], [[1]]),
        InputTypeError,
        "candidates[0], token 0",
    ),
    "a row that is a number": (
        lambda: score_ids([1, 2], [[1], [2]]),
        InputTypeError,
        "candidates[0]",
    ),
    "lengths beyond T": (
        lambda: score_ids(ONE, ONE, candidate_lengths=torch.tensor([4])),
        ShapeError,
        "candidate_lengths[0]",
    ),
    "lengths below 0": (
        lambda: score_ids(ONE, ONE[:, None], reference_lengths=torch.tensor([[-1]])),
        ShapeError,
        "reference_lengths[0][0]",
    ),
    "lengths of another shape": (
        lambda: score_ids(ONE, ONE, candidate_lengths=[1, 2]),
        ShapeError,
        "candidate_lengths",
    ),
    "lengths that are floats": (
        lambda: score_ids(ONE, ONE, candidate_lengths=torch.tensor([1.0])),
        InputTypeError,
        "candidate_lengths",
    ),
    "lengths that are a list of floats": (
        lambda: score_ids(ONE, ONE, reference_lengths=[1.9]),
        InputTypeError,
        "reference_lengths",
    ),
    "lengths that are floats of NumPy": (
        lambda: score_ids(ONE, ONE, candidate_lengths=np.array([1.9])),
        InputTypeError,
        "candidate_lengths",
    ),
    "a length that is true": (
        lambda: score_ids(ONE.repeat(2, 1), ONE.repeat(2, 1), candidate_lengths=[2, True]),
        InputTypeError,
        "candidate_lengths",
    ),
    "scores as whole numbers": (
        lambda: score_ids(ONE, ONE, as_fraction=True, dtype=torch.int32),
        InputTypeError,
        "dtype",
    ),
    "a corpus' score as a truth": (
        lambda: corpus_score_ids(ONE, ONE, dtype=torch.bool),
        InputTypeError,
        "dtype",
    ),
    "scores of pairs as a text": (
        lambda: pairwise_ids(ONE.unsqueeze(0), dtype="float32"),
        InputTypeError,
        "dtype",
    ),
    "a sparse tensor": (
        lambda: score_ids(ONE.to_sparse(), ONE),
        InputTypeError,
        "candidates",
    ),
    "a nested tensor": (
        lambda: score_ids(ONE, torch.nested.nested_tensor([ONE[0]], layout=torch.jagged)),
        InputTypeError,
        "references",
    ),
    "no such device": (
        lambda: device_engine("nope"),
        InputTypeError,
        "device",
    ),
    "an axis of less than nothing": (
        lambda: prepare("cpu", candidate_columns=-5, reference_columns=5),
        InputTypeError,
        "candidate_columns",
    ),
    "lengths of lists": (
        lambda: score_ids([[1]], ONE, candidate_lengths=[1]),
        ShapeError,
        "candidate_lengths",
    ),
    "another device": (
        lambda: score_ids(ONE, META),
        ShapeError,
        "references",
    ),
    "lengths elsewhere": (
        lambda: score_ids(ONE, ONE, candidate_lengths=torch.zeros(1, dtype=torch.int64, device="meta")),
        ShapeError,
        "candidate_lengths",
    ),
    "no groups": (
        lambda: pairwise_ids(ONE),
        ShapeError,
        "candidates",
    ),
    "an empty group": (
        lambda: choose_best_ids(torch.zeros((1, 0, 3), dtype=torch.int64)),
        ShapeError,
        "candidates",
    ),
    "a pad that is no id": (
        lambda: score_ids(ONE, ONE, pad=0.0),
        InputTypeError,
        "pad",
    ),
    "an eos that is a text": (
        lambda: score_ids(ONE, ONE, eos="</s>"),
        InputTypeError,
        "eos",
    ),
    "no threads": (
        lambda: score_ids(ONE, ONE, threads=0),
        InputTypeError,
        "threads",
    ),
    "no such recipe": (lambda: score_ids(ONE, ONE, recipe="sacrbleu"), RecipeError, "recipe"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit_is_refused_with_its_place(case):
    call, kind, location = REFUSED[case]
    with pytest.raises(kind) as refused:
        call()
    assert location == str(refused.value.location)


def test_a_change_of_sign_that_was_put_off_counts():
    negated = torch._neg_view(torch.tensor([[5, 6, 7, 8]]))
    assert negated.is_neg()
    assert score_ids(negated, torch.tensor([[-5, -6, -7, -8]])).tolist() == [100.0]
