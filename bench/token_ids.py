"""Build, check and time BLEU of token ids where a CUDA device is; say elsewhere what could not be measured.

    PYTHONPATH=src python bench/token_ids.py [--check] [--sanitize] [--time] [--cpu] [--tune] [--stages]

Without a part, the first four are done; --cpu needs NLTK and the compiled kernel, but no device. Results go to
bench/results/token_ids.md and token_ids.json, or to the folder that ``--results`` names; parts that are not done keep
their figures. Kernels are timed by events around replays of a CUDA graph of many calls, which take turns over several
inputs; calls by the clock, from the call until the device has finished. ``--tensorbleu FILE`` times TensorBLEU beside
(PyPI's rxlm has it in rxlm/metrics/tensorbleu.py).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import re
import shutil
import statistics as averages
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch

import bleuprint as bp

HERE = Path(__file__).parent
SHAPES = ((256, 256, 1, 21), (256, 1024, 1, 36), (256, 1024, 4, 59), (1024, 1024, 1, 88), (4096, 256, 1, 82),
          (64, 4096, 1, 76), (64, 4096, 4, None), (64, 16_384, 1, None))  # fmt: skip
"""Rows, ids in each, references, and the microseconds that a first draft of the kernel took, where it was tried."""
TEXTS = ("copies with changes", "nothing in common", "20 ids", "the same")
CALLS = 20
"""How many calls a graph holds."""
COMMAND = "PYTHONPATH=src python bench/token_ids.py"


def draw_ids(kind: str, rows: int, columns: int, references: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw candidates and references as tensors of 64-bit ids, on the device where there is one."""
    draw = np.random.default_rng(seed)
    size = 20 if kind == "20 ids" else 50_000
    texts = draw.integers(1, size, (rows, references, columns))
    ids = draw.integers(1, size, (rows, columns))
    if kind == "copies with changes":  # runs of a reference, about five ids long
        ids = np.where(draw.random((rows, columns)) < 0.8, texts[:, 0], ids)
    if kind == "the same":  # every n-gram of the candidate is in the table, and is found
        ids = texts[:, 0]
    where = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.from_numpy(ids.copy()).to(where), torch.from_numpy(texts).to(where)


def recipe() -> Any:
    """Give the recipe that is timed."""
    return bp.Recipe.named("sacrebleu-sentence").replace(tokenizer="pretokenized", case="mixed")


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
    from bleuprint.adapters.token_ids import cuda

    results, chosen, (whole, name) = [], recipe(), find_whole_call()
    for rows, columns, references, draft in SHAPES:
        row: dict[str, Any] = {"rows": rows, "columns": columns, "references": references, "draft": draft}
        sets = 4 if rows * columns * (1 + references) * 8 < 30e6 else 2
        for kind in TEXTS:
            inputs = [draw_ids(kind, rows, columns, references, seed) for seed in range(sets)]

            def call(place: int, inputs: Any = inputs) -> object:
                return cuda.count_and_score(*inputs[place % len(inputs)], recipe=chosen)

            row[kind] = time_kernel(call)
            if kind == TEXTS[0]:
                row["called"] = name
                row["call"], row["call in a queue"] = time_calls(
                    lambda place, inputs=inputs: whole(*inputs[place % len(inputs)])
                )
                row["extra bytes"] = peak_bytes(call)
                if tensorbleu:
                    row |= ask_tensorbleu(tensorbleu, rows, columns, references)
        print("  " + ", ".join(f"{name} {_short(value)}" for name, value in row.items()), flush=True)
        results.append(row)
    return results


def find_whole_call() -> tuple[Callable[..., object], str]:
    """Give what people call, or what it calls where this installation has no more."""
    try:
        from bleuprint.adapters.torch import score_ids
    except ModuleNotFoundError:
        from bleuprint.adapters.token_ids import cuda

        chosen = recipe()
        return (lambda *inputs: cuda.count_and_score(*inputs, recipe=chosen)), "token_ids.cuda.count_and_score"
    return score_ids, "adapters.torch.score_ids"


def time_cpu() -> dict[str, Any] | str:
    """Time score_ids on one thread of the CPU beside a loop over NLTK; or say why that cannot be."""
    try:
        from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

        from bleuprint.adapters.torch import score_ids
    except ModuleNotFoundError as missing:
        return f"no {missing.name} here"
    if bp.engine().name != "native":
        return str(bp.engine())
    ids, texts = (tensor.cpu() for tensor in draw_ids(TEXTS[0], 256, 1024, 1, seed=1))
    times, smooth = [], SmoothingFunction().method3
    for _ in range(20):
        started = time.perf_counter()
        ours = score_ids(ids, texts, recipe="nltk-method3", threads=1)
        times.append(1e3 * (time.perf_counter() - started))
    started = time.perf_counter()
    pairs = zip(ids.tolist(), texts.tolist(), strict=True)
    theirs = [sentence_bleu(references, candidate, smoothing_function=smooth) for candidate, references in pairs]
    took = 1e3 * (time.perf_counter() - started)
    assert np.allclose(ours.numpy(), 100 * np.array(theirs), rtol=1e-12)
    return {"ours ms": averages.median(times), "NLTK ms": took}


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
    command = [sys.executable, __file__, "--tensorbleu", str(path), "--theirs", *map(str, shape)]
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
                    lambda place, inputs=inputs: cuda.count_and_score(*inputs[place % 4], recipe=recipe_), 7
                )
                found.append((took, f"{threads}x{resident}x{parts}"))
        launching._plan = plain
        print(
            f"  {rows} x {columns}, {references}: " + ", ".join(f"{name} {took:.1f}" for took, name in found),
            planned,
            flush=True,
        )


SANITIZED = "--sanitized"


def sanitize() -> dict[str, str]:
    """Run a small check under compute-sanitizer."""
    tool = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    verdicts = {}
    for name in ("memcheck", "racecheck"):
        # Asking the driver for functions of other versions, as cuda.bindings does, is no error of the kernel.
        command = [tool, "--tool", name, "--report-api-errors", "no", sys.executable, __file__, SANITIZED]
        # Every tensor in memory of its own: what is written beside it is seen.
        environment = {**os.environ, "PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}
        done = subprocess.run(command, capture_output=True, text=True, timeout=280, env=environment)
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("=========")]
        verdicts[name] = (said[-1] if said else "nothing said").strip("= ")
        print(f"  {name}: {verdicts[name]} (left with {done.returncode})", flush=True)
        if done.returncode or ("0 errors" not in verdicts[name] and "0 hazards" not in verdicts[name]):
            print("\n".join(said[:40]), done.stdout[-2000:], done.stderr[-2000:], sep="\n", flush=True)
    return verdicts


def run_sanitized() -> None:
    """Count rows of all kinds, few of them: under the sanitizer everything takes long."""
    import token_ids_check

    draw = np.random.default_rng(9)
    for columns, references in ((7, 1), (40, 3), (300, 1), (300, 2), (1024, 1), (5300, 1), (4096, 2)):
        token_ids_check.check_batch(token_ids_check.draw_batch(draw, 6, columns, references), draw)
    print("equal")


def describe() -> dict[str, str]:
    """Say where and with what this was measured."""
    info = Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*: (.+)", info.read_text(encoding="utf-8")) if info.exists() else []
    found = {"day": f"{datetime.now(UTC):%Y-%m-%d}", "Python": platform.python_version(), "torch": torch.__version__,
             "bleuprint": bp.__version__, "processor": names[0] if names else platform.machine()}  # fmt: skip
    if torch.cuda.is_available():
        found["device"] = torch.cuda.get_device_name()
        driver = subprocess.run(
            ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], capture_output=True, text=True
        )
        found["driver"] = driver.stdout.strip()
        found["CUDA"] = str(torch.version.cuda)
        spec = importlib.util.find_spec("cuda.bindings")
        found["cuda.bindings"] = (
            getattr(importlib.import_module("cuda.bindings"), "__version__", "?") if spec else "none"
        )
    return found


def load_tensorbleu(path: Path) -> Any:
    """Load TensorBLEU from its one file."""
    spec = importlib.util.spec_from_file_location("tensorbleu", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _short(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def _amount(number: float | None, unit: str, scale: float = 1.0, digits: int = 0) -> str:
    return "–" if number is None else f"{number / scale:,.{digits}f} {unit}"


def render(found: dict[str, Any]) -> str:
    """Write what was found as Markdown."""
    lines = []
    for part, where in found.get("where", {}).items():
        lines.append(f"{part}: " + ", ".join(f"{name} {value}" for name, value in where.items()))
    if "check" in found:
        check = found["check"]
        lines += ["", f"{check['rows']:,} random rows equal the oracle's with ==, a share of their scores to 1e-12 "
                  f"(seed {check['seed']}). Also held: {', '.join(check['ways'])}."]  # fmt: skip
    if "sanitize" in found:
        lines += ["", "compute-sanitizer: " + "; ".join(f"{name}: {said}" for name, said in found["sanitize"].items())]
    if "time" in found:
        lines += ["", "| rows × ids | references | kernel | nothing in common | 20 ids | the same | first draft "
                  "| whole call | queued | memory | TensorBLEU | its memory | whole call is |",
                  "|" + "---|" * 13]  # fmt: skip
        for row in found["time"]:
            theirs = row.get("TensorBLEU")
            lines.append(
                f"| {row['rows']:,} × {row['columns']:,} | {row['references']} | "
                + " | ".join(_amount(row[name], "µs", digits=1) for name in TEXTS)
                + f" | {_amount(row['draft'], 'µs')} | {_amount(row['call'], 'µs')} "
                f"| {_amount(row['call in a queue'], 'µs')} | {_amount(row['extra bytes'], 'kB', 1000)} "
                f"| {_amount(theirs, 'ms', 1000, 1)} | {_amount(row.get('TensorBLEU bytes'), 'MB', 1e6)} "
                f"| {_amount(theirs and theirs / row['call'], '×')} |"
            )
        lines += [
            "",
            "Kernel: copies of a reference with every fifth id changed; then rows of 50,000 ids that share next to "
            "nothing, of 20 ids, and rows that equal their reference. Memory is what the device needs beside the "
            f"input, results included. Whole call: {found['time'][0]['called']}.",
        ]
    if "cpu" in found:
        ours, theirs = found["cpu"]["ours ms"], found["cpu"]["NLTK ms"]
        lines += ["", f"CPU, one thread, 256 × 1,024 ids, one reference: {ours:.2f} ms; a loop over NLTK's "
                  f"sentence_bleu takes {theirs:,.0f} ms, {theirs / ours:,.0f} ×."]  # fmt: skip
    missing = [part for part in ("check", "sanitize", "time", "cpu") if part not in found]
    if missing:
        lines += [
            "",
            f"Not measured: {', '.join(missing)}. {COMMAND}: all but cpu takes a CUDA device, and that one NLTK.",
        ]
    return "\n".join(lines).lstrip() + "\n"


def main() -> None:
    """Do the parts that were asked for, and keep what they found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for part in ("check", "sanitize", "time", "cpu", "tune", "stages"):
        parser.add_argument(f"--{part}", action="store_true")
    parser.add_argument("--theirs", nargs=3, type=int, help=argparse.SUPPRESS)
    parser.add_argument(SANITIZED, action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--rows", type=int, default=1_000_000, help="how many rows to check")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tensorbleu", type=Path)
    parser.add_argument("--results", type=Path, default=HERE / "results")
    asked = parser.parse_args()
    if asked.sanitized:
        run_sanitized()
        return
    if asked.theirs:
        print(json.dumps(time_tensorbleu(load_tensorbleu(asked.tensorbleu), *asked.theirs)))
        return
    kept = next(
        (file for folder in (asked.results, HERE / "results") if (file := folder / "token_ids.json").exists()), None
    )
    found: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept else {}
    usual = ["check", "sanitize", "time", "cpu"]
    parts = [part for part in (*usual, "tune", "stages") if getattr(asked, part)] or usual
    if not torch.cuda.is_available():
        print(
            f"No CUDA device here ({describe()}): not measured: {', '.join(part for part in parts if part != 'cpu')}."
        )
        parts = [part for part in parts if part == "cpu"]
    for part in parts:
        print(f"{part} ...", flush=True)
        if part == "check":
            import token_ids_check

            ways = token_ids_check.check_ways()
            print("  held: " + ", ".join(ways), flush=True)
            found[part] = {**token_ids_check.check(asked.rows, asked.seed), "ways": ways}
        elif part == "sanitize":
            found[part] = sanitize()
        elif part == "time":
            found[part] = time_shapes(asked.tensorbleu)
        elif part == "cpu":
            said = time_cpu()
            print(f"  {said}", flush=True)
            if isinstance(said, str):
                continue
            found[part] = said
        elif part == "stages":
            import token_ids_stages

            for shape in SHAPES:
                token_ids_stages.show(shape[:3], draw_ids(TEXTS[0], *shape[:3], seed=1), recipe())
            continue
        else:
            tune()
            continue
        found.setdefault("where", {})[part] = describe()
        asked.results.mkdir(parents=True, exist_ok=True)
        (asked.results / "token_ids.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        (asked.results / "token_ids.md").write_text(render(found), encoding="utf-8")
    if set(parts) != {"tune"} and set(parts) != {"stages"}:
        print(render(found))


if __name__ == "__main__":
    main()
