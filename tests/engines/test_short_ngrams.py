"""Short, longer and very long candidates are counted each in another way, with the same counts."""

import random

import pytest

from bleuprint.metrics.bleu.counting import Counting, bleu_layout
from bleuprint.text.segments import pair_segments
from covering import covering
from engine_pair import NATIVE, PYTHON


def count_both(candidates, references, order, **kind):

    tokenizer = "pretokenized" if kind else "whitespace"
    segments = pair_segments(candidates, references, **kind)
    counting = Counting(tokenizer, "mixed", "closest", "exact")
    return NATIVE.count(segments, bleu_layout(order, counting)), PYTHON.count(segments, bleu_layout(order, counting))


LENGTHS = [0, 1, 2, 31, 62, 63, 64, 65, 66, 127, 128, 129, 255, 256, 257, 300]


@pytest.mark.parametrize(("length", "words", "order"), covering(LENGTHS, [1, 2, 5, 40], [1, 2, 3, 4, 5, 9]))
def test_counts_do_not_depend_on_the_length_that_parts_the_two_ways(length, words, order):
    rng = random.Random(f"{length} {words} {order}")

    def tokens(size):
        return [f"w{rng.randrange(words)}" for _ in range(size)]

    candidates = [tokens(length) for _ in range(4)]
    references = [
        [tokens(rng.randrange(2 * length + 2)), candidate[: length // 2] + tokens(3), candidate[length // 3 :]][
            : place + 1
        ]
        for place, candidate in enumerate(candidates)
    ]
    native, definition = count_both(candidates, references, order, pretokenized=True)
    assert native == definition
    numbers = [[int(token[1:]) for token in candidate] for candidate in candidates]
    number_references = [[[int(token[1:]) for token in text] for text in texts] for texts in references]
    assert count_both(numbers, number_references, order, pretokenized=True) == (native, native)
    rows = list(native)
    texts = [" ".join(candidate) for candidate in candidates]
    counted = count_both(texts, [[" ".join(text) for text in own] for own in references], order)
    assert [list(table) for table in counted] == [rows, rows]


@pytest.mark.parametrize("length", [16_383, 16_384, 16_385])
@pytest.mark.parametrize("words", [3, 5000])
def test_counts_do_not_depend_on_the_length_from_which_numbers_have_more_bits(length, words):
    rng = random.Random(f"{length} {words}")
    candidate = [f"w{rng.randrange(words)}" for _ in range(length)]
    references = [candidate[length // 2 :] + candidate[: length // 3], candidate[7 : length // 2]]
    native, definition = count_both([candidate], [references], 4, pretokenized=True)
    assert native == definition
    texts = count_both([" ".join(candidate)], [[" ".join(text) for text in references]], 4)
    assert [list(table) for table in texts] == [list(native)] * 2


@pytest.mark.parametrize("size", [*range(1, 20), 24, 100])
def test_tokens_that_differ_in_one_byte_are_different(size):
    token = "a" * size
    others = [token[:place] + "b" + token[place + 1 :] for place in range(size)] + [token + "a", token[1:] or "c"]
    native, definition = count_both([token] * len(others), others, 1)
    assert native == definition
    assert native.total().matches == (0,)
    joined = " ".join([token, *others])
    assert count_both([joined], [joined], 4)[0].total().matches == (
        len(others) + 1,
        *(len(others) - n for n in range(3)),
    )
