"""Notes that need the texts: tokenized already, split into sub-words, references transposed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from bleuprint.engines import find_engine
from bleuprint.metrics.metric import Better, Metric
from bleuprint.metrics.score import AnyScore, Note
from bleuprint.recipes.recipe import Recipe
from bleuprint.text.segments import Segments, Text
from bleuprint.wording import count_of, format_score

FEWEST_SIGNS = 3
LONGEST_WORD = 3
"""If text of an unspaced script is already split into words, these have fewer characters than this."""
MOST_TRANSPOSED = 1000
"""A square of this side is a million references. A larger one does not occur by accident."""
MOST_TRIED = 8
"""Of a larger square, this many segments with as many references are tried, instead of the whole corpus."""
CLEARLY = 1.1
"""How many times better the transposed references must score. Transposing keeps one reference of each segment in place,
and with it a good part of the score."""
FITTING = 2.0
"""How many times better they must score than the references of other segments. For pairs of segments of WMT22 with two
references each, this notices 8 to 9 of 10 transposed ones by BLEU, 4 to 7 by chrF and 3 to 8 by TER. False alarms are
fewer than 1 in 100, and fewer than 3 in 100 if the candidates belong to other segments."""

_EMPTY_REFERENCES = {
    "bleu": "of length 0, which the brevity penalty may go by",
    "chrf": "without n-grams, in which nothing matches",
    "ter": "of length 0, which is averaged with that of the others",
}
"""How an empty reference counts."""
USUAL_ORDER = 4
_RARE_SCORES = {"bleu": 3.0, "chrf": 20.0, "ter": 110.0}
"""Worse scores of a corpus are rare unless candidates and references do not belong together."""
_SPLIT_AT_SPACES = ("whitespace", "13a", "intl", "codexglue", "fairseq", "treebank", "nltk-word-tokenize", "ptb")
"""The tokenizers that do not split Chinese, Japanese or Thai."""
MANY_SEGMENTS = 100
"""Fewer segments may well score almost nothing."""
_EXPLAINING = {"absent-orders", "all-dropped", "much-shorter", "looks-subword", "transposed"}
"""Notes that explain a score next to nothing."""
_SPACED = re.compile(r"\s[.,](?=\s|$)|\s(?:'s|n't|&apos;|&quot;|@-@)(?=\s)")


def text_notes(segments: Segments, score: AnyScore) -> list[Note]:
    """Write all notes on the texts. ``segments`` may be the first of a long corpus."""
    notes = _note_empties(segments, score)
    texts = [text for text in segments.candidates if isinstance(text, str)]
    if not score.recipe.is_pretokenized:
        notes += [
            *_note_pieces(texts),
            *_note_tokenised(texts, score),
            *_note_unspaced(texts, score),
            *_note_transposed(segments, score),
            *_note_segment(segments, score),
        ]
    if len(segments) < score.census.segments:
        notes = [Note(note.code, f"{note.text} (seen in the first {len(segments):,} segments)") for note in notes]
    explained = not _EXPLAINING.isdisjoint(note.code for note in [*score.statistics_notes, *notes])
    return notes if explained else [*notes, *_note_misaligned(texts, score)]


def _note_misaligned(texts: list[str], score: AnyScore) -> list[Note]:
    """Note a score that corpora hardly ever have if their candidates belong to their references."""
    metric, segments, rare = score.metric, score.census.segments, _RARE_SCORES[score.metric.key]
    is_rare = score.score < rare if metric.better is Better.HIGHER else score.score > rare
    # BLEU of higher orders than usual is low for good texts as well
    if segments < MANY_SEGMENTS or not is_rare or (metric.key == "bleu" and score.recipe.order > USUAL_ORDER):
        return []
    if _advise_unspaced(score.recipe) and 2 * sum(map(_is_unspaced, texts)) > len(texts):
        return []  # the tokenizer explains it, and another note says so
    text = (
        f"{score.label} {score.printed} is unusually {'low' if metric.better is Better.HIGHER else 'high'} for "
        f"{count_of(segments, 'segment')}. The candidates and references may not belong together: check that both are "
        "in the same order and that none is missing."
    )
    return [Note("looks-misaligned", text)]


def _note_segment(segments: Segments, score: AnyScore) -> Sequence[Note]:
    """Note a search for shifts that ended early. A corpus has no such note, as all segments would be searched again."""
    if score.level != "segment" or score.recipe.metric_key != "ter":
        return ()
    from bleuprint.metrics.ter.notes import note_search

    return note_search(segments.segment(0), score.recipe.layout, find_engine().trace)


def _note_empties(segments: Segments, score: AnyScore) -> list[Note]:
    """Note empty references, unless the notes on the statistics name all of them."""
    if counts_empty_texts(score.recipe):
        return []
    told = score.census.empty_references if score.level != "segment" else 0
    known = any(note.code == "empty-reference" for note in score.statistics_notes)
    if known or len(segments.find_empty_references()) == told:
        return []
    return note_empty_references(segments, score.metric, located=score.level == "corpus")


def note_empty_references(segments: Segments, metric: Metric, *, located: bool = True) -> list[Note]:
    """Note references without a single word, which count as empty references."""
    places = segments.find_empty_references()
    if not places:
        return []
    total = sum(map(len, segments.references))
    first = "" if len(places) == 1 else "the first "
    where = f" ({first}in segment {places[0] + 1:,})" if located and len(segments) > 1 else ""
    verb, it = ("is", "it counts as a reference") if len(places) == 1 else ("are", "they count as references")
    text = (
        f"{len(places):,} of {count_of(total, 'reference')} {verb} empty{where}: {it} {_EMPTY_REFERENCES[metric.key]}; "
        "a reference that is missing is left out, or null (in Python None) beside others"
    )
    return [Note("empty-reference-texts", text)]


def _note_tokenised(texts: list[str], score: AnyScore) -> list[Note]:
    if _tokenizer(score.recipe) not in ("13a", "intl"):  # which split off punctuation themselves
        return []
    spaced = sum(len(_SPACED.findall(text)) for text in texts)
    if spaced < FEWEST_SIGNS:
        return []
    attached = 0
    for text in texts:
        attached += len(re.findall(r"\w[.,](?=\s|$)", text))
        if spaced < 4 * attached:
            return []
    text = (
        f"the candidates look tokenised already ({count_of(spaced, 'mark')} with a space before, {attached} without): "
        "the score is only comparable with others if candidates and references are plain, detokenised text"
    )
    return [Note("looks-tokenised", text)]


def counts_empty_texts(recipe: Recipe) -> bool:
    """Whether an empty text counts as one token: fairseq's end of a line."""
    return _tokenizer(recipe) == "fairseq"


def _tokenizer(recipe: Recipe) -> str:
    """Return the name of a recipe's tokenizer; empty for a function, and for metrics without tokens."""
    tokenizer: object = getattr(recipe, "tokenizer", "")
    return tokenizer if isinstance(tokenizer, str) else ""


def _advise_unspaced(recipe: Recipe) -> str:
    """Return which recipe splits text without spaces; empty if this one does, or needs no words."""
    if recipe.metric_key == "ter":
        if recipe.choice("normalized") == recipe.choice("asian") == "yes":
            return ""
        return "which this recipe does not split: use normalized yes with asian yes for Chinese and Japanese"
    tokenizer = _tokenizer(recipe)
    if tokenizer.partition("(")[0] not in _SPLIT_AT_SPACES:
        return ""
    return f"which tokenizer {tokenizer} does not split: use zh for Chinese, char for any"


def _note_unspaced(texts: list[str], score: AnyScore) -> list[Note]:
    """Note text that the tokenizer reads as a few very long words, because it has no spaces."""
    advice = _advise_unspaced(score.recipe)
    if not advice:
        return []
    unspaced = [text for text in texts if _is_unspaced(text)]
    if not unspaced:
        return []
    verb = "is" if len(unspaced) == 1 else "are"
    who = "the candidate" if len(texts) == 1 else f"{len(unspaced):,} of {count_of(len(texts), 'candidate')}"
    return [Note("unspaced-script", f"{who} {verb} in a script without spaces between words, {advice}")]


def _is_unspaced(text: str) -> bool:
    """Whether most characters are of a script without spaces, and the words are not separated already."""
    beyond = len(text.encode("utf-8", "surrogatepass")) - len(text)
    if beyond < 2 * LONGEST_WORD:  # each of these characters has three bytes in UTF-8
        return False
    words = text.split()
    length = len("".join(words))
    if beyond <= length:
        return False
    characters = len(_unspaced().findall(text))
    return characters >= LONGEST_WORD * len(words) > 0 and 2 * characters > length


@cache
def _unspaced() -> re.Pattern[str]:
    """Match Thai, Lao, Burmese, Khmer, Japanese and Chinese, which are written without spaces between words."""
    return re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def _note_pieces(texts: list[str]) -> list[Note]:
    pieces = sum(len(re.findall(r"\S@@(?=\s|$)|▁", text)) for text in texts if "@@" in text or "▁" in text)
    if pieces < FEWEST_SIGNS:
        return []
    text = (
        f"the candidates look cut into sub-words ({count_of(pieces, 'piece')} with @@ or ▁): join them before scoring"
    )
    return [Note("looks-subword", text)]


def turn_references(segments: Segments) -> list[tuple[Text, ...]] | None:
    """Transpose square references: one list per reference becomes one per segment. None for other shapes."""
    return list(zip(*segments.references, strict=True)) if is_square(segments) else None


def is_square(segments: Segments) -> bool:
    """Whether every segment has as many references as there are segments, within bounds."""
    size = len(segments)
    return 2 <= size <= MOST_TRANSPOSED and all(len(entry) == size for entry in segments.references)


def is_better_by(factor: float, score: float, other: float, metric: Metric) -> bool:
    """Whether a score is so many times better than another."""
    if metric.better is Better.LOWER:
        score, other = other, score
    return score > 0 and score >= factor * other


def _note_transposed(segments: Segments, score: AnyScore) -> list[Note]:
    """Try transposed references, or the first of them if the square is large."""
    size = len(segments)
    if not is_square(segments):
        return []
    candidates = segments.candidates[:MOST_TRIED]
    given = [own[:MOST_TRIED] for own in segments.references[:MOST_TRIED]]

    def score_with(references: list[tuple[Text, ...]]) -> float:
        table = find_engine().count(Segments(candidates, references), score.recipe.layout)
        return score.metric.score_row(table.sum_row(), score.recipe)

    turned = list(zip(*given, strict=True))
    here, other = score.score if size <= MOST_TRIED else score_with(given), score_with(turned)
    if not is_better_by(CLEARLY, other, here, score.metric):
        return []
    # References of several segments have more n-grams together than those of one. So unrelated candidates score better
    # as well, and equally with the references of any segment.
    if not is_better_by(FITTING, other, score_with(turned[1:] + turned[:1]), score.metric):
        return []
    outcome = f"the score would be {format_score(other)}"
    if size > MOST_TRIED:
        outcome = (
            f"the first {MOST_TRIED} segments, with {MOST_TRIED} references each, would score {format_score(other)} "
            f"instead of {format_score(here)}"
        )
    text = (
        f"the references may be turned: {size} candidates with {size} references each; if what is given "
        f"as the references of one candidate were one reference of every candidate, {outcome}"
    )
    return [Note("transposed", text)]
