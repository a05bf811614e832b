"""N-grams as sacreBLEU counts them, for a metric whose own methods count."""

from __future__ import annotations

from collections import Counter


def extract_all_word_ngrams(line: str, min_order: int, max_order: int) -> tuple[Counter[tuple[str, ...]], int]:
    """Count the n-grams of all these orders in a line; beside them, give its number of words."""
    tokens = line.split()
    starts = ((order, start) for order in range(min_order, max_order + 1) for start in range(len(tokens) - order + 1))
    return Counter(tuple(tokens[start : start + order]) for order, start in starts), len(tokens)


def extract_word_ngrams(tokens: list[str], n: int) -> Counter[str]:
    """Count the n-grams of one order, each as its words with a space between them.

    >>> extract_word_ngrams(["a", "b", "a", "b"], 2)["a b"]
    2
    """
    return Counter(" ".join(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """Count the n-grams of characters, leaving out white space unless told otherwise.

    >>> extract_char_ngrams("a ba", 2)["ab"]
    1
    """
    text = line if include_whitespace else "".join(line.split())
    return Counter(text[start : start + n] for start in range(len(text) - n + 1))


def extract_all_char_ngrams(line: str, max_order: int, include_whitespace: bool = False) -> list[Counter[str]]:
    """Count the n-grams of characters of each order from 1 to the highest.

    >>> [sum(counts.values()) for counts in extract_all_char_ngrams("a ba", 2)]
    [3, 2]
    """
    return [extract_char_ngrams(line, order, include_whitespace) for order in range(1, max_order + 1)]
