"""The report of a comparison: its data are the library's, its marks the evidence's, its file whole or not there."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.findings.comparison.breakdowns import find_leader
from bleuprint.findings.comparison.closeup import for_single_segments
from bleuprint.findings.significance import Interval
from bleuprint.metrics.bleu.explain import SegmentEvidence
from bleuprint.metrics.marks import Matcher
from bleuprint.recipes.registry import find_metric
from bleuprint.render.html.figures import STRIP_MARGIN, count_bins, make_histogram
from bleuprint.render.html.report import MOST_GROUPS, render_report
from bleuprint.render.html.report_data import cut_text, gather_data, pack, write_data
from bleuprint.render.html.report_summary import HEAD, LONGEST, TAIL, make_axis, make_strip, shorten_names
from bleuprint.text.tokenizers import apply_case, tokenize
from bleuprint.text.tokenizers.spans import locate_tokens
from bleuprint.wording import format_score
from command_line import DOCUMENTS, R1, R2, A, B, read_texts
from report_reading import text_of, unpack

SYSTEMS = ("-r", R1, "-r", R2, "-s", f"a={A}", "-s", f"b={B}", "--resamples", 200)
WORDS = st.lists(st.sampled_from("abc"), max_size=9)
ODD_TEXTS = st.text(st.sampled_from("aB .,-'&;ltquo\"<>\n 1İß中😀é"), max_size=25)


def compare(recipe="sacrebleu", **options):
    a, b, *references = read_texts(A, B, R1, R2)
    return bp.compare({"a": a, "b": b}, list(zip(*references, strict=True)), recipe, resamples=200, **options)


def read_data(html):
    found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert len(found) == 1
    return json.loads(found[0])


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3), st.integers(1, 5))
def test_marks_are_those_of_the_evidence(candidate, references, order):
    recipe = bp.Recipe.named("paper").replace(tokenizer="pretokenized", order=order)
    evidence = SegmentEvidence(tuple(candidate), tuple(map(tuple, references)), recipe.counting, order)
    marks = Matcher(references, order).mark(candidate)
    statuses = {"clipped": 1, "unmatched": 0, "missed": 0}

    def expected(view):
        return [token.longest_match + 1 if token.longest_match else statuses[token.status] for token in view]

    assert marks.candidate == expected(evidence.candidate_view)
    assert marks.references == [expected(view) for view in evidence.reference_views]


@given(st.lists(st.integers(0, 99), max_size=20))
def test_packed_numbers_come_back(numbers):
    assert unpack(pack(numbers)) == numbers


@given(ODD_TEXTS, st.sampled_from(["whitespace", "13a", "intl", "char", "zh"]), st.sampled_from(["mixed", "lower"]))
def test_cuts_give_the_tokens_back_from_the_text_as_javascript_counts(text, tokenizer, case):
    recipe = bp.Recipe.named("paper").replace(tokenizer=tokenizer, case=case)
    tokens = tokenize(text, tokenizer, case)
    numbers = unpack(cut_text(text, tokens, recipe))
    spans = locate_tokens(text, tokens, tokenizer, case)
    if any(left[1] > right[0] for left, right in pairwise(spans)):  # a character became several tokens
        assert numbers == list(tokens)
        return
    assert len(numbers) == 2 * len(tokens)
    units, place = text.encode("utf-16-le"), 0
    for token, gap, size in zip(tokens, numbers[::2], numbers[1::2], strict=True):
        place += gap
        piece = units[2 * place : 2 * (place + size)].decode("utf-16-le")
        place += size
        # Alone a comma before a digit is a token of its own.
        assert tokenize(piece, tokenizer, case) == [token] or apply_case(piece, case) == token
    assert place <= len(units) // 2


def test_tokens_that_are_no_part_of_the_text_are_given_themselves():
    bp.register_tokenizer("report_stems", lambda text: [word[:2] + "*" for word in text.split()])
    recipe = bp.Recipe.named("paper").replace(tokenizer="report_stems")
    assert cut_text("there we go", ["th*", "we*", "go*"], recipe) == ["th*", "we*", "go*"]


def test_data_are_the_librarys():
    comparison = compare(labels={"document": read_texts(DOCUMENTS)[0]})
    data = read_data(comparison.to_html())
    result = comparison.result()
    assert data == json.loads(write_data(gather_data(comparison, ["a", "b"], comparison.focus())))
    a, b, r1, r2 = read_texts(A, B, R1, R2)
    assert [system["texts"] for system in data["systems"]] == [a, b]
    assert data["references"] == [[one, other] for one, other in zip(r1, r2, strict=True)]
    assert data["focus"] == [0, 1]
    [label] = data["labels"]
    assert [label["values"][place] for place in label["places"]] == read_texts(DOCUMENTS)[0]
    alone = bp.score_segments(a, list(zip(r1, r2, strict=True)), result.recipe.replace(absent_order="drop"))
    first = data["systems"][0]
    assert [format_score(score) for score in first["scores"][0]] == [format_score(one.score) for one in alone]
    assert first["exact"] == list(alone.scores)
    influences = {one.segment: one.points for one in comparison.influences("a")}
    assert first["influences"] == [influences[place] for place in range(60)]
    assert [tuple(unpack(row)) for row in first["counts"]] == [one.stats.to_row() for one in alone]
    assert data["lengths"] == [len(tokenize(text, "13a", "mixed")) for text in r1]


def test_data_grow_with_the_systems_and_not_with_their_pairs():
    a, r1 = read_texts(A, R1)

    def size(number):
        comparison = bp.compare({f"{place:02}": a for place in range(number)}, r1, resamples=100)
        return len(write_data(gather_data(comparison, comparison.names, comparison.focus())))

    one, few, many = map(size, (1, 3, 11))
    assert many - one < 1.1 * 5 * (few - one)


@pytest.mark.parametrize("text", ["</script><script>alert(1)</script>", "<!-- <script>", "a\u2028b\x00c", "&lt;"])
def test_no_text_ends_the_data(text):
    html = bp.compare({text: [text]}, [text], "paper", resamples=100, labels={text: [text]}).to_html()
    assert html.count("<script") == 2
    assert html.count("</script>") == 2
    data = read_data(html)
    assert data["systems"][0]["name"] == data["systems"][0]["texts"][0] == data["references"][0][0] == text
    assert "<" not in write_data(data)


def test_only_this_script_and_these_styles_may_run_and_nothing_may_be_loaded():
    html = compare().to_html()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html).group(1).replace("&#39;", "'")
    kinds = dict(part.split(" ", 1) for part in policy.split("; "))
    assert kinds["default-src"] == kinds["base-uri"] == kinds["form-action"] == "'none'"
    for kind in ("style", "script"):
        [text] = re.findall(rf"<{kind}>(.*?)</{kind}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert kinds[f"{kind}-src"] == f"'sha256-{digest}'"
    seen = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: seen.extend(attributes)
    parser.feed(html)
    assert len(seen) > 100
    assert not [name for name, _ in seen if name in ("src", "style", "srcset", "action") or name.startswith("on")]
    assert all(value.startswith("#") for name, value in seen if name == "href")


def test_summary_shows_every_recipe_and_the_rest_is_about_the_first():
    text = text_of(compare(["paper", "nltk"]).to_html())
    assert "Summary, recipe paper" in text
    assert "Summary, recipe nltk" in text
    assert "All below is for the recipe paper, the first that was named." in text
    assert "All below" not in text_of(compare("paper").to_html())


def three():
    a, b, r1 = read_texts(A, B, R1)
    return {"a": a, "b": b, "same as a": a}, r1


def test_matrix_has_every_pair_in_both_directions():
    systems, references = three()
    comparison = bp.compare(systems, references, resamples=200)
    html = comparison.to_html()
    matrix = re.search(r'<table class="bp-matrix">.*?</table>', html, re.DOTALL).group()
    ahead, behind, level = (len(re.findall(f'class="bp-cell-{kind}"', matrix)) for kind in ("ahead", "behind", "level"))
    significant = [pair for pair in comparison.result().pairs if pair.significant]
    assert ahead == behind == len(significant) == 2
    assert level == 2
    for pair in comparison.result().pairs:
        assert matrix.count(f"p = {pair.p_holm:.4f}") >= 2
    assert "bp-matrix" not in re.sub(r"(?s)<style.*?</style>", "", compare().to_html())


def test_with_a_baseline_there_is_a_table_instead_of_a_matrix():
    systems, references = three()
    html = bp.compare(systems, references, resamples=200, baseline="b").to_html()
    assert '<table class="bp-matrix">' not in html
    assert "b (baseline)" in text_of(html)


def table_heads(html):
    """Read the names that head rows and columns of each table, and those of figures."""
    bodies = re.findall(r"(?s)<table.*?</table>", html)
    found = [
        [re.sub(r"<.*?>", "", cell) for cell in re.findall(rf'<th scope="{way}"[^>]*>(.*?)</th>', body)]
        for body in bodies
        for way in ("row", "col")
    ]
    return [*found, [re.sub(r"<.*?>", "", name) for name in re.findall(r"<figcaption>(.*?)</span>", html)]]


def test_systems_stand_in_one_order_everywhere():
    references = ["the cat sat on the mat today", "a dog runs in the park"] * 6
    systems = {
        "worst": ["no", "none"] * 6,
        "other": ["the cat sat xx the mat today", "a dog runs xx the park"] * 6,  # the best for TER
        "short": ["the cat sat on the", "a dog runs in"] * 6,
    }
    comparison = bp.compare(systems, references, ["sacrebleu", "ter"], resamples=200,
                            labels={"document": ["x", "y"] * 6})  # fmt: skip
    by_ter = [system.name for system in comparison.result("ter").ranked]
    assert by_ter == ["other", "short", "worst"]
    order = [system.name for system in comparison.result().ranked]
    assert order == ["short", "other", "worst"]
    html = comparison.to_html()
    assert [system["name"] for system in read_data(html)["systems"]] == order
    shown = [[name for name in own if name in systems] for own in table_heads(html)]
    lists = [own for own in shown if len(set(own)) == 3 and len(own) == 3]
    # overview; twice the systems and both sides of the matrix; parts; tables of histograms; breakdowns
    assert len(lists) == 1 + 2 * 3 + 1 + 2 + 3
    assert all(own == order for own in lists)
    assert [own for own in shown if len(own) == 6] == [order * 2]  # both rows of histograms
    pairs = re.findall(r'<th scope="row" dir="auto">(\w+)</th><td class="bp-words" dir="auto">(\w+)</td>', html)
    assert pairs == [("short", "other"), ("short", "worst"), ("other", "worst")] * 2
    turned = comparison.result("ter").pair("short", "other").difference
    assert turned > 0
    assert f"{turned:.2f}" in html


def test_long_names_are_short_and_whole():
    names = ["transformer-big-checkpoint-1000", "transformer-big-checkpoint-2000", "short"]
    texts = ["a b c d e"] * 3
    html = bp.compare(dict.fromkeys(names, texts), texts, resamples=100, baseline=names[1]).to_html()
    for name, short in (
        (names[0], "transformer…oint-1000"),
        (f"{names[1]} (baseline)", "transformer…oint-2000 (baseline)"),
    ):
        tag = (
            f'<span class="bp-name" title="{name}"><span class="bp-whole-name" dir="auto">{name}</span>'
            f'<span class="bp-short-name" dir="auto" aria-hidden="true">{short}</span></span>'
        )
        assert f'<th scope="row" dir="auto">{tag}</th>' in html
    assert [system["short"] for system in read_data(html)["systems"]] == [
        "transformer…oint-1000",
        "transformer…oint-2000",
        None,
    ]


@given(st.lists(st.text(st.sampled_from("abc-é\u0301\u200d😀🏽中"), max_size=2 * LONGEST), unique=True, max_size=6))
def test_short_names_differ_are_no_longer_and_begin_and_end_alike(names):
    short = shorten_names([*names, "x" * LONGEST])
    assert len(set(short.values())) == len(short)
    for name, form in short.items():
        head, tail = form.split("…")
        assert len(name) > LONGEST
        assert name.startswith(head)
        assert name.endswith(tail)
        assert len(head) <= HEAD
        assert len(tail) <= TAIL
        assert tail[0] not in "\u0301\u200d🏽" or len(tail) == 1
    assert "x" * LONGEST not in short


def test_names_that_would_look_alike_stay_whole():
    twins = [f"transformer-{middle}-checkpoint-1000" for middle in ("big", "small")]
    assert shorten_names([*twins, "another name that is long, too"]) == {
        "another name that is long, too": "another nam…long, too"
    }


@pytest.mark.parametrize(("recipe", "texts", "end"), [
    ("sacrebleu", ["a b c d e", "x"], "100"),
    ("ter", ["a b", "x y z w v"], "150"),
    ("ter", ["a b", "x y z w v u t s"], "200+"),
])  # fmt: skip
def test_the_plots_of_segments_have_the_librarys_scores_axes_and_leads(recipe, texts, end):
    references = ["a b c d e", "x z"]
    made = bp.compare({"one": texts, "other": references}, references, ["chrf", recipe], resamples=100)
    data = read_data(made.to_html())
    order = [system["name"] for system in data["systems"]]
    for number, result in enumerate(made.results):
        plot = data["recipes"][number]
        alone = for_single_segments(result.recipe)
        scores = {
            name: [float(format_score(one.score)) for one in bp.score_segments(own, references, alone)]
            for name, own in (("one", texts), ("other", references))
        }
        assert {system["name"]: system["scores"][number] for system in data["systems"]} == scores
        assert plot["better"] == ("lower" if result.name == "ter" else "higher")
        differences = [one - other for one, other in zip(*(scores[name] for name in order), strict=True)]
        is_ahead = result.recipe.metric.is_ahead
        ahead = [sum(map(is_ahead, differences)), sum(is_ahead(-difference) for difference in differences)]
        level = sum(one == other for one, other in zip(*scores.values(), strict=True))
        assert plot["leads"][0][1] == [ahead[0], level, ahead[1]]
        assert plot["leads"][1][0] == [ahead[1], level, ahead[0]]
        assert plot["leads"][0][0] == [0, 2, 0]
    ticks = data["recipes"][1]["ticks"]
    assert ticks[0] == ["0.00%", "100.00%", "0"]
    assert ticks[-1] == ["100.00%", "0.00%", end]
    assert data["recipes"][1]["high"] == float(end.rstrip("+"))


def test_breakdowns_of_all_labels_by_length_and_by_frequency():
    comparison = compare(labels={"document": read_texts(DOCUMENTS)[0]})
    text = text_of(comparison.to_html())
    for name in ("document", "length", "frequency"):
        found = comparison.breakdown(name)
        unit = " in tokens" if name == "length" else ""
        assert f"By {name}{unit}: {found.measure}" in text
        for group in found.groups:
            values = " ".join(format_score(value) for value in group.values.values())
            assert f"{group.name} {group.size:,} {values} {find_leader(group.values) or '–'}" in text


def test_a_label_with_too_many_values_is_said_to_have_no_table():
    count = MOST_GROUPS + 1
    labels = {"id": [str(place) for place in range(count)]}
    html = bp.compare({"a": ["x y"] * count}, ["x y"] * count, resamples=100, labels=labels).to_html()
    assert f"id has {count} different values, too many for a table" in text_of(html)
    assert "By id" not in text_of(html)
    assert read_data(html)["labels"][0]["values"] == labels["id"]


@pytest.mark.parametrize("systems", [{"only": ["a b", ""]}, {"zero": ["x", "y"], "void": ["", ""]}])
def test_one_system_and_scores_of_zero_make_a_report_too(systems):
    comparison = bp.compare(systems, [["a b c", ""], ["a"]], resamples=100)
    html = comparison.to_html()
    assert comparison.result().summary in text_of(html)
    assert len(read_data(html)["systems"]) == len(systems)


def test_tokens_make_a_report_too():
    recipe = bp.Recipe.named("paper").replace(tokenizer="pretokenized")
    data = read_data(bp.compare({"a": [[1, "😀 x"]]}, [[[1, "😀 x"]]], recipe, resamples=100).to_html())
    assert data["systems"][0]["texts"] == ["1 😀 x"]
    assert data["systems"][0]["cuts"] == ["0114"]
    assert data["systems"][0]["marks"] == ["33"]


def test_notebooks_show_the_summary_alone():
    comparison = compare()
    html = comparison._repr_html_()
    assert "<script" not in html
    assert comparison.result().summary in text_of(html)
    assert len(html) < len(comparison.to_html()) / 2


def test_intervals_stay_on_their_axis_and_in_order():
    intervals = [Interval(-3.0, 1.0, 1.0), Interval(2.0, 8.5, 1.0)]
    axis = make_axis(intervals, [0.0, 5.0], find_metric("bleu"), zero=True)
    assert [tick.label for tick in axis.ticks] == ["0", "5"]
    assert axis.zero == axis.ticks[0].x
    assert [tick.label for tick in make_axis(intervals[:1], [], find_metric("bleu")).ticks] == ["−2", "0"]
    for interval, value in zip(intervals, [0.0, 5.0], strict=True):
        low, high, middle = (float(place.removesuffix("%")) for place in make_strip(axis, interval, value))
        assert STRIP_MARGIN <= low <= middle <= high <= 100 - STRIP_MARGIN
    flat = make_axis([Interval(0.0, 0.0, 0.0)], [0.0], find_metric("bleu"))
    assert make_strip(flat, Interval(0.0, 0.0, 0.0), 0.0).value == "50.00%"


def test_histograms_hold_every_value_once():
    counts = count_bins([-1, 0, 9.99, 10, 55, 100, 250], range(0, 100, 10))
    assert counts == [3, 1, 0, 0, 0, 1, 0, 0, 0, 2]
    columns = make_histogram(counts, [str(place) for place in range(10)], most=3)
    assert [column.size for column in columns] == counts
    assert float(columns[0].height) == 90
    assert float(columns[0].y) == 0


def test_the_command_writes_the_report_beside_what_it_prints(output, tmp_path):
    report = tmp_path / "report.html"
    printed = output("compare", *SYSTEMS, "--documents", DOCUMENTS, "--html", report)
    assert printed == output("compare", *SYSTEMS)
    assert report.read_text(encoding="utf-8") == compare(labels={"document": read_texts(DOCUMENTS)[0]}).to_html()
    output("compare", *SYSTEMS, "--focus", "b", "a", "--html", report)
    assert report.read_text(encoding="utf-8") == render_report(compare(), ("b", "a"))
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_the_report_has_the_labels_that_were_asked_for(output, tmp_path):
    report = tmp_path / "report.html"
    for asked, shown in ((("--by", "length"), []), (("--documents", DOCUMENTS, "--by", "document"), ["document"])):
        output("compare", *SYSTEMS, *asked, "--html", report)
        labels = read_data(report.read_text(encoding="utf-8"))["labels"]
        assert [label["name"] for label in labels] == shown


def test_an_error_leaves_no_report_and_the_old_one_as_it_is(run, tmp_path):
    old = tmp_path / "report.html"
    old.write_text("old", encoding="utf-8")
    short = tmp_path / "short.txt"
    short.write_text("one line\n", encoding="utf-8")
    done = run("compare", *SYSTEMS, "-s", f"short={short}", "--html", old)
    assert done.code == 2
    assert old.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "short.txt"]


def test_a_place_that_cannot_be_written_is_refused_on_one_line(run, tmp_path):
    done = run("compare", *SYSTEMS, "--html", tmp_path / "missing" / "report.html")
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert "Nothing was written." in done.err


def test_names_that_no_file_can_hold_are_refused():
    for systems, labels in (({"a\udcff": ["x"]}, {"l": ["y"]}), ({"a": ["x"]}, {"l": ["y\udcff"]})):
        with pytest.raises(bp.BleuprintError, match=r"expected text that UTF-8 can encode, got '.\\udcff'"):
            bp.compare(systems, ["x"], resamples=100, labels=labels)


def test_report_and_output_need_two_files(run, tmp_path):
    both = tmp_path / "both"
    done = run("compare", *SYSTEMS, "--html", both, "--output", Path(both.parent, ".", both.name))
    assert done.code == 2
    assert "--html and --output name the same file" in done.err
    assert not both.exists()
