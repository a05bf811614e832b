"""What does Lighthouse say about the page? The scores of its four categories, on both hosts.

Run: .venv/bin/python bench/lighthouse.py [--rounds 3]   (needs chromium, node and npm)

Lighthouse plays a slow telephone: a network of 1.6 Mbit/s and a processor a fourth as fast. Its figure for performance
sways with the load of the machine, so each host is measured several times, and the median counts. The goal is 95.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from machine import CHROMIUM, describe
from page_speed import served, static

from bleuprint.web.pyodide_files import cache_folder

VERSION = "12.8.2"
GOAL = 95
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
FIGURES = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift")


def install() -> Path:
    """Bring Lighthouse by npm, once, into the cache."""
    folder = cache_folder() / f"lighthouse-{VERSION}"
    if not folder.exists():
        scratch = folder.with_suffix(".part")
        command = ["npm", "install", "--silent", "--ignore-scripts", "--prefix", str(scratch), f"lighthouse@{VERSION}"]
        subprocess.run(command, check=True)
        scratch.rename(folder)
    return folder / "node_modules/lighthouse/cli/index.js"


def measure(program: Path, url: str) -> dict[str, float]:
    """Run Lighthouse once; give the scores on 0 to 100, and the figures behind that of performance."""
    command = ["node", str(program), url, "--quiet", "--output=json", f"--chrome-flags={FLAGS}"]
    environment = os.environ | {"CHROME_PATH": CHROMIUM}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    report = json.loads(done.stdout)
    found = {name: 100 * report["categories"][name]["score"] for name in CATEGORIES}
    return found | {name: report["audits"][name]["numericValue"] for name in FIGURES}


def main() -> int:
    """Measure both hosts and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    program = install()
    print(f"{describe(chromium=True)}, Lighthouse {VERSION}; median of {rounds} rounds")
    print("| host | performance | accessibility | best practices | SEO | first paint | blocked | layout shift |")
    print("|---|---|---|---|---|---|---|---|")
    met = True
    for name, host in (("served", served), ("static", static)):
        with host() as url:
            found = [measure(program, url) for _ in range(rounds)]
        median = {key: statistics.median(run[key] for run in found) for key in found[0]}
        met &= all(median[category] >= GOAL for category in CATEGORIES)
        scores = " | ".join(f"{median[category]:.0f}" for category in CATEGORIES)
        paint, _, blocked, shift = (median[figure] for figure in FIGURES)
        print(f"| {name} | {scores} | {paint / 1000:.1f} s | {blocked:.0f} ms | {shift:.3f} |")
        print("performance of each round:", ", ".join(f"{run['performance']:.0f}" for run in found), file=sys.stderr)
    print(f"{GOAL} in every category: {'met' if met else 'missed'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
