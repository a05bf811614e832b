"""bleuprint's metric for torchmetrics: whole numbers that add, in batches, collections, files and processes."""

import pytest

pytest.importorskip("torch")
pytest.importorskip("torchmetrics")

import os
import pickle
import signal
import subprocess
import sys
from importlib import import_module

import torch
from hypothesis import given, settings
from torchmetrics import MetricCollection
from torchmetrics.text import BLEUScore, CHRFScore, SacreBLEUScore, TranslationEditRate

import bleuprint as bp
from bleuprint.adapters.torchmetrics import BleuMetric, ChrfMetric, TerMetric
from bleuprint.errors import Location, RecipeError, ShapeError
from score_values import values_of
from strategies import as_text, corpora

pytestmark = pytest.mark.needs("torch", "torchmetrics")


FIRST = ["the cat is on mat", "a b"], [["the cat is on the mat"], "a b"]
SECOND = ["it purrs, quietly.", ""], [["it purrs quietly", "it purrs, softly."], ["x"]]
BOTH = FIRST[0] + SECOND[0], FIRST[1] + SECOND[1]


def filled(*batches, **options):
    metric = BleuMetric(**options)
    for batch in batches:
        metric.update(*batch)
    return metric


@pytest.mark.parametrize("recipe", ["sacrebleu", "nltk", "torchmetrics", "huggingface-smooth", "mteval-v13a"])
def test_batches_give_the_score_of_the_whole(recipe):
    metric, whole = filled(FIRST, SECOND, recipe=recipe), bp.score(*BOTH, recipe)
    assert metric.compute() == torch.tensor(whole.score, dtype=torch.float64)
    assert values_of(metric.score()) == values_of(whole)
    assert metric.score().census == whole.census
    assert {note.code for note in metric.score().notes} <= {note.code for note in whole.notes}
    assert metric.sums.dtype == torch.int64


@pytest.mark.parametrize(
    ("kind", "recipe"),
    [(ChrfMetric, "chrf"), (ChrfMetric, "chrf++"), (ChrfMetric, "torchmetrics-chrf"), (TerMetric, "ter")],
)
def test_other_metrics_have_classes_of_their_own(kind, recipe):
    metric, whole = kind(recipe), bp.score(*BOTH, recipe)
    assert metric(*FIRST).item() == bp.score(*FIRST, recipe).score
    metric.update(*SECOND)
    assert metric.compute().item() == whole.score
    assert values_of(metric.score()) == values_of(whole)
    assert pickle.loads(pickle.dumps(metric)).compute().item() == whole.score
    assert metric.higher_is_better is (kind is ChrfMetric)


def test_other_metrics_equal_those_of_torchmetrics():
    candidates, references = BOTH
    listed = [[texts] if isinstance(texts, str) else texts for texts in references]
    own, theirs = ChrfMetric("torchmetrics-chrf", as_fraction=True), CHRFScore()
    own.update(candidates, listed)
    assert own.compute().item() == pytest.approx(theirs(candidates, listed).item(), rel=1e-6)
    own, theirs = TerMetric("torchmetrics-ter", as_fraction=True), TranslationEditRate()
    own.update(candidates, listed)
    assert own.compute().item() == pytest.approx(theirs(candidates, listed).item(), rel=1e-6)


@pytest.mark.parametrize(("kind", "recipe"), [(BleuMetric, "chrf"), (ChrfMetric, "ter"), (TerMetric, "sacrebleu")])
def test_a_recipe_of_another_metric_is_refused(kind, recipe):
    with pytest.raises(RecipeError, match="There is a class for each metric"):
        kind(recipe)


@settings(max_examples=50)
@given(corpora(), corpora())
def test_any_batches(first, second):
    first, second = as_text(first), as_text(second)
    metric = filled(first, second)
    assert metric.compute().item() == bp.score(first[0] + second[0], first[1] + second[1]).score


def test_a_fraction_where_asked_for():
    assert filled(FIRST, as_fraction=True).compute().item() == bp.score(*FIRST).fraction


def test_forward_gives_the_batch_and_keeps_the_whole():
    metric = BleuMetric()
    assert metric(*FIRST).item() == bp.score(*FIRST).score
    assert metric(*SECOND).item() == bp.score(*SECOND).score
    assert metric.compute().item() == bp.score(*BOTH).score
    assert metric.score().census.segments == 4


def test_reset():
    metric = filled(FIRST)
    metric.reset()
    metric.update(*SECOND)
    assert values_of(metric.score()) == values_of(bp.score(*SECOND))


def test_pickled_and_loaded_states_go_on():
    metric = filled(FIRST)
    metric.score()
    again = pickle.loads(pickle.dumps(metric))
    other = BleuMetric()
    metric.persistent(True)
    other.persistent(True)
    other.load_state_dict(metric.state_dict())
    for copied in (again, other):
        copied.update(*SECOND)
        assert values_of(copied.score()) == values_of(bp.score(*BOTH))


def test_a_value_is_not_remembered_when_another_state_is_loaded():
    metric, other = filled(FIRST), filled(SECOND)
    metric.persistent(True)
    other.persistent(True)
    assert metric.compute().item() == bp.score(*FIRST).score
    metric.load_state_dict(other.state_dict())
    assert metric.compute().item() == bp.score(*SECOND).score
    assert values_of(metric.score()) == values_of(bp.score(*SECOND))


def test_a_load_without_its_state_leaves_a_value_alone():
    metric = filled(FIRST)
    value = metric.compute()
    metric.load_state_dict({})
    assert metric.compute() is value


def test_states_merge():
    metric = filled(FIRST)
    assert values_of(metric.score()) == values_of(bp.score(*FIRST))
    metric.merge_state(filled(SECOND))
    assert values_of(metric.score()) == values_of(bp.score(*BOTH))
    assert metric.compute().item() == bp.score(*BOTH).score


@pytest.mark.parametrize(("as_fraction", "end"), [(False, 100), (True, 1)])
def test_a_plot_shows_the_value_on_its_scale(as_fraction, end):
    metric = filled(FIRST, as_fraction=as_fraction)
    figure, axes = metric.plot()
    [line] = axes.lines[:1]
    assert line.get_ydata() == metric.compute().item()
    assert axes.get_ylim()[0] <= 0
    assert end <= axes.get_ylim()[1] < 1.2 * end
    values = [metric(*FIRST), metric(*SECOND)]
    _, axes = metric.plot(values)
    assert list(axes.lines[0].get_ydata()) == [value.item() for value in values]
    assert type(figure).__name__ == "Figure"


def test_a_plot_of_ter_shows_what_exceeds_100():
    metric = TerMetric()
    metric.update(["a b c d"], ["x"])
    _, axes = metric.plot()
    assert axes.get_ylim()[0] <= 0 < metric.compute().item() == 400.0 < axes.get_ylim()[1]


def test_a_value_is_kept_until_something_comes_in():
    metric = filled(FIRST)
    value, scored = metric.compute(), metric.score()
    assert metric.compute() is value
    assert metric.score() is scored
    assert values_of(pickle.loads(pickle.dumps(metric)).score()) == values_of(scored)
    metric.update(*SECOND)
    assert values_of(metric.score()) == values_of(bp.score(*BOTH))


@pytest.mark.parametrize("other", ["nltk", bp.Recipe.named("sacrebleu").replace(order=2)], ids=["counting", "order"])
def test_the_state_of_another_recipe_is_refused(other):
    metric, stranger = BleuMetric(), filled(FIRST, recipe=other)
    stranger.persistent(True)
    with pytest.raises(RecipeError, match="same recipe in every process"):
        metric.load_state_dict(stranger.state_dict())
    metric.update(*SECOND)
    assert values_of(metric.score()) == values_of(bp.score(*SECOND))


def test_counts_stay_whole_when_a_model_changes_its_floats():
    metric = filled(FIRST)
    assert metric.half().set_dtype(torch.float16).sums.dtype == torch.int64
    assert values_of(metric.score()) == values_of(bp.score(*FIRST))


def test_a_large_count_is_not_rounded():
    metric = filled(FIRST)
    metric.sums = metric.sums * 2**30
    before = metric.sums[0].item()
    metric.update(["a"], ["a"])
    assert metric.score().stats.candidate_length == before + 1 > 2**32


# Collections put metrics together whose states are close after the first batch, and update only one of them.


def collection():
    recipes = {"sacrebleu": "sacrebleu", "paper": "paper", "sentence": "sacrebleu-sentence"}
    return MetricCollection({name: BleuMetric(recipe) for name, recipe in recipes.items()})


def test_in_a_collection_equal_counts_are_shared_and_others_are_not():
    metrics = collection()
    metrics.update(preds=["the cat is on mat"], target=[["the cat is on the mat"]])  # 13a and white space count alike
    assert sorted(map(sorted, metrics.compute_groups.values())) == [["paper"], ["sacrebleu", "sentence"]]
    metrics.update(preds=["no, no."], target=[["no, no."]])
    corpus = ["the cat is on mat", "no, no."], ["the cat is on the mat", "no, no."]
    for _ in range(2):
        values = metrics.compute()
        for name, recipe in (("sacrebleu", "sacrebleu"), ("paper", "paper"), ("sentence", "sacrebleu-sentence")):
            assert values[name].item() == bp.score(*corpus, recipe).score


def test_torchmetrics_own_take_each_other_for_the_same():
    metrics = MetricCollection([BLEUScore(), SacreBLEUScore()])
    alone = SacreBLEUScore()
    for text in ("the cat is on the mat", "no, no, no way."):
        batch = [text], [[text.replace("no way", "no, way")]]
        metrics.update(*batch)
        alone.update(*batch)
    assert metrics.compute()["SacreBLEUScore"] == metrics.compute()["BLEUScore"] != alone.compute()


def test_beside_torchmetrics_own_in_a_collection():
    metrics = MetricCollection([BLEUScore(), BleuMetric("torchmetrics", as_fraction=True)])
    values = metrics(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
    assert values["BleuMetric"].item() == pytest.approx(values["BLEUScore"].item(), rel=1e-6)


# What is refused.


def test_a_batch_that_is_refused_changes_nothing():
    metric = filled(FIRST)
    with pytest.raises(ShapeError) as fewer:
        metric.update(["a", "b"], [["a"]])
    assert fewer.value.location == Location("references")
    with pytest.raises(bp.BleuprintError, match=r"^candidates\[0\]: "):
        metric.update([3], ["3"])
    assert values_of(metric.score()) == values_of(bp.score(*FIRST))


def test_an_empty_batch_adds_nothing_and_no_segment_is_no_score():
    metric = BleuMetric()
    metric.update([], [])
    with pytest.raises(bp.BleuprintError, match="update"):
        metric.compute()
    metric.update(*FIRST)
    assert values_of(metric.score()) == values_of(bp.score(*FIRST))


def test_a_tokenizer_without_a_name_is_refused():
    with pytest.raises(RecipeError, match="register_tokenizer"):
        BleuMetric(bp.Recipe.named("paper").replace(tokenizer=lambda text: text.split()))


@pytest.mark.parametrize("package", ["torch", "torchmetrics"])
def test_a_missing_package_is_named_with_the_way_to_get_it(package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, BleuMetric.__module__)
    with pytest.raises(ImportError) as refusal:
        import_module(BleuMetric.__module__)
    assert f" {package} " in refusal.value.message
    assert refusal.value.fix.endswith('pip install "bleuprint[torch]"')


# Two processes, of which one is a fork of the other: what takes long to import is imported once.

FORKED = """
import os, sys
from datetime import timedelta
import torch.distributed as dist
import bleuprint as bp
from bleuprint.adapters.torchmetrics import BleuMetric

meeting, other = sys.argv[1], os.fork()
rank = 0 if other else 1
"""
WAITED_FOR = """
if other:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(other, 0)[1]))
"""
WORKER = """
dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=2)
texts = [f"the cat is on {'the ' * (number % 5)}mat {number % 7}, {number}." for number in range(401)]
references = [[f"the cat is on the mat {number % 6}, {number}.", "a cat"] for number in range(401)]

def shard(rank, size):
    return texts[rank::size], references[rank::size]

metric = BleuMetric("nltk-method3")
for start in (0, 100):  # two batches for rank 0; rank 1 first has nothing to add
    part = [column[start : start + 100 if start == 0 else None] for column in shard(rank, 2)]
    metric.update(*(part if rank == 0 or start else ([], [])))
if rank == 1:
    metric.update(*[column[:100] for column in shard(1, 2)])
local = metric.sums.clone()
whole = bp.score(texts, references, "nltk-method3")
assert metric.compute().item() == whole.score, (metric.compute(), whole)
assert (metric.score().stats, metric.score().recipe) == (whole.stats, whole.recipe)
assert metric.score().census == whole.census
assert metric.sums.equal(local), "after computing, every process goes on with its own counts"

stranger = BleuMetric("paper" if rank else "sacrebleu")
stranger.update(*shard(rank, 2))
try:
    stranger.compute()
    found = "a score"
except bp.BleuprintError as error:
    found = "refused"
refusals = [None, None]
dist.all_gather_object(refusals, found)
assert "refused" in refusals, refusals
dist.destroy_process_group()
os.write(1, f"equal {whole.census.segments}\\n".encode())
"""


def run_workers(program, tmp_path):
    """Run a program as two ranks, and give what both print."""
    command = [sys.executable, "-W", "ignore", "-c", FORKED + program + WAITED_FOR, str(tmp_path / "meeting")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as workers:
        try:
            printed, problems = workers.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            os.killpg(workers.pid, signal.SIGKILL)
            raise
    assert workers.returncode == 0, problems
    return printed


def test_two_processes_give_the_score_of_one(tmp_path):
    assert run_workers(WORKER, tmp_path) == "equal 401\n" * 2


ALONE = """
dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=2, timeout=timedelta(seconds=60))
EPOCHS = [
    (["the cat is on mat", "a dog ran home again"], ["the cat is on the mat", "a dog ran home"]),
    (["it purrs so quietly", "no no no no"], ["it purrs very quietly", "no no no yes"]),
    (["one two three four five", "x"], ["one two three four six", "x y"]),
]
metric = BleuMetric("nltk-method1")
for epoch, (candidates, references) in enumerate(EPOCHS):
    metric.reset()
    metric.update(candidates[rank : rank + 1], references[rank : rank + 1])
    whole = bp.score(candidates, references, "nltk-method1")
    assert metric.compute().item() == whole.score
    if rank == 0:  # logs alone, in several ways
        assert (metric.score().stats, metric.score().recipe) == (whole.stats, whole.recipe), epoch
        assert metric.compute().item() == whole.score
        metric.persistent(True)
        saved = metric.state_dict()
        assert (metric.score().stats, metric.score().recipe) == (whole.stats, whole.recipe)
    assert not metric._is_synced
metric.persistent(True)
metric.load_state_dict(metric.state_dict())
assert (metric.score().stats, metric.score().recipe) == (whole.stats, whole.recipe), "after a load, all ask"
assert dist.get_rank() == rank
dist.barrier()
dist.destroy_process_group()
os.write(1, f"equal {len(EPOCHS)}\\n".encode())
"""


@pytest.mark.extended
def test_one_process_may_ask_alone_for_what_all_have_put_together(tmp_path):
    assert run_workers(ALONE, tmp_path) == "equal 3\n" * 2


def test_counts_of_another_recipe_are_refused_before_they_are_mixed():
    own, other, shorter = BleuMetric("paper"), BleuMetric("nltk"), BleuMetric(bp.Recipe.named("paper").replace(order=2))
    for metric in (own, other, shorter):
        metric.update(["the cat is on mat"], [["the cat is on the mat"]])
    for strange in (other, shorter):
        with pytest.raises(RecipeError, match="same recipe in every process"):
            own.merge_state(strange)
        own.persistent(True)
        strange.persistent(True)
        with pytest.raises(RecipeError, match="same recipe in every process"):
            own.load_state_dict(strange.state_dict())
    assert own.compute().item() == bp.score(["the cat is on mat"], [["the cat is on the mat"]], "paper").score
