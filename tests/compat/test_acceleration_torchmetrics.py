"""The accelerated torchmetrics: equal tensors, and its own code if anything is unusual."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("torchmetrics")

import copy
from contextlib import contextmanager
from importlib import import_module

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torchmetrics.functional.text import bleu_score, sacre_bleu_score
from torchmetrics.text import BLEUScore, SacreBLEUScore

from bleuprint.compat import accelerate, restore
from bleuprint.compat.acceleration import AccelerationError
from bleuprint.compat.torchmetrics import bleu
from bleuprint.native_kernel import find_kernel
from strategies import WORDS, as_text, corpora, word_corpora

pytestmark = pytest.mark.needs("torch", "torchmetrics")


SUMS = ("numerator", "denominator", "preds_len", "target_len")
ODD_WORDS = (
    *WORDS, "a-\n", "-<skipped>", "\n", "&AMP;", "<SKIPPED>", "İ", "ΣΑΣ", "\u2001x", "2023.", ".5", "\x1c", "\u212a",
)  # fmt: skip
ORIGINAL = {"update": import_module(bleu.HOME)._bleu_score_update}
"""In a dictionary, which keeps it."""
HOLDERS = ("functional.text.bleu", "functional.text.sacre_bleu", "text.bleu", "text.sacre_bleu")
MODULES = [import_module(f"torchmetrics.{name}") for name in HOLDERS]


pytestmark = pytest.mark.usefixtures("accelerated_torchmetrics")


@pytest.fixture
def asked(monkeypatch):
    """Count the calls of torchmetrics' own function by the faster one."""
    calls = []

    def own(*arguments):
        calls.append(arguments)
        return ORIGINAL["update"](*arguments)

    faster = bleu.make_update(own)
    for module in MODULES:
        monkeypatch.setattr(module, bleu.FUNCTION, faster)
    return calls


@contextmanager
def as_it_is():
    """Let torchmetrics itself count."""
    with pytest.MonkeyPatch.context() as patch:
        for module in MODULES:
            patch.setattr(module, bleu.FUNCTION, ORIGINAL["update"])
        yield


def plainly(metric, *batches):
    """Let torchmetrics itself update a copy of a metric."""
    with as_it_is():
        return updated(metric, *batches)


def updated(metric, *batches):
    metric = copy.deepcopy(metric)
    for batch in batches:
        metric.update(*batch)
    return metric


def assert_equal(metric, *batches):
    ours, theirs = updated(metric, *batches), plainly(metric, *batches)
    for name in SUMS:
        mine, other = getattr(ours, name), getattr(theirs, name)
        assert mine.dtype == other.dtype
        assert torch.equal(mine, other), name
    assert torch.equal(ours.compute(), theirs.compute())


@given(corpora(), corpora(), st.integers(1, 5), st.booleans())
def test_equal_sums_after_two_batches(first, second, order, smooth):
    assert_equal(BLEUScore(n_gram=order, smooth=smooth), as_text(first), as_text(second))


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("tokenize", ["none", "13a", "zh", "char", "intl"])
@settings(max_examples=60)
@given(corpus=word_corpora(ODD_WORDS), end=st.sampled_from([" ", "", "\n"]))
def test_equal_sums_with_every_tokenizer(tokenize, lowercase, corpus, end):
    candidates, references = as_text(corpus)
    assert_equal(
        SacreBLEUScore(tokenize=tokenize, lowercase=lowercase),
        ([text + end for text in candidates], [[text + end for text in own] for own in references]),
    )


@pytest.mark.parametrize("tokenize", ["13a", "zh", "char"])
def test_every_character_is_split_as_torchmetrics_splits_it(tokenize):
    characters = [chr(code) for code in range(0x11000) if not 0xD800 <= code < 0xE000]
    texts = ["1".join(characters[start : start + 64]) for start in range(0, len(characters), 64)]
    metric = SacreBLEUScore(tokenize=tokenize, n_gram=1)
    theirs = [metric.tokenizer(text) for text in texts]
    assert [find_kernel().tokenize(text, tokenize) for text in texts] == theirs


def test_the_functions_too():
    corpus = ["the cat is on mat.", "a b"], [["the cat is on the mat.", "a cat"], ["a b c"]]
    faster = [bleu_score(*corpus), sacre_bleu_score(*corpus, lowercase=True)]
    with as_it_is():
        own = [bleu_score(*corpus), sacre_bleu_score(*corpus, lowercase=True)]
    assert all(map(torch.equal, faster, own))


def test_the_kernel_counts_what_is_usual(asked):
    for metric in (BLEUScore(), SacreBLEUScore(lowercase=True), SacreBLEUScore(tokenize="intl")):
        metric.update(("the cat, 3.5-4", "b"), [("the cat", "3.5"), ["b", ""]])
    assert not asked


@pytest.mark.parametrize(
    ("preds", "target"),
    [
        (["a b c d", "x"], [["a b c d"]]),  # cut to fit
        (["a b c d"], ["a b c d"]),  # read as characters
        (["a b c d", None], [["a b c d"], [None, "x"]]),  # read as empty
        (["a \ud800"], [["a \ud800"]]),
        ([], []),
        (iter(["a b"]), iter([["a b"]])),
    ],
    ids=["lengths", "characters", "none", "surrogates", "nothing", "iterators"],
)
def test_what_is_unusual_goes_to_torchmetrics(preds, target, asked):
    given = [copy.deepcopy((preds, target)) for _ in range(2)]
    ours, theirs = BLEUScore(), BLEUScore()
    ours.update(*given[0])
    assert len(asked) == 1
    theirs.preds_len, theirs.target_len = ORIGINAL["update"](*given[1], *(getattr(theirs, name) for name in SUMS[:2]),
                                              theirs.preds_len, theirs.target_len)  # fmt: skip
    assert all(torch.equal(getattr(ours, name), getattr(theirs, name)) for name in SUMS)


def test_an_error_is_theirs_with_the_sums_they_leave_behind():
    metric = BLEUScore()
    with pytest.raises(ValueError, match=r"min\(\)"):
        metric.update(["a b", "c"], [["a b"], []])
    assert metric.preds_len == 3


@pytest.mark.parametrize("start", [2.0**24 - 3, 0.5, float("nan")])
def test_sums_that_would_be_rounded_are_theirs(start, asked):
    corpus = ["a b c d e f"], [["a b c d e f"]]
    sums = [[torch.full((4,), start), torch.zeros(4), torch.tensor(start), torch.tensor(0.0)] for _ in range(2)]
    import_module(bleu.HOME)._bleu_score_update(*corpus, *sums[0])
    ORIGINAL["update"](*corpus, *sums[1])
    assert len(asked) == 1
    assert all(torch.equal(a.nan_to_num(-1), b.nan_to_num(-1)) for a, b in zip(*sums, strict=True))


def test_sums_up_to_the_last_exact_number_are_counted(asked):
    metric = BLEUScore()
    metric.preds_len += 2.0**24 - 2
    metric.update(["a b"], [["a b"]])
    assert (metric.preds_len, asked) == (2.0**24, [])


@pytest.mark.parametrize("dtype", [torch.float16, torch.float64])
def test_other_floats(dtype):
    assert_equal(BLEUScore().set_dtype(dtype), (["a b c d e"], [["a b c d"]]))


def own_tokenizer(kind):
    """A metric that splits in its own way, and the lines it was asked to split."""
    lines = []

    def tokenize(line):
        lines.append(line)
        return [kind(part) for part in line.split(",")]

    metric = SacreBLEUScore()
    metric.tokenizer = tokenize
    return metric, lines


@pytest.mark.parametrize("kind", [str, int], ids=["strings", "numbers"])
def test_a_tokenizer_of_the_user_is_called_once_for_every_text_in_their_order(kind, asked):
    ours, lines = own_tokenizer(kind)
    ours.update(["1,2,3,4,5", ""], [["1,2,3,4", "", "6"], ["7"]])
    assert lines == ["1,2,3,4", "6", "7", "1,2,3,4,5"]
    assert len(asked) == (kind is int)  # only strings are counted by the kernel
    assert (ours.numerator.tolist(), ours.preds_len, ours.target_len) == ([4, 3, 2, 1], 5, 5)


def test_a_subclass_keeps_its_own_code(asked):
    class Doubled(BLEUScore):
        def update(self, preds, target):
            super().update(preds * 2, target * 2)

    class Spoken(type(SacreBLEUScore().tokenizer)):
        def __call__(self, line):
            return ["hm", *super().__call__(line)]

    metric = Doubled()
    metric.update(["a b c d"], [["a b c d"]])
    assert metric.preds_len == 8
    sacre = SacreBLEUScore()
    sacre.tokenizer = Spoken("13a")
    sacre.update(["a."], [["a."]])
    assert (sacre.preds_len, asked) == (3, [])


def test_a_patched_tokenizer_of_theirs_is_used(monkeypatch):
    kind = type(SacreBLEUScore().tokenizer)
    monkeypatch.setattr(kind, "_tokenize_13a", classmethod(lambda cls, line: f"{line} patched"))
    metric = SacreBLEUScore()
    metric.update(["a."], [["a."]])
    assert metric.preds_len == 2


def test_every_module_gets_the_new_function_and_the_old_one_back():
    faster = {getattr(module, bleu.FUNCTION) for module in MODULES}
    assert len(faster) == 1
    assert ORIGINAL["update"] not in faster
    restore()
    restore()
    assert {getattr(module, bleu.FUNCTION) for module in MODULES} == {ORIGINAL["update"]}
    accelerate("torchmetrics")


def test_a_function_that_computes_something_else_is_refused(monkeypatch):
    restore()
    with monkeypatch.context() as patch:
        for module in MODULES:
            patch.setattr(module, bleu.FUNCTION, lambda preds, target, *sums: (sums[2] + 1, sums[3] + 1))
        with pytest.raises(AccelerationError):
            accelerate("torchmetrics")
    assert {getattr(module, bleu.FUNCTION) for module in MODULES} == {ORIGINAL["update"]}
    accelerate("torchmetrics")
