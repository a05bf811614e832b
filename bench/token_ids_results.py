"""What was found, where it was measured, and both as Markdown."""

from __future__ import annotations

import importlib
import importlib.util
import json
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch
from token_ids_draw import TEXTS

import bleuprint as bp

STORED = Path(__file__).parent / "results"
COMMAND = "PYTHONPATH=src python bench/token_ids.py"
NAME = "token_ids"


def read(folder: Path) -> dict[str, Any]:
    """Read what was found before, in a folder or in the stored results."""
    files = (one / f"{NAME}.json" for one in (folder, STORED))
    kept = next((file for file in files if file.exists()), None)
    return json.loads(kept.read_text(encoding="utf-8")) if kept else {}


def keep(folder: Path, found: dict[str, Any], part: str) -> None:
    """Write what was found, and where this part of it was."""
    found.setdefault("where", {})[part] = describe()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{NAME}.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (folder / f"{NAME}.md").write_text(render(found), encoding="utf-8")


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


def render(found: dict[str, Any]) -> str:
    """Write what was found as Markdown."""
    lines = []
    for part, where in found.get("where", {}).items():
        lines.append(f"{part}: " + ", ".join(f"{name} {value}" for name, value in where.items()))
    for part, write in PARTS.items():
        if part in found:
            lines += ["", *write(found[part])]
    missing = [part for part in PARTS if part not in found]
    if missing:
        lines += [
            "",
            f"Not measured: {', '.join(missing)}. {COMMAND}: all but cpu takes a CUDA device, and that one NLTK.",
        ]
    return "\n".join(lines).lstrip() + "\n"


def _write_check(check: dict[str, Any]) -> list[str]:
    return [f"{check['rows']:,} random rows equal the oracle's with ==, a share of their scores to 1e-12 "
            f"(seed {check['seed']}). Also held: {', '.join(check['ways'])}."]  # fmt: skip


def _write_sanitize(verdicts: dict[str, str]) -> list[str]:
    return ["compute-sanitizer: " + "; ".join(f"{name}: {said}" for name, said in verdicts.items())]


def _write_times(rows: list[dict[str, Any]]) -> list[str]:
    lines = ["| rows × ids | references | kernel | nothing in common | 20 ids | the same | first draft "
             "| whole call | queued | memory | TensorBLEU | its memory | whole call is |",
             "|" + "---|" * 13]  # fmt: skip
    for row in rows:
        theirs = row.get("TensorBLEU")
        lines.append(
            f"| {row['rows']:,} × {row['columns']:,} | {row['references']} | "
            + " | ".join(_amount(row[name], "µs", digits=1) for name in TEXTS)
            + f" | {_amount(row['draft'], 'µs')} | {_amount(row['call'], 'µs')} "
            f"| {_amount(row['call in a queue'], 'µs')} | {_amount(row['extra bytes'], 'kB', 1000)} "
            f"| {_amount(theirs, 'ms', 1000, 1)} | {_amount(row.get('TensorBLEU bytes'), 'MB', 1e6)} "
            f"| {_amount(theirs and theirs / row['call'], '×')} |"
        )
    return [
        *lines,
        "",
        "Kernel: copies of a reference with every fifth id changed; then rows of 50,000 ids that share next to "
        "nothing, of 20 ids, and rows that equal their reference. Memory is what the device needs beside the "
        "input, results included. Whole call: adapters.torch.score_ids.",
    ]


def _write_cpu(rows: list[dict[str, Any]]) -> list[str]:
    lines = ["| different ids | changed | score_ids | NLTK | times as fast |", "|---|---|---|---|---|"]
    for row in rows:
        ours, theirs = row["ours ms"], row["NLTK ms"]
        lines.append(
            f"| {row['ids']:,} | {row['changed']:.0%} | {ours:.2f} ms | {theirs:,.0f} ms | {theirs / ours:,.0f} × |"
        )
    return [
        *lines,
        "",
        "CPU, one thread, 256 × 1,024 ids, one reference, beside a loop over NLTK's sentence_bleu: the processor's "
        "time. Candidates are their references with a share of the ids drawn anew.",
    ]


def _amount(number: float | None, unit: str, scale: float = 1.0, digits: int = 0) -> str:
    return "–" if number is None else f"{number / scale:,.{digits}f} {unit}"


PARTS = {"check": _write_check, "sanitize": _write_sanitize, "time": _write_times, "cpu": _write_cpu}
"""What can be found, and how it is written."""
