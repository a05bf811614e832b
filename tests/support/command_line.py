"""The program, started as a shell does, and the texts of examples/ that it is tried on."""

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(sys.executable).parent / "bleuprint"
CORPUS = Path(__file__).parents[2] / "examples"
A, B, R1, R2 = (str(CORPUS / f"{name}.txt") for name in ("candidate-a", "candidate-b", "reference-1", "reference-2"))
JSONL, DOCUMENTS = str(CORPUS / "corpus.jsonl"), str(CORPUS / "documents.txt")


def read_texts(*files):
    return [Path(file).read_text("utf-8").removesuffix("\n").split("\n") for file in files]


def read_table(text):
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def start(*arguments, env=None, **options):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG"))}
    return subprocess.run([PROGRAM, *map(str, arguments)], env=clean | (env or {}), timeout=60, **options)


def start_unread(*arguments):
    """Start the program with a standard output whose reader has left, as that of ``| true``."""
    read, write = os.pipe()
    os.close(read)
    try:
        return start(*arguments, stdout=write, stderr=subprocess.PIPE)
    finally:
        os.close(write)
