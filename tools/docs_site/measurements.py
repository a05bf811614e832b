"""The pages of what the programs in ``bench/`` printed: each with a title, and the program that printed it."""

from __future__ import annotations

import re
from pathlib import Path

TITLES = {
    "builds": "Builds of the kernel",
    "chrf": "chrF and chrF++ against sacreBLEU",
    "dropins_nltk": "NLTK: as it is, accelerated, and the drop-in",
    "dropins_torchmetrics": "torchmetrics: as it is, accelerated, and the drop-in",
    "first_score": "How long a visitor waits for the first score",
    "kernel_before": "BLEU's counting against an earlier commit",
    "kernel_metrics_before": "chrF, TER and pairs against an earlier commit",
    "page_weight": "What the page weighs before its first score",
    "scaling": "Arrow, Spark, cores and memory",
    "speed": "Speed against other tools",
    "startup": "How long a command takes to start",
    "ter": "TER against sacreBLEU",
    "throughput": "Throughput by length and by threads",
    "token_ids": "Token ids on a GPU",
    "ways": "Ways through the house, beside an earlier commit",
}
"""Of those that print none themselves; without a title the build stops."""
ORIGIN = "Printed by `bench/{name}.py`: [making the numbers again](../../docs/reproducing.md)."
INDEX = "# Measurements\n\nWhat the programs in `bench/` printed.\n\n```{toctree}\n:glob:\n\n*\n```\n"


def stage(folder: Path) -> None:
    """Make pages of what was printed, and one that lists them."""
    for path in folder.glob("*.md"):
        path.write_text(make_page(path.stem, path.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "index.md").write_text(INDEX, encoding="utf-8")


def make_page(name: str, printed: str) -> str:
    """Give a page of what a program printed; lines of versions stay apart."""
    title, _, text = printed.partition("\n") if printed.startswith("# ") else (f"# {TITLES[name]}", "", printed)
    text = re.sub(r"^(.+ before|\w+: day .+)\n(?=\S)", r"\1\\\n", text, flags=re.MULTILINE)
    return f"{title}\n\n{ORIGIN.format(name=name)}\n\n{keep_units(text).lstrip()}"


def keep_units(text: str) -> str:
    """Let the numbers in the cells of a table stay on one line with their units."""
    return re.sub(r"(?<=\d) (?=(?:×|[mµ]?s|MB) \|)", "\N{NO-BREAK SPACE}", text)
