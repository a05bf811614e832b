"""BLEU inside the training loop: rows of token ids in, scores on the same device out, exact to the last count.

Candidates are a tensor ``(B, T)``, or ``(B, G, T)`` where G samples share references; references are ``(B, T)``,
``(B, R, T)``, or a list with one entry for each row: a row of ids, or several. Rows may also come as a list of rows of
different lengths. A row's text is what its length says, or what ``pad`` and ``eos`` leave of it: leading pads are
dropped, it ends before the first ``eos``, trailing pads are dropped; a pad in between counts.

A recipe's tokenizer and case are set aside, for ids are tokens already.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, cast

from bleuprint.counting.rows import StatsTable
from bleuprint.engines import check_threads
from bleuprint.errors import Location, RecipeError, ShapeError, missing_package
from bleuprint.native_kernel import Engine, register_ids
from bleuprint.recipes.options import DEFAULT, SEGMENT_DEFAULT
from bleuprint.recipes.recipe import Recipe
from bleuprint.recipes.registry import DEFAULT_METRIC
from bleuprint.scoring.verbs import score_each, score_table

try:
    import torch
except ModuleNotFoundError as _missing:
    if _missing.name != "torch":
        raise
    raise missing_package("torch", '"bleuprint[torch]"') from None

from bleuprint.adapters.token_ids import cuda
from bleuprint.adapters.token_ids.launching import settle_rows
from bleuprint.adapters.torch.counting import count_groups, count_ids
from bleuprint.adapters.torch.devices import choose_engine, counts_on_device, lengths_for_device, to_tensors
from bleuprint.adapters.torch.repeats import CallKind, describe_call, find_launch, keep_launch
from bleuprint.adapters.torch.shapes import (
    Batch,
    IdRows,
    Ids,
    Lengths,
    ReferenceIds,
    check_axis,
    check_device,
    check_float_type,
    read_batch,
    read_groups,
    refuse_lengths,
)

__all__ = [
    "BestIds", "choose_best_ids", "corpus_score_ids", "device_engine", "pairwise_ids", "prepare", "recipe_for_ids",
    "score_ids", "statistics_ids",
]  # fmt: skip


class BestIds(NamedTuple):
    """For each group the place of the candidate that agrees best with the group, and what each candidate got."""

    places: torch.Tensor
    means: torch.Tensor


def score_ids(
    candidates: Ids,
    references: ReferenceIds,
    *,
    pad: int | None = None,
    eos: int | None = None,
    candidate_lengths: Lengths | None = None,
    reference_lengths: Lengths | None = None,
    recipe: Recipe | str = SEGMENT_DEFAULT,
    as_fraction: bool = False,
    dtype: torch.dtype | None = None,
    check: bool = False,
    threads: int | None = None,
) -> torch.Tensor:
    """Score every row: a tensor ``(B,)`` or ``(B, G)`` on the device of the candidates, on 0 to 100.

    ``as_fraction=True`` gives scores on 0 to 1, ``dtype`` another type than 64-bit floats. An empty candidate has 0.
    Lengths on the CPU are checked at once. On a device nobody waits for them: a row with a length that it cannot have
    is NaN, and with ``check=True`` the call waits and raises.

    >>> import torch
    >>> references = torch.tensor([[5, 6, 7, 8, 9], [5, 6, 7, 8, 9]])
    >>> score_ids(torch.tensor([[5, 6, 7, 8, 0], [5, 6, 7, 8, 9]]), references, pad=0)
    tensor([ 77.8801, 100.0000], dtype=torch.float64)
    """
    check_float_type(dtype)
    is_plain = candidate_lengths is None and reference_lengths is None and threads is None
    call = describe_call(candidates, references, recipe, pad, eos, as_fraction) if is_plain else None
    launch = find_launch(call)
    if launch is not None:
        scores = launch.score(cast("torch.Tensor", candidates), cast("torch.Tensor", references))
        return scores if dtype is None else scores.to(dtype)
    wanted, threads = recipe_for_ids(recipe), check_threads(threads)
    batch = read_batch(candidates, references, candidate_lengths, reference_lengths, pad, eos)
    if counts_on_device(batch, wanted):
        _, scores = _on_device(batch, wanted, check, as_fraction, call)
        return scores if dtype is None else scores.to(dtype)
    table = count_ids(batch, wanted, threads)
    return _as_scores(table, wanted, batch.shape, batch.device, as_fraction, dtype)


def statistics_ids(
    candidates: Ids,
    references: ReferenceIds,
    *,
    pad: int | None = None,
    eos: int | None = None,
    candidate_lengths: Lengths | None = None,
    reference_lengths: Lengths | None = None,
    recipe: Recipe | str = SEGMENT_DEFAULT,
    check: bool = False,
    threads: int | None = None,
) -> torch.Tensor:
    """Count every row: 64-bit integers ``(B, C)`` or ``(B, G, C)``; ``recipe_for_ids(recipe).layout.columns`` names C.

    On a device a row with a length that it cannot have is -1 throughout; ``check=True`` waits and raises instead.

    >>> statistics_ids([[1, 2, 3]], [[1, 2, 4]], recipe="paper").tolist()
    [[3, 3, 2, 1, 0, 0, 3, 2, 1, 0]]
    """
    wanted, threads = recipe_for_ids(recipe), check_threads(threads)
    batch = read_batch(candidates, references, candidate_lengths, reference_lengths, pad, eos)
    if counts_on_device(batch, wanted):
        return _on_device(batch, wanted, check)[0]
    table = count_ids(batch, wanted, threads)
    return _as_tensor(table.numbers, (*batch.shape, table.width), torch.int64).to(batch.device)


def corpus_score_ids(
    candidates: Ids,
    references: ReferenceIds,
    *,
    pad: int | None = None,
    eos: int | None = None,
    candidate_lengths: Lengths | None = None,
    reference_lengths: Lengths | None = None,
    recipe: Recipe | str = DEFAULT,
    as_fraction: bool = False,
    dtype: torch.dtype | None = None,
    check: bool = False,
    threads: int | None = None,
) -> torch.Tensor:
    """Score all rows as one corpus: counts are summed, then combined once. A tensor without axes.

    >>> round(corpus_score_ids([[1, 2, 3, 4, 5]], [[1, 2, 3, 4, 6]]).item(), 4)
    66.874
    """
    check_float_type(dtype)
    wanted, threads = recipe_for_ids(recipe), check_threads(threads)
    batch = read_batch(candidates, references, candidate_lengths, reference_lengths, pad, eos)
    if not batch.candidates.number:
        message = f"There are no rows to score: the candidates have the shape {batch.shape}."
        raise ShapeError(message, location=Location("candidates"))
    if counts_on_device(batch, wanted):
        rows = _on_device(batch, wanted, check)[0].reshape(-1, wanted.layout.width)
        # A row that could not be counted makes the whole so.
        sums = torch.where((rows[:, 0] < 0).any(), -torch.ones_like(rows[0]), rows.sum(0))
        scores = cuda.score_statistics(sums, recipe=wanted, as_fraction=as_fraction)
        return scores if dtype is None else scores.to(dtype)
    score = score_table(count_ids(batch, wanted, threads), wanted)
    value = score.fraction if as_fraction else score.score
    return torch.tensor(value, dtype=dtype or _float_of(batch.device), device=batch.device)


def pairwise_ids(
    candidates: torch.Tensor,
    *,
    pad: int | None = None,
    eos: int | None = None,
    candidate_lengths: Lengths | None = None,
    recipe: Recipe | str = SEGMENT_DEFAULT,
    as_fraction: bool = False,
    dtype: torch.dtype | None = None,
    check: bool = False,
    threads: int | None = None,
) -> torch.Tensor:
    """Score every row of a group against every other, and itself: groups ``(B, G, T)`` become ``(B, G, G)``.

    ``[b, i, j]`` is row i with row j as its one reference.

    >>> import torch
    >>> pairwise_ids(torch.tensor([[[1, 2, 3, 4], [1, 2, 3, 5]]])).round()
    tensor([[[100.,  59.],
             [ 59., 100.]]], dtype=torch.float64)
    """
    check_float_type(dtype)
    wanted, threads = recipe_for_ids(recipe), check_threads(threads)
    rows = read_groups(candidates, candidate_lengths, pad, eos)
    size, group = rows.shape
    batch = Batch(rows.shape, rows, IdRows([]), [1] * size, group, candidates.device)
    if counts_on_device(batch, wanted):
        _, scores = cuda.pairwise(
            candidates,
            recipe=wanted,
            pad=rows.pad,
            eos=rows.eos,
            candidate_lengths=lengths_for_device(rows.lengths),
            as_fraction=as_fraction,
        )
        if check:
            _check_on_device(batch)
        return scores if dtype is None else scores.to(dtype)
    table = count_groups(rows, group, wanted, threads)
    return _as_scores(table, wanted, (size, group, group), batch.device, as_fraction, dtype)


def choose_best_ids(
    candidates: torch.Tensor,
    *,
    pad: int | None = None,
    eos: int | None = None,
    candidate_lengths: Lengths | None = None,
    recipe: Recipe | str = SEGMENT_DEFAULT,
    check: bool = False,
    threads: int | None = None,
) -> BestIds:
    """Choose in each group ``(B, G, T)`` the row with the highest mean score against all rows of the group.

    This is minimum-Bayes-risk decoding, as ``bleuprint.choose_best`` does it for texts. Of equals the first wins.
    ``means`` are ``(B, G)``, on 0 to 100; a low mean over a group tells of varied samples.

    >>> import torch
    >>> choose_best_ids(torch.tensor([[[7, 8, 9, 9], [1, 2, 3, 4], [1, 2, 3, 5]]])).places
    tensor([1])
    """
    scores = pairwise_ids(
        candidates,
        pad=pad,
        eos=eos,
        candidate_lengths=candidate_lengths,
        recipe=recipe,
        check=check,
        threads=threads,
    )
    if not scores.shape[1] and scores.shape[0]:
        message = f"There are no rows to choose from: the candidates have the shape {tuple(candidates.shape)}."
        raise ShapeError(message, location=Location("candidates"))
    # In ascending order and one after the other, as bleuprint.choose_best adds: ties are ties on every device.
    ascending = scores.sort(-1).values
    total = torch.zeros(scores.shape[:2], dtype=scores.dtype, device=scores.device)
    for place in range(scores.shape[2]):
        total = total + ascending[:, :, place]
    means = total / max(1, scores.shape[2])
    places = means.argmax(-1) if scores.shape[0] else means.new_zeros(0, dtype=torch.int64)
    return BestIds(places, means)


def recipe_for_ids(recipe: Recipe | str = SEGMENT_DEFAULT) -> Recipe:
    """Give the recipe that counts ids: the same with ``tok:pretokenized|case:mixed``; its signature goes into papers.

    >>> str(recipe_for_ids("sacrebleu")).split("|")[1:3]
    ['tok:pretokenized', 'case:mixed']
    """
    return _for_ids(Recipe.of(recipe))


def device_engine(device: torch.device | str = "cpu", recipe: Recipe | str = SEGMENT_DEFAULT) -> Engine:
    """Say who counts for tensors on a device, and why.

    >>> device_engine("cpu").name in ("native", "python")
    True
    """
    return choose_engine(check_device(device), recipe_for_ids(recipe))


def prepare(
    device: torch.device | str,
    *,
    recipe: Recipe | str = SEGMENT_DEFAULT,
    dtype: torch.dtype = torch.int64,
    candidate_columns: int,
    reference_columns: int,
    references: int = 1,
    pairwise: bool = False,
) -> Engine:
    """Compile what rows of these lengths need on a device, so that calls can be captured in a CUDA graph.

    Says who will count; where that is the CPU there is nothing to prepare.
    """
    wanted, where = recipe_for_ids(recipe), check_device(device)
    sizes = {"candidate_columns": candidate_columns, "reference_columns": reference_columns, "references": references}
    checked = {name: check_axis(size, name) for name, size in sizes.items()}
    chosen = choose_engine(where, wanted)
    if chosen.name == "cuda":
        cuda.prepare(
            where,
            recipe=wanted,
            dtype=dtype,
            pairwise=pairwise,
            **checked,
        )
    return chosen


@lru_cache(maxsize=64)
def _for_ids(recipe: Recipe) -> Recipe:
    if recipe.metric_key != DEFAULT_METRIC:
        fix = "Decode the ids and score the texts: bleuprint.score_segments."
        raise RecipeError(f"Token ids can be scored with BLEU only, not with {recipe}.", fix)
    return recipe.replace(tokenizer="pretokenized", case="mixed")


def _on_device(
    batch: Batch,
    recipe: Recipe,
    check: bool,
    as_fraction: bool = False,
    call: CallKind | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Count and score on the device itself, without waiting unless asked to check; keep what such a call needs."""
    ids = to_tensors(batch)
    if call is not None:
        keep_launch(call, settle_rows(ids, recipe, as_fraction))
    counted = cuda.count_and_score(ids, recipe=recipe, as_fraction=as_fraction)
    if check:
        _check_on_device(batch)
    return counted


def _check_on_device(batch: Batch) -> None:
    for rows, where in ((batch.candidates, "candidate_lengths"), (batch.references, "reference_lengths")):
        if rows.lengths is not None and isinstance(rows.blocks[0], torch.Tensor):
            refuse_lengths(rows.lengths.cpu(), rows.blocks[0].shape[-1], where)


def _as_scores(
    table: StatsTable,
    recipe: Recipe,
    shape: tuple[int, ...],
    device: torch.device,
    as_fraction: bool,
    dtype: torch.dtype | None,
) -> torch.Tensor:
    scores = _as_tensor(memoryview(score_each(table, recipe)), shape, torch.float64)
    return (scores / 100.0 if as_fraction else scores).to(device=device, dtype=dtype or _float_of(device))


def _as_tensor(numbers: memoryview, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """Look at numbers as a tensor, which keeps them."""
    return torch.frombuffer(numbers, dtype=dtype).reshape(shape) if len(numbers) else torch.empty(shape, dtype=dtype)


def _float_of(device: torch.device) -> torch.dtype:
    return torch.float32 if device.type == "mps" else torch.float64  # which has no 64-bit floats


def _tell_engine() -> str:
    """Say who counts for tensors on the device that this machine has, or would have."""
    return str(device_engine("mps" if torch.backends.mps.is_available() else "cuda"))


register_ids(_tell_engine)
