"""The example texts as numbers are identified on them, and the titles of what was found."""

from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def read(name):
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


CANDIDATES, OTHER = read("candidate-b.txt"), read("candidate-a.txt")
FIRST, SECOND = read("reference-1.txt"), read("reference-2.txt")
BOTH = [list(pair) for pair in zip(FIRST, SECOND, strict=True)]


def titles(found):
    return [reading.title for finding in found.findings for reading in finding.readings]
