"""Random corpora that contain what breaks BLEU: empties, ties, zero matches, ragged references, short segments."""

from itertools import zip_longest

from hypothesis import strategies as st

from bleuprint.metrics.bleu.recipe import ONE_SEGMENT_ONLY, SMOOTHINGS
from bleuprint.recipes.recipe import Recipe

CORPUS_DIALECTS = [name for name, recipe in Recipe.dialects("bleu").items() if not recipe.is_for_one_segment]
"""The dialects of BLEU that are defined for a corpus."""
CORPUS_SMOOTHINGS = [kind for kind in SMOOTHINGS if kind not in ONE_SEGMENT_ONLY]
TOKENS = st.sampled_from("abc")
TOKEN_LISTS = st.lists(TOKENS, max_size=8)

WORDS = (
    "the", "The", "cat", "cat.", "cat,", "1.5", "1,000", "3-4", "don't", "A-B", ".", "..", "&amp;", "<skipped>", "¥5",
    "中文", "。", "“so”", "naïve", "Ärger",
)  # fmt: skip
ASCII_WORDS = tuple(word for word in WORDS if word.isascii())


@st.composite
def segments(draw, texts=TOKEN_LISTS, pieces=TOKENS):
    """One candidate with one to three references, all of them lists of tokens."""
    references = draw(st.lists(texts, min_size=1, max_size=3))
    if draw(st.booleans()):
        return draw(texts), references
    # Independent texts hardly ever share a 4-gram, so half of the candidates are edited copies of a reference.
    copied = draw(st.sampled_from(references))
    return copied[draw(st.integers(0, 2)) :] + draw(st.lists(pieces, max_size=2)), references


def corpora(max_segments=3, **texts):
    """Candidates and their references, as two lists."""
    return st.lists(segments(**texts), min_size=1, max_size=max_segments).map(as_columns)


def word_corpora(words=WORDS):
    """Corpora of words that a tokenizer or a change of case takes apart, to be joined by ``as_text``."""
    pieces = st.sampled_from(words)
    return corpora(texts=st.lists(pieces, max_size=8), pieces=pieces)


def as_columns(pairs):
    return [candidate for candidate, _ in pairs], [references for _, references in pairs]


def as_text(corpus):
    """Join the tokens of a corpus by spaces."""
    candidates, references = corpus
    return [" ".join(tokens) for tokens in candidates], [[" ".join(tokens) for tokens in own] for own in references]


def as_streams(references):
    """Turn references per segment into sacreBLEU's columns, with None where a segment has fewer than others."""
    return [list(column) for column in zip_longest(*references)]


@st.composite
def recipes(draw, metric=None):
    """Draw a recipe of one metric, or of any, with any values that the named recipes have."""
    named = list(Recipe.dialects(metric or draw(st.sampled_from(["bleu", "chrf", "ter"]))).values())
    recipe = draw(st.sampled_from(named))
    choices = {
        field: draw(st.sampled_from(sorted({getattr(other, field) for other in named}, key=str)))
        for field in recipe.metric.axes
        if draw(st.booleans())
    }
    if recipe.metric_key == "bleu":
        choices.pop("weights", None)
        choices |= {"tokenizer": draw(st.sampled_from(["13a", "char", "fairseq"])), "order": draw(st.integers(1, 5))}
    return recipe.replace(**choices)
