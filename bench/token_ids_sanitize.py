"""Watch the kernel for token ids with compute-sanitizer: addresses, and races between threads."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

PROGRAM = Path(__file__).parent / "token_ids.py"
SANITIZED = "--sanitized"


def sanitize() -> dict[str, str]:
    """Run a small check under compute-sanitizer."""
    tool = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    verdicts = {}
    for name in ("memcheck", "racecheck"):
        # Asking the driver for functions of other versions, as cuda.bindings does, is no error of the kernel.
        command = [tool, "--tool", name, "--report-api-errors", "no", sys.executable, str(PROGRAM), SANITIZED]
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
    for columns, references in (
        (7, 1),
        (40, 3),
        (300, 1),
        (300, 2),
        (1024, 1),
        (5300, 1),
        (4096, 3),
        (9000, 2),
        (24_000, 1),
    ):
        token_ids_check.check_batch(token_ids_check.draw_batch(draw, 6, columns, references), draw)
    print("equal")
