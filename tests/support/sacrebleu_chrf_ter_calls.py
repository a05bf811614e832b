"""Calls of sacreBLEU for chrF and TER."""

import numpy as np
from hypothesis import strategies as st

from sacrebleu_calls import another_sum, halves, other_references

METRICS = ("CHRF", "TER")
FIELDS = {
    "CHRF": ("name", "score", "char_order", "word_order", "beta", "_mean", "_ci"),
    "TER": ("name", "score", "num_edits", "ref_length", "_mean", "_ci"),
}
CHRF_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([0, 1, 2, 3, 0.5, 1.1, 2.5]),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    },
)
TER_OPTIONS = st.fixed_dictionaries(
    {}, optional={name: st.booleans() for name in ("normalized", "no_punct", "asian_support", "case_sensitive")}
)
METRIC_OPTIONS = st.one_of(
    st.tuples(st.just("CHRF"), CHRF_OPTIONS),
    st.tuples(st.just("TER"), TER_OPTIONS),
)
"""A metric, with arguments of its constructor."""


def shown(score):
    """Every field with its type, and every way to print."""
    kind = "TER" if score.name == "TER" else "CHRF"
    values = [(name, repr(getattr(score, name))) for name in FIELDS[kind]]
    prints = [
        score.format(width, only, signature) for width in (0, 2, 4) for only in (0, 1) for signature in ("", "a:b")
    ]
    return values, prints, str(score), score.format(signature="nrefs:1|case:lc", is_json=True)


def outcome(call):
    """What a call gives, or the type of what it raises."""
    try:
        return shown(call())
    except Exception as error:
        return type(error)


WORD = "the cat sat"
CALLS = {
    "flat references are characters": lambda metric: metric.corpus_score(["a b c"], ["a b c", "a b d"]),
    "a string of candidates": lambda metric: metric.corpus_score("abc", ["abc"]),
    "more candidates": lambda metric: metric.corpus_score([WORD, "b", "c"], [[WORD]]),
    "more references": lambda metric: metric.corpus_score([WORD], [[WORD, "b", "c"]]),
    "streams of different lengths": lambda metric: metric.corpus_score([WORD, "b"], [[WORD, "b"], ["x"]]),
    "an empty stream": lambda metric: metric.corpus_score([WORD], [[WORD], []]),
    "no candidates": lambda metric: metric.corpus_score([], [[]]),
    "no streams": lambda metric: metric.corpus_score([WORD], []),
    "None for references": lambda metric: metric.corpus_score([WORD], None),
    "a None candidate": lambda metric: metric.corpus_score([WORD, None], [[WORD, WORD]]),
    "a number as a candidate": lambda metric: metric.corpus_score([WORD, 5], [[WORD, WORD]]),
    "bytes as a candidate": lambda metric: metric.corpus_score([WORD, b"x"], [[WORD, WORD]]),
    "bytes on both sides": lambda metric: metric.corpus_score([WORD, b"x"], [[WORD, b"x"]]),
    "a number as a reference": lambda metric: metric.corpus_score([WORD, WORD], [[WORD, 5]]),
    "candidates in a generator": lambda metric: metric.corpus_score(iter([WORD]), [[WORD]]),
    "a later stream in a generator": lambda metric: metric.corpus_score([WORD], [[WORD], iter(["a"])]),
    "only None": lambda metric: metric.corpus_score([WORD], [[None]]),
    "only None, among others": lambda metric: metric.corpus_score([WORD, WORD], [[WORD, None]]),
    "only None, before others": lambda metric: metric.corpus_score([WORD, WORD], [[None, WORD]]),
    "some None": lambda metric: metric.corpus_score([WORD, "b"], [[WORD, None], [None, "b c"]]),
    "empty texts": lambda metric: metric.corpus_score(["", " "], [["", " \t"]], 20),
    "empty candidates": lambda metric: metric.corpus_score(["", " "], [["a", "b"]], 20),
    "empty references": lambda metric: metric.corpus_score(["a", "b"], [["", " "]], 20),
    "zero in some resamples": lambda metric: metric.corpus_score(["a", "b"], [["a", "c"]], 20),
    "a lone surrogate": lambda metric: metric.corpus_score(["a \ud800 b c"], [["a \ud800 b d"]]),
    "a subclass of str": lambda metric: metric.corpus_score([np.str_("A b c d.")], [[np.str_("a b c d.")]]),
    "seventeen references": lambda metric: metric.corpus_score(["a b c"], [["a c"]] * 9 + [["x a b c"]] * 8),
    "three lengths": lambda metric: metric.corpus_score(["a b", "c"], [["a"] * 2, ["b"] * 2, ["a b"] * 2], 30),
    "a sentence that is none": lambda metric: metric.sentence_score(5, [WORD]),
    "a sentence with a text": lambda metric: metric.sentence_score(WORD, WORD),
    "a sentence without references": lambda metric: metric.sentence_score(WORD, []),
    "a sentence with None": lambda metric: metric.sentence_score(WORD, [None]),
    "a sentence with a later None": lambda metric: metric.sentence_score(WORD, [WORD, None]),
    "a sentence with a later number": lambda metric: metric.sentence_score(WORD, [WORD, 5]),
    "tokenised candidates": lambda metric: metric.corpus_score(["a ."] * 150, [["a"] * 150]),
    "no JSON without a signature": lambda metric: metric.corpus_score([WORD], [[WORD]]).format(is_json=True),
    "no signature before a score": lambda metric: metric.get_signature(),
}
ODD_OPTIONS = {
    "order 0": ("CHRF", {"char_order": 0}),
    "order 0 and words": ("CHRF", {"char_order": 0, "word_order": 2}),
    "order 0 with eps": ("CHRF", {"char_order": 0, "eps_smoothing": True}),
    "order -1": ("CHRF", {"char_order": -1}),
    "order 120": ("CHRF", {"char_order": 120}),
    "order 2.5": ("CHRF", {"char_order": 2.5}),
    "words -1": ("CHRF", {"word_order": -1}),
    "words 120": ("CHRF", {"word_order": 120}),
    "no order": ("CHRF", {"char_order": None}),
    "beta -1": ("CHRF", {"beta": -1}),
    "beta 1e9": ("CHRF", {"beta": 1e9}),
    "beta NaN": ("CHRF", {"beta": float("nan")}),
    "beta of NumPy": ("CHRF", {"beta": np.float32(1.7)}),
    "beta a text": ("CHRF", {"beta": "2"}),
    "a beta whose square rounds": ("CHRF", {"beta": 1.3000000000000003}),
    "switches that are none": ("CHRF", {"lowercase": "yes", "whitespace": 1, "eps_smoothing": []}),
    "switches of TER that are none": ("TER", {"normalized": "yes", "no_punct": 1, "case_sensitive": []}),
}
CACHED = [["The Cat sat, on the mat.", "b c d e f"], ["the cat sat on a mat", "B c d"]]
SYSTEM = ["The cat Sat on the mat .", "b c d e"]
CHANGES = {
    "case": ("CHRF", {"lowercase": True}),
    "white space": ("CHRF", {"whitespace": True}),
    "a lower order": ("CHRF", {"char_order": 3, "order": 3}),
    "a higher order": ("CHRF", {"char_order": 8, "order": 8}),
    "an order that is not the sum": ("CHRF", {"order": 4}),
    "words": ("CHRF", {"word_order": 2, "order": 8}),
    "beta": ("CHRF", {"beta": 0.3}),
    "eps": ("CHRF", {"eps_smoothing": True}),
    "other punctuation": ("CHRF", {"word_order": 1, "order": 7, "_PUNCTS": {"t"}}),
    "preparation": ("CHRF", {"_preprocess_segment": lambda line: f"x {line}"}),
    "no texts": ("CHRF", {"_preprocess_segment": lambda line: list(line)}),
    "what looks like a setting": ("TER", {"normalized": True, "case_sensitive": True}),
    "another tokenizer": ("TER", {"tokenizer": lambda line: line.replace("e", " ")}),
    "preparation of TER": ("TER", {"_preprocess_segment": lambda line: f"x {line}"}),
}


def one_reference(self, refs):
    return super(type(self), self)._extract_reference_info(refs[:1])


def doubled(self, stats):
    return super(type(self), self)._compute_score_from_stats([stats[0] * 2, *stats[1:]])


def longer(self, sent):
    return super(type(self), self)._preprocess_segment(f"{sent} &amp;amp; e")


OVERRIDES = {
    "_extract_reference_info": one_reference,
    "_compute_segment_statistics": halves,
    "_cache_references": other_references,
    "_extract_corpus_statistics": lambda self, *corpus: super(type(self), self)._extract_corpus_statistics(*corpus)[:1],
    "_aggregate_and_compute": another_sum,
    "_compute_score_from_stats": doubled,
    "_preprocess_segment": longer,
}
CHRF_OVERRIDES = {
    "_get_match_statistics": staticmethod(lambda hyp_ngrams, ref_ngrams: [len(hyp_ngrams), len(ref_ngrams), 1]),
    "_remove_punctuation": lambda self, sent: sent.split("a"),
    "_compute_f_score": lambda self, statistics: float(statistics[0]),
    "_PUNCTS": {"T", "t"},
}


def score_overridden(kind, name, method):
    """Score in every way with a subclass that overrides one thing."""
    own = type("Own", (kind,), {name: method})
    options = {"word_order": 2} if kind.__name__ == "CHRF" else {"normalized": True}
    return [
        shown(own(**options).corpus_score(SYSTEM, CACHED)),
        shown(own(**options).corpus_score(SYSTEM, CACHED, 30)),
        shown(own(**options, references=CACHED).corpus_score(SYSTEM, None)),
        shown(own().sentence_score(SYSTEM[0], [stream[0] for stream in CACHED])),
    ]


OVERRIDING = [
    *((metric, name, method) for metric in METRICS for name, method in OVERRIDES.items()),
    *(("CHRF", name, method) for name, method in CHRF_OVERRIDES.items()),
]
