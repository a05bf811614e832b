"""Worked examples: small inputs whose numbers can be checked by hand.

README and docs show them, and ``bleuprint selftest`` computes them again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from bleuprint.findings.explanation import Explanation, explain
from bleuprint.recipes.recipe import Recipe
from bleuprint.wording import format_fraction, format_score

if TYPE_CHECKING:
    from bleuprint.metrics.bleu.explain import Arithmetic

PAPER = Recipe.named("paper")


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """An input, its recipe, and the expected numbers as they are printed."""

    name: str
    lesson: str
    candidates: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    recipe: Recipe
    expected: Mapping[str, str]

    def explain(self) -> Explanation:
        """Score and explain the example, as a corpus if it has several segments."""
        if len(self.candidates) == 1:
            return explain(self.candidates[0], self.references[0], self.recipe)
        return explain(self.candidates, self.references, self.recipe)


class CheckedNumber(NamedTuple):
    """One number of a worked example: the expected and the computed value."""

    example: str
    quantity: str
    expected: str
    got: str

    @property
    def holds(self) -> bool:
        """Whether the two are equal, digit by digit."""
        return self.expected == self.got


EXAMPLES = (
    WorkedExample(
        "brevity",
        "a missing word costs matches and, through the brevity penalty, length",
        ("the cat is on mat",),
        (("the cat is on the mat",),),
        PAPER,
        {
            "p1": "5/5", "p2": "3/4", "p3": "2/3", "p4": "1/2",
            "brevity penalty": "0.8187", "geometric mean": "0.7071", "BLEU": "57.89", "cross-check": "agrees",
        },
    ),
    WorkedExample(
        "clipping",
        "repeating a common word earns nothing beyond what a reference has of it",
        ("the the the the the the the",),
        (("the cat is on the mat", "there is a cat on the mat"),),
        PAPER,
        {"p1": "2/7", "plain p1": "7/7", "reference length": "7", "BLEU": "0.00", "notes": "unmatched-orders"},
    ),
    WorkedExample(
        "clipping, smoothed",
        "epsilon smoothing gives orders without a match a small precision",
        ("the the the the the the the",),
        (("the cat is on the mat", "there is a cat on the mat"),),
        PAPER.replace(smoothing="epsilon(0.1)"),
        {"p1": "2/7", "BLEU": "3.93", "notes": "unmatched-orders"},
    ),
    WorkedExample(
        "short",
        "two words have no 3-grams and 4-grams, so BLEU-4 of a perfect match is 0",
        ("hello world",),
        (("hello world",),),
        PAPER,
        {"p2": "1/1", "p3": "0/0", "p4": "0/0", "BLEU": "0.00", "notes": "absent-orders"},
    ),
    WorkedExample(
        "short, smoothed",
        "epsilon smoothing fills absent orders, too",
        ("hello world",),
        (("hello world",),),
        PAPER.replace(smoothing="epsilon(0.1)"),
        {"BLEU": "31.62", "notes": "absent-orders"},
    ),
    WorkedExample(
        "short, effective order",
        "effective order leaves out orders that the candidate is too short for",
        ("hello world",),
        (("hello world",),),
        PAPER.replace(absent_order="drop"),
        {"BLEU": "100.00", "notes": "absent-orders"},
    ),
    WorkedExample(
        "unigrams",
        "BLEU-1 looks at words alone, in any order",
        ("the cat is on the mat",),
        (("there is a cat on the mat",),),
        PAPER.replace(order=1),
        {"p1": "5/6", "brevity penalty": "0.8465", "BLEU, 0 to 1": "0.7054"},
    ),
    WorkedExample(
        "the rest of unigrams",
        "the same text at N = 4: word order takes what the words had earned",
        ("the cat is on the mat",),
        (("there is a cat on the mat",),),
        Recipe.named("nltk-method1"),
        {"p1": "5/6", "p2": "2/5", "p3": "1/4", "p4": "0/3", "BLEU, 0 to 1": "0.1943", "notes": "unmatched-orders"},
    ),
    WorkedExample(
        "plain against clipped",
        "without clipping six times the same word would be perfect",
        ("the the the the the the",),
        (("the cat is on the mat",),),
        PAPER,
        {"p1": "2/6", "plain p1": "6/6"},
    ),
    WorkedExample(
        "corpus",
        "a corpus score sums counts over segments; it is not the mean of their scores",
        ("the cat is on mat", "it is raining again today"),
        (("the cat is on the mat",), ("it is raining again today",)),
        PAPER,
        {
            "p1": "10/10", "p2": "7/8", "p3": "5/6", "p4": "3/4",
            "brevity penalty": "0.9048", "BLEU": "77.81", "mean of segment scores": "78.95",
        },
    ),
)  # fmt: skip


def check_examples() -> list[CheckedNumber]:
    """Compute every example again and compare each number with the expected one."""
    checks = []
    for example in EXAMPLES:
        numbers = list_numbers(example.explain())
        checks += [CheckedNumber(example.name, name, value, numbers[name]) for name, value in example.expected.items()]
    return checks


def list_numbers(explanation: Explanation) -> dict[str, str]:
    """Print every number of an explanation that a worked example may have."""
    arithmetic = cast("Arithmetic", explanation.arithmetic)
    plain = explanation.plain_matches or ()
    numbers = {f"p{line.order}": f"{line.matches}/{line.total}" for line in arithmetic.orders}
    numbers |= {f"plain p{line.order}": f"{count}/{line.total}" for line, count in zip(arithmetic.orders, plain)}
    return numbers | {
        "reference length": str(arithmetic.reference_length),
        "brevity penalty": format_fraction(arithmetic.brevity_penalty),
        "geometric mean": format_fraction(arithmetic.geometric_mean),
        "cross-check": arithmetic.cross_check.verdict,
        "BLEU": format_score(arithmetic.score),
        "BLEU, 0 to 1": format_fraction(arithmetic.fraction),
        "mean of segment scores": format_score(explanation.mean_segment_score or 0.0),
        "notes": ", ".join(note.code for note in explanation.score.notes),
    }
