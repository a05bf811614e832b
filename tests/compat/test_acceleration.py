"""Acceleration: the installed tool prints the same bytes, only sooner, and is itself again afterwards."""

import gzip
import importlib
import logging
import os
import pickle
import pkgutil
import random
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import sacrebleu
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu import significance
from sacrebleu.metrics import BLEU, CHRF, lib_ter
from sacrebleu.metrics import bleu as bleu_module
from sacrebleu.metrics import chrf as chrf_module
from sacrebleu.metrics.base import Metric, Score
from sacrebleu.significance import PairedTest

from accelerated_calls import accelerated, both_ways, refuse
from bleuprint.cli.commands import cli
from bleuprint.compat import acceleration
from bleuprint.compat.acceleration import AccelerationError, accelerate, restore
from bleuprint.compat.sacrebleu import acceleration as accelerated_sacrebleu
from bleuprint.compat.sacrebleu.counts import MetricCounts
from command_runs import run_all
from sacrebleu_calls import (
    CALLS,
    CHANGES,
    FIRST,
    NATIVE,
    NUMBERS,
    OBJECT_CALLS,
    OVERRIDES,
    options,
    outcome,
    score_before_and_after,
    score_overridden,
)
from strategies import WORDS, as_streams, as_text, word_corpora

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
BIN = Path(sys.executable).parent
A, B, R1, R2 = (str(EXAMPLES / f"{name}.txt") for name in ("candidate-a", "candidate-b", "reference-1", "reference-2"))


pytestmark = pytest.mark.usefixtures("unaccelerated")


def fields(score):
    return [repr(getattr(score, name)) for name in (*NUMBERS, "_mean", "_ci")] + [score.format(4), str(score)]


# Numbers


@settings(max_examples=250)
@given(word_corpora(), options(), st.booleans())
def test_corpus_scores_and_their_statistics(corpus, options, keep):
    candidates, references = as_text(corpus)
    streams = as_streams(references)

    def score():
        metric = BLEU(**options, references=streams if keep else None)
        given_streams = None if keep else streams
        found = fields(metric.corpus_score(candidates, given_streams))
        return found, str(metric.get_signature()), metric._extract_corpus_statistics(candidates, given_streams)

    fast, slow = both_ways(score)
    assert fast == slow


@settings(max_examples=100)
@given(word_corpora(), options())
def test_sentence_scores(corpus, options):
    candidates, references = as_text(corpus)

    def score():
        metric = BLEU(**options)
        found = [fields(metric.sentence_score(one, own)) for one, own in zip(candidates, references, strict=True)]
        return found, str(metric.get_signature())

    fast, slow = both_ways(score)
    assert fast == slow


@settings(max_examples=80)
@given(word_corpora(), word_corpora(), options(), st.sampled_from([("bs", 0), ("ar", -1), ("ar", 25)]))
def test_significance(corpus, other, options, test):
    candidates, references = as_text(corpus)
    others = (as_text(other)[0] * len(candidates))[: len(candidates)]
    kind, intervals = test

    def compare():
        metric = {"BLEU": BLEU(**options, references=as_streams(references))}
        systems = [("a", candidates), ("b", others), ("c", candidates[::-1])]
        signatures, results = PairedTest(systems, metric, None, kind, 40, intervals)()
        return str(signatures["BLEU"]), list(map(repr, results["BLEU"]))

    fast, slow = both_ways(compare)
    assert fast == slow


@settings(max_examples=40)
@given(word_corpora(), options())
def test_confidence_intervals_and_whole_scores_of_resamples(corpus, options):
    candidates, references = as_text(corpus)

    def resample():
        metric = BLEU(**options)
        stats = metric._extract_corpus_statistics(candidates, as_streams(references))
        seed, scores = significance._bootstrap_resample(stats, metric, 30)
        return seed, [(score.score, str(score), list(score.counts)) for score in scores]

    fast, slow = both_ways(resample)
    assert fast == slow


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_odd_input_is_read_or_refused_alike(call):
    fast, slow = both_ways(lambda: outcome(lambda: call(sacrebleu)))
    assert fast == slow


@pytest.mark.parametrize("call", OBJECT_CALLS.values(), ids=OBJECT_CALLS)
def test_odd_metrics_are_used_or_refused_alike(call):
    fast, slow = both_ways(lambda: outcome(lambda: call(BLEU)))
    assert fast == slow


# What runs, and what is left alone


@pytest.mark.parametrize("tokenize", NATIVE)
def test_sacrebleu_itself_does_not_count_any_more(monkeypatch, tokenize):
    corpus = ["Der Hund, er bellt.", "Ja!"], [["Der Hund, der bellt.", "Ja."], ["Ein Hund bellt.", None]]
    expected = fields(BLEU(tokenize=tokenize).corpus_score(*corpus, 20))
    sentence = fields(BLEU(tokenize=tokenize).sentence_score(corpus[0][0], [corpus[1][0][0]]))
    with accelerate("sacrebleu"):
        monkeypatch.setattr(bleu_module, "extract_all_word_ngrams", refuse)
        for kind in (BLEU, type("Subclass", (BLEU,), {})):
            assert fields(kind(tokenize=tokenize).corpus_score(*corpus, 20)) == expected
            assert fields(kind(tokenize=tokenize, references=corpus[1]).corpus_score(corpus[0], None, 20)) == expected
            assert fields(kind(tokenize=tokenize).sentence_score(corpus[0][0], [corpus[1][0][0]])) == sentence
    with pytest.raises(AssertionError, match="own counting"):
        BLEU(tokenize=tokenize).corpus_score(*corpus)


def test_an_own_tokenizer_splits_and_the_kernel_counts(monkeypatch):
    class Halves(BLEU):
        def _preprocess_segment(self, sent):
            return sent.replace("-", " ")

    class Commas(bleu_module._get_tokenizer("13a")):
        def __call__(self, line):
            return line.replace(",", " ")

    def with_commas():
        metric = BLEU()
        metric.tokenizer = Commas()
        return metric

    corpus = ["a-b,c d e", "f.g"], [["a b,c d", "f.g h"]]
    expected = [fields(make().corpus_score(*corpus)) for make in (Halves, with_commas)]
    with accelerate("sacrebleu"):
        monkeypatch.setattr(bleu_module, "extract_all_word_ngrams", refuse)
        assert [fields(make().corpus_score(*corpus)) for make in (Halves, with_commas)] == expected
    assert expected[0] != expected[1]


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("_compute_segment_statistics", lambda self, hypothesis, references: [9, 9, 5, 5, 5, 5, 9, 8, 7, 6]),
        ("_get_closest_ref_len", lambda self, length, lengths: 77),
        ("_compute_score_from_stats", lambda self, stats: BLEU.compute_bleu([1] * 4, [2] * 4, int(stats[0]), 5)),
        ("_aggregate_and_compute", lambda self, stats: BLEU.compute_bleu([1] * 4, [2] * 4, len(stats), 5)),
        ("_cache_references", lambda self, references: self._other_cache(references)),
    ],
)
def test_an_overridden_method_keeps_its_code(name, method):
    def other_cache(self, references):
        self.num_refs = 1
        return [self._extract_reference_info([self._preprocess_segment("a b c d e f")]) for _ in references[0]]

    kind = type("Own", (BLEU,), {name: method, "_other_cache": other_cache})
    corpus = ["a b c d e", "a b c"], [["a b c d", "a b c d"]]

    def score():
        metric = kind()
        compared = PairedTest([("a", corpus[0]), ("b", corpus[0][::-1])], {"BLEU": kind()}, corpus[1], "bs", 20)()
        return fields(metric.corpus_score(*corpus, 20)), list(map(repr, compared[1]["BLEU"]))

    fast, slow = both_ways(score)
    assert fast == slow
    assert slow[0] != fields(BLEU().corpus_score(*corpus, 20))


def test_a_method_put_into_an_object_or_a_tokenizer_class_is_seen(monkeypatch):
    corpus = ["a b c d e", "a b c"], [["a b c d", "a b c d"]]
    plain_score = fields(BLEU().corpus_score(*corpus))
    with accelerate("sacrebleu"):
        metric = BLEU()
        metric._preprocess_segment = lambda text: "x " + text
        assert metric.corpus_score(*corpus).sys_len == 10
        monkeypatch.setattr(type(BLEU().tokenizer), "__call__", lambda self, line: "x y " + line)
        assert BLEU().corpus_score(*corpus).sys_len == 12
        monkeypatch.undo()
        assert fields(BLEU().corpus_score(*corpus)) == plain_score


def test_intl_splits_itself_where_its_unicode_is_another(monkeypatch):
    assert accelerated_sacrebleu._has_same_unicode()
    assert accelerated_sacrebleu._compare_classes()
    monkeypatch.setattr(accelerated_sacrebleu, "NUMBER", accelerated_sacrebleu.NUMBER[:-1])
    assert not accelerated_sacrebleu._compare_classes()
    corpus = ["So„a“ 2,5 €.", "b!"], [["So „a“ 2,5 € .", "b !"]]
    expected = fields(BLEU(tokenize="intl").corpus_score(*corpus))
    asked = []
    kind = bleu_module._get_tokenizer("intl")
    own = kind.__call__
    monkeypatch.setattr(kind, "__call__", lambda self, line: asked.append(line) or own(self, line))
    monkeypatch.setattr(accelerated_sacrebleu, "_has_same_unicode", lambda: False)
    with accelerated("sacrebleu"):
        monkeypatch.setattr(bleu_module, "extract_all_word_ngrams", refuse)
        assert fields(BLEU(tokenize="intl").corpus_score(*corpus)) == expected
    assert asked == [*corpus[1][0], *corpus[0]]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("first", FIRST)
def test_settings_changed_after_caching_act_as_before(first, change):
    fast, slow = both_ways(lambda: score_before_and_after(BLEU, FIRST[first], CHANGES[change]))
    assert fast == slow


def test_what_an_own_way_to_split_knows_may_change_after_caching():
    class Marked(BLEU):
        mark = "-"

        def _preprocess_segment(self, sent):
            return sent.replace(self.mark, " ")

    def score():
        metric = Marked(references=[["a-b c d", "e f g h"]])
        metric.mark = "/"
        return fields(metric.corpus_score(["a-b c d", "e/f g h"], None))

    fast, slow = both_ways(score)
    assert fast == slow


@pytest.mark.parametrize("name", OVERRIDES)
def test_what_a_subclass_overrides_is_what_runs(name):
    def score():
        systems = [("a", ["The cat sat on the mat.", "b c"]), ("b", ["the Cat sat on a mat", "b c d"])]
        streams = [["The Cat sat on the mat.", "b c d e f"]]
        metric = type("Own", (BLEU,), {name.split()[0]: OVERRIDES[name]})()
        tests = [] if name == "_extract_corpus_statistics" else ["bs", "ar"]  # which need a row for every segment
        compared = [PairedTest(systems, {"BLEU": metric}, streams, kind, 30, 20)()[1]["BLEU"] for kind in tests]
        return score_overridden(BLEU, name), repr(compared)

    fast, slow = both_ways(score)
    assert fast == slow


def test_kept_references_outlive_acceleration():
    streams = [["a b c d e f", "c d e f g h"]]
    candidates = ["a b c d e", "c d e f h"]
    with accelerate("sacrebleu"):
        metric = BLEU(references=streams)
        fast = fields(metric.corpus_score(candidates, None))
        copied = pickle.loads(pickle.dumps(metric))
        assert fields(copied.corpus_score(candidates, None)) == fast
    assert fields(metric.corpus_score(candidates, None)) == fast
    assert metric._ref_cache[0]["ref_lens"] == [6]
    before = BLEU(references=streams)
    with accelerate("sacrebleu"):
        assert fields(before.corpus_score(candidates, None)) == fast


class Length(Metric):
    """A metric of somebody else's: how many characters there are for one of the reference."""

    _preprocess_segment = staticmethod(str.strip)

    def _extract_reference_info(self, refs):
        return {"length": len(refs[0])}

    def _compute_segment_statistics(self, hypothesis, ref_kwargs):
        return [len(hypothesis), ref_kwargs["length"]]

    def _compute_score_from_stats(self, stats):
        return Score("Length", stats[0] / stats[1])

    def _aggregate_and_compute(self, stats):
        return self._compute_score_from_stats([sum(column) for column in zip(*stats, strict=True)])


def test_other_metrics_are_untouched():
    systems = [("a", ["a b c d", "x"]), ("b", ["a b c", "y"])]

    def compare():
        metrics = {"LENGTH": Length(), "BLEU": BLEU(), "OTHER": CHRF(word_order=2)}
        return {
            key: list(map(repr, own))
            for key, own in PairedTest(systems, metrics, [["a b c", "x"]], "ar", 30)()[1].items()
        }

    fast, slow = both_ways(compare)
    assert fast == slow
    assert list(fast) == list(slow)


def test_sacrebleu_says_what_it_says_of_tokenised_candidates(caplog):
    said = []
    for fast in (False, True):
        caplog.clear()
        if fast:
            accelerate("sacrebleu")
        for number in (99, 100, 150):
            BLEU().corpus_score(["a ."] * number, [["a"] * number])
        said.append(caplog.record_tuples)
    assert said[0] == said[1]
    assert {level for _, level, _ in said[0]} == {logging.WARNING}


# The verbs


def everything_of_sacrebleu():
    """Every attribute of every class and module that could be touched."""
    for module in pkgutil.iter_modules(sacrebleu.tokenizers.__path__):  # which it imports when they are first needed
        importlib.import_module(f"sacrebleu.tokenizers.{module.name}")
    places = [module for name, module in sorted(sys.modules.items()) if name.split(".")[0] == "sacrebleu"]
    classes = [value for place in places for value in vars(place).values() if isinstance(value, type)]
    everything = [dict(vars(place)) for place in (*places, *classes)]
    for attributes in everything:
        attributes.pop("__slotnames__", None)  # which Python's copy puts into a class
    return everything


def test_restore_puts_back_exactly_what_was_there():
    before = everything_of_sacrebleu()
    accelerate("sacrebleu")
    assert everything_of_sacrebleu() != before
    accelerate("sacrebleu")
    restore()
    assert everything_of_sacrebleu() == before
    restore()
    assert everything_of_sacrebleu() == before


def test_a_context_ends_what_it_began():
    before = everything_of_sacrebleu()
    with accelerate("sacrebleu") as outer:
        assert outer.names == ["sacrebleu"]
        with accelerate("sacrebleu", "sacrebleu") as inner:
            assert inner.names == []
        assert everything_of_sacrebleu() != before
    assert everything_of_sacrebleu() == before
    with pytest.raises(IndexError), accelerate("sacrebleu"):
        BLEU().corpus_score([], [])
    assert everything_of_sacrebleu() == before


@pytest.mark.needs("torchmetrics")
def test_without_names_all_that_are_installed():
    with accelerate() as everything:
        assert everything.names == list(acceleration.TOOLS)
        assert everything.refused == {}


def test_unknown_names_are_refused():
    before = everything_of_sacrebleu()
    for name in ("moses", ["nltk"]):
        with pytest.raises(AccelerationError) as refused:
            accelerate("sacrebleu", name)
        assert repr(name) in str(refused.value)
    assert everything_of_sacrebleu() == before


def test_a_tool_that_is_not_installed_is_refused(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "nltk"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "nltk", None)
    before = everything_of_sacrebleu()
    with pytest.raises(AccelerationError) as refused:
        accelerate("sacrebleu", "nltk")
    assert isinstance(refused.value.__cause__, ImportError)
    assert everything_of_sacrebleu() == before


def test_without_any_tool_there_is_nothing_to_accelerate(monkeypatch):
    monkeypatch.setattr(acceleration, "TOOLS", ("no_such_tool",))
    for call in (accelerate, lambda: CliRunner().invoke(cli, ["accelerate", "sacrebleu"], catch_exceptions=False)):
        with pytest.raises(AccelerationError):
            call()


# The self-check


DIFFERENT = {
    "a tokenizer": (
        type(BLEU().tokenizer),
        "__call__",
        lambda own: lambda self, line: own(self, line.replace(";", "")),
    ),
    "smoothing": (BLEU, "SMOOTH_DEFAULTS", lambda own: {**own, "floor": 0.2}),
    "clipping": (bleu_module, "extract_all_word_ngrams", lambda own: lambda *arguments: (own(*arguments)[0], 7)),
    "characters": (chrf_module, "extract_all_char_ngrams", lambda own: lambda line, *rest: own(line + "!", *rest)),
    "shifts": (lib_ter, "_MAX_SHIFT_DIST", lambda own: 1),
    "resampling": (significance, "_bootstrap_resample", lambda own: lambda *arguments: ("1", own(*arguments)[1][1:])),
}


@pytest.mark.needs("torchmetrics")
@pytest.mark.parametrize("name", DIFFERENT)
def test_a_tool_that_computes_something_else_is_refused(monkeypatch, name):
    owner, attribute, change = DIFFERENT[name]
    monkeypatch.setattr(owner, attribute, change(getattr(owner, attribute)))
    before = everything_of_sacrebleu()
    with pytest.raises(AccelerationError) as refused:
        accelerate("nltk", "sacrebleu")
    assert refused.value.message.startswith(f"sacrebleu {sacrebleu.__version__} ")
    assert everything_of_sacrebleu() == before
    with accelerate() as others:
        assert others.names == ["nltk", "torchmetrics"]
        assert isinstance(others.refused["sacrebleu"], AccelerationError)
    assert everything_of_sacrebleu() == before


def test_the_first_difference_is_named(monkeypatch):
    monkeypatch.setattr(BLEU, "SMOOTH_DEFAULTS", {**BLEU.SMOOTH_DEFAULTS, "floor": 0.2})
    with pytest.raises(AccelerationError) as refused:
        accelerate("sacrebleu")
    assert "smooth:floor" in str(refused.value)
    assert str(refused.value).count("BLEU = ") == 2


def test_a_tool_without_a_function_that_is_replaced_is_refused(monkeypatch):
    before = everything_of_sacrebleu()
    with monkeypatch.context() as damaged:
        damaged.delattr(significance, "_paired_ar_test")
        for _ in range(2):
            with pytest.raises(AccelerationError) as refused:
                accelerate("sacrebleu", "nltk")
            assert isinstance(refused.value.__cause__, (AttributeError, NameError))
        restore()
    assert everything_of_sacrebleu() == before
    with accelerate("sacrebleu") as mended:
        assert mended.names == ["sacrebleu"]
        assert everything_of_sacrebleu() != before
    assert everything_of_sacrebleu() == before


def test_a_check_that_is_interrupted_leaves_nothing_behind(monkeypatch):
    before = everything_of_sacrebleu()

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(MetricCounts, "count", interrupt)
    with pytest.raises(KeyboardInterrupt):
        accelerate("sacrebleu")
    assert everything_of_sacrebleu() == before


def test_the_check_logs_nothing_and_takes_any_seed(monkeypatch, caplog):
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    caplog.set_level(logging.DEBUG)
    with accelerate("sacrebleu"):
        assert caplog.records == []


def test_threads_that_accelerate_and_restore_leave_nothing_behind():
    nltk_scores = importlib.import_module("nltk.translate.bleu_score")
    before, function = everything_of_sacrebleu(), [nltk_scores.corpus_bleu]
    switched, failures = sys.getswitchinterval(), []

    def work():
        try:
            for _ in range(4):
                accelerate("sacrebleu", "nltk")
                restore()
        except Exception as error:
            failures.append(error)

    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switched)
    restore()
    assert not failures
    assert everything_of_sacrebleu() == before
    assert [nltk_scores.corpus_bleu] == function


# Where functions are held


HOLDER = """
from functools import partial
from nltk.translate.bleu_score import corpus_bleu, corpus_bleu as score

half = partial(corpus_bleu, weights=(0.5, 0.5))


def mean(texts, call=corpus_bleu):
    return call
"""


def import_holder(monkeypatch, tmp_path, name):
    """Import a module of somebody's that holds NLTK's function."""
    (tmp_path / f"{name}.py").write_text(HOLDER)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module(name)


def test_modules_that_hold_a_function_get_the_new_one(monkeypatch, tmp_path):
    nltk_scores = importlib.import_module("nltk.translate.bleu_score")
    before = import_holder(monkeypatch, tmp_path, "held_before")
    originals = {"theirs": nltk_scores.corpus_bleu}
    with accelerate("nltk"):
        after = import_holder(monkeypatch, tmp_path, "held_after")
        new = {"ours": nltk_scores.corpus_bleu}
        assert new["ours"] is not originals["theirs"]
        for module in (before, after):
            assert module.corpus_bleu is module.score is new["ours"]
        # partials and default arguments keep what they have
        assert [before.half.func, before.mean("")] == [originals["theirs"]] * 2
        assert [after.half.func, after.mean("")] == [new["ours"]] * 2
    for module in (before, after):
        assert module.corpus_bleu is module.score is originals["theirs"]
    assert after.half([[["a", "b"]]], [["a", "b"]]) == 1.0


def test_what_somebody_else_replaced_meanwhile_stays(monkeypatch):
    nltk_scores = importlib.import_module("nltk.translate.bleu_score")
    monkeypatch.setattr(nltk_scores, "corpus_bleu", nltk_scores.corpus_bleu)
    monkeypatch.setattr(BLEU, "_aggregate_and_compute", BLEU._aggregate_and_compute)
    with accelerate("nltk", "sacrebleu"):
        nltk_scores.corpus_bleu = BLEU._aggregate_and_compute = other = lambda *_: 0.5
    assert nltk_scores.corpus_bleu is BLEU._aggregate_and_compute is other


PROBED = """
import sys
from importlib.util import find_spec
from bleuprint.compat import accelerate
accelerate()
print(find_spec("sacrebleu").name, "sacrebleu" in sys.modules)
from sacrebleu.metrics import BLEU
print("bleuprint" in BLEU._extract_corpus_statistics.__code__.co_filename)
"""


def test_to_look_for_a_tool_is_not_to_import_it():
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", PROBED], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["sacrebleu False", "True"]


ARRIVALS = """
import sys
from importlib import import_module
from bleuprint.compat import accelerate

def report(name):
    function = FUNCTIONS[name](import_module(name))
    return "bleuprint" in function.__code__.co_filename or hasattr(function, "__wrapped__")

FUNCTIONS = {
    "sacrebleu.metrics.bleu": lambda home: home.BLEU._extract_corpus_statistics,
    "nltk.translate.bleu_score": lambda home: home.corpus_bleu,
    "torchmetrics.functional.text.bleu": lambda home: home._bleu_score_update,
}
early, late = sys.argv[1:]
with accelerate():
    print([name for name in ("nltk", "sacrebleu", "torch", "torchmetrics") if name in sys.modules])
    print(report(early))
finders = {type(finder).__module__.partition(".")[0] for finder in sys.meta_path}
print(report(early), report(late), "bleuprint" in finders)
"""


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("sacrebleu.metrics.bleu", "nltk.translate.bleu_score"),
        ("nltk.translate.bleu_score", "sacrebleu.metrics.bleu"),
        pytest.param("torchmetrics.functional.text.bleu", "sacrebleu.metrics.bleu", marks=pytest.mark.extended),
        pytest.param("sacrebleu.metrics.bleu", "torchmetrics.functional.text.bleu", marks=pytest.mark.extended),
    ],
)
def test_a_tool_is_accelerated_when_it_is_imported_and_not_imported_for_that(early, late):
    command = [sys.executable, "-W", "ignore", "-c", ARRIVALS, early, late]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["[]", "True", "False False False"]


@pytest.mark.needs("torchmetrics")
def test_a_tool_that_is_refused_when_it_is_imported_is_left_alone_with_a_warning(tmp_path):
    """The copy of a module computes something else."""
    home = Path(importlib.import_module("sacrebleu").__file__).parent
    shutil.copytree(home, tmp_path / "sacrebleu", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "sacrebleu/metrics/bleu.py").open("a") as file:
        file.write("\nBLEU.SMOOTH_DEFAULTS['floor'] = 0.2\n")
    program = """
from bleuprint.compat import accelerate
acceleration = accelerate()
from sacrebleu.metrics import BLEU
print(acceleration.names, list(acceleration.refused), hasattr(BLEU._extract_corpus_statistics, "__wrapped__"))
"""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert run.stdout.splitlines() == ["['nltk', 'torchmetrics'] ['sacrebleu'] False"]
    assert "RuntimeWarning: sacrebleu" in run.stderr
    refused = call(BIN / "bleuprint", "accelerate", "--", "sacrebleu", "--version", env=environment)
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert b"sacrebleu" in refused.stderr


# The command


def write(folder, name, lines):
    path = folder / name
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return str(path)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Texts with everything in them: three systems, two references, tokenised lines, tabs, another encoding."""
    folder = tmp_path_factory.mktemp("texts")
    rng = random.Random(7)
    words = [*WORDS, "3.5", "–", "a-b", "!", "Über"]
    references = [[" ".join(rng.choices(words, k=rng.randint(0, 14))) for _ in range(130)] for _ in range(2)]
    systems = [
        [" ".join(word for word in line.split() if rng.random() > 0.2) + rng.choice(["", " cat", "!"]) for line in own]
        for own in (references[0], references[1], references[0])
    ]
    named = {f"sys{number}": write(folder, f"sys{number}.txt", own[:45]) for number, own in enumerate(systems)}
    named |= {f"ref{number}": write(folder, f"ref{number}.txt", own[:45]) for number, own in enumerate(references)}
    # sacreBLEU looks for a tokenised period in a hundred lines
    named |= {"long-sys": write(folder, "long-sys.txt", systems[0]), "long-ref": write(folder, "long", references[0])}
    named["tokenised"] = write(folder, "tokenised.txt", [f"{line} ." for line in systems[0]])
    named["zipped"] = write(folder, "ref.gz", references[0][:45])
    named["tabs"] = write(folder, "tabs.txt", map("\t".join, zip(*(own[:45] for own in references), strict=True)))
    named["short"] = write(folder, "short.txt", systems[0][:20])
    latin = [line.encode("latin-1", "ignore").decode("latin-1") for line in systems[0][:45]]
    Path(folder / "latin.txt").write_bytes("".join(f"{line}\n" for line in latin).encode("latin-1"))
    named["latin"] = str(folder / "latin.txt")
    return named


def command_lines(files, *, all_products):
    """Command lines over every option that concerns a metric; of products of two options all, or a choice.

    Several jobs go with -q: in which sequence their progress is reported is chance, in sacreBLEU itself.
    """
    f, one = files, [files["ref0"], "-i", files["sys0"]]
    two = [f["ref0"], f["ref1"], "-i", f["sys0"]]
    three = [f["ref0"], f["ref1"], "-i", f["sys0"], f["sys1"], f["sys2"]]
    lines = [[R1, R2, "-i", A], [R1, "-i", A, B], one, two, three]
    smoothings = [
        ["-s", "exp"], ["-s", "none"], ["-s", "floor"], ["-s", "floor", "-sv", "0.5"],
        ["-s", "add-k"], ["-s", "add-k", "-sv", "1"], ["-s", "add-k", "-sv", "0.5"],
    ]  # fmt: skip
    ways = [
        two, [*two, "-sl"], [*two, "-ci", "-cin", "60"],
        [*three, "--paired-bs", "-pbsn", "60"], [*three, "-par", "-parn", "60"],
    ]  # fmt: skip
    for number, smoothing in enumerate(smoothings):
        chosen = ways if all_products else [ways[number % len(ways)], ways[(number + 2) % len(ways)]]
        lines += [[*way, *smoothing] for way in chosen]
    for tokenizer in NATIVE:
        lines.append([*two, "-tok", tokenizer, "-lc", "-f", "text", "-ci", "-cin", "50"])
        lines += [[*two, "-tok", tokenizer]] if all_products else []
    lines += [[*two, *flags] for flags in (
        ["-lc"], ["--force"], ["-sh"], ["-b"], ["-q"], ["-w", "4"], ["-f", "text"], ["-f", "text", "-sh"], ["-nc"],
        ["-f", "text", "-w", "3", "-m", "bleu", "chrf"], ["-m", "bleu", "chrf"], ["-b", "-ci", "-cin", "40"],
        ["-l", "en-zh"], ["-l", "en-zh", "-tok", "13a"], ["-l", "en-de"], ["-sl", "-b", "-w", "4"],
        ["-sl", "-sh", "-lc"], ["-m", "chrf", "ter", "-ci", "-cin", "40"],
        ["-m", "chrf", "-sl", "--chrf-word-order", "2"],
        ["-m", "ter", "-sl"], ["-m", "chrf", "--chrf-beta", "3", "--chrf-whitespace", "--chrf-lowercase"],
        ["-m", "chrf", "--chrf-eps-smoothing", "--chrf-char-order", "4", "-ci", "-cin", "30", "-w", "4"],
        ["-m", "ter", "--ter-normalized", "--ter-no-punct", "--ter-asian-support", "--ter-case-sensitive"],
    )]  # fmt: skip
    lines += [[*three, *flags] for flags in (
        [], ["-f", "text"], ["-f", "latex"], ["-pbs", "-pbsn", "80", "-f", "text"], ["-pbs", "-f", "latex", "-nc"],
        ["--paired-ar", "-parn", "90", "-f", "text", "-w", "3"], ["-par", "-parn", "50", "-m", "bleu", "chrf", "-q"],
        ["--paired-bs", "-pbsn", "50", "-j", "2", "-q"], ["--paired-ar", "-parn", "50", "-j", "0", "-q"],
        ["-pbs", "-pbsn", "30", "-m", "chrf", "bleu", "ter", "-f", "text"],
        ["-par", "-parn", "40", "-m", "ter", "chrf"],
        ["-par", "-parn", "40", "-m", "ter", "-f", "latex"], ["-pbs", "-pbsn", "30", "-m", "ter", "-j", "2", "-q"],
        ["-pbs", "-pbsn", "41", "-tok", "intl", "-lc"],
    )]  # fmt: skip
    lines += [
        [f["long-ref"], "-i", f["tokenised"]],
        [f["zipped"], "-i", f["sys0"]],
        [f["long-ref"], "-i", f["tokenised"], "--force"],
        [f["long-ref"], "-i", f["tokenised"], f["long-sys"], "-pbs", "-pbsn", "30"],
        [f["tabs"], "-nr", "2", "-i", f["sys0"]],
        [f["latin"], "-i", f["latin"], "-e", "latin-1"],
        [f["ref0"], "-i", f["sys0"], f["sys0"], f["sys1"], "-pbs", "-pbsn", "20"],
        # refusals
        [f["ref0"], "-i", f["short"]],
        [f["ref0"], "-i", "no-such-file"],
        [f["ref0"], "-i", f["sys0"], "--paired-bs"],
        [f["ref0"], "-i", f["sys0"], f["sys1"], "-ci"],
        [f["ref0"], "-i", f["sys0"], "-tok", "magic"],
        [f["ref0"], "-i", f["sys0"], f["sys1"], "-sl"],
        [f["ref0"], "-i", f["sys0"], "-m", "bleu", "chrf", "-sl"],
        ["-i", f["sys0"]],
        [],
        ["--version"],
        ["-h"],
    ]
    return lines


@pytest.mark.parametrize("all_products", [False, pytest.param(True, marks=pytest.mark.extended)])
def test_the_command_prints_the_same_bytes(files, all_products):
    runs = [{"arguments": line} for line in command_lines(files, all_products=all_products)]
    text = [Path(files[name]).read_text("utf-8").splitlines() for name in ("sys0", "sys1")]
    piped = "".join(f"{one}\t{other}\n" for one, other in zip(*text, strict=True))
    runs += [{"arguments": [files["ref0"], *flags], "stdin": piped} for flags in ([], ["-pbs", "-pbsn", "30"])]
    runs.append({"arguments": [files["ref0"], "-b"], "stdin": "".join(f"{line}\n" for line in text[0])})
    slow, fast = (run_all("sacrebleu", runs, accelerated=accelerated) for accelerated in (False, True))
    for run, before, after in zip(runs, slow, fast, strict=True):
        assert after == before, run
    codes = [outcome["code"] for outcome in slow]
    assert codes.count(0) >= 60
    assert {1, 2} <= set(codes)
    assert any("tokenized period" in outcome["err"] for outcome in slow)


def call(*command, **options):
    environment = {**os.environ, "NO_COLOR": "1", **options.pop("env", {})}
    return subprocess.run(list(map(str, command)), capture_output=True, env=environment, check=False, **options)


@pytest.mark.parametrize("arguments", [[R1, R2, "-i", A, B, "--paired-ar"], [R1, "-i", A, "-sl"], ["-i", A], ["-h"]])
def test_bleuprint_accelerate_is_the_command_itself(arguments):
    plain_run = call(BIN / "sacrebleu", *arguments)
    fast_run = call(BIN / "bleuprint", "accelerate", "--", "sacrebleu", *arguments)
    assert (fast_run.returncode, fast_run.stdout, fast_run.stderr) == (
        plain_run.returncode,
        plain_run.stdout,
        plain_run.stderr,
    )


def test_options_after_the_command_are_its_own():
    expected = call(BIN / "sacrebleu", R1, "-i", A, "--force", "-b")
    run = call(BIN / "bleuprint", "accelerate", "sacrebleu", R1, "-i", A, "--force", "-b")
    assert (run.returncode, run.stdout, run.stderr) == (0, expected.stdout, b"")


SCRIPT = """
import sys
from sacrebleu.metrics import BLEU
import beside
print(__name__, sys.argv, type(BLEU(references=[["a b"]])._ref_cache).__name__, beside.WORD)
sys.exit(int(sys.argv[1]))
"""


@pytest.mark.parametrize(
    ("line", "code"),
    [(["train.py"], 7), (["train.py"], 0), (["python", "train.py"], 7), (["python3", "-m", "train"], 7)],
)
def test_scripts_and_modules_are_run_with_their_exit_codes(tmp_path, line, code):
    (tmp_path / "train.py").write_text(SCRIPT)
    (tmp_path / "beside.py").write_text("WORD = 'beside'\n")
    run = call(BIN / "bleuprint", "accelerate", "--", *line, code, "--flag", cwd=tmp_path)
    assert (run.returncode, run.stderr) == (code, b"")
    assert run.stdout.decode().startswith("__main__ ['")
    assert f"'{code}', '--flag'] KeptReferences beside" in run.stdout.decode()


def test_an_error_of_the_script_is_its_own(tmp_path):
    (tmp_path / "fails.py").write_text("def f():\n    raise OSError('disk on fire')\nf()\n")
    run = call(BIN / "bleuprint", "accelerate", "--", "fails.py", cwd=tmp_path)
    lines = run.stderr.decode().splitlines()
    assert run.returncode == 1
    assert lines[0].startswith("Traceback")
    assert "fails.py" in lines[1]
    assert lines[-1] == "OSError: disk on fire"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["no-such-command"], "installed Python package"),
        (["no-such-script.py"], "no-such-script.py"),
        (["python"], "a script, or -m and a module"),
        (["python", "-c", "pass"], "a script, or -m and a module"),
    ],
)
def test_what_cannot_be_run_is_refused_on_one_line(line, message):
    run = call(BIN / "bleuprint", "accelerate", "--", *line)
    assert (run.returncode, run.stdout) == (2, b"")
    assert message in run.stderr.decode()
    assert len(run.stderr.decode().splitlines()) == 1
