from collections import Counter

import pytest
from hypothesis import given

import oracle
from bleuprint.counting.ngrams import count_matches, count_ngrams, count_plain, highest_counts, list_ngrams
from strategies import segments

THE_CAT = ["the", "cat", "is", "on", "the", "mat"]
A_CAT = ["there", "is", "a", "cat", "on", "the", "mat"]
SEVEN_THES = ["the"] * 7


@pytest.mark.parametrize(
    ("tokens", "order", "expected"),
    [
        ("abc", 1, ["a", "b", "c"]),
        ("abc", 2, ["ab", "bc"]),
        ("abc", 3, ["abc"]),
        ("abc", 4, []),
        ("", 1, []),
    ],
)
def test_ngrams_are_listed_from_left_to_right(tokens, order, expected):
    assert list(list_ngrams(list(tokens), order)) == [tuple(ngram) for ngram in expected]


def test_ngrams_are_counted_where_they_repeat():
    assert count_ngrams(list("ababa"), 2) == {("a", "b"): 2, ("b", "a"): 2}


def test_tokens_may_be_anything_hashable():
    assert count_ngrams([1, ("x", 2), 1, ("x", 2)], 2) == {(1, ("x", 2)): 2, (("x", 2), 1): 1}


def test_the_limit_is_the_count_in_the_reference_where_an_ngram_is_most_frequent():
    counts = [Counter("aab"), Counter("abbb")]
    assert highest_counts(counts) == Counter("aabbb")
    assert counts == [Counter("aab"), Counter("abbb")]


def test_no_references_set_no_limits():
    assert highest_counts([]) == {}


def test_seven_thes_of_the_paper_are_clipped_to_two():
    candidate = count_ngrams(SEVEN_THES, 1)
    limits = highest_counts([count_ngrams(THE_CAT, 1), count_ngrams(A_CAT, 1)])
    assert count_matches(candidate, limits) == 2
    assert count_plain(candidate, limits) == 7


@given(segments())
def test_clipped_matches_agree_with_the_oracle_and_never_exceed_the_plain_ones(segment):
    candidate, references = segment
    for order in range(1, 6):
        counts = count_ngrams(candidate, order)
        limits = highest_counts(count_ngrams(reference, order) for reference in references)
        assert count_matches(counts, limits) == oracle.clipped_matches(candidate, references, order)
        assert count_matches(counts, limits) <= count_plain(counts, limits) <= counts.total()
