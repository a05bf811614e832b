"""Measure the drop-ins, and the tools with the kernel under them, beside the tools themselves.

    .venv/bin/python bench/dropins.py [--only nltk] ...

Every ratio comes from one run: ours and theirs take turns, and the best time of each counts, so that whatever else the
machine does meets both. Each tool has a module of its own, ``dropins_<tool>.py``, with a function ``bench``.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

import machine

import bleuprint as bp

PEERS = ("nltk",)


def main() -> None:
    """Measure what was asked for, or everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=PEERS, action="append")
    chosen = parser.parse_args().only or PEERS
    print(f"{machine.describe(*chosen)}, engine {bp.engine()}\n")
    print("| work | against | ours | theirs | ratio | at least | aim | |\n|---|---|---|---|---|---|---|---|")
    for peer in chosen:
        print(f"measuring {peer} ...", file=sys.stderr)
        for result in import_module(f"dropins_{peer}").bench():
            print(result.line(), flush=True)


if __name__ == "__main__":
    main()
