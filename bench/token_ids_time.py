"""Time the kernel for token ids on a device, and calls that start it."""

from __future__ import annotations

import statistics as averages
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import token_ids_peers as peers
import torch
from token_ids_draw import SHAPES, TEXTS, draw_ids, recipe

CALLS = 20
"""How many calls a graph holds."""


def time_kernel(call: Callable[[int], object], repeats: int = 15) -> float:
    """Give the microseconds of one call on the device: the median over replays of a graph."""
    for place in range(3):
        call(place)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kept = [call(place) for place in range(CALLS)]
    times = []
    for _ in range(repeats + 3):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(1000 * start.elapsed_time(end) / CALLS)
    del kept
    return averages.median(times[3:])


def time_calls(call: Callable[[int], object], repeats: int = 200) -> tuple[float, float]:
    """Give the microseconds of a call until its result is there, and of a call while others are still being done."""
    for place in range(10):
        call(place)
    torch.cuda.synchronize()
    single = []
    for place in range(repeats):
        started = time.perf_counter()
        call(place)
        torch.cuda.synchronize()
        single.append(1e6 * (time.perf_counter() - started))
    started = time.perf_counter()
    for place in range(repeats):
        call(place)
    many = 1e6 * (time.perf_counter() - started) / repeats
    torch.cuda.synchronize()
    return averages.median(single), many


def time_shapes(tensorbleu: Path | None) -> list[dict[str, Any]]:
    """Time every shape."""
    from bleuprint.adapters.token_ids import cuda, launching
    from bleuprint.adapters.torch import score_ids

    results, chosen = [], recipe()
    for rows, columns, references, draft in SHAPES:
        row: dict[str, Any] = {"rows": rows, "columns": columns, "references": references, "draft": draft}
        sets = 4 if rows * columns * (1 + references) * 8 < 30e6 else 2
        for kind in TEXTS:
            inputs = [draw_ids(kind, rows, columns, references, seed) for seed in range(sets)]

            def call(place: int, inputs: Any = inputs) -> object:
                return cuda.count_and_score(launching.IdTensors(*inputs[place % len(inputs)]), recipe=chosen)

            row[kind] = time_kernel(call)
            if kind == TEXTS[0]:
                row["call"], row["call in a queue"] = time_calls(
                    lambda place, inputs=inputs: score_ids(*inputs[place % len(inputs)])
                )
                row["extra bytes"] = peers.peak_bytes(call)
                if tensorbleu:
                    row |= peers.ask_tensorbleu(tensorbleu, rows, columns, references)
        shown = {name: round(value, 1) if isinstance(value, float) else value for name, value in row.items()}
        print("  " + ", ".join(f"{name} {value}" for name, value in shown.items()), flush=True)
        results.append(row)
    return results


def tune() -> None:
    """Time other numbers of threads and of blocks on a multiprocessor, to choose from."""
    from bleuprint.adapters.token_ids import cuda, launching

    plain, recipe_ = launching._plan, recipe()
    for rows, columns, references, _ in SHAPES:
        inputs = [draw_ids(TEXTS[0], rows, columns, references, seed) for seed in range(4)]
        found = []
        planned = launching._plan(0, rows, 4, columns, columns, references)
        for threads in (128, 256, 512, 1024):
            for resident, parts in sorted({(1, 1), (2048 // threads, 1), (1, 2), (1, planned.parts)}):
                if threads < columns // 16 or threads > columns or planned.workspace_bytes:
                    continue
                chosen = {"threads": threads, "resident": resident, "parts": parts, "blocks": rows * parts}
                launching._plan = lambda *shape, chosen=chosen: plain(*shape)._replace(**chosen)
                took = time_kernel(
                    lambda place, inputs=inputs: cuda.count_and_score(
                        launching.IdTensors(*inputs[place % 4]), recipe=recipe_
                    ),
                    7,
                )
                found.append((took, f"{threads}x{resident}x{parts}"))
        launching._plan = plain
        print(
            f"  {rows} x {columns}, {references}: " + ", ".join(f"{name} {took:.1f}" for took, name in found),
            planned,
            flush=True,
        )
