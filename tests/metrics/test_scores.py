"""A score is a float that has its statistics, its recipe and its notes with it."""

import copy
import csv
import io
import json
import math
import pickle
import statistics
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import bleuprint as bp
from packages import optional
from score_values import values_of

pd = optional("pandas")

CANDIDATE, REFERENCES = "the cat is on mat", ["the cat is on the mat", "a cat"]
LOW, HIGH = (bp.score([CANDIDATE], [text], "paper") for text in ("the cat is on a mat", CANDIDATE))
ZERO = bp.score_sentence("a", "b")
SCORES = [
    LOW,
    HIGH,
    ZERO,
    bp.score_sentence(CANDIDATE, REFERENCES),
    bp.score_sentence(CANDIDATE, REFERENCES, "chrf"),
    bp.score_sentence(CANDIDATE, REFERENCES, "ter"),
    bp.score([CANDIDATE], [REFERENCES], "nltk-chrf"),
    bp.score(["a b c d"], ["x"], "ter"),  # beyond 100
    *bp.score_segments([CANDIDATE, "a"], [REFERENCES, "a"]),
    bp.score_documents([CANDIDATE], [REFERENCES], ["d"])["d"],
]
NUMBERS = [score.score for score in SCORES]
EACH_SCORE = pytest.mark.parametrize("score", SCORES, ids=repr)

USES = {
    "sum": sum,
    "sorted": sorted,
    "max and min": lambda numbers: [max(numbers), min(numbers)],
    "order": lambda numbers: [(a < b, a <= b, a > b, a >= b, a == b, a != b) for a in numbers for b in (*NUMBERS, 57)],
    "order by negatives": lambda numbers: sorted(numbers, key=lambda number: -number),
    "arithmetic": lambda numbers: [(a + 1, 1 - a, a * 0.5, 2 / (a + 1), a // 7, a % 7, a**2, abs(a)) for a in numbers],
    "statistics.mean": lambda numbers: statistics.mean(numbers[:2]),
    "statistics.fmean": statistics.fmean,
    "statistics.median": statistics.median,
    "statistics.stdev": lambda numbers: statistics.stdev(numbers[:2]),
    "statistics.variance": lambda numbers: statistics.variance(numbers[:2]),
    "fsum": math.fsum,
    "isclose": lambda numbers: [math.isclose(a, b) for a in numbers for b in NUMBERS],
    "round": lambda numbers: [(round(number), round(number, 2), round(number, 2)) for number in numbers],
    "int": lambda numbers: [(int(number), math.floor(number)) for number in numbers],
    "bool": lambda numbers: [bool(number) for number in numbers],
    "100": lambda numbers: [number == 100 for number in numbers],
    "hash": lambda numbers: [hash(number) for number in numbers],
    "set": lambda numbers: sorted(set(numbers)),
    "format": lambda numbers: [f"{number:.2f} {number:8.1f} {number:.3g}" + "%.1f" % number for number in numbers],  # noqa: UP031
    "JSON": lambda numbers: json.dumps(numbers),
    "JSON, indented": lambda numbers: json.dumps({"scores": numbers}, indent=1),
    "Decimal and Fraction": lambda numbers: [(Decimal(number), Fraction(number)) for number in numbers],
    "NumPy": lambda numbers: (np.asarray(numbers).dtype, np.asarray(numbers).tolist(), np.mean(numbers)),
    "a NumPy array": lambda numbers: (np.array([0.5, 2.0]) * numbers[0]).tolist(),
    "pandas": lambda numbers: (pd.Series(numbers).dtype, pd.Series(numbers).tolist(), pd.Series(numbers).mean()),
    "a data frame": lambda numbers: pd.DataFrame({"score": numbers}).to_csv(),
    "rows of a data frame": lambda numbers: pd.DataFrame([{"score": number} for number in numbers]).to_json(),
}


PANDAS = ("pandas", "a data frame", "rows of a data frame")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.needs("pandas")) if name in PANDAS else name for name in USES]
)
def test_a_score_works_where_a_float_does(name):
    assert USES[name](SCORES) == USES[name](NUMBERS)


@pytest.mark.parametrize("use", [statistics.mean, sum, lambda scores: round(scores[0], 1), lambda scores: -scores[0]])
def test_what_is_computed_from_scores_is_a_plain_float(use):
    assert type(use([LOW, HIGH])) is float


@EACH_SCORE
@pytest.mark.parametrize(
    "number", [57.25, Fraction(229, 4), np.float64(57.25)], ids=lambda number: type(number).__name__
)
def test_the_type_of_a_score_makes_floats_of_numbers(score, number):
    made = type(score)(number)
    assert (type(made), made) == (float, 57.25)


def test_a_score_beyond_all_floats_compares_with_whole_numbers():
    for highest in (10**400, 2 * 10**308):
        assert -highest < LOW < highest


def test_scores_are_equal_if_their_numbers_are():
    others = bp.score(["a b c d"], ["a b c d"], "paper")
    assert HIGH == others == 100
    assert hash(HIGH) == hash(others) == hash(100)
    assert values_of(HIGH) != values_of(others)
    assert bp.score([CANDIDATE], ["the cat is on a mat"], "huggingface").stats == LOW.stats
    assert HIGH != "100"
    for other in ("57", None, [1]):
        with pytest.raises(TypeError):
            assert other > LOW
        with pytest.raises(TypeError):
            LOW + other


@EACH_SCORE
def test_a_score_prints_its_summary_and_has_a_short_name(score):
    assert str(score) == f"{score}" == f"{score!s}" == "%s" % score  # noqa: UP031
    assert str(score).startswith(score.summary())
    assert repr(score) == f"<{score.label} {score.printed}>"


def test_documents_take_the_bare_number():
    file = io.StringIO()
    csv.writer(file).writerow([float(LOW)])
    assert file.getvalue() == f"{LOW.score!r}\r\n"
    assert type(float(LOW)) is type(LOW.score) is type(LOW.fraction) is float


@EACH_SCORE
@pytest.mark.parametrize("name", ["score", "stats", "recipe", "level", "fraction", "anything"])
def test_a_score_never_changes(score, name):
    with pytest.raises(AttributeError, match="never changes"):
        setattr(score, name, 1)
    with pytest.raises(AttributeError, match="never changes"):
        delattr(score, name)


@EACH_SCORE
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_score_copies_and_pickles(score, protocol):
    assert copy.copy(score) is copy.deepcopy(score) is score
    again = pickle.loads(pickle.dumps(score, protocol))
    assert (type(again), again) == (type(score), score)
    for name in ("stats", "recipe", "census", "level", "fraction", "combination", "notes", "signature"):
        assert getattr(again, name) == getattr(score, name), name
    assert (again.segments, again.table) == (None, None)
    assert (str(again), again.to_dict()) == (str(score), score.to_dict())
    with pytest.raises(AttributeError, match="never changes"):
        again.level = "corpus"


@EACH_SCORE
def test_a_score_on_a_test_set_is_the_same_number(score):
    named = score.on_testset("testset:wmt22/en-de|refhash:8e05203946a2a30f")
    assert (type(named), named, values_of(named)) == (type(score), score, values_of(score))
    assert named.signature == pickle.loads(pickle.dumps(named)).signature != score.signature


@EACH_SCORE
def test_the_number_is_what_the_formula_gives(score):
    assert score.score == score.combination.score == type(score)(score.stats, score.recipe).score
    assert score.fraction == score.combination.fraction == type(score)(score.stats, score.recipe).fraction


def test_bleu_as_data_has_precisions_as_counted_and_as_smoothed():
    data = bp.score_sentence("a b c d", "a b x d", "sacrebleu").to_dict()
    assert data["precisions"] == [3 / 4, 1 / 3, 0.0, 0.0]
    assert data["smoothed_precisions"] == [3 / 4, 1 / 3, 1 / 4, 1 / 4]
