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
import json
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import token_ids_peers as peers
import token_ids_results as results
import torch
from token_ids_draw import SHAPES, TEXTS, draw_ids, recipe
from token_ids_sanitize import SANITIZED, run_sanitized, sanitize


def check(asked: Namespace) -> dict[str, Any]:
    """Compare random rows with the oracle, and try the ways that torch calls in."""
    import token_ids_check

    ways = token_ids_check.check_ways()
    print("  held: " + ", ".join(ways), flush=True)
    return {**token_ids_check.check(asked.rows, asked.seed), "ways": ways}


def time_shapes(asked: Namespace) -> list[dict[str, Any]]:
    """Time every shape."""
    import token_ids_time

    return token_ids_time.time_shapes(asked.tensorbleu)


def time_cpu(_asked: Namespace) -> list[dict[str, Any]] | None:
    """Time the CPU, or say why not."""
    found = peers.time_cpu()
    if isinstance(found, str):
        print(f"  {found}", flush=True)
        return None
    return found


def tune(_asked: Namespace) -> None:
    """Print the times of other plans."""
    import token_ids_time

    token_ids_time.tune()


def show_stages(_asked: Namespace) -> None:
    """Print where the time of a block goes."""
    import token_ids_stages

    for shape in SHAPES:
        token_ids_stages.show(shape[:3], draw_ids(TEXTS[0], *shape[:3], seed=1), recipe())


PARTS: dict[str, Callable[[Namespace], Any]] = {
    "check": check, "sanitize": lambda _asked: sanitize(), "time": time_shapes, "cpu": time_cpu, "tune": tune,
    "stages": show_stages,
}  # fmt: skip
USUAL = tuple(results.PARTS)


def parse() -> Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for part in PARTS:
        parser.add_argument(f"--{part}", action="store_true")
    parser.add_argument("--theirs", nargs=3, type=int, help=argparse.SUPPRESS)
    parser.add_argument(SANITIZED, action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--rows", type=int, default=1_000_000, help="how many rows to check")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tensorbleu", type=Path)
    parser.add_argument("--results", type=Path, default=results.STORED)
    return parser.parse_args()


def measure(asked: Namespace) -> None:
    """Do the parts that were asked for, and keep what they found."""
    found = results.read(asked.results)
    parts = [part for part in PARTS if getattr(asked, part)] or [*USUAL]
    if not torch.cuda.is_available():
        left = [part for part in parts if part != "cpu"]
        if left:
            print(f"No CUDA device here ({results.describe()}): not measured: {', '.join(left)}.")
        parts = [part for part in parts if part == "cpu"]
    for part in parts:
        print(f"{part} ...", flush=True)
        outcome = PARTS[part](asked)
        if outcome is not None:
            found[part] = outcome
            results.keep(asked.results, found, part)
    if set(parts) & set(USUAL):
        print(results.render(found))


def main() -> None:
    """Measure, or do what a measurement asks of another process."""
    asked = parse()
    if asked.sanitized:
        run_sanitized()
    elif asked.theirs:
        print(json.dumps(peers.time_tensorbleu(peers.load_tensorbleu(asked.tensorbleu), *asked.theirs)))
    else:
        measure(asked)


if __name__ == "__main__":
    main()
