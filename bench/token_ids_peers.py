"""Time other tools on the same ids: TensorBLEU on a device, a loop over NLTK on the CPU."""

from __future__ import annotations

import importlib.util
import json
import statistics as averages
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from token_ids_draw import TEXTS, draw_ids

import bleuprint as bp

PROGRAM = Path(__file__).parent / "token_ids.py"
CPU_ROWS, CPU_COLUMNS = 256, 1024
VOCABULARIES = (50, 1_000, 32_000)
CHANGED = (0.0, 0.1, 0.5, 1.0)
"""The shares of ids that are drawn anew in a copy of the reference."""


def time_cpu() -> list[dict[str, Any]] | str:
    """Time score_ids on one thread of the CPU beside a loop over NLTK; or say why that cannot be.

    It is the processor's time that counts: others may use the machine, too.
    """
    try:
        from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

        from bleuprint.adapters.torch import score_ids
    except ModuleNotFoundError as missing:
        return f"no {missing.name} here"
    if bp.engine().name != "native":
        return str(bp.engine())
    smooth, found = SmoothingFunction().method3, []
    for size in VOCABULARIES:
        for changed in CHANGED:
            ids, texts = draw_copies(size, changed)
            times = []
            for _ in range(20):
                started = time.thread_time()
                ours = score_ids(ids, texts, recipe="nltk-method3", threads=1)
                times.append(1e3 * (time.thread_time() - started))
            started = time.thread_time()
            pairs = zip(ids.tolist(), texts.tolist(), strict=True)
            theirs = [sentence_bleu([text], candidate, smoothing_function=smooth) for candidate, text in pairs]
            took = 1e3 * (time.thread_time() - started)
            assert np.allclose(ours.numpy(), 100 * np.array(theirs), rtol=1e-12)
            found.append({"ids": size, "changed": changed, "ours ms": averages.median(times), "NLTK ms": took})
            print(f"  {found[-1]}", flush=True)
    return found


def draw_copies(size: int, changed: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw references from so many ids, and copies with so many changes."""
    draw = np.random.default_rng(1)
    texts, others = draw.integers(1, size + 1, (2, CPU_ROWS, CPU_COLUMNS))
    ids = np.where(draw.random(texts.shape) < changed, others, texts)
    return torch.from_numpy(ids), torch.from_numpy(texts)


def peak_bytes(call: Callable[[int], object]) -> int:
    """Give how much memory of the device a call needs beside its input."""
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    call(0)
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated() - before


def ask_tensorbleu(path: Path, *shape: int) -> dict[str, Any]:
    """Time TensorBLEU in a process of its own: on some shapes it breaks the device's context."""
    command = [sys.executable, str(PROGRAM), "--tensorbleu", str(path), "--theirs", *map(str, shape)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return {"TensorBLEU": None, "TensorBLEU bytes": None, "TensorBLEU said": done.stderr.strip().splitlines()[-1]}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def time_tensorbleu(tensorbleu: Any, *shape: int) -> dict[str, Any]:
    """Time TensorBLEU on the same input."""
    inputs = [draw_ids(TEXTS[0], *shape, seed=seed) for seed in range(2)]
    call = lambda place: tensorbleu.tensor_sentence_bleu(*inputs[place % len(inputs)])  # noqa: E731
    call(0)
    size = peak_bytes(call)
    times = []
    for place in range(5):
        started = time.perf_counter()
        call(place)
        torch.cuda.synchronize()
        times.append(1e6 * (time.perf_counter() - started))
    return {"TensorBLEU": averages.median(times), "TensorBLEU bytes": size}


def load_tensorbleu(path: Path) -> Any:
    """Load TensorBLEU from its one file."""
    spec = importlib.util.spec_from_file_location("tensorbleu", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
