"""Systems for comparisons, some of them spoilt."""

import random
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def read(name):
    return (EXAMPLES / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


A, B = read("candidate-a.txt"), read("candidate-b.txt")
REFERENCES = list(zip(read("reference-1.txt"), read("reference-2.txt"), strict=True))
DOCUMENTS = read("documents.txt")


def spoil(candidates, share, seed):
    """A system that leaves out some words of another."""
    chance = random.Random(seed)
    return [" ".join(word for word in text.split() if chance.random() > share) for text in candidates]
