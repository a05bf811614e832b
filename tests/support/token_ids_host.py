"""The kernel for token ids without a device: compiled as plain C++, the threads of a block taking turns."""

from __future__ import annotations

import ctypes
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import bleuprint
from bleuprint.adapters.token_ids import plan as planning
from bleuprint.adapters.token_ids import task as tasks
from bleuprint.adapters.token_ids.task import CountLayout, RowLayout, pack_rows, pack_rules, pack_statistics, point

SOURCE = Path(bleuprint.__file__).parent / "adapters" / "token_ids" / "matches.cu"
COMPILER = next(filter(None, map(shutil.which, (os.environ.get("CXX", ""), "c++", "g++", "clang++"))), "c++")
TYPES = {"int8": "signed char", "uint8": "unsigned char", "int16": "short", "int32": "int", "int64": "long long"}
HOPPER = planning.Device(processors=132, block_bytes=232_448, processor_bytes=233_472, clusters=True)


@cache
def compiled(order: int, ids: str, way: int, several: bool, parts: int, *flags: str) -> ctypes.CDLL:
    """Compile a variant of the kernel."""
    folder = Path(tempfile.mkdtemp(prefix="token_ids_"))
    names = {"ORDER": order, "ID": TYPES[ids], "WAY": way, "SEVERAL": int(several), "PARTS": parts}
    defines = [f"-DBLEUPRINT_{name}={value}" for name, value in names.items()]
    command = [COMPILER, "-x", "c++", "-std=c++17", "-Og", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
    command += ["-shared", "-fPIC", *flags, *defines, str(SOURCE), "-o", str(folder / "kernel.so")]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    library = ctypes.CDLL(str(folder / "kernel.so"))
    library.task_size.restype = library.count_steps.restype = ctypes.c_uint64
    shutil.rmtree(folder)
    return library


class Outcome(NamedTuple):
    """What the kernel gave, and how it was planned."""

    statistics: Any
    scores: Any
    plan: planning.Plan
    steps: int
    """of searches in which something was added"""


def count_and_score(
    candidates: np.ndarray,
    references: np.ndarray,
    recipe: Any,
    *,
    pad: int | None = None,
    eos: int | None = None,
    candidate_lengths: np.ndarray | None = None,
    reference_lengths: np.ndarray | None = None,
    reference_counts: np.ndarray | None = None,
    as_fraction: bool = False,
    pairwise: bool = False,
    device: planning.Device = HOPPER,
    ways: Sequence[planning.Way] = tuple(planning.Way),
    threads: int | None = None,
    parts: int | None = None,
    seed: int = 0,
    flags: Sequence[str] = (),
) -> Outcome:
    """Count rows (B, G, T) against references (B, R, T); pairs take their own rows for references."""
    batch, groups, columns = candidates.shape
    rows = batch * groups * (groups if pairwise else 1)
    each = 1 if pairwise else references.shape[1]
    plan = planning.plan_rows(
        device,
        rows=rows,
        order=recipe.order,
        candidate_columns=columns,
        reference_columns=references.shape[2],
        references=each,
        ways=ways,
    )
    assert plan is not None
    plan = plan._replace(parts=parts or plan.parts)
    statistics = np.full((rows, 2 + 2 * recipe.order), -77, np.int64)
    scores = np.full(rows, -77.0)
    packed = pack_rows(
        pack_rules(recipe, as_fraction),
        plan,
        candidates=_layout(candidates, candidate_lengths),
        references=_layout(references, reference_lengths),
        counts=CountLayout()
        if reference_counts is None
        else CountLayout(_strides(reference_counts)[0], reference_counts.itemsize),
        shape=(rows, groups, each, pairwise),
        pad=pad,
        eos=eos,
        seed=seed,
    )
    given = {
        tasks.AT_CANDIDATES: candidates,
        tasks.AT_REFERENCES: references,
        tasks.AT_CANDIDATE_LENGTHS: candidate_lengths,
        tasks.AT_REFERENCE_LENGTHS: reference_lengths,
        tasks.AT_COUNTS: reference_counts,
    }
    addresses = [(place, _address(array)) for place, array in given.items() if array is not None]
    task = point(packed, (_address(statistics), _address(scores)), addresses)
    library = compiled(recipe.order, candidates.dtype.name, int(plan.way), each > 1, plan.parts, *flags)
    assert library.task_size() == len(task)
    turns = threads or plan.threads
    stride = next(step for step in range(1 + seed % turns, 2 * turns + 2) if math.gcd(step, turns) == 1)
    before = library.count_steps()
    library.count_and_score(task, turns, stride)
    return Outcome(statistics, scores, plan, library.count_steps() - before)


def score_statistics(statistics: np.ndarray, recipe: Any, as_fraction: bool = False) -> np.ndarray:
    """Score rows that are counted."""
    scores = np.full(len(statistics), -77.0)
    rules = pack_rules(recipe, as_fraction)
    task = point(pack_statistics(rules, len(statistics)), (_address(statistics), _address(scores)), ())
    compiled(recipe.order, "int64", int(planning.Way.TOGETHER), False, 1).score_statistics(task)
    return scores


def _address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def _strides(array: np.ndarray) -> list[int]:
    return [stride // array.itemsize for stride in array.strides]


def _layout(ids: np.ndarray, lengths: np.ndarray | None) -> RowLayout:
    given = () if lengths is None else (*_strides(lengths), lengths.itemsize)
    return RowLayout(*_strides(ids), ids.shape[2], *given)
