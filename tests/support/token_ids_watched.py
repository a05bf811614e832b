"""Run the kernel for token ids with every address and operation watched. A program: the sanitizers must come first."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

FLAGS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-D_GLIBCXX_SANITIZE_VECTOR")


def environment():
    """The environment of the program: the sanitizer's library is loaded before Python, whose leaks are not ours."""
    import token_ids_host as host

    found = subprocess.run([host.COMPILER, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    return {**os.environ, "LD_PRELOAD": found.stdout.strip(), "ASAN_OPTIONS": "detect_leaks=0"}


def main():
    """Count random rows in tables of all kinds, exactly as large as they are planned."""
    sys.path.insert(0, str(Path(__file__).parent))
    import bleuprint as bp
    import token_ids_host as host
    from bleuprint.adapters.token_ids import plan as planning

    recipe = bp.Recipe(tokenizer="pretokenized")
    draw, watched = np.random.default_rng(1), 0
    for way in planning.Way:
        for references in (1, 3):
            for columns in (0, 1, 30):
                ids = draw.integers(-2, 3, (10, 1 + references, columns))
                outcome = host.count_and_score(
                    ids[:, :1], ids[:, 1:], recipe, pad=-2, eos=2, ways=[way], threads=32, seed=columns, flags=FLAGS
                )
                watched += len(outcome.scores)
    print(f"{watched} rows, watched")


if __name__ == "__main__":
    main()
