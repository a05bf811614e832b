"""The oracle of the kernel for token ids: plain C++ that the compiler of this machine builds, in all its cores."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).with_name("token_ids_oracle.cpp")
COMPILER = next(filter(None, map(shutil.which, (os.environ.get("CXX", ""), "c++", "g++", "clang++"))), "c++")
FROM_PAD_AND_EOS = -1
"""Instead of a length."""


@cache
def library() -> ctypes.CDLL:
    """Build the oracle."""
    folder = tempfile.mkdtemp(prefix="token_ids_oracle_")
    built = f"{folder}/oracle.so"
    subprocess.run([COMPILER, "-std=c++17", "-O2", "-shared", "-fPIC", str(SOURCE), "-o", built], check=True)
    loaded = ctypes.CDLL(built)
    shutil.rmtree(folder)
    return loaded


def count_rows(
    candidates: np.ndarray,
    lengths: np.ndarray,
    references: np.ndarray,
    reference_lengths: np.ndarray,
    reference_counts: np.ndarray,
    order: int = 4,
    pad: int | None = None,
    eos: int | None = None,
) -> np.ndarray:
    """Count rows; the reference length is the closest, the shorter one on a tie."""
    given = [np.ascontiguousarray(array, dtype=np.int64) for array in
             (candidates, lengths, references, reference_lengths, reference_counts)]  # fmt: skip
    rows, columns = candidates.shape
    _, most, reference_columns = references.shape
    statistics = np.full((rows, 2 + 2 * order), -77, dtype=np.int64)
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in given]
    special = [None if number is None else ctypes.byref(ctypes.c_int64(number)) for number in (pad, eos)]
    whole = ctypes.c_int64

    def count(first: int) -> None:
        library().count_rows(
            pointers[0], whole(columns), pointers[1], pointers[2], whole(most), whole(reference_columns), pointers[3],
            pointers[4], whole(first), whole(min(rows, first + step)), whole(order), *special,
            ctypes.c_void_p(statistics.ctypes.data),
        )  # fmt: skip

    step = max(1, -(-rows // (4 * (os.cpu_count() or 1))))
    library()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(count, range(0, rows, step)))
    return statistics
