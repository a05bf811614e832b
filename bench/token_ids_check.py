"""Check the kernel for token ids on a device: random rows against the oracle, integers with ==, scores to 1e-12."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import token_ids_oracle as oracle
import torch

import bleuprint as bp
from bleuprint.adapters.token_ids import cuda
from bleuprint.adapters.token_ids.launching import IdTensors
from bleuprint.adapters.torch import score_ids
from bleuprint.metrics.bleu.counting import BleuStats
from bleuprint.metrics.bleu.formula import combine

RECIPE = bp.Recipe.named("sacrebleu-sentence").replace(tokenizer="pretokenized", case="mixed")
VOCABULARIES = (1, 2, 3, 20, 50_000)
TYPES = (np.int64, np.int64, np.int32, np.int16)
SCORED = 300
"""Of each batch so many scores are compared; the readable formula is slow."""


def draw_batch(draw: np.random.Generator, rows: int, columns: int, references: int) -> dict[str, Any]:
    """Draw rows of ids: often copies of a reference with changes, of any length, with pads and ends in between."""
    kind = draw.choice(TYPES)
    size = int(draw.choice(VOCABULARIES)) if kind != np.int16 else int(draw.choice(VOCABULARIES[:4]))
    far = 2**33 if kind == np.int64 and draw.random() < 0.5 else 1
    other_columns = max(1, columns + int(draw.integers(-3, 4)))
    texts = draw.integers(0, size, (rows, references, other_columns))
    candidates = draw.integers(0, size, (rows, columns))
    shared = min(columns, other_columns)
    copied = draw.random((rows, shared)) < draw.random()
    candidates[:, :shared] = np.where(copied, texts[:, int(draw.integers(references)), :shared], candidates[:, :shared])
    pad = eos = None
    if draw.random() < 0.5:
        lengths, text_lengths = (
            draw.integers(0, columns + 1, rows),
            draw.integers(0, other_columns + 1, (rows, references)),
        )
        full = draw.random(rows) < 0.3
        lengths[full] = columns
    else:
        lengths, text_lengths = (
            np.full(rows, oracle.FROM_PAD_AND_EOS),
            np.full((rows, references), oracle.FROM_PAD_AND_EOS),
        )
        pad = int(draw.integers(-1, size)) if draw.random() < 0.7 else None
        eos = int(draw.integers(-1, size)) if draw.random() < 0.7 else None
        eos = pad if draw.random() < 0.2 else eos
        if pad is not None:  # in front and behind, as batches have them
            places, fronts, backs = np.arange(columns), *(draw.integers(0, columns // 2 + 1, (2, rows, 1)))
            candidates[(places < fronts) | (places >= columns - backs)] = pad
    counts = draw.integers(1, references + 1, rows)
    scale = lambda ids: (ids * far - far).astype(kind)  # noqa: E731  negative ids, too
    return {
        "candidates": scale(candidates), "references": scale(texts), "lengths": lengths, "text_lengths": text_lengths,
        "counts": counts, "pad": None if pad is None else pad * far - far,
        "eos": None if eos is None else eos * far - far,
    }  # fmt: skip


def run_batch(batch: dict[str, Any], draw: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Count and score a batch on the device; sometimes from tensors that lie in memory in another way."""
    ids, texts = (torch.from_numpy(batch[name]).cuda() for name in ("candidates", "references"))
    if draw.random() < 0.3:
        ids = ids.t().contiguous().t()
        texts = texts.permute(2, 0, 1).contiguous().permute(1, 2, 0)
    given = batch["lengths"][0] >= 0
    kind = np.int32 if draw.random() < 0.5 else np.int64
    tensors = IdTensors(
        ids, texts, batch["pad"], batch["eos"],
        candidate_lengths=torch.from_numpy(batch["lengths"].astype(kind)).cuda() if given else None,
        reference_lengths=torch.from_numpy(batch["text_lengths"].astype(kind)).cuda() if given else None,
        reference_counts=torch.from_numpy(batch["counts"].astype(kind)).cuda(),
    )  # fmt: skip
    statistics, scores = cuda.count_and_score(tensors, recipe=RECIPE)
    return statistics.cpu().numpy(), scores.cpu().numpy()


def check_batch(batch: dict[str, Any], draw: np.random.Generator) -> int:
    """Compare a batch with the oracle; gives the number of rows, or stops and shows the first row that differs."""
    statistics, scores = run_batch(batch, draw)
    expected = oracle.count_rows(
        batch["candidates"], batch["lengths"], batch["references"], batch["text_lengths"], batch["counts"],
        pad=batch["pad"], eos=batch["eos"],
    )  # fmt: skip
    different = np.flatnonzero((statistics != expected).any(axis=1))
    if len(different):
        row = different[0]
        raise SystemExit(
            f"{len(different)} rows differ, first {row}: {statistics[row]} instead of {expected[row]}\n"
            + "\n".join(
                f"{name} {value[row] if isinstance(value, np.ndarray) else value}" for name, value in batch.items()
            )
        )
    for row, score in zip(expected[:SCORED].tolist(), scores[:SCORED].tolist(), strict=True):
        wanted = combine(BleuStats.from_row(row), RECIPE).score
        if not abs(score - wanted) <= 1e-12 * max(1.0, wanted):
            raise SystemExit(f"score {score!r} instead of {wanted!r} for {row}")
    return len(expected)


def check(rows: int, seed: int = 0) -> dict[str, Any]:
    """Check so many rows, most of them short, some of the lengths at which the kernel counts in another way."""
    draw, done, batches, started = np.random.default_rng(seed), 0, 0, time.perf_counter()
    for columns, references in (
        (1024, 1),
        (1024, 4),
        (4096, 1),
        (4096, 3),
        (5300, 1),
        (9000, 2),
        (16_384, 1),
        (30_000, 1),
    ):
        done += check_batch(draw_batch(draw, 24, columns, references), draw)
        print(f"  rows of {columns} ids, up to {references} references: equal", flush=True)
    while done < rows:
        columns, references = int(draw.integers(1, 41)), int(draw.integers(1, 9))
        done += check_batch(draw_batch(draw, min(20_000, max(1, rows - done)), columns, references), draw)
        batches += 1
        if batches % 10 == 0:
            print(f"  {done:,} rows equal, {time.perf_counter() - started:.0f} s", flush=True)
    return {"rows": done, "seed": seed, "seconds": round(time.perf_counter() - started, 1)}


def check_ways() -> list[str]:
    """Try what torch does with an operator: groups, pairs, graphs, compiling, other streams, sums; name what holds."""
    draw, held = np.random.default_rng(3), []
    ids = torch.from_numpy(draw.integers(0, 3, (6, 4, 30))).cuda()
    texts = torch.from_numpy(draw.integers(0, 3, (6, 2, 33))).cuda()
    statistics, scores = cuda.count_and_score(IdTensors(ids, texts), recipe=RECIPE)
    each = [cuda.count_and_score(IdTensors(ids[:, place], texts), recipe=RECIPE)[0] for place in range(4)]
    assert torch.equal(statistics, torch.stack(each, 1))
    held.append("groups")
    pairs, pair_scores = cuda.pairwise(ids, recipe=RECIPE)
    for one in range(4):
        for other in range(4):
            alone = cuda.count_and_score(IdTensors(ids[:, one], ids[:, other, None]), recipe=RECIPE)
            assert torch.equal(pairs[:, one, other], alone[0])
            assert torch.equal(pair_scores[:, one, other], alone[1])
    held.append("pairs")
    assert torch.equal(cuda.score_statistics(statistics, recipe=RECIPE), scores)
    total = BleuStats.from_row(statistics.reshape(-1, 10).sum(0).tolist())
    summed = cuda.score_statistics(statistics.reshape(-1, 10).sum(0), recipe=RECIPE).item()
    assert abs(summed - combine(total, RECIPE).score) <= 1e-12 * summed
    held.append("sums of a corpus")
    lengths = torch.tensor([-1, 31, 30, 0, 5, 7]).cuda()
    odd, odd_scores = cuda.count_and_score(IdTensors(ids[:, 0], texts, candidate_lengths=lengths), recipe=RECIPE)
    assert (odd[:2] == -1).all() and odd_scores[:2].isnan().all() and (odd[2:, 0] == lengths[2:]).all()  # noqa: PT018
    held.append("impossible lengths")
    for other in (ids, ids.flip(-1), ids, ids.flip(0)):  # the first settles what the others use
        expected = cuda.count_and_score(IdTensors(other, texts, pad=1), recipe=RECIPE)[1]
        assert torch.equal(score_ids(other, texts, recipe=RECIPE, pad=1), expected)
    held.append("calls like one before")
    graph, fixed = torch.cuda.CUDAGraph(), torch.zeros_like(ids)
    cuda.prepare(recipe=RECIPE, candidate_columns=30, reference_columns=33, references=2)
    with torch.cuda.graph(graph):
        recorded = cuda.count_and_score(IdTensors(fixed, texts), recipe=RECIPE)
    fixed.copy_(ids)
    graph.replay()
    assert torch.equal(recorded[0], statistics)
    assert torch.equal(recorded[1], scores)
    held.append("a CUDA graph")
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        beside = cuda.count_and_score(IdTensors(ids, texts), recipe=RECIPE)[0]
    stream.synchronize()
    assert torch.equal(beside, statistics)
    held.append("another stream")

    def reward(ids: torch.Tensor, texts: torch.Tensor) -> torch.Tensor:
        return cuda.count_and_score(IdTensors(ids * 1, texts), recipe=RECIPE, as_fraction=True)[1] * 2

    compiled = torch.compile(reward, fullgraph=True)(ids, texts)
    assert torch.allclose(compiled, scores / 50, rtol=1e-14)
    held.append("torch.compile, in one graph")
    return held
