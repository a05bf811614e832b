"""External scores: the same tests, tables, gates and report, on their own scale."""

import csv
import io
import json
import math
import pickle
import random
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from junitparser import JUnitXml

import bleuprint as bp
from bleuprint.counting.resampling import BOOTSTRAP, RANDOMISATION, draw_indices, flip_coins, make_key
from bleuprint.errors import BleuprintError, InputTypeError, ShapeError
from bleuprint.findings.comparison.agreement import correlate_ranks
from bleuprint.metrics.external import EXACT, ExternalCensus, ExternalScore, take_scores
from bleuprint.metrics.metric import Better
from bleuprint.render.html.report_summary import distribute_scores, order_systems, summarise_recipe
from command_line import R1, A, B, read_texts
from engine_pair import NATIVE, PYTHON
from refusals import refuse
from score_values import values_of

SEGMENTS, SEED, RESAMPLES = 40, 12345, 200
REFERENCES = [f"the cat number {place} sat on the mat" for place in range(SEGMENTS)]
SYSTEMS = {"a": REFERENCES, "b": [text.replace("sat on", "is at") for text in REFERENCES]}


def draw(seed, lift=0.0):
    made = random.Random(seed)
    return [round(made.random() + lift, 12) for _ in range(SEGMENTS)]


COMET = {"a": draw(1, 0.1), "b": draw(2)}


def compared(scores, **options):
    usual = {"resamples": RESAMPLES, "seed": SEED}
    return bp.compare(SYSTEMS, REFERENCES, scores=scores, **usual | options)


def mean(scores):
    """The mean of the numbers that floats are when they are printed, rounded once."""
    return float(sum(Fraction(repr(score)) for score in scores) / len(scores))


def test_a_system_has_the_mean_of_its_segments():
    result = compared({"comet": COMET}).result("comet")
    assert {one.name: one.score.score for one in result.systems} == {name: mean(own) for name, own in COMET.items()}
    assert [one.name for one in result.ranked] == ["a", "b"]


def test_intervals_and_p_values_are_those_of_the_resamples_of_the_mean():
    result = compared({"comet": COMET}).result("comet")
    drawn = [draw_indices(SEGMENTS, make_key(SEED, BOOTSTRAP, number)) for number in range(RESAMPLES)]
    means = sorted(mean([COMET["a"][place] for place in own]) for own in drawn)
    assert (result.system("a").interval.low, result.system("a").interval.high) == (means[5], means[-6])
    observed, extreme = mean(COMET["a"]) - mean(COMET["b"]), 0
    for number in range(RESAMPLES):
        coins = flip_coins(SEGMENTS, make_key(SEED, RANDOMISATION, number))
        swapped = [
            mean([COMET[second if coin else first][place] for place, coin in enumerate(coins)])
            for first, second in (("a", "b"), ("b", "a"))
        ]
        extreme += abs(swapped[0] - swapped[1]) >= abs(observed) - 1e-11
    assert 1 < extreme < RESAMPLES, "a p-value that could be got wrong"
    assert result.pair("a", "b").p_randomisation == (extreme + 1) / (RESAMPLES + 1)


@pytest.mark.parametrize("shift", [0, 5])
def test_both_engines_resample_them_alike(shift):
    scores = {name: [score - shift for score in own] for name, own in COMET.items()}
    recipe, tables = take_scores("comet", scores, Better.HIGHER)
    options = {"seed": SEED, "start": 3}
    drawn = [one.resample(list(tables.values()), recipe, resamples=50, **options) for one in (NATIVE, PYTHON)]
    assert drawn[0] == drawn[1]
    swapped = [
        one.count_extremes(*tables.values(), recipe, trials=50, threshold=0.05, **options) for one in (NATIVE, PYTHON)
    ]
    assert swapped[0] == swapped[1] > 0


@pytest.mark.parametrize("factor", [1e-12, 1e-3, 1e9, 1e99])
def test_no_scale_changes_what_is_found(factor):
    scaled = {name: [score * factor for score in own] for name, own in COMET.items()}
    shifted = {name: [score - 5 for score in own] for name, own in COMET.items()}
    usual, small, below = (compared({"comet": own}).result("comet").pairs[0] for own in (COMET, scaled, shifted))
    assert (small.p, small.p_bootstrap, small.verdict) == (usual.p, usual.p_bootstrap, usual.verdict)
    assert (below.p, below.verdict) == (usual.p, usual.verdict)
    assert small.difference == pytest.approx(usual.difference * factor)
    assert small.detectable == pytest.approx(usual.detectable * factor)


def test_equal_scores_are_equal_on_any_scale():
    same = {"a": [1e-12] * SEGMENTS, "b": [1e-12] * SEGMENTS}
    pair = compared({"tiny": same}).pair("a", "b", "tiny")
    assert (pair.difference, pair.p, pair.significant) == (0.0, 1.0, False)


def read_segments(recipe, table):
    return [recipe.metric.score_row(table.row(place), recipe) for place in range(len(table))]


@pytest.mark.parametrize(
    "odd", [[0.1, -0.3333333, -0.0, 7e-3], [5e-324, 0.0], [1e100, -3e99], [0.0, 0.0], [1e12 + 0.125]]
)
def test_segments_keep_their_scores_to_the_last_bit(odd):
    recipe, tables = take_scores("odd", {"x": odd}, Better.HIGHER)
    assert not recipe.scale.is_rounded
    assert read_segments(recipe, tables["x"]) == odd
    assert recipe.metric.score_row(tables["x"].sum_row(), recipe) == mean(odd)


SCORES = st.floats(-1e100, 1e100, allow_subnormal=False) | st.floats(-1, 1) | st.integers(-100, 100).map(float)


@given(st.lists(SCORES, min_size=1, max_size=30))
def test_scores_of_too_many_digits_are_rounded_to_the_finest_unit_whose_sums_are_exact(odd):
    recipe, tables = take_scores("odd", {"x": odd}, Better.HIGHER)
    unit, largest = recipe.scale.unit, max(abs(Fraction(repr(score))) for score in odd)
    for row, score in zip(tables["x"].list_rows(), odd, strict=True):
        assert abs(row[0] * unit - Fraction(repr(score))) <= (unit / 2 if recipe.scale.is_rounded else 0)
        assert 2 * len(odd) * abs(row[0]) <= EXACT, "the sum over any resample, and of differences of two systems"
    if recipe.scale.is_rounded:
        assert 2 * len(odd) * (largest / unit * 10 + 1) > EXACT


def test_rounding_is_noted():
    whole = compared({"comet": COMET}).result("comet")
    thirds = compared({"comet": {name: [score / 3 for score in own] for name, own in COMET.items()}}).result("comet")
    codes, rounded = ({note.code: note.text for note in result.notes} for result in (whole, thirds))
    assert "rounded-scores" not in codes
    assert "multiples of 1e-14" in rounded["rounded-scores"]
    for system in thirds.systems:
        assert system.score.score == pytest.approx(mean(COMET[system.name]) / 3, abs=1e-14, rel=0)


def test_a_metric_of_errors_has_the_lowest_ahead():
    comparison = compared({"mqm": COMET}, lower_is_better=["mqm"], baseline="a")
    result = comparison.result("mqm")
    assert [one.name for one in result.ranked] == ["b", "a"]
    assert result.summary.startswith("b is ahead of a by 0.")
    assert comparison.to_dict()["recipes"][1]["better"] == "lower"


def test_the_text_shows_it_on_its_own_scale_beside_the_others():
    text = str(compared({"comet": COMET}))
    a, b = (f"{mean(COMET[name]):.4f}" for name in "ab")
    assert f"* {a}" in text
    assert f"{b}" in text
    assert "2 systems on 40 segments, external scores comet." in text
    assert "external:comet|score:mean-of-segments|better:higher" in text
    assert "comet is an external metric: a system's score is the mean of its segment scores" in text


def test_parts_and_close_ups_leave_out_what_needs_words_of_texts():
    comparison = compared({"comet": COMET}, labels={"half": ["x"] * 20 + ["y"] * 20})
    data = comparison.to_dict(by=["half", "length", "frequency"], examples=2)["recipes"][1]
    assert [one["name"] for one in data["breakdowns"]] == ["half", "length"]
    first = data["breakdowns"][0]["groups"][0]
    assert first["values"] == {name: mean(own[:20]) for name, own in COMET.items()}
    assert data["focus"]["ngrams"] is None
    gaps = [one - other for one, other in zip(COMET["a"], COMET["b"], strict=True)]
    rests = [mean(COMET["a"]) - mean(COMET["b"]) - (sum(gaps) - gap) / (SEGMENTS - 1) for gap in gaps]
    most = max(range(SEGMENTS), key=lambda place: abs(rests[place]))
    assert data["focus"]["disagreements"][0]["segment"] == most + 1
    assert data["focus"]["disagreements"][0]["scores"] == [COMET["a"][most], COMET["b"][most]]
    assert refuse(lambda: comparison.breakdown("frequency", "comet")).where == "by frequency"
    assert refuse(lambda: comparison.ngrams("a", "b", "comet")).where == "n-grams"


def test_zero_is_a_number_like_others():
    result = compared({"shift": {"a": [0.0] * SEGMENTS, "b": [-1.0, 1.0] * (SEGMENTS // 2)}}).result("shift")
    assert not {note.code for note in result.notes} & {"zero-scores", "zero-resamples"}


@pytest.mark.parametrize("size", [1e-310, 1e-200])
def test_very_small_scores_are_compared_as_others_are(size):
    grades = [place % 3 for place in range(SEGMENTS)]
    small = compared({"m": {"a": [size * grade for grade in grades], "b": [0] * SEGMENTS}})
    usual = compared({"m": {"a": grades, "b": [0] * SEGMENTS}})
    found, expected = ([(pair.p, pair.verdict) for pair in one.result("m").pairs] for one in (small, usual))
    assert found == expected
    assert small.to_html().startswith("<!doctype html>")


def test_very_small_scores_are_written_as_powers_of_ten():
    scores = {"a": [1e-310 * (1 + place % 2) for place in range(SEGMENTS)], "b": [0.0] * SEGMENTS}
    made = compared({"m": scores})
    cells = [line.split() for line in str(made).splitlines()]
    assert "a is ahead of b by 1.500e-310 m, which is significant" in str(made)
    [row] = [cell for cell in cells if cell[:2] == ["a", "1.500e-310"]]
    error = float(row[5])
    assert error == pytest.approx(0.5e-310 / math.sqrt(SEGMENTS), rel=0.2)
    assert row[1:5] == ["1.500e-310", row[2], "to", row[4]]
    assert all(len(number) == len("1.500e-310") for number in (row[2], row[4], row[5].rjust(10, "0")))


def test_copies_are_equal_and_signatures_parse_to_nothing():
    comparison = compared({"comet": COMET})
    copy = pickle.loads(pickle.dumps(comparison))
    assert copy == comparison
    assert copy.pair("a", "b", "comet") == comparison.pair("a", "b", "comet")
    with pytest.raises(BleuprintError, match=r"Recipe\.parse|signature"):
        bp.Recipe.parse(comparison.result("comet").signature)
    with pytest.raises(BleuprintError, match="only scores of comet"):
        comparison.result("comet").recipe.sacrebleu_signature()


def test_a_score_of_statistics_alone_counts_its_segments_and_is_copied():
    recipe, tables = take_scores("comet", {"a": [0.5, 0.25]}, Better.HIGHER)
    score = ExternalScore(tables["a"].total(), recipe)
    copy = pickle.loads(pickle.dumps(score))
    assert (*values_of(copy), copy.census) == (*values_of(score), ExternalCensus(2))
    assert copy == score == score.fraction == 0.375


def test_the_report_has_its_table_plot_and_segments():
    comparison = compared({"comet": COMET})
    page = comparison.to_html()
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    plot = data["recipes"][1]
    assert (plot["title"], plot["digits"], plot["low"]) == ("comet", 4, 0.0)
    assert plot["high"] >= max(max(own) for own in COMET.values())
    assert [tick[2] for tick in plot["ticks"]] == ["0", "0.5", "1", "1.5", "2"]
    scores = {system["name"]: system["scores"][1] for system in data["systems"]}
    assert scores == {name: [round(score, 4) for score in own] for name, own in COMET.items()}
    assert "Summary, external scores comet" in page


def draw_systems(scores):
    comparison = compared({"m": scores})
    return summarise_recipe(comparison, comparison.result("m"), order_systems(comparison))


@pytest.mark.parametrize("factor", [2.0**-1000, 2.0**-40, 2.0**300])
def test_no_scale_changes_where_strips_stand(factor):
    scaled = {name: [score * factor for score in own] for name, own in COMET.items()}
    usual, other = map(draw_systems, (COMET, scaled))
    assert other.systems.strips == usual.systems.strips
    assert other.pairs.strips == usual.pairs.strips
    assert len(set(usual.systems.strips[0])) == 3


@pytest.mark.parametrize("score", [1e-300, 1e-12, 1.0, 1e99])
def test_equal_scores_stand_amid_an_axis_of_their_scale(score):
    drawn = draw_systems({"a": [score] * SEGMENTS, "b": [score] * SEGMENTS})
    assert {place for strip in drawn.systems.strips for place in strip} == {"50.00%"}
    labels = [float(tick.label) for tick in drawn.systems.axis.ticks]
    assert labels == pytest.approx([score] * len(labels), rel=0.1)
    assert {place for strip in drawn.pairs.strips for place in strip} == {drawn.pairs.axis.zero} == {"50.00%"}


def test_the_median_of_segments_has_the_digits_of_its_scale():
    comparison = compared({"m": {"a": [0.2541] * SEGMENTS, "b": [0.8542] * SEGMENTS}})
    drawn = distribute_scores(comparison, comparison.result("m"), ["a", "b"])
    assert [one.remark for one in drawn.histograms] == ["median 0.2541", "median 0.8542"]


FIRST_OF_B = "scores['comet']['b'][0]"
WRONG = {
    "no mapping": ([1.0], InputTypeError, "scores"),
    "no systems": ({"comet": [1.0]}, InputTypeError, "scores['comet']"),
    "a stranger": ({"comet": COMET | {"aa": draw(1)}}, BleuprintError, "scores"),
    "a gap": ({"comet": {"a": draw(1)}}, ShapeError, "scores['comet']"),
    "too few": ({"comet": COMET | {"b": draw(2)[1:]}}, ShapeError, "scores['comet']['b']"),
    "no number": ({"comet": COMET | {"b": ["0.5"] * SEGMENTS}}, InputTypeError, FIRST_OF_B),
    "NaN": ({"comet": COMET | {"b": [math.nan] * SEGMENTS}}, InputTypeError, FIRST_OF_B),
    "infinite": ({"comet": COMET | {"b": [math.inf] * SEGMENTS}}, InputTypeError, FIRST_OF_B),
    "True": ({"comet": COMET | {"b": [True] * SEGMENTS}}, InputTypeError, FIRST_OF_B),
    "large": ({"comet": COMET | {"b": [1e101] * SEGMENTS}}, InputTypeError, FIRST_OF_B),
    "400 digits": ({"comet": COMET | {"b": [10**400] * SEGMENTS}}, InputTypeError, FIRST_OF_B),
    "no digits": ({"comet": {"a": [5e-324] * SEGMENTS, "b": [0] * SEGMENTS}}, BleuprintError, "scores['comet']"),
    "a recipe": ({"sacrebleu": COMET}, BleuprintError, "scores"),
    "a metric": ({"ter": COMET}, BleuprintError, "scores"),
    "a bar": ({"a|b": COMET}, InputTypeError, "scores"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_scores_are_refused(case):
    scores, error, where = WRONG[case]
    found = refuse(lambda: compared(scores), error)
    assert found.where == where
    if case == "400 digits":
        assert "larger units" in found.fix


def test_a_direction_of_nothing_is_refused():
    wrong = {"argument": "lower_is_better"}
    refuse(lambda: compared({"comet": COMET}, lower_is_better=["commet"]), suggestion="comet", **wrong)
    refuse(lambda: bp.compare(SYSTEMS, REFERENCES, lower_is_better=["comet"], resamples=100), values=(), **wrong)


# The command line.

FLAGS = ("compare", "-r", R1, "-s", f"a={A}", "-s", f"b={B}", "--resamples", 200)
LINES = len(read_texts(A, R1)[0])


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The same scores in every form."""
    monkeypatch.chdir(tmp_path)
    scores = {name: [round(score + (name == "a"), 6) for score in (COMET[name] * 2)[:LINES]] for name in "ab"}
    (tmp_path / "a.txt").write_text("".join(f"{score}\n" for score in scores["a"]))
    (tmp_path / "b.txt").write_text("".join(f"{score}\n" for score in scores["b"]))
    rows = list(zip(scores["a"], scores["b"], strict=True))
    (tmp_path / "comet.tsv").write_text("a\tb\n" + "".join(f"{one}\t{other}\n" for one, other in rows))
    (tmp_path / "comet.csv").write_text("b,a\n" + "".join(f"{other},{one}\n" for one, other in rows))
    (tmp_path / "comet.jsonl").write_text("".join(json.dumps({"a": one, "b": other}) + "\n" for one, other in rows))
    long = "".join(f"{name}\t{score}\n" for name in ("refA", *scores) for score in scores.get(name, scores["a"]))
    (tmp_path / "comet.seg.score").write_text(long.replace("refA\t", "refA\tNone", 1))
    (tmp_path / "long.tsv").write_text(long)
    return scores


FORMS = (
    ("comet=a:a.txt", "comet=b:b.txt"), ("comet=comet.seg.score",), ("comet=long.tsv",), ("comet=comet.tsv",),
    ("comet=comet.csv",), ("comet=comet.jsonl",),
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0])
def test_every_form_of_file_gives_the_same(form, files, output):
    flags = [word for one in form for word in ("--scores", one)]
    data = json.loads(output(*FLAGS, *flags, "--format", "json"))["recipes"][1]
    found = {one["system"]: one["score"]["score"] for one in data["systems"]}
    assert found == {name: mean(own) for name, own in files.items()}
    assert (data["recipe"], data["metric"], data["label"], data["better"]) == ("comet", "external", "comet", "higher")


def test_csv_markdown_and_latex_have_it_with_its_digits(files, output):
    flags = ("--scores", "comet=comet.tsv", "--lower-is-better", "comet")
    rows = list(csv.DictReader(io.StringIO(output(*FLAGS, *flags, "--format", "csv"))))
    found = {row["first"]: row for row in rows if row["recipe"] == "comet" and row["kind"] == "system"}
    assert {name: float(row["value"]) for name, row in found.items()} == {n: mean(own) for n, own in files.items()}
    assert {(row["metric"], row["better"]) for row in found.values()} == {("external", "lower")}
    for form, row in (("markdown", "| b | {:.4f} |"), ("latex", "b & {:.4f} &")):
        assert row.format(mean(files["b"])) in output(*FLAGS, *flags, "--format", form)


def test_a_gate_holds_external_scores_too_and_a_margin_is_on_their_scale(files, run):
    gate = (*FLAGS, "--scores", "comet=comet.tsv", "--baseline", "a", "--fail-if-worse")
    worse = (*gate, "--margin", 100)
    failed = run(*worse)
    assert failed.code == 1
    assert failed.err.startswith("bleuprint: failed: comet: b is behind a by 1."), "a bare margin is for BLEU alone"
    assert run(*worse, "--margin", "comet=2").code == 0
    [suite] = JUnitXml.fromstring(run(*worse, "--format", "junit").out.encode())
    assert {case.name.partition(":")[0]: case.is_passed for case in suite} == {"sacrebleu": True, "comet": False}
    assert run(*worse, "--lower-is-better", "comet").code == 0


def test_the_report_is_written_with_them(files, output, tmp_path):
    output(*FLAGS, "--scores", "comet=comet.tsv", "--html", "report.html")
    assert "Summary, external scores comet" in (tmp_path / "report.html").read_text("utf-8")


REFUSED = {
    "no file": (("comet",), "'comet'"),
    "a recipe": (("sacrebleu=a.txt",), "'sacrebleu'"),
    "a stranger": (("comet=aa:a.txt",), "'aa:a.txt'"),
    "half": (("comet=a:a.txt",), "'b'"),
    "twice": (("comet=comet.tsv", "comet=a:a.txt"), "'a'"),
    "short": (("comet=a:short", "comet=b:b.txt"), "short"),
    "NaN": (("comet=a:nan", "comet=b:b.txt"), "nan, line 2: "),
    "words": (("comet=a:words", "comet=b:b.txt"), "words, line 1: "),
    "long for one": (("comet=a:comet.seg.score",), "line 1: "),
    "plain for all": (("comet=a.txt",), "a.txt, line 1: "),
    "unknown in long": (("comet=other.seg",), "'A'"),
    "None in long": (("comet=none.seg",), "none.seg, line 1: "),
    "short long": (("comet=short.seg",), "short.seg, 'a'"),
    "no column": (("comet=other.tsv",), "'a'"),
    "empty cell": (("comet=gap.tsv",), "gap.tsv, column 'a', row 1: "),
    "huge": (("comet=a:huge", "comet=b:b.txt"), "huge, line 2: "),
    "400 digits": (("comet=huge.jsonl",), "huge.jsonl, column 'a', row 1: "),
    "underscore": (("comet=a:underscore", "comet=b:b.txt"), "underscore, line 1: "),
    "full width": (("comet=a:wide", "comet=b:b.txt"), "wide, line 1: "),
    "another script": (("comet=script.tsv",), "script.tsv, column 'a', row 1: "),
    "two pipes": (("comet=a:-", "comet=b:-"), "tandard input"),
}
"""Flags, and what the error names."""


@pytest.mark.parametrize("case", REFUSED)
def test_files_that_do_not_fit_are_refused(case, files, run, tmp_path):
    for name, text in {
        "short": "1\n", "nan": "0.5\nnan\n", "words": "good\n", "other.seg": "A\t1\nb\t1\n", "none.seg": "a\tNone\n",
        "short.seg": "a\t1\nb\t1\n", "other.tsv": "A\tb\n1\t2\n", "gap.tsv": "a\tb\n" + "\t1\n" * LINES,
        "huge": "1\n1e308\n", "huge.jsonl": f'{{"a": 1{"0" * 400}, "b": 1}}\n' * LINES, "underscore": "1_0\n",
        "wide": "\uff11\n", "script.tsv": "a\tb\n" + "\u0663.\u0665\t1\n" * LINES,
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    flags, named = REFUSED[case]
    outcome = run(*FLAGS, *(word for one in flags for word in ("--scores", one)))
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("bleuprint: ")
    assert named in outcome.err


# How far metrics agree.


def count_kendall(first, second):
    """Kendall's tau-b by its definition: every pair is looked at."""
    signs = [
        [math.copysign(1, a - b) if a != b else 0 for a, b in combinations(values, 2)] for values in (first, second)
    ]
    both = sum(one * other for one, other in zip(*signs, strict=True))
    return both / math.sqrt(math.prod(sum(map(abs, own)) for own in signs))


def test_kendalls_tau_is_that_of_its_definition():
    made = random.Random(5)
    for size in (2, 3, 10, 60):
        for values in (3, 1000):
            sides = [[float(made.randrange(values)) for _ in range(size)] + [-1.0, 9999.0] for _ in range(2)]
            assert correlate_ranks(*sides) == pytest.approx(count_kendall(*sides), abs=1e-15)


def test_kendalls_tau_of_exact_cases():
    assert correlate_ranks([1, 2, 3, 4], [1, 2, 3, 4]) == 1
    assert correlate_ranks([1, 2, 3, 4], [4, 3, 2, 1]) == -1
    assert correlate_ranks([1, 2, 2, 3], [1, 3, 2, 2]) == pytest.approx(2 / 5), "3 alike, 1 not, a tie on either side"
    assert correlate_ranks([1, 1], [1, 2]) is None


def test_kendalls_tau_does_not_look_at_every_pair():
    class Counted(float):
        looks = 0

        def __lt__(self, other):
            Counted.looks += 1
            return float(self) < float(other)

    made = random.Random(7)
    sides = [[Counted(made.random()) for _ in range(2000)] for _ in range(2)]
    assert correlate_ranks(*sides) is not None
    assert 0 < Counted.looks < 100_000, "of 1,999,000 pairs"


def test_external_scores_agree_as_recipes_do():
    systems = SYSTEMS | {"c": [text.replace("cat", "dog") for text in REFERENCES]}
    ter = bp.compare(systems, REFERENCES, "ter", resamples=100)
    known = {name: list(ter.tables[ter.result().recipe.counting][name]) for name in systems}
    errors = {name: [float(stats.edits) for stats in own] for name, own in known.items()}
    external = {"edits": errors, "upside-down": errors}
    several = bp.compare(systems, REFERENCES, "ter", scores=external, lower_is_better=["edits"], resamples=100)
    found = {(one.first, one.second): one[2:] for one in several.agreement()}
    assert found["ter", "edits"] == pytest.approx((1.0,) * 4), "all references are of one length"
    assert found["ter", "upside-down"] == pytest.approx((-1.0,) * 4)


def test_agreement_with_external_scores_stands_in_every_format(files, output, tmp_path):
    flags = (*FLAGS, "--scores", "comet=comet.tsv", "--agreement", "--html", "report.html")
    assert "Pearson's r and Kendall's τ, over segments and over systems" in output(*flags)
    [data] = json.loads(output(*flags, "--format", "json"))["agreement"]
    assert (data["first"], data["second"], data["systems_kendall"]) == ("sacrebleu", "comet", None)
    rows = [row for row in csv.DictReader(io.StringIO(output(*flags, "--format", "csv"))) if "agr" in row["kind"]]
    assert {(row["kind"], row["group"]): row["value"] for row in rows} == {
        ("agreement", "segments"): repr(data["segments"]),
        ("agreement", "systems"): "",
        ("agreement kendall", "segments"): repr(data["segments_kendall"]),
        ("agreement kendall", "systems"): "",
    }
    assert f"{abs(data['segments_kendall']):.3f}" in (tmp_path / "report.html").read_text("utf-8")
