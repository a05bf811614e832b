"""Calls of sacreBLEU for BLEU, its drop-in's and its own, with the options and objects that they take."""

import numpy as np
from hypothesis import strategies as st

NUMBERS = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio", "prec_str", "name")
SMOOTHINGS = [
    ("none", None),
    ("none", 0.5),
    ("exp", None),
    *(("floor", value) for value in (None, 0, 0.01, 0.5, 1)),
    *(("add-k", value) for value in (None, 0, 0.1, 1, 2.5)),
]
NATIVE = ("none", "13a", "intl", "zh", "char")


@st.composite
def options(draw):
    """Arguments of the constructor."""
    method, value = draw(st.sampled_from(SMOOTHINGS))
    return {
        "lowercase": draw(st.booleans()),
        "force": draw(st.booleans()),
        "tokenize": draw(st.sampled_from([None, *NATIVE])),
        "smooth_method": method,
        "smooth_value": value,
        "max_ngram_order": draw(st.integers(0, 6)),
        "effective_order": draw(st.booleans()),
        "trg_lang": draw(st.sampled_from(["", "de", "zh"])),
    }


def outcome(call):
    """What a call gives: its score printed with all digits, or the type of what it raises."""
    try:
        score = call()
    except Exception as error:
        return type(error)
    return [repr(getattr(score, field)) for field in NUMBERS]


WORD = "the cat sat"
CALLS = {
    "flat references are characters": lambda m: m.corpus_bleu(["a b c"], ["a b c", "a b d"]),
    "a string of candidates": lambda m: m.corpus_bleu("abc", ["abc"]),
    "more candidates": lambda m: m.corpus_bleu([WORD, "b", "c"], [[WORD]]),
    "more references": lambda m: m.corpus_bleu([WORD], [[WORD, "b", "c"]]),
    "streams of different lengths": lambda m: m.corpus_bleu([WORD, "b"], [[WORD, "b"], ["x"]]),
    "an empty stream": lambda m: m.corpus_bleu([WORD], [[WORD], []]),
    "no candidates": lambda m: m.corpus_bleu([], [[]]),
    "no streams": lambda m: m.corpus_bleu([WORD], []),
    "streams without segments": lambda m: m.corpus_bleu([WORD], [[]]),
    "None for references": lambda m: m.corpus_bleu([WORD], None),
    "None for candidates": lambda m: m.corpus_bleu(None, [[WORD]]),
    "a None candidate": lambda m: m.corpus_bleu([WORD, None], [[WORD, WORD]]),
    "a number as a candidate": lambda m: m.corpus_bleu([WORD, 5], [[WORD, WORD]]),
    "bytes as a candidate": lambda m: m.corpus_bleu([WORD, b"x"], [[WORD, WORD]], force=True),
    "bytes as a candidate, not forced": lambda m: m.corpus_bleu([WORD, b"x"], [[WORD, WORD]]),
    "bytes without a tokenizer": lambda m: m.corpus_bleu([WORD, b"x"], [[WORD, b"x"]], force=True, tokenize="none"),
    "a list as a candidate": lambda m: m.corpus_bleu([["the", "cat"]], [[WORD]]),
    "a number beyond the shorter side": lambda m: m.corpus_bleu([WORD, 5], [[WORD]]),
    "a number as a reference": lambda m: m.corpus_bleu([WORD, WORD], [[WORD, 5]]),
    "a number as the first reference": lambda m: m.corpus_bleu([WORD], [[5]]),
    "streams that are numbers": lambda m: m.corpus_bleu([WORD], [5]),
    "references in a set": lambda m: m.corpus_bleu([WORD], {WORD}),
    "candidates in a generator": lambda m: m.corpus_bleu(iter([WORD]), [[WORD]]),
    "a later stream in a generator": lambda m: m.corpus_bleu([WORD], [[WORD], iter(["a"])]),
    "only None": lambda m: m.corpus_bleu([WORD], [[None]]),
    "only None, empty candidate": lambda m: m.corpus_bleu(["", WORD], [[None, WORD]]),
    "only None, two empty candidates": lambda m: m.corpus_bleu(["", " "], [[None, None]]),
    "some None": lambda m: m.corpus_bleu([WORD, "b"], [[WORD, None], [None, "b c"]]),
    "an empty reference": lambda m: m.corpus_bleu(["a"], [["a b c"], [""]]),
    "a lone surrogate": lambda m: m.corpus_bleu(["a \ud800 b c"], [["a \ud800 b d"]]),
    "a lone surrogate, 13a on a reference": lambda m: m.corpus_bleu(["a b."], [["a \ud800."]]),
    "a subclass of str": lambda m: m.corpus_bleu([np.str_("A b c d.")], [[np.str_("a b c d.")]], lowercase=True),
    "an unknown smoothing": lambda m: m.corpus_bleu([WORD], [[WORD]], smooth_method="magic"),
    "an unknown tokenizer": lambda m: m.corpus_bleu([WORD], [[WORD]], tokenize="magic"),
    "no tokenizer": lambda m: m.corpus_bleu([WORD], [[WORD]], tokenize=None),
    "a text as a value": lambda m: m.corpus_bleu(["a b"], [["a c"]], smooth_method="floor", smooth_value="x"),
    "a sentence that is none": lambda m: m.sentence_bleu(5, [WORD]),
    "a sentence with a text": lambda m: m.sentence_bleu(WORD, WORD),
    "a sentence without references": lambda m: m.sentence_bleu(WORD, []),
    "a sentence with None": lambda m: m.sentence_bleu(WORD, [None]),
    "an empty sentence with None": lambda m: m.sentence_bleu("", [None]),
    "a sentence with a number": lambda m: m.sentence_bleu(WORD, [5]),
    "a sentence with a later number": lambda m: m.sentence_bleu(WORD, [WORD, 5]),
    "a sentence with a later None": lambda m: m.sentence_bleu(WORD, [WORD, None]),
    "a sentence with a set": lambda m: m.sentence_bleu(WORD, {WORD}),
    "a lowered sentence with a later number": lambda m: m.sentence_bleu(WORD, [WORD, 5], lowercase=True),
}
OBJECT_CALLS = {
    "nothing kept": lambda kind: kind().corpus_score([WORD], None),
    "nothing kept, empty streams": lambda kind: kind(references=[[]]).corpus_score([WORD], None),
    "references=[]": lambda kind: kind(references=[]).corpus_score([WORD], None),
    "kept references": lambda kind: kind(references=[[WORD]]).corpus_score([WORD], None),
    "kept but given, too": lambda kind: kind(references=[[WORD]]).corpus_score([WORD], [["a"]]),
    "order 0": lambda kind: kind(max_ngram_order=0).corpus_score([WORD, "b"], [[WORD, "b"]]),
    "order -1": lambda kind: kind(max_ngram_order=-1).corpus_score([WORD, "b"], [[WORD, "b"]]),
    "order 150": lambda kind: kind(max_ngram_order=150).corpus_score([WORD, "b"], [[WORD, "b"]]),
    "order 150, sentence": lambda kind: kind(max_ngram_order=150).sentence_score(WORD, [WORD]),
    "order 2.5": lambda kind: kind(max_ngram_order=2.5).corpus_score([WORD, "b"], [[WORD, "b"]]),
    "too few counts": lambda kind: kind.compute_bleu([1], [1], 1, 1),
    "an unknown method": lambda kind: kind.compute_bleu([1], [1], 1, 1, "magic"),
    "no JSON without a signature": lambda kind: kind().corpus_score([WORD], [[WORD]]).format(is_json=True),
    "no signature before a score": lambda kind: kind().get_signature(),
}
CACHED = [["The Cat sat on the mat.", "b c d e f"], ["the cat sat, on a mat", "B c d"]]
SYSTEM = ["The cat Sat on the mat .", "b c d e"]
CHANGES = {
    "case": {"lowercase": True},
    "a lower order": {"max_ngram_order": 2},
    "a higher order": {"max_ngram_order": 6},
    "no order": {"max_ngram_order": 0},
    "another tokenizer": {"tokenizer": lambda line: line.replace("e", " ")},
    "another way to split": {"_preprocess_segment": lambda line: f"x {line}"},
    "another length": {"_get_closest_ref_len": lambda length, lengths: 5},
    "smoothing": {"smooth_method": "floor", "effective_order": True},
}
FIRST = {"usual": {}, "lowered": {"lowercase": True}, "intl": {"tokenize": "intl"}, "order 0": {"max_ngram_order": 0}}


def score_before_and_after(kind, first, change):
    """Score with references that are kept, change settings, and score again, with those and with others."""
    metric = kind(**first, references=CACHED)
    scores = [metric.corpus_score(SYSTEM, None)]
    for name, value in change.items():
        setattr(metric, name, value)
    scores += [metric.corpus_score(SYSTEM, None), metric.corpus_score(SYSTEM, CACHED)]
    return [outcome(lambda: score) for score in scores]  # noqa: B023, called at once


def one_reference(self, refs):
    return super(type(self), self)._extract_reference_info(refs[:1])


def no_matches(self, hypothesis, ref_kwargs):
    row = super(type(self), self)._compute_segment_statistics(hypothesis, ref_kwargs)
    return [*row[:2], 1, 1, 1, 1, *row[6:]]


def halves(self, hypothesis, ref_kwargs):
    return [number + 0.1 for number in super(type(self), self)._compute_segment_statistics(hypothesis, ref_kwargs)]


def other_references(self, references):
    return super(type(self), self)._cache_references([["b c d e"] * len(stream) for stream in references])


def another_sum(self, stats):
    return super(type(self), self)._aggregate_and_compute(stats[:1])


def doubled(self, stats):
    return super(type(self), self)._compute_score_from_stats([*stats[:2], *[2 * number for number in stats[2:]]])


OVERRIDES = {
    "_extract_reference_info": one_reference,
    "_compute_segment_statistics": no_matches,
    "_compute_segment_statistics to fractions": halves,
    "_get_closest_ref_len": lambda self, length, lengths: max(lengths),
    "_cache_references": other_references,
    "_extract_corpus_statistics": lambda self, *corpus: super(type(self), self)._extract_corpus_statistics(*corpus)[1:],
    "_aggregate_and_compute": another_sum,
    "_compute_score_from_stats": doubled,
    "compute_bleu": lambda self, **stats: super(type(self), self).compute_bleu(**{**stats, "sys_len": 3}),
    "_check_sentence_score_args": lambda self, *given: None,
    "TOKENIZER_DEFAULT": "char",
    "_TOKENIZER_MAP": {"de": "intl"},
}


def score_overridden(kind, name):
    """Score in every way with a subclass that overrides one thing."""
    own = type("Own", (kind,), {name.split()[0]: OVERRIDES[name]})
    made = [
        own(trg_lang="de").corpus_score(SYSTEM, CACHED),
        own(trg_lang="de").corpus_score(SYSTEM, CACHED, 30),
        own(references=CACHED).corpus_score(SYSTEM, None),
    ]
    if name != "_extract_corpus_statistics":  # which leaves nothing of one segment
        made.append(own().sentence_score(SYSTEM[0], [stream[0] for stream in CACHED]))
    return [(score.score, list(score.counts), str(score), score._mean, score._ci) for score in made]
