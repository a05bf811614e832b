import pytest
from hypothesis import given

import oracle
from bleuprint.metrics.bleu.counting import choose_length
from bleuprint.metrics.bleu.recipe import AXES
from strategies import segments


@pytest.mark.parametrize(
    ("candidate", "lengths", "closest", "closest_first", "shortest"),
    [
        (12, [13, 11], 11, 13, 11),
        (12, [11, 13], 11, 11, 11),
        (12, [13, 2], 13, 13, 2),
        (7, [11, 8, 6, 7], 7, 7, 6),
        (5, [5], 5, 5, 5),
        (0, [3, 0, 4], 0, 0, 0),
        (0, [4, 3], 3, 3, 3),
        (4, [0, 8], 0, 0, 0),
        (4, [8, 0], 0, 8, 0),
    ],
)
def test_each_rule_chooses_its_length(candidate, lengths, closest, closest_first, shortest):
    expected = {"closest": closest, "closest-first": closest_first, "shortest": shortest}
    assert {rule: choose_length(rule, candidate, lengths) for rule in AXES["reference_length"].choices} == expected


@given(segments())
def test_closest_agrees_with_the_oracle(segment):
    candidate, references = segment
    lengths = [len(reference) for reference in references]
    assert choose_length("closest", len(candidate), lengths) == oracle.closest_length(candidate, references)
