"""Identify: a reported number is traced to what made it, the most usual first; accidents only where they did it."""

import json
import math
import re
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from sacrebleu.metrics import BLEU

import bleuprint as bp
from bleuprint.findings.identification.results import Reported
from bleuprint.findings.identification.search import Search
from bleuprint.metrics.bleu.recipe import DIALECTS
from bleuprint.render import render
from bleuprint.render.html import render_document
from bleuprint.scoring.verbs import pair_for
from identified_texts import BOTH, CANDIDATES, EXAMPLES, FIRST, OTHER, SECOND, titles
from refusals import refuse
from searched_once import searches  # noqa: F401, a fixture
from strategies import CORPUS_DIALECTS
from wmt22_texts import FOLDER, OFFICIAL, SYSTEMS, find_texts, read_lines


@pytest.mark.parametrize("dialect", CORPUS_DIALECTS)
def test_every_dialect_is_found_by_its_number(dialect):
    number = f"{bp.score(CANDIDATES, BOTH, dialect).score:.4f}"
    found = bp.identify(CANDIDATES, BOTH, number)
    assert any(dialect in reading.dialects for reading in found.findings[0].readings)
    assert found.found
    assert not any(reading.accident for finding in found.findings for reading in finding.readings)


@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name not in CORPUS_DIALECTS])
def test_what_is_defined_for_one_segment_is_found_there_and_as_a_mean(dialect):
    candidate, reference = "the cat sat on mat", "the cat sat by the mat"  # without a 4-gram, where method7 acts
    found = bp.identify([candidate], [reference], f"{bp.score_sentence(candidate, reference, dialect).fraction:.6f}")
    assert dialect in found.findings[0].best.dialects
    mean = math.fsum(bp.score_segments(CANDIDATES, BOTH, dialect).scores) / len(CANDIDATES)
    best = bp.identify(CANDIDATES, BOTH, f"{mean:.6f}").findings[0].best
    assert dialect in best.dialects
    assert best.applied == "mean of the segments' scores"


def first_of_each_tokenizer():
    """All systems; what those after the first with a tokenizer repeat is left to the matrix."""
    firsts = {pair == "en-zh": (pair, system) for pair, system in reversed(SYSTEMS)}
    return [
        pytest.param(*system, marks=() if system in firsts.values() else pytest.mark.extended) for system in SYSTEMS
    ]


@pytest.mark.skipif(not SYSTEMS, reason=f"the WMT22 texts are not there: {FOLDER}")
@pytest.mark.parametrize(("pair", "system"), first_of_each_tokenizer())
def test_published_scores_are_sacrebleu_first_of_all(pair, system):
    candidates = read_lines(find_texts(pair, "hyp")[system])
    references = [read_lines(path) for path in find_texts(pair, "ref").values()]
    found = bp.identify(candidates, list(zip(*references, strict=True)), f"{OFFICIAL[pair, system]['bleu-all']:.2f}")
    best = found.findings[0].best
    expected = bp.Recipe.named("sacrebleu").replace(tokenizer="zh" if pair == "en-zh" else "13a")
    assert (best.recipe, best.applied, best.accident) == (expected, "", "")


@pytest.mark.parametrize(
    ("options", "choices"),
    [
        ({"lowercase": True, "tokenize": "intl"}, {"case": "lower", "tokenizer": "intl"}),
        ({"smooth_method": "floor", "max_ngram_order": 2}, {"smoothing": "floor(0.1)", "order": 2}),
        ({"tokenize": "char", "max_ngram_order": 3}, {"tokenizer": "char", "order": 3}),
        ({"smooth_method": "add-k", "effective_order": True}, {"smoothing": "add-k(1)", "absent_order": "drop"}),
    ],
)
def test_odd_settings_of_sacrebleu(options, choices):
    number = f"{BLEU(**options).corpus_score(CANDIDATES, [FIRST]).score:.6f}"
    wanted = bp.Recipe.named("sacrebleu").replace(**choices)
    found = bp.identify(CANDIDATES, FIRST, number)
    assert any(wanted == reading.recipe for finding in found.findings for reading in finding.readings)


@pytest.mark.parametrize("method", [1, 2, 3, 4])
def test_odd_settings_of_nltk(method):
    tokens, references = [text.split() for text in CANDIDATES], [[text.split()] for text in FIRST]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        smoothing = getattr(SmoothingFunction(), f"method{method}")
        number = f"{corpus_bleu(references, tokens, (1 / 3,) * 3, smoothing):.7f}"
    found = bp.identify(CANDIDATES, FIRST, number)
    wanted = bp.Recipe.named(f"nltk-method{method}").replace(order=3)
    assert any(wanted == reading.recipe for finding in found.findings for reading in finding.readings)
    assert {finding.scale for finding in found.findings} == {1}


def test_the_mean_of_segment_scores_is_found():
    number = sum(bp.score_segments(CANDIDATES, FIRST, "sacrebleu-sentence").scores) / len(CANDIDATES)
    found = bp.identify(CANDIDATES, FIRST, f"{number:.4f}")
    assert found.findings[0].best.title == "sacrebleu-sentence · mean of the segments' scores"


def test_one_of_two_references_is_found():
    found = bp.identify(CANDIDATES, BOTH, f"{bp.score(CANDIDATES, SECOND).score:.4f}")
    assert found.findings[0].best.title == "sacrebleu · reference 2 alone"


def test_characters_scored_by_accident_are_found():
    number = bp.score(CANDIDATES, FIRST, bp.Recipe.named("nltk").replace(tokenizer="char")).score
    assert any("tokenizer char" in title for title in titles(bp.identify(CANDIDATES, FIRST, f"{number:.4f}")))


def spread(texts):
    return [list(text) or [""] for text in texts]


SQUARE = [[FIRST[5 * row + column] for column in range(5)] for row in range(5)]
ACCIDENTS = {
    "candidate and reference swapped": (CANDIDATES, FIRST, (FIRST, CANDIDATES)),
    "candidates one line too late": (CANDIDATES, FIRST, (CANDIDATES[:-1], FIRST[1:])),
    "candidates one line too early": (CANDIDATES, FIRST, (CANDIDATES[1:], FIRST[:-1])),
    "only the candidates lower-cased": (CANDIDATES, FIRST, ([text.lower() for text in CANDIDATES], FIRST)),
    "only the references lower-cased": (CANDIDATES, FIRST, (CANDIDATES, [text.lower() for text in FIRST])),
    "references turned: columns taken for rows": (
        CANDIDATES[:5], SQUARE, (CANDIDATES[:5], [list(row) for row in zip(*SQUARE, strict=True)]),
    ),
    "a reference read as a list of characters": (CANDIDATES, FIRST, (CANDIDATES, spread(FIRST))),
}  # fmt: skip


@pytest.mark.parametrize("accident", ACCIDENTS)
def test_an_accident_is_found_where_it_is_the_cause(accident):
    candidates, references, mistaken = ACCIDENTS[accident]
    mistaken_score = bp.score(*mistaken, "huggingface-smooth").score
    found = bp.identify(candidates, references, f"{mistaken_score:.5f}")
    assert f"huggingface-smooth · {accident}" in titles(found)
    straight = bp.identify(candidates, references, f"{bp.score(candidates, references).score:.5f}")
    assert straight.findings[0].best.dialects == ("sacrebleu",)
    assert not any(accident in title for title in titles(straight))


def test_several_systems_narrow_it_down():
    systems = {"a": OTHER, "b": CANDIDATES}
    numbers = {name: f"{bp.score(texts, FIRST, 'nltk').fraction:.2f}" for name, texts in systems.items()}
    together = bp.identify(systems, FIRST, numbers)
    alone = bp.identify(OTHER, FIRST, numbers["a"])
    assert "nltk" in together.findings[0].best.dialects
    assert len(together.findings) < len(alone.findings)
    assert len(together.findings[0].best.scores) == 2


def test_all_other_readings_that_give_the_number_are_counted():
    found = bp.identify(CANDIDATES, FIRST, f"{bp.score(CANDIDATES, FIRST, 'nltk').score:.2f}")
    fitting = [reading for finding in found.findings if finding.fits for reading in finding.readings]
    assert len(fitting) > sum(finding.fits for finding in found.findings)
    assert f" {len(fitting) - 1} other readings give it, too." in found.summary


def test_without_a_fit_the_nearest_come_with_their_distance():
    found = bp.identify(CANDIDATES, FIRST, "99.99")
    assert not found.found
    distances = [finding.distance for finding in found.findings]
    assert distances == sorted(distances)
    assert found.summary.startswith("None of ")


@pytest.mark.parametrize(
    ("text", "score", "ways"),
    [
        ("33.8", 33.849, "rounded truncated"), ("33.8", 33.751, "rounded"), ("33.8", 33.86, "truncated"),
        ("33.8", 33.91, ""), ("33.8", 33.74, ""), ("33.80", 33.849, ""), ("33.80", 33.809, "truncated"),
        ("34", 33.6, "rounded"), ("33.8%", 33.849, "rounded truncated"),
        ("50.00", 49.99999999999999, "rounded truncated"), ("49.99", 50.0, "truncated"),  # as the tool's float may be
        ("0", 0.0, "rounded truncated"), ("100", 100.0, "rounded truncated"), ("100.00", 100.0, "rounded truncated"),
        ("99.99", 100.0, ""), ("99.9", 100.0, ""), ("99", 100.0, ""), ("0.01", 0.0, ""), ("99.99", 99.996, "truncated"),
        ("100.00", 99.996, "rounded"), ("100", 100.00000000000004, "rounded truncated"),
    ],
)  # fmt: skip
def test_digits_say_how_exact_a_number_is(text, score, ways):
    assert Reported.of(text).ways(score, 100) == set(ways.split())


@pytest.mark.parametrize(
    ("text", "score", "ways"),
    [("0.9", 100.0, ""), ("0", 100.0, ""), ("0.99", 100.0, ""), ("1.0", 100.0, "rounded truncated"),
     ("0.338", 33.79, "rounded"), ("0.33", 33.79, "truncated"), ("1.1167", 111.67467, "rounded truncated")],
)  # fmt: skip
def test_digits_on_0_to_1(text, score, ways):
    assert Reported.of(text).ways(score, 1) == set(ways.split())


@pytest.mark.parametrize(
    ("number", "text", "unit"),
    [
        ("33.80", "33.80", 0.01), (33.8, "33.8", 0.1), (34, "34", 1), (np.float64(33.8), "33.8", 0.1),
        (np.int64(34), "34", 1), (Decimal("33.80"), "33.80", 0.01), (Fraction(169, 5), "33.8", 0.1),
        ("33.80 %", "33.80 %", 0.01), (np.float32(0.33801234), "0.33801234", 2**-25),
        (np.float16(0.3381), "0.3381", 2**-12), (bp.score(["a b c d"], ["a b c d"]), "100.0", 0.1),
    ],
)  # fmt: skip
def test_a_number_may_be_of_any_kind(number, text, unit):
    reported = Reported.of(number)
    assert (reported.text, reported.unit, reported.percent) == (text, pytest.approx(unit), "%" in text)


def test_a_percent_sign_means_0_to_100():
    text = "a b c d e f"
    assert bp.identify([text], [text], "1").found
    assert not bp.identify([text], [text], "1%").found
    assert bp.identify([text], [text], "100 %").findings[0].scale == 100


def test_a_number_of_nltk_above_1_is_found():
    tokens = ["a", "b", "c", "d", "e", "f"]
    number = f"{sentence_bleu([tokens], tokens, smoothing_function=SmoothingFunction().method5):.4f}"
    assert number == "1.1167"
    best = bp.identify(["a b c d e f"], ["a b c d e f"], number).findings[0]
    assert ("nltk-method5" in best.best.dialects, best.scale, best.printed) == (True, 1, "rounded")


@pytest.mark.parametrize("number", ["99.99", "99", "0", "0.99", "0.9"])
def test_nothing_makes_less_of_a_perfect_match(number):
    text = "a b c d e f"
    found = bp.identify([text] * 2, [text] * 2, number)
    perfect = [finding for finding in found.findings if finding.fits and finding.best.scores == (100.0,)]
    assert perfect == []


def test_a_table_is_rounded_or_cut_off_as_a_whole():
    systems = {"a": OTHER, "b": CANDIDATES}
    scores = {name: bp.score(texts, SECOND).score for name, texts in systems.items()}
    digits = next(d for d in range(2, 8) if all(score * 10**d % 1 > 0.5 for score in scores.values()))
    up = {name: f"{score:.{digits}f}" for name, score in scores.items()}
    down = {name: f"{score - 0.5 * 10**-digits:.{digits}f}" for name, score in scores.items()}
    tables = (up, down, {"a": up["a"], "b": down["b"]})
    assert [bp.identify(systems, SECOND, table).findings[0].printed for table in tables] == ["rounded", "truncated", ""]


@pytest.mark.parametrize(
    "number",
    [
        "", "33,8", "-1", "1001", "nan", "%", "33.8%%", "1e99999999999999999999", None, True, [33.8], np.bool_(True),
        10**5000, Fraction(10**400), Fraction(-1, 2), Decimal("sNaN"), float("inf"), 33.8j,
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_is_no_number_is_refused(number):
    refuse(lambda: bp.identify(CANDIDATES, FIRST, number), argument="reported")


def test_systems_and_numbers_must_have_the_same_names():
    for systems, numbers in (
        ({"a": OTHER}, {"b": "1"}),
        ({"a": OTHER, 1: OTHER}, {"b": "1"}),
        ({}, {}),
        ({"a": OTHER}, "1"),
        (OTHER, {"a": "1"}),
    ):
        refuse(lambda pair=(systems, numbers): bp.identify(pair[0], FIRST, pair[1]), argument="reported")


def test_every_view_and_the_command_show_the_same(output):
    files = [str(EXAMPLES / name) for name in ("candidate-b.txt", "reference-1.txt")]
    also = str(EXAMPLES / "candidate-a.txt")
    found = bp.identify({files[0]: CANDIDATES, also: OTHER}, FIRST, {files[0]: "22.85", also: "41.2"})

    def command(*arguments):
        return output("identify", *files, "--reported", "22.85", "--also", also, "41.2", *arguments)

    assert json.loads(command("--format", "json")) == json.loads(json.dumps(found.to_dict()))
    assert command() == f"{found}\n"
    assert command("--format", "markdown") == render(found, "markdown")
    assert command("--format", "html") == render_document(found) + "\n"


REFERENCE = str(EXAMPLES / "reference-1.txt")


def test_systems_and_numbers_may_come_from_a_table(tmp_path, output):
    (tmp_path / "inner").mkdir()
    for name, texts in (("a.txt", OTHER), ("inner/b.txt", CANDIDATES)):
        (tmp_path / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
    table = tmp_path / "reported.tsv"
    found = bp.identify({"a": OTHER, "b": CANDIDATES}, FIRST, {"a": "36.2", "b": "17.1"}).to_dict()
    for text in (
        "a.txt\t36.2\ninner/b.txt\t17.1\n",
        "# a remark\ncandidate\treported\na.txt\t36.2\n\n#inner/b.txt\t99\ninner/b.txt\t17.1",
        f"{tmp_path}/a.txt\t36.2\r\ninner/b.txt\t 17.1\r\n",
    ):
        table.write_text(text, encoding="utf-8", newline="")
        shown = json.loads(output("identify", REFERENCE, "--reported-tsv", table, "--format", "json"))
        assert shown == json.loads(json.dumps(found))
    table.write_text("a.txt\t36.2\n", encoding="utf-8")
    more = output(
        "identify", REFERENCE, "--reported-tsv", table, "--also", tmp_path / "inner/b.txt", "17.1", "--format", "json"
    )
    assert json.loads(more) == json.loads(json.dumps(found))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a.txt 36.2\n", r"t\.tsv, line 1: "),
        ("a.txt\t36.2\tx\n", r"t\.tsv, line 1: "),
        ("candidate\treported\na.txt\t\n", r"t\.tsv, line 2: "),
        ("# x\na.txt\tmany\n", r"t\.tsv, line 2: .*'many'"),
        ("a.txt\t36.2\ncandidate\treported\n", r"t\.tsv, line 2: "),
        ("a.txt\t36.2\nnosuch.txt\t2\n", r"t\.tsv, line 2: .*nosuch\.txt"),
        ("a.txt\t36.2\na.txt\t36.2\n", r"a\.txt.* twice"),
        ("# nothing\n", r"t\.tsv"),
    ],
)
def test_a_table_that_does_not_fit_is_refused_with_its_line(text, where, tmp_path, run):
    (tmp_path / "a.txt").write_text("\n".join(OTHER) + "\n", encoding="utf-8")
    (tmp_path / "t.tsv").write_text(text, encoding="utf-8")
    refused = run("identify", REFERENCE, "--reported-tsv", tmp_path / "t.tsv")
    assert (refused.code, refused.out) == (2, "")
    assert re.search(where, refused.err)


def test_a_number_or_a_table_is_wanted_and_not_both(run):
    for arguments in (
        [REFERENCE, REFERENCE],
        ["--reported", "3"],
        [REFERENCE, "--reported", "3", "--reported-tsv", "x"],
    ):
        refused = run("identify", *arguments)
        assert refused.code == 2
        assert "--reported-tsv" in refused.err
    refused = run("identify", "-", "--reported-tsv", "-")
    assert refused.code == 2
    assert "standard input" in refused.err.lower()


def test_other_systems_may_bring_the_references_themselves(tmp_path, run, output):
    def write(name, candidates, references):
        rows = [{"candidate": c, "references": [r]} for c, r in zip(candidates, references, strict=True)]
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return tmp_path / name

    first, other = write("a.jsonl", OTHER, FIRST), write("b.jsonl", CANDIDATES, FIRST)
    found = bp.identify({"a": OTHER, "b": CANDIDATES}, FIRST, {"a": "36.2", "b": "17.1"}).to_dict()
    shown = output("identify", first, "--reported", "36.2", "--also", other, "17.1", "--format", "json")
    assert json.loads(shown) == json.loads(json.dumps(found))
    refused = run("identify", first, "--reported", "36.2", "--also", write("c.jsonl", CANDIDATES, SECOND), "17.1")
    assert re.search(r"c\.jsonl.* references .*a\.jsonl", refused.err)
    xml = EXAMPLES / "corpus.xml"
    alone = output("identify", xml, "--system", "a", "--translator", "1", "--reported", "36.22")
    assert alone.startswith("36.22 is nltk, rounded")


@pytest.mark.parametrize("references", [FIRST, BOTH], ids=["one reference", "two references"])
def test_every_reading_is_the_score_of_its_recipe(references):
    """Counting once for many recipes must not change a bit of any of them."""
    corpus = pair_for(CANDIDATES, references, [bp.Recipe.named("sacrebleu")])
    search = Search([corpus])
    readings = search.read(search.plain)
    assert len({reading.recipe for reading in readings}) > 500
    for reading in readings:
        own = references
        if reading.applied.startswith("reference "):
            own = [texts[int(reading.applied.split()[1]) - 1] for texts in references]
        if "mean" in reading.applied:
            scores = bp.score_segments(CANDIDATES, own, reading.recipe).scores
            assert reading.scores == (math.fsum(scores) / len(scores),)
        else:
            assert reading.scores == (bp.score(CANDIDATES, own, reading.recipe).score,)


def test_texts_stay_texts():
    found = bp.identify(["<script>x</script>"], ["<script>x</script> y"], "12.3")
    assert "<script>" not in render_document(found)


def test_a_system_of_another_length_is_refused_by_its_name(tmp_path, run):
    short = tmp_path / "short"
    short.write_text("one line\n", encoding="utf-8")
    files = [str(EXAMPLES / name) for name in ("candidate-b.txt", "reference-1.txt")]
    refused = run("identify", *files, "--reported", "1", "--also", short, "2")
    assert (refused.code, refused.out) == (2, "")
    assert f"{short} has 1 line but {files[0]} has 60." in refused.err


def test_what_stops_in_nltk_gives_no_number():
    assert "nltk-method6" in titles(bp.identify(["a b c"], ["a b c"], "100"))
    short, references = "a b d", ["a b c", "a b d"]
    zero = titles(bp.identify(short, references, "0"))
    assert "nltk-method6 · reference 1 alone" not in zero  # where no trigram matches
    assert not any(title.startswith("nltk-method6") for title in titles(bp.identify(["a b d"], ["a b c"], "0")))


def test_a_zero_is_one_finding_not_one_on_each_scale():
    found = bp.identify(["", "a"], ["b", "c"], "0.00")
    assert [finding.scale for finding in found.findings if finding.best.scores == (0.0,)] == [100]
    assert found.summary.startswith("0.00 is sacrebleu, rounded, on 0 to 100.")


def test_one_segment_may_be_given_as_texts_and_has_no_mean():
    alone = bp.identify("the cat sat on the mat", ["the cat sat on a mat", "a cat"], "50.8")
    listed = bp.identify(["the cat sat on the mat"], [["the cat sat on a mat", "a cat"]], "50.8")
    assert alone.to_dict() == listed.to_dict()
    assert not any("mean" in title for title in titles(alone))


def test_a_distance_names_its_scale():
    found = bp.identify(["a b c d e", "f g h i"], ["a b c d e", "f g h i"], "0.97")
    assert (found.found, found.findings[0].scale) == (False, 1)
    assert found.summary.endswith("0.03 away on 0 to 1.")


def test_a_tiny_number_is_no_zero():
    """NLTK's 1.49e-154 for two equal words is the number that people ask about most."""
    two = (["left right"], ["left right"])
    assert "nltk" in bp.identify(*two, "1.492e-154").findings[0].best.dialects
    for number in ("5e-20", "5e-100", "1.5e-154"):
        best = bp.identify(*two, number).findings[0]
        assert best.fits == (number == "1.5e-154"), number
    assert "sacrebleu" in bp.identify(*two, "0.00").findings[0].best.dialects
