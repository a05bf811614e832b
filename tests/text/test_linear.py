"""Reading foreign text takes time in proportion to its length. Calls and characters are counted, nothing is timed."""

import sys

import pytest

import bleuprint as bp
from bleuprint.text.formats import ListedLines, markup, stream_corpus
from bleuprint.text.tokenizers import spans


def count_calls(function, *arguments):
    """Count the calls of functions, of Python's own too, that a call makes."""
    calls = 0

    def see(_frame, event, _argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(see)
    try:
        function(*arguments)
    finally:
        sys.setprofile(None)
    return calls


def test_tags_that_never_close_are_given_up_at_the_first():
    calls = [count_calls(markup.read_markup, "sgml", "a", ["<seg " * size]) for size in (10, 10_000)]
    assert calls[0] == calls[1]


def test_rows_much_shorter_than_the_header_cost_their_own_cells_only():
    header = ["candidate", "reference", *["reference", "other"] * 5000]
    lines = ListedLines(["\t".join(header), *["a\tb"] * 100])
    [corpus] = stream_corpus("a.tsv", [], lambda _: lines, 1000)
    assert corpus.references == [["b"]] * 100
    assert sum(map(len, corpus.references)) == 100


def test_a_header_of_any_length_is_refused_after_a_look_at_its_first_names():
    def refuse(names):
        with pytest.raises(bp.BleuprintError):
            list(stream_corpus("a.tsv", [], lambda _: ListedLines(["\t".join(names)]), 1000))

    calls = [count_calls(refuse, ["x"] * size) for size in (2000, 8000)]
    assert calls[1] < 2 * calls[0]


class CountingText(str):
    """A text that counts the characters that may be searched in it."""

    seen = 0

    def find(self, part, start=0, end=None):
        place = super().find(part, start, len(self) if end is None else end)
        CountingText.seen += (min(len(self), end or len(self)) if place < 0 else place + len(part)) - start
        return place


@pytest.mark.parametrize("tokenizer", ["nltk-word-tokenize", "treebank"])
def test_tokens_that_are_not_in_the_text_are_looked_for_nearby_only(tokenizer, monkeypatch):
    seen = []
    monkeypatch.setattr(
        spans, "_track_case", lambda text, _: spans.TrackedText(CountingText(text), [(0, 1)] * len(text))
    )
    for size in (500, 1000):
        text = '" ' * size
        CountingText.seen = 0
        spans.locate_tokens(text, ["``"] * size, tokenizer, "mixed")
        seen.append(CountingText.seen)
    assert 0 < seen[1] < 2.2 * seen[0]


def test_a_document_of_sixty_thousand_letters_is_refused_at_once():
    """It kept the command busy for half a minute when names were tried from every letter."""
    for text in (f"<doc {'a' * 60_000}>", "<seg " * 12_000, f'<tstset><doc docid="d"><seg {"a" * 60_000}>'):
        with pytest.raises(bp.BleuprintError):
            markup.join_markup(markup.read_markup("sgml", "a.sgm", [text]), [], None, ())
