"""Accidents: texts as they are sometimes read by mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

from bleuprint.scoring.text_notes import turn_references
from bleuprint.text.segments import Segments, Text
from bleuprint.text.tokenizers import apply_case


def lower_texts(corpus: Segments, case: str) -> Segments:
    """Lower all texts of a corpus."""
    return Segments(
        _lower_each(corpus.candidates, case), [tuple(_lower_each(texts, case)) for texts in corpus.references]
    )


def _lower_each(texts: Iterable[Text], case: str = "lower") -> list[Text]:
    return [apply_case(cast("str", text), case) for text in texts]


def _swap(corpus: Segments) -> Segments | None:
    if any(len(texts) != 1 for texts in corpus.references):
        return None
    return Segments([texts[0] for texts in corpus.references], [(text,) for text in corpus.candidates])


def _shift(corpus: Segments, by: int) -> Segments | None:
    if len(corpus) < 3:
        return None
    if by > 0:
        return Segments(corpus.candidates[by:], corpus.references[:-by])
    return Segments(corpus.candidates[:by], corpus.references[-by:])


def _turn(corpus: Segments) -> Segments | None:
    turned = turn_references(corpus)
    return None if turned is None else Segments(corpus.candidates, turned)


def _spread(corpus: Segments) -> Segments | None:
    """Read a text where a list of texts is due: each character is then a reference of its own.

    A character that comes twice counts as once: neither the best reference nor the chosen length depends on it.
    """
    if any(len(texts) != 1 or not str(texts[0]).strip() for texts in corpus.references):
        return None
    return Segments(corpus.candidates, [tuple(dict.fromkeys(str(texts[0]))) for texts in corpus.references])


def _lower_candidates(corpus: Segments) -> Segments:
    return Segments(_lower_each(corpus.candidates), corpus.references)


def _lower_references(corpus: Segments) -> Segments:
    return Segments(corpus.candidates, [tuple(_lower_each(texts)) for texts in corpus.references])


ACCIDENTS: dict[str, Callable[[Segments], Segments | None]] = {
    "candidate and reference swapped": _swap,
    "candidates one line too late": lambda corpus: _shift(corpus, -1),
    "candidates one line too early": lambda corpus: _shift(corpus, 1),
    "references turned: columns taken for rows": _turn,
    "a reference read as a list of characters": _spread,
    "only the candidates lower-cased": _lower_candidates,
    "only the references lower-cased": _lower_references,
}
"""What happens to people; strings scored as characters is the tokenizer char of the plain search."""
