"""WMT22's texts and published scores, beside the repository."""

import csv
from collections import defaultdict
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "wmt22"


def read_official():
    """The published scores: for each pair and system, what each metric (bleu-all, bleu-A, …) says."""
    official = defaultdict(dict)
    table = FOLDER / "official-bleu.tsv"
    if table.exists():
        with table.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                official[row["pair"], row["system"]][row["metric"]] = float(row["score"])
    return official


def find_texts(pair, kind):
    """The files of a pair, by the name of the system or of the reference."""
    language = pair.split("-")[1]
    files = FOLDER.glob(f"generaltest2022.{pair}.{kind}.*.{language}")
    return {path.name.split(".")[3]: path for path in sorted(files)}


@cache
def read_lines(path):
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


OFFICIAL = read_official()
SYSTEMS = [(pair, system) for pair, system in OFFICIAL if system in find_texts(pair, "hyp")]
