"""N-grams as NLTK's ``ngrams`` gives them, also of odd orders and of tokens that can be read only once."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from itertools import islice, repeat
from typing import Any

from bleuprint.counting.ngrams import Ngram, list_ngrams


def iterate_ngrams(tokens: Iterable[Any], n: int | None) -> Iterator[Ngram]:
    """Give the n-grams of one order; of order 0 there is one more than there are tokens, of no order there is none.

    >>> list(iterate_ngrams("abc", 2))
    [('a', 'b'), ('b', 'c')]
    """
    islice((), n)  # refuses orders below 0 and such as are no whole numbers
    kept = tuple(tokens)
    if not n:
        return iter(()) if n is None else repeat((), len(kept) + 1)
    return iter(list_ngrams(kept, operator.index(n)))
