"""Token ids on a CUDA device: what torch must know of it everywhere, and the device itself where there is one."""

import pytest

pytest.importorskip("torch")

from pathlib import Path

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import bleuprint as bp
from bleuprint.adapters.token_ids import cuda, loader, operators
from bleuprint.adapters.token_ids.launching import IdTensors
from bleuprint.errors import BleuprintError

pytestmark = pytest.mark.needs("torch")


RECIPE = bp.Recipe.named("sacrebleu-sentence").replace(tokenizer="pretokenized", case="mixed")
needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here")


@pytest.fixture
def check(monkeypatch):
    """What ``bench/token_ids.py --check`` does, with fewer rows."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    import token_ids_check

    return token_ids_check


def test_operators_tell_their_shapes_without_a_device():
    with FakeTensorMode():
        ids = torch.empty(3, 4, 5, dtype=torch.int32, device="cuda")
        texts = torch.empty(3, 2, 7, dtype=torch.int32, device="cuda")
        statistics, scores = operators.count_and_score_ids(str(RECIPE), False, *IdTensors(ids, texts, 0))
        pairs, pair_scores = operators.pairwise_ids(ids, str(RECIPE), None, 2, None, True)
        alone = operators.score_counted_ids(pairs, str(RECIPE), False)
        for tensor, shape, kind in (
            (statistics, (3, 4, 10), torch.int64),
            (scores, (3, 4), torch.float64),
            (pairs, (3, 4, 4, 10), torch.int64),
            (pair_scores, (3, 4, 4), torch.float64),
            (alone, (3, 4, 4), torch.float64),
        ):
            assert (tuple(tensor.shape), tensor.dtype, tensor.device.type) == (shape, kind, "cuda")


def test_a_recipe_goes_through_an_operator_and_back():
    for recipe in bp.Recipe.dialects("bleu").values():
        chosen = recipe.replace(tokenizer="pretokenized", case="mixed", weights=(0.1, 1 / 3, 0.7))
        assert operators.parse_signature(str(chosen)) == chosen


def test_another_device_says_why_the_cpu_does_it():
    assert cuda.why_not(torch.device("cpu"), RECIPE) == "cpu, and the kernel for token ids is written for CUDA"
    assert cuda.why_not(torch.device("mps"), RECIPE) == "mps, and the kernel for token ids is written for CUDA"
    beyond = RECIPE.replace(order=9)
    assert cuda.why_not(torch.device("cuda"), beyond) == "order 9, and the kernel for token ids counts up to 8"


def test_without_a_device_the_reason_is_said_in_words(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)  # as on a machine that has none
    loader.why_no_kernel.cache_clear()
    for device in (torch.device("cuda"), torch.device("cuda", 0), torch.device("cuda", 3)):
        assert cuda.why_not(device, RECIPE) == "torch finds no device with CUDA"
    loader.why_no_kernel.cache_clear()


def test_a_recipe_that_the_kernel_does_not_know_is_refused():
    ids = torch.zeros(1, 1, 1, dtype=torch.int64)
    with pytest.raises(BleuprintError, match="nltk-method5"):
        cuda.count_and_score(IdTensors(ids[0], ids), recipe=RECIPE.replace(smoothing="nltk-method5"))


def test_the_oracle_of_the_device_equals_the_kernel_as_plain_cpp(check, monkeypatch):
    """The oracle is held to the readable engine by way of the plain kernel, which is held to it elsewhere."""
    import token_ids_host as host

    def run_plain(batch, _draw):
        given = batch["lengths"][0] >= 0
        outcome = host.count_and_score(
            batch["candidates"][:, None], batch["references"], check.RECIPE, pad=batch["pad"], eos=batch["eos"],
            candidate_lengths=batch["lengths"][:, None] if given else None,
            reference_lengths=batch["text_lengths"] if given else None, reference_counts=batch["counts"], threads=32,
        )  # fmt: skip
        return outcome.statistics, outcome.scores

    monkeypatch.setattr(check, "run_batch", run_plain)
    draw = check.np.random.default_rng(4)
    rows = sum(check.check_batch(check.draw_batch(draw, 200, int(draw.integers(1, 40)), 3), draw) for _ in range(10))
    assert rows == 2000


def test_a_row_that_differs_from_the_oracle_is_shown(check, monkeypatch):
    draw = check.np.random.default_rng(4)
    batch = check.draw_batch(draw, 3, 5, 1)
    monkeypatch.setattr(check, "run_batch", lambda *_: (check.np.zeros((3, 10), int) - 5, check.np.zeros(3)))
    with pytest.raises(SystemExit, match="3 rows differ, first 0"):
        check.check_batch(batch, draw)


@needs_cuda
def test_the_device_equals_the_oracle(check):
    assert check.check(20_000)["rows"] == 20_000


@needs_cuda
def test_groups_pairs_graphs_streams_and_compiling(check):
    assert len(check.check_ways()) == 8
