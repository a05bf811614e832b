"""The bridge: every action gives what the library gives, and whatever is refused is an answer, not an exception."""

import json
import re
from collections import defaultdict
from functools import cache
from importlib import resources
from itertools import chain, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import escape

import bleuprint as bp
from bleuprint.engines.python import PythonEngine
from bleuprint.findings.reconciliation import group_dialects
from bleuprint.lessons import worked_examples
from bleuprint.recipes.registry import METRICS, list_metrics
from bleuprint.render import render
from bleuprint.render.html import render_document, render_part
from bleuprint.render.html.report import render_overview
from bleuprint.web import compare_mode, costs
from bleuprint.web.bridge import ACTIONS, handle, handle_json
from bleuprint.web.limits import MOST_CHARACTERS, MOST_REFERENCES
from bleuprint.web.page import (
    EXAMPLE_BUTTONS,
    FIRST_SCRIPTS,
    POLICY_SERVED,
    POLICY_STATIC,
    SOURCES,
    page_files,
    render_page,
)
from bleuprint.web.requests import read_recipe
from bleuprint.web.what_if import MOST_TRIED, TRIED
from bleuprint.wording import format_fraction, format_score
from bridge_requests import list_requests
from memory_use import MIB, peak_of
from mutations import mutations_of

PARTS = {"message", "where", "fix", "suggestion", "index", "reference_index"}

SEGMENT = {"candidate": "the cat is on mat", "references": ["the cat is on the mat"], "recipe": {"base": "paper"}}


def ask(action, **changes):
    return handle({"action": action, **SEGMENT, **changes})


def text_of(html, name):
    return re.search(rf'data-testid="{name}">([^<]*)<', html)[1]


@pytest.mark.parametrize("dialect", bp.Recipe.dialects("bleu"))
def test_explain_shows_the_numbers_of_the_library(dialect):
    answer = ask("explain", recipe={"base": dialect})
    score = bp.score_sentence(SEGMENT["candidate"], SEGMENT["references"], dialect)
    assert text_of(answer["html"], "bleu-100") == format_score(score.score)
    assert text_of(answer["html"], "bleu-1") == format_fraction(score.fraction)
    assert text_of(answer["html"], "brevity-penalty") == format_fraction(score.brevity_penalty)
    assert [text_of(answer["summary"], f"matches-{n}") for n in range(1, 5)] == [
        str(m) for m in score.stats.matches[:4]
    ]
    assert answer["signature"] == str(score.recipe)
    assert answer["lengths"] == {"candidate": "5 tokens", "references": ["6 tokens"]}


def test_lengths_are_those_that_are_counted_where_references_are_prepared_in_another_way():
    told = ask("explain", candidate="..1", references=["..1"], recipe={"base": "ter", "normalized": "yes"})
    assert told["lengths"] == {"candidate": "2 words", "references": ["3 words"]}


@pytest.mark.parametrize(
    ("form", "changes"),
    [
        ({"order": "2"}, {"order": 2}),
        ({"weights": "0.3, 0.7"}, {"weights": (0.3, 0.7)}),
        ({"weights": "0.3,0.7", "order": "3"}, {"weights": (0.3, 0.7)}),
        ({"smoothing": "epsilon(0.2)", "case": "lower"}, {"smoothing": "epsilon(0.2)", "case": "lower"}),
        ({"tokenizer": "intl(unicode-18.0.0)"}, {"tokenizer": "intl"}),
        ({"absent_order": "drop", "weights": ""}, {"absent_order": "drop"}),
    ],
)
def test_the_form_states_a_recipe(form, changes):
    answer = ask("recipe", recipe={"base": "paper", **form})
    assert answer["signature"] == str(bp.Recipe.named("paper").replace(**changes))
    assert answer["choices"]["order"] == bp.Recipe.named("paper").replace(**changes).order


def test_a_signature_may_be_the_base():
    signature = str(bp.Recipe.named("nltk").replace(order=3))
    assert ask("recipe", recipe={"base": signature})["signature"] == signature


def test_several_lines_are_one_segment():
    assert ask("explain", candidate="the cat\nis on\r\nmat")["html"] == ask("explain")["html"]


def test_a_box_holds_so_many_characters_and_nothing_is_cut():
    assert ask("explain", candidate="a" * MOST_CHARACTERS)["ok"]
    refused = ask("explain", candidate="a" * (MOST_CHARACTERS + 1))
    assert refused["error"]["message"].startswith("candidate: expected at most 50,000 characters, got 50,001.")


@pytest.mark.parametrize("references", [[], ["a"] * (MOST_REFERENCES + 1), "a", None, [1]])
def test_references_are_a_list_of_texts(references):
    assert "reference" in ask("explain", references=references)["error"]["where"]


@pytest.mark.parametrize("blank", ["", "  ", "\n\t \r\n", "\u3000\xa0"])
def test_a_blank_box_is_no_reference_and_is_said_to_be_left_out(blank):
    texts = {"candidate": "the cat", "recipe": {"base": "paper", "order": "2"}}
    alone = ask("explain", **texts, references=["the cat is on the mat"])
    assert text_of(alone["html"], "bleu-100") == "13.53"
    assert "left out" not in alone["html"]
    answer = ask("explain", **texts, references=[blank, "the cat is on the mat"])
    assert text_of(answer["html"], "bleu-100") == "13.53"
    assert text_of(answer["html"], "left-out") == "Reference 1 is blank and left out."
    assert answer["lengths"]["references"] == [None, "6 tokens"]
    both = ask("explain", **texts, references=[blank, "the cat is on the mat", blank])
    assert text_of(both["html"], "left-out") == "References 1 and 3 are blank and left out."


def test_a_reference_keeps_the_number_of_its_box_where_one_before_it_is_blank():
    html = ask("details", references=["the cat is on the mat", "", "the cat"])["html"]
    assert "reference 1 has 6, reference 3 has 2" in html["derivation"]
    assert re.findall(r"<h4>(Reference \d)", html["texts"]) == ["Reference 1", "Reference 3"]
    page = ask("ngrams", references=["the cat is on the mat", "", "the cat"], order_shown=1, page=0)["html"]
    for table in (html["ngrams"], page):
        assert re.findall(r"<th scope=\"col\">(Reference \d)", table)[:2] == ["Reference 1", "Reference 3"]
        assert "Reference 2" not in table


@pytest.mark.parametrize("action", ["explain", "details", "ngrams", "dialects", "export", "segment-read"])
def test_without_any_reference_there_is_nothing_to_score(action):
    refused = ask(action, references=["", " \n"], order_shown=1, page=0, format="json")
    assert refused["error"]["where"] == "references"


def test_blank_boxes_change_nothing_in_any_part():
    for action, more in (("dialects", {}), ("export", {"format": "json"}), ("export", {"format": "csv"})):
        assert ask(action, **more, references=[*SEGMENT["references"], " "]) == ask(action, **more)
    read = ask("segment-read", references=["", "a b"])
    assert (read["segments"], read["left_out"]) == ([["the cat is on mat", ["a b"]]], [1])


def test_details_show_every_step_and_every_ngram():
    html = ask("details")["html"]
    assert "<math" in html["derivation"]
    assert 'data-side="candidate"' in html["texts"]
    assert html["ngrams"].count('class="bp-ngram"') == len(
        bp.explain("the cat is on mat", "the cat is on the mat").evidence.ngrams
    )


def test_long_texts_are_shown_in_part_until_all_is_asked_for():
    words = " ".join(["a b"] * 1000)
    part = ask("details", candidate=words)["html"]["texts"]
    whole = ask("details", candidate=words, all_tokens=True)["html"]["texts"]
    assert "Show 500 more tokens" in part
    assert "more tokens" not in whole


def test_tables_of_ngrams_have_pages():
    words = " ".join(map(str, range(120)))
    texts = {"candidate": words, "references": [words]}
    pages = [ask("ngrams", order_shown=2, page=page, **texts)["html"] for page in range(3)]
    assert [page.count('class="bp-ngram"') for page in pages] == [50, 50, 19]
    assert "51–100 of 119" in pages[1]
    assert not ask("ngrams", order_shown=5, page=0)["ok"]
    for wanted, page in enumerate(pages):
        at = {"side": "reference-0", "place": 50 * wanted + 7}
        assert ask("ngrams", order_shown=2, **at, **texts)["html"] == page, "the page with the 2-gram at this place"
    for where, wrong in (
        ("place", {"side": "reference-0", "place": 9999}), ("side", {"side": "reference-1", "place": 0}),
        ("side", {"place": 0}), ("page", {}),
    ):  # fmt: skip
        assert ask("ngrams", order_shown=2, **wrong, **texts)["error"]["where"] == where
    chrf, ter = ({"recipe": {"base": base}, "order_shown": 1} for base in ("chrf", "ter"))
    assert ask("ngrams", side="candidate", place=2, **chrf)["html"] == ask("ngrams", page=0, **chrf)["html"]
    for none in ({"page": 0}, {"side": "candidate", "place": 0}):
        assert ask("ngrams", **none, **ter)["error"]["where"] == "order_shown", "TER has no n-grams"


@pytest.mark.parametrize("dialect", bp.Recipe.dialects("bleu"))
def test_the_details_list_every_order_that_was_counted(dialect):
    stats = bp.score_sentence(SEGMENT["candidate"], SEGMENT["references"], dialect).stats
    html = ask("details", recipe={"base": dialect})["html"]["ngrams"]
    assert re.findall(r"<summary>(\d)-grams: (\d+) match(?:es)? of (\d+)</summary>", html) == [
        (str(order), str(matches), str(total))
        for order, (matches, total) in enumerate(zip(stats.matches, stats.totals, strict=True), start=1)
    ]
    last = ask("ngrams", order_shown=stats.order, page=0, recipe={"base": dialect})
    assert last["ok"]


@pytest.mark.parametrize("base", ["paper", "chrf", "ter"])
def test_every_dialect_of_every_metric_is_compared_that_of_the_chosen_first(base):
    html = ask("dialects", recipe={"base": base})["html"]
    sections = re.findall(r'<section class="bp-dialects" data-metric="([^"]*)">(.*?)</section>', html, re.DOTALL)
    assert sections[0][0] == bp.Recipe.named(base).metric_key
    assert sorted(key for key, _ in sections) == ["bleu", "chrf", "ter"]
    for key, section in sections:
        dots = [
            (re.findall('data-dialect="([^"]*)"', names), printed)
            for names, printed in re.findall(
                r'<tr><th scope="row">((?:<button.*?</button> ?)+)</th><td>(.*?)</td>', section
            )
        ]
        groups = group_dialects([SEGMENT["candidate"]], [SEGMENT["references"]], key)
        assert dots == [(list(group.names), group.score.printed) for group in groups]
        for name in bp.Recipe.dialects(key):
            score = bp.score_sentence(SEGMENT["candidate"], SEGMENT["references"], name).score
            assert re.search(
                rf'<th scope="row">{re.escape(name)}</th><td>{re.escape(format_score(score))}</td>', section
            )


def test_dialects_of_other_metrics_are_asked_for_where_texts_are_long():
    texts = {"candidate": "the cat sat " * 200, "references": ["a cat sat " * 200]}
    found = [ask("dialects", **texts, **more)["html"] for more in ({}, {"all_metrics": True})]
    assert [re.findall('<section class="bp-dialects" data-metric="([^"]*)"', html) for html in found] == [
        ["bleu"], ["bleu", "chrf", "ter"],
    ]  # fmt: skip
    assert ["bp-all-metrics" in html for html in found] == [True, False]
    assert "Every dialect of chrF and TER, too" in found[0]
    assert ["texts are long" in html for html in found] == [True, False]
    short = ask("dialects", **SEGMENT, all_metrics=False)["html"]
    assert "bp-all-metrics" in short
    assert "texts are long" not in short, "somebody asked for less, and the texts are not the reason"


def test_dialects_that_are_printed_alike_and_yet_differ_say_so():
    remark = "Rows with the same number differ behind its last digit."
    html = ask("dialects", candidate="the cat is on mat", references=["the cat is on the mat"], all_metrics=False)[
        "html"
    ]
    assert html.count("<td>57.89</td>") > html.count('<td>57.89</td><td class="bp-drawn">') == 2
    assert remark in html
    assert remark not in ask("dialects", candidate="a", references=["b"], all_metrics=False)["html"]


@pytest.mark.parametrize(
    ("base", "given", "remedy"),
    [
        ("paper", "tokens together for BLEU-4", "Use a lower N, fewer references or shorter texts"),
        ("chrf", "characters together for chrF", "Use lower orders, fewer"),
        ("chrf++", "characters together for chrF2++", "Use lower orders, fewer"),
        ("ter", "words together for TER", "Use fewer references or shorter texts"),
    ],
)
def test_a_text_that_is_too_long_to_explain_is_refused_in_the_words_of_its_metric(monkeypatch, base, given, remedy):
    monkeypatch.setattr(costs, "MOST_EXPLAINED_BYTES", 10_000)
    answer = ask("details", recipe={"base": base}, candidate="the cat sat " * 20)
    assert given in answer["error"]["message"]
    assert answer["error"]["fix"].startswith(remedy)


@pytest.mark.parametrize(
    ("candidate", "tokenizer", "place", "to", "edited"),
    [
        ("the cat\n is on mat", "whitespace", 1, None, "the\n is on mat"),
        ("the cat\r\nis", "whitespace", 2, None, "the cat"),
        ("the cat", "whitespace", 0, None, "cat"),
        ("the", "whitespace", 0, None, ""),
        ("The cat, is", "13a", 2, None, "The cat is"),
        ("The cat,is", "13a", 2, None, "The catis"),
        ("a &amp; b", "13a", 1, "and", "a and b"),
        ("the cat", "whitespace", 1, "dog 🙂", "the dog 🙂"),
    ],
)
def test_a_token_of_the_candidate_is_left_out_or_changed(candidate, tokenizer, place, to, edited):
    recipe = {"base": "paper", "tokenizer": tokenizer}
    assert ask("edit", candidate=candidate, recipe=recipe, place=place, to=to)["candidate"] == edited


@pytest.mark.parametrize(("place", "to"), [(-1, None), (5, None), (True, None), ("0", None), (0, 1), (None, None)])
def test_what_is_no_token_is_refused(place, to):
    answer = handle({"action": "edit", **SEGMENT, "place": place, "to": to})
    assert answer["error"]["where"] == ("place" if to is None else "to")


@pytest.mark.parametrize("dialect", bp.Recipe.dialects())
def test_what_if_tries_every_choice_that_a_recipe_can_have(dialect):
    html = ask("what-if", recipe={"base": dialect})["html"]
    trials = re.findall(r'data-field="(\w+)" data-choice="([^"]*)".*?<strong>([^<]*)<', html)
    assert {field for field, *_ in trials} == set(TRIED[bp.Recipe.named(dialect).metric_key])
    for field, choice, shown in trials:
        recipe = read_recipe({"recipe": {"base": dialect, field: choice}})
        assert shown == bp.score_sentence(SEGMENT["candidate"], SEGMENT["references"], recipe).printed


@pytest.mark.parametrize("metric", [*list_metrics()], ids=METRICS)
def test_long_texts_are_not_tried_by_themselves_and_that_is_said(metric):
    most, recipe = MOST_TRIED[metric.key], {"base": bp.Recipe.named(metric.default).names[0]}
    texts = {"references": ["a" * (most // 2)], "recipe": recipe}
    tried = ask("what-if", candidate="b" * (most // 2), **texts)["html"]
    assert "bp-trial" in tried
    refused = ask("what-if", candidate="b" * (most // 2 + 1), **texts)
    if most // 2 == MOST_CHARACTERS:  # one box more than full is refused before
        refused = ask("what-if", candidate="b", **texts | {"references": ["a" * MOST_CHARACTERS] * 2})
    assert "bp-trial" not in refused["html"]
    assert f"up to {most:,} characters together; these have {most + 1:,}." in refused["html"]


def test_exports_are_files():
    explanation = bp.explain(SEGMENT["candidate"], SEGMENT["references"], "paper")
    answer = ask("export", format="json")
    assert json.loads(answer["text"]) == json.loads(json.dumps(explanation.to_dict()))
    assert (answer["name"], answer["type"]) == ("bleuprint.json", "application/json")
    assert "BLEU-4,57.89" in ask("export", format="csv")["text"]
    assert ask("export", format="markdown")["text"].startswith("**BLEU-4 = 57.89**")
    assert not ask("export", format="exe")["ok"]


FILES = [
    {"name": "a.txt", "text": "the cat is on mat\nx y\n"},
    {"name": "b.txt", "text": "the cat is on the mat\r\nx y"},
]


def score_corpus(files, recipe, size):
    corpus = handle({"action": "corpus-read", "files": files, "recipe": recipe})
    rows, plain = [], None
    for start in range(0, len(corpus["segments"]), size):
        part = handle(
            {"action": "corpus-count", "segments": corpus["segments"][start : start + size], "recipe": recipe}
        )
        rows += part["rows"]
        plain = [a + b for a, b in zip(plain, part["plain"], strict=True)] if plain else part["plain"]
    return corpus, {"rows": rows, "plain": plain, "documents": corpus["documents"], "recipe": recipe}


@pytest.mark.parametrize("size", [1, 2])
def test_a_corpus_counted_in_chunks_is_the_corpus(size):
    corpus, counted = score_corpus(FILES, {"base": "sacrebleu"}, size)
    answer = handle({"action": "corpus-result", "segments": corpus["segments"], **counted})
    explanation = bp.explain(["the cat is on mat", "x y"], ["the cat is on the mat", "x y"])
    assert text_of(answer["html"], "bleu-100") == format_score(explanation.score.score)
    assert answer["html"].count("/7") == 1  # plain against clipped: 7 unigrams
    assert format_score(explanation.mean_segment_score) in answer["html"]
    assert "short-corpus" in answer["html"]


def test_the_table_of_segments_sorts_and_turns():
    files = [{"name": "a", "text": "a b c d\n" * 60 + "x\n"}, {"name": "b", "text": "a b c d\n" * 61}]
    _, counted = score_corpus(files, {"base": "paper"}, 100)
    order = lambda answer: re.findall(r'scope="row">(\d+)<', answer["table"])  # noqa: E731
    first = handle({"action": "corpus-result", **counted})
    assert order(first) == [str(n) for n in range(1, 51)]
    assert order(handle({"action": "corpus-result", **counted, "page": 1}))[-1] == "61"
    assert order(handle({"action": "corpus-result", **counted, "sort": "score"}))[0] == "61"
    assert "html" not in first
    scores = bp.score_segments(*(file["text"].splitlines() for file in files), "paper").scores
    bars = re.findall(r'data-bin="(\d+)".*?<span.*?>(\d+)<', first["table"], re.DOTALL)
    bins = {int(place): int(size) for place, size in bars}
    assert bins == {place: sum(min(9, score // 10) == place for score in scores) for place in range(10)}
    full = next(place for place, size in bins.items() if 0 < size < 61)
    alone = handle({"action": "corpus-result", **counted, "bin": full, "sort": "score", "descending": True})
    assert order(alone) == [str(n + 1) for n, score in enumerate(scores) if min(9, score // 10) == full]
    assert f"{bins[full]} of 61 segments" in alone["table"]
    among = handle({"action": "corpus-result", **counted, "among": [60, 3], "sort": "segment"})
    assert order(among) == ["4", "61"]
    assert order(handle({"action": "corpus-result", **counted, "among": []})) == []


def test_documents_have_scores_of_their_own():
    lines = [{"candidate": "a b c d", "references": ["a b c d"], "document": name} for name in ("<i>one</i>", "two")]
    files = [{"name": "a.jsonl", "text": "\n".join(map(json.dumps, lines))}]
    corpus, counted = score_corpus(files, {}, 10)
    answer = handle({"action": "corpus-result", "segments": corpus["segments"], **counted})
    assert "&lt;i&gt;one&lt;/i&gt;" in answer["documents"]
    assert "<i>" not in answer["documents"] + answer["table"]


def test_blank_lines_of_a_file_keep_their_meaning():
    files = [FILES[0], {"name": "b.txt", "text": "\n\n"}]
    assert [refs for _, refs in handle({"action": "corpus-read", "files": files})["segments"]] == [[""], [""]]


def test_csv_sgml_and_xml_are_read_as_on_the_command_line():
    xml = (
        '<dataset><doc id="d"><ref translator="A"><seg id="1">a &lt; b</seg></ref>'
        '<hyp system="{}"><seg id="1">a</seg></hyp></doc></dataset>'
    )
    sgml = '<{0}><doc docid="d" sysid="s"><seg id=1>{1}</seg></doc></{0}>'
    sets = [
        {"a.csv": 'candidate,reference,document\na,"a < b",d\n'},
        {"a.xml": xml.format("X")},
        {"c.sgm": sgml.format("tstset", "a"), "r.sgm": sgml.format("refset", "a < b")},
    ]
    for texts in sets:
        files = [{"name": name, "text": text} for name, text in texts.items()]
        answer = handle({"action": "corpus-read", "files": files})
        assert (answer["segments"], answer["documents"]) == ([["a", ["a < b"]]], ["d"])
    two = xml.format("X").replace("</doc>", '<hyp system="Y"><seg id="1">a</seg></hyp></doc>')
    answer = handle({"action": "corpus-read", "files": [{"name": "a.xml", "text": two}]})
    assert "2 systems: 'X', 'Y'" in answer["error"]["message"]


def test_corpus_exports():
    _, counted = score_corpus(FILES, {"base": "paper"}, 10)
    answer = handle({"action": "corpus-export", "format": "csv", **counted})
    assert answer["text"].splitlines()[1].startswith("1,57.89")
    assert json.loads(handle({"action": "corpus-export", "format": "json", **counted})["text"])["level"] == "corpus"


# Compare, reconcile and identify

EXAMPLES = Path(__file__).parents[2] / "examples"
A, B, R1, R2 = (
    (EXAMPLES / name).read_text(encoding="utf-8")
    for name in ("candidate-a.txt", "candidate-b.txt", "reference-1.txt", "reference-2.txt")
)


def read_corpus(candidate=B, *references):
    texts = [candidate, *(references or (R1,))]
    return handle({"action": "corpus-read", "files": [{"name": f"{n}", "text": t} for n, t in enumerate(texts)]})


def compare(segments, chunk=25, size=None, **form):
    """Ask as the page does: counts chunk by chunk, resamples slice by slice."""
    asked = {"segments": segments, **form}
    read = handle({"action": "compare-read", **asked})
    assert read["ok"], read
    recipes = read.pop("recipes")
    asked |= read | {"tables": [], "scores": [], "extremes": []}
    for start in range(0, len(read["references"]), chunk):
        part = {"references": read["references"][start : start + chunk]}
        part["candidates"] = [lines[start : start + chunk] for lines in read["candidates"]]
        counted = handle({"action": "compare-count", **asked, **part})["tables"]
        asked["tables"] = [
            [old + new for old, new in zip(*systems, strict=True)]
            for systems in zip(asked["tables"] or [[[] for _ in own] for own in counted], counted, strict=True)
        ]
    for place, recipe in enumerate(recipes):
        own, steps = asked["tables"][recipe["table"]], size or recipe["slice"]
        one = asked | ({"recipe": {"base": form["more"][place - 1]}} if place else {})
        slices = [
            {"start": start, "count": min(steps, read["resamples"] - start)}
            for start in range(0, read["resamples"], steps)
        ]
        drawn = [handle({"action": "compare-draw", **one, **part, "tables": own})["scores"] for part in slices]
        asked["scores"].append([list(chain(*systems)) for systems in zip(*drawn, strict=True)])
        asked["extremes"].append([
            sum(handle({"action": "compare-swap", **one, **part, "tables": [own[n] for n in pair]})["extreme"]
                for part in slices)
            for pair in read["pairs"]
        ])  # fmt: skip
    asked = json.loads(json.dumps(asked))
    answer = handle({"action": "compare-result", **asked})
    assert answer["ok"], answer
    return answer, asked


RIVALS = [{"name": "b", "text": B}, {"name": "c", "text": R2}]


@pytest.mark.parametrize(
    ("recipe", "form", "size"),
    [
        ({"base": "sacrebleu"}, {}, None),
        ({"base": "sacrebleu"}, {}, 333),
        ({"base": "paper", "smoothing": "epsilon(0.1)", "order": "2"}, {"with_first": True, "test": "bootstrap"}, 500),
        ({"base": "sacrebleu"}, {"more": ["chrf++", "mteval-v13a", "ter"]}, None),
        ({"base": "ter"}, {"more": ["sacrebleu"], "resamples": "300", "confidence": "0.9", "seed": "7"}, 100),
    ],
)
def test_compare_gives_exactly_what_the_library_gives(recipe, form, size):
    segments = read_corpus(A, R1)["segments"]
    answer, asked = compare(segments, size=size, recipe=recipe, name="a", systems=RIVALS, **form)
    made = bp.compare(
        {"a": A.splitlines(), "b": B.splitlines(), "c": R2.splitlines()}, R1.splitlines(),
        [bp.Recipe.parse(answer["signature"]), *form.get("more", [])],
        baseline="a" if "with_first" in form else None, test=form.get("test", "randomisation"),
        resamples=int(form.get("resamples", 1000)), confidence=float(form.get("confidence", 0.95)),
        seed=int(form.get("seed", 12345)),
    )  # fmt: skip
    assert answer["html"] == f'<div class="bp-report">{render_overview(made)}</div>'
    texts = {
        name: handle({"action": "compare-export", "format": name, **asked})["text"]
        for name in ("json", "csv", "markdown", "html")
    }
    assert json.loads(texts["json"]) == json.loads(json.dumps(made.to_dict()))
    assert texts["csv"] == render(made, "csv")
    assert texts["markdown"] == render(made, "markdown")
    assert texts["html"] == made.to_html()


def test_one_system_alone_gives_its_interval_and_names_may_be_left_out():
    answer, asked = compare(read_corpus(A, R1)["segments"], recipe={"base": "sacrebleu"}, name=" ")
    made = bp.compare({"system 1": A.splitlines()}, R1.splitlines(), resamples=1000)
    assert (asked["names"], asked["pairs"]) == (["system 1"], [])
    assert text_of(answer["html"], "compared") == made.result().summary
    assert json.loads(handle({"action": "compare-export", "format": "json", **asked})["text"])["recipes"][0][
        "systems"
    ] == json.loads(json.dumps(made.to_dict()["recipes"][0]["systems"]))


def test_documents_become_a_part_of_the_report():
    table = "candidate\treference\tdocument\nthe cat\tthe cat\ta\nis on mat\tis on the mat\tb\n"
    texts = handle({"action": "corpus-read", "files": [{"name": "corpus.tsv", "text": table}]})
    _, asked = compare(texts["segments"], documents=texts["documents"], systems=[{"name": "x", "text": "the\nis"}])
    report = handle({"action": "compare-export", "format": "html", **asked})["text"]
    assert "By document: BLEU" in report


def test_names_and_texts_stay_text_in_a_comparison():
    name = "<img src=x onerror=alert(1)>"
    answer, _ = compare([[name, [name]]] * 3, name=name, systems=[{"name": "<b>x</b>", "text": "a\nb\n<i>"}])
    assert str(escape(name)) in answer["html"]
    assert not re.search("<img|<b>|<i>", answer["html"])


def test_slices_are_short_where_python_works_alone(monkeypatch):
    monkeypatch.setattr(compare_mode, "find_engine", PythonEngine)
    found = [
        handle({"action": "compare-read", "segments": [["a", ["a"]]] * size})["recipes"][0]["slice"]
        for size in (1, 200, 2000, 300_000)
    ]
    assert found == [1000, 1000, 100, 1]


def reconcile(size, segments, **wanted):
    tables = []
    for start in range(0, len(segments), size):
        part = handle({"action": "reconcile-count", "segments": segments[start : start + size], **wanted})["tables"]
        tables = [old + new for old, new in zip(tables, part, strict=True)] if tables else part
    return {"segments": segments, "tables": tables, **wanted}


SIGNATURE = str(bp.Recipe.named("paper").replace(order=6, case="lower", tokenizer="char"))
ENDS = [("nltk", "sacrebleu"), ("mteval-v14", "torchmetrics-smooth"), ("paper", SIGNATURE), (SIGNATURE, "nltk-method4")]


@pytest.mark.parametrize(("start", "end"), ENDS)
def test_reconcile_gives_the_steps_of_the_library(start, end):
    segments = read_corpus(B, R1, R2)["segments"]
    asked = reconcile(25, segments, **{"from": start, "to": end})
    way = bp.reconcile(B.splitlines(), list(zip(R1.splitlines(), R2.splitlines(), strict=True)), start, end)
    answer = handle({"action": "reconcile-result", **asked})
    assert answer["html"] == render_part("waterfall", way=way)
    assert answer["more"] == render_part("steps", way=way)
    exported = json.loads(handle({"action": "reconcile-export", "format": "json", **asked})["text"])
    assert exported == json.loads(json.dumps(way.to_dict()))
    assert handle({"action": "reconcile-export", "format": "html", **asked})["text"] == render_document(way)
    assert handle({"action": "reconcile-export", "format": "markdown", **asked})["text"] == render(way, "markdown")


def test_all_dialects_are_those_of_the_library_metric_by_metric():
    asked = reconcile(25, read_corpus()["segments"], all=True, most_references=1)
    groups = {key: group_dialects(B.splitlines(), R1.splitlines(), key) for key in ("bleu", "chrf", "ter")}
    html = handle({"action": "reconcile-result", **asked})["html"]
    assert html.strip() == "".join(render_part("groups", groups=own) for own in groups.values()).strip()
    exported = {
        name: handle({"action": "reconcile-export", "format": name, **asked})["text"]
        for name in ("json", "markdown", "html")
    }
    assert json.loads(exported["json"])["metrics"] == {
        key: json.loads(json.dumps(own.to_dict())) for key, own in groups.items()
    }
    assert exported["markdown"] == "\n".join(render(own, "markdown") for own in groups.values())
    assert all(render_part("groups", groups=own) in exported["html"] for own in groups.values())


def test_a_metric_that_cannot_count_so_many_references_is_left_out_of_every_dialect():
    segments = [["the cat", ["the cat sat"] * 17], ["it", ["it is"]]]
    asked = reconcile(1, segments, all=True, most_references=17)
    answers = [handle({"action": "reconcile-result", **asked}), ask("dialects", references=["the cat"] * 17)]
    for answer in answers:
        assert "TER is left out: it takes at most 16 references of a segment." in answer["html"]
        assert re.findall('class="bp-(?:groups|dialects)" data-metric="([^"]*)"', answer["html"]) == ["bleu", "chrf"]


def test_one_segment_is_a_corpus_of_one():
    answer = ask("segment-read", candidate="the cat\nis on mat")
    assert answer["segments"] == [["the cat is on mat", ["the cat is on the mat"]]]
    assert not ask("segment-read", candidate="a" * (MOST_CHARACTERS + 1))["ok"]


def identify(segments, reported, systems=(), one=False, metric=""):
    """Ask as the page does: some parts at a time, the next stage only if the answer asks for it."""
    read = handle({"action": "identify-read", "segments": segments, "reported": reported, "systems": list(systems),
                   "one": one, "metric": metric})  # fmt: skip
    assert read["ok"], read
    asked = {"segments": segments, "others": read["others"], "reported": read["reported"], "metric": metric}
    asked["scores"], answer = [], read
    while answer["next"]:
        start, until, step = (answer["next"][name] for name in ("from", "until", "step"))
        asked["scores"] += [None] * (start - len(asked["scores"]))
        for part in range(start, until, step):
            some = {"part": part, "count": min(step, until - part)}
            asked["scores"] += handle({"action": "identify-part", **some, **asked})["scores"]
        answer = handle({"action": "identify-result", **json.loads(json.dumps(asked))})
        assert answer["ok"], answer
    return answer, asked


CHRF, TER = (f"{bp.score(B.splitlines(), R1.splitlines(), name).score:.2f}" for name in ("chrf++", "ter"))


@pytest.mark.parametrize(
    ("references", "reported", "metric"),
    [
        ([R1], "17.10", ""), ([R1], "0.23", ""), ([R1, R2], "3.1", ""), ([R2], "12", "sacrebleu"),
        ([R1], CHRF, ""), ([R1], CHRF, "chrf"), ([R1], TER, ""), ([R1, R2], "99.123", "ter"),
    ],
)  # fmt: skip
def test_identify_finds_what_the_library_finds(references, reported, metric):
    answer, asked = identify(read_corpus(B, *references)["segments"], reported, metric=metric)
    texts = list(zip(*(text.splitlines() for text in references), strict=True))
    found = bp.identify(B.splitlines(), texts, reported, metric or None)
    best = found.findings[0].best.recipe
    assert f'<span class="bp-family">{best.metric.family(best)}</span>' in answer["html"]
    exported = json.loads(handle({"action": "identify-export", "format": "json", **asked})["text"])
    assert exported == json.loads(json.dumps(found.to_dict()))
    assert text_of(answer["html"], "identified") == str(escape(found.summary))
    assert re.findall(r'class="bp-copy" data-text="([^"]*)"', answer["html"])[0] == str(found.findings[0].best.recipe)
    assert answer["html"].count('class="bp-finding') == len(found.findings) + 1


def test_an_empty_reference_is_said_beside_what_is_identified():
    answer, _ = identify([["a cat", ["a cat"]], ["it rains", [""]]], "50")
    assert text_of(answer["html"], "identified") == str(
        escape(bp.identify(["a cat", "it rains"], ["a cat", ""], "50").summary)
    )


def test_an_accident_is_named():
    lines = B.splitlines()
    number = f"{bp.score(lines[1:], R1.splitlines()[:-1]).score:.6f}"
    answer, _ = identify(read_corpus()["segments"], number)
    assert "An accident, not a recipe: candidates one line too early." in answer["html"]
    assert 'data-remark="candidates one line too early"' in answer["html"]


def test_several_systems_narrow_it_down():
    answer, asked = identify(read_corpus()["segments"], "17.1", [{"text": A, "reported": "36.2"}])
    texts, numbers = {"b": B.splitlines(), "a": A.splitlines()}, {"b": "17.1", "a": "36.2"}
    found = bp.identify(texts, R1.splitlines(), numbers)
    assert text_of(answer["html"], "identified") == found.summary
    assert handle({"action": "identify-export", "format": "markdown", **asked})["text"] == render(found, "markdown")


def test_a_segment_is_identified_with_its_references():
    segment = ask("segment-read", references=["the cat is on the mat", "a cat"])["segments"]
    answer, _ = identify(segment, "57.89", [{"text": "a\ncat", "reported": "0"}], one=True)
    found = bp.identify({"1": ["the cat is on mat"], "2": ["a cat"]}, [["the cat is on the mat", "a cat"]],
                        {"1": "57.89", "2": "0"})  # fmt: skip
    assert text_of(answer["html"], "identified") == found.summary


def test_what_cannot_be_told_apart_is_shown_in_part_and_said_so():
    answer, _ = identify([["a b c d", ["a b c d"]]], "100")
    assert answer["html"].count('class="bp-use"') >= 20
    assert re.search(r"And [\d,]+ more, less usual ones", answer["html"])


def test_texts_stay_text_in_steps_and_findings():
    text = "<img src=x onerror=alert(1)> <b>x</b>"
    segments = [[f"{text} a", [f"{text.upper()} a"]]] * 3
    asked = reconcile(10, segments, **{"from": "mteval-v14", "to": "paper"})
    answer = handle({"action": "reconcile-result", **asked})
    assert "&lt;" in answer["more"]
    for html in (answer["html"], answer["more"], identify(segments, "3.1")[0]["html"]):
        assert "<img" not in html
        assert "<b>" not in html


THREE = {"segments": [["a", ["a"]]] * 3}
COMPARED = compare(**THREE, name="x")[1]
NAMED = {**THREE, "from": "nltk", "to": "sacrebleu"}


COUNTED = score_corpus(FILES, {"base": "paper"}, 10)[1]


@pytest.mark.parametrize(
    ("request_", "where"),
    [
        (
            {"action": "compare-read", **THREE, "name": "x", "systems": [{"name": "y", "text": "a\nb"}]},
            "system 'y'",
        ),
        (
            {"action": "compare-read", **THREE, "name": "x", "systems": [{"name": " x ", "text": "a\nb\nc"}]},
            "systems",
        ),
        (
            {"action": "compare-read", **THREE, "systems": [{"name": "y", "text": "\n \n\n"}]},
            "system 'y'",
        ),
        ({"action": "compare-read", **THREE, "systems": [{}] * 10}, "systems"),
        ({"action": "compare-read", **THREE, "systems": [1]}, "systems"),
        ({"action": "compare-read", **THREE, "systems": [{"name": 5, "text": ""}]}, "name"),
        ({"action": "compare-read", **THREE, "systems": [{"name": "x"}]}, "system 'x'"),
        ({"action": "compare-read", **THREE, "test": "luck"}, "test"),
        ({"action": "compare-read", "segments": []}, "candidates"),
        ({"action": "compare-read", **THREE, "recipe": {"base": "sacreblue"}}, "recipe"),
        ({"action": "compare-count", "names": ["x"], "candidates": []}, "names"),
        ({"action": "compare-draw", "tables": [[[0] * 10]], "start": 900, "count": 101}, "count"),
        ({"action": "compare-draw", "tables": [], "start": 0, "count": 10}, "tables"),
        ({"action": "compare-draw", "tables": [[[0] * 10], [[0] * 10] * 2], "start": 0, "count": 1}, "tables"),
        (
            {"action": "compare-swap", "tables": [[[0] * 10]], "start": 0, "count": 1},
            "tables",
        ),
        ({"action": "compare-result", **COMPARED, "scores": [[1.0] * 999]}, "scores"),
        ({"action": "compare-result", **COMPARED, "extremes": [3]}, "extremes"),
        ({"action": "compare-result", **COMPARED, "tables": [[[[0] * 10]]]}, "tables"),
        ({"action": "compare-result", **COMPARED, "tables": []}, "tables"),
        ({"action": "compare-read", **THREE, "more": ["chrf", "chrf"]}, "recipe"),
        ({"action": "compare-read", **THREE, "more": ["chrf"] * 9}, "recipes"),
        ({"action": "compare-read", **THREE, "resamples": ""}, "resamples"),
        (
            {"action": "compare-read", **THREE, "resamples": "20000"},
            "resamples",
        ),
        ({"action": "compare-read", **THREE, "confidence": "95"}, "confidence"),
        ({"action": "compare-read", **THREE, "seed": "-1"}, "seed"),
        ({"action": "corpus-result", **COUNTED, "bin": 10}, "bin"),
        ({"action": "corpus-result", **COUNTED, "among": [3]}, "among"),
        ({"action": "reconcile-count", **THREE, "all": True}, "most_references"),
        ({"action": "example", "mode": "segment"}, "mode"),
        ({"action": "compare-result", **COMPARED, "documents": ["a"]}, "documents"),
        ({"action": "compare-result", **COMPARED, "baseline": 5}, "baseline"),
        ({"action": "compare-result", **COMPARED, "baseline": "y"}, "baseline"),
        ({"action": "compare-export", **COMPARED, "format": "latex"}, "format"),
        ({"action": "reconcile-count", **NAMED, "from": ""}, "from"),
        ({"action": "reconcile-count", **NAMED, "to": "sacreblue"}, "to"),
        ({"action": "reconcile-count", **NAMED, "to": "bleuprint:1|tok:x"}, "to"),
        ({"action": "reconcile-count", **NAMED, "segments": []}, "candidates"),
        ({"action": "reconcile-count", **NAMED, "segments": None}, "segments"),
        ({"action": "reconcile-result", **NAMED}, "tables"),
        ({"action": "reconcile-result", **NAMED, "tables": [[[0] * 10]] * 3}, "tables"),
        ({"action": "reconcile-result", **NAMED, "tables": [[["x"] * 10]] * 3}, "tables"),
        ({"action": "reconcile-export", **reconcile(9, **NAMED), "format": "csv"}, "format"),
        ({"action": "identify-read", **THREE, "reported": "17,1"}, "reported number"),
        ({"action": "identify-read", **THREE, "reported": ""}, "reported number"),
        ({"action": "identify-read", **THREE, "reported": "1001"}, "reported number"),
        (
            {"action": "identify-read", **THREE, "reported": "1", "systems": [{"text": "a", "reported": "x"}]},
            "reported number of system 2",
        ),
        (
            {"action": "identify-read", **THREE, "reported": "1", "systems": [{"text": "a\nb", "reported": "1"}]},
            "system 2",
        ),
        (
            {"action": "identify-read", **THREE, "reported": "1", "systems": [{"text": "\n\n\n", "reported": "1"}]},
            "system 2",
        ),
        (
            {"action": "identify-read", **THREE, "reported": "1", "systems": [{}] * 10},
            "systems",
        ),
        ({"action": "identify-part", **THREE, "part": 999}, "part"),
        ({"action": "identify-part", **THREE, "part": 0, "others": [["a"]]}, "references"),
        ({"action": "identify-result", **THREE, "reported": ["1"]}, "scores"),
        ({"action": "identify-result", **THREE, "reported": ["1"], "scores": [[[-1]]]}, "scores"),
    ],
)
def test_compare_reconcile_and_identify_refuse_in_words(request_, where):
    answer = handle(request_)
    assert not answer["ok"]
    assert answer["error"]["where"] == where


@pytest.mark.parametrize(
    ("request_", "where"),
    [
        ({"action": "corpus-read", "files": [FILES[0]]}, "a.txt"),
        (
            {"action": "corpus-read", "files": [FILES[0], {"name": "b.txt", "text": "one"}]},
            "",
        ),
        ({"action": "corpus-read", "files": [FILES[0], FILES[0]]}, "files"),
        ({"action": "corpus-read", "files": [{"name": "a.jsonl", "text": "{"}]}, "a.jsonl, line 1"),
        ({"action": "corpus-read", "files": []}, "files"),
        (
            {"action": "corpus-read", "files": [{"name": "a.txt"}, {"name": "b.txt", "text": "None"}]},
            "files",
        ),
        (
            {"action": "corpus-read", "files": [FILES[0], {"name": "b.txt", "text": None}]},
            "files",
        ),
        (
            {"action": "corpus-read", "files": [{"text": "a"}, FILES[0]]},
            "files",
        ),
        (
            {"action": "corpus-read", "pasted": True, "files": [FILES[0], {"name": "reference lines", "text": " \n "}]},
            "reference lines",
        ),
        (
            {"action": "corpus-read", "pasted": True, "files": [{"name": "candidate lines", "text": "\n"}, FILES[1]]},
            "candidate lines",
        ),
        ({"action": "corpus-count", "segments": [["a"]]}, "segments"),
        ({"action": "corpus-count", "segments": [["a", [1]]]}, "segment 1, reference 1"),
        ({"action": "corpus-result", "rows": [[1]], "plain": [0] * 4}, "rows"),
        ({"action": "corpus-result", "rows": [[0] * 10], "plain": [-1] * 4}, "plain"),
        ({"action": "explain", **SEGMENT, "recipe": {"base": "nonsense"}}, "recipe"),
        ({"action": "explain", **SEGMENT, "recipe": {"weights": "x"}}, "Weights"),
        ({"action": "explain", **SEGMENT, "recipe": {"tokenizer": "pretokenized"}}, "candidate"),
        ({"action": "explain", **SEGMENT, "recipe": "paper"}, "recipe"),
        ({"action": "nothing"}, "action"),
        ({}, "action"),
        ([], "action"),
    ],
)
def test_what_is_refused_is_an_answer_that_says_why(request_, where):
    answer = handle(request_)
    assert not answer["ok"]
    assert answer["error"]["where"] == where


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
                    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
                    max_leaves=6)  # fmt: skip


EXERCISE = {"seed": "7", "level": "2", "answers": {"p1": "1", "p2": "0.4", "BP": "", "BLEU": "0.7"}}


@cache
def valid_requests():
    """Give a request of each action that is answered."""
    corpus, counted = score_corpus(FILES, {"base": "nltk"}, 2)
    counted |= {
        "action": "corpus-result",
        "segments": corpus["segments"],
        "sort": "score",
        "descending": True,
        "page": 0,
    }
    steps = reconcile(2, THREE["segments"], **{"from": "nltk", "to": "sacrebleu"})
    found = identify([["a b c", ["a b d"]]], "50.0", one=True)[1]
    steps_of = {
        "ngrams": {"order_shown": 1, "page": 0},
        "edit": {"place": 1},
        "example": {"mode": "corpus"},
        "compare-draw": {"tables": COMPARED["tables"][0], "start": 0, "count": 10},
        "compare-swap": {"tables": COMPARED["tables"][0] * 2, "start": 0, "count": 10},
        "identify-read": {"reported": "50.0"},
        "identify-part": {"part": 0},
        **dict.fromkeys(("exercise", "exercise-check", "exercise-solution"), EXERCISE),
        "learn": {"lesson": "seven", "step": "clip", "focus": 0, "order": 1},
    }
    valid = {}
    for action in ACTIONS:
        mode = action.partition("-")[0]
        known = {"corpus": counted, "compare": COMPARED, "reconcile": steps, "identify": found}.get(mode, SEGMENT)
        valid[action] = {"format": "json", "files": FILES, **known, **steps_of.get(action, {}), "action": action}
    return valid


def test_every_action_has_a_request_that_is_answered():
    answers = {action: handle(request)["ok"] for action, request in valid_requests().items()}
    assert answers == dict.fromkeys(ACTIONS, True)


@settings(max_examples=1000)
@given(st.data(), st.sampled_from(sorted(ACTIONS)))
def test_no_change_of_a_request_makes_the_bridge_raise(data, action):
    """A field or two of a request that is answered become something else: what checks the others lets it pass."""
    request = valid_requests()[action]
    changed = data.draw(st.lists(st.sampled_from(sorted(request)), min_size=1, max_size=2, unique=True))
    answer = handle(request | {name: data.draw(JSON | near(request[name])) for name in changed})
    assert answer["ok"] is True or answer["error"]["message"]


def near(value):
    """Values of the same shape with something else inside."""
    if isinstance(value, dict) and value:
        return st.sampled_from(sorted(value)).flatmap(lambda name: JSON.map(lambda other: value | {name: other}))
    if isinstance(value, list) and value:
        inside = JSON | near(value[0])
        return inside.map(lambda other: [other, *value[1:]]) | inside.map(lambda other: [*value, other])
    return JSON


def test_json_in_json_out():
    assert json.loads(handle_json(json.dumps({"action": "explain", **SEGMENT}))) == ask("explain")


# The page's shell


@pytest.mark.parametrize("engine", ["served", "static"])
def test_first_paint_has_the_first_example_worked_out(engine):
    page = render_page(engine)
    assert text_of(page, "bleu-100") == "57.89"
    assert f'data-engine="{engine}"' in page
    assert ('http-equiv="Content-Security-Policy"' in page) == (engine == "static")


def test_the_page_names_no_other_host_and_no_inline_code():
    for name, text in {"page": render_page("static"), **{n: f.decode() for n, f in page_files().items()}}.items():
        links = {source.address for source in SOURCES} if name == "page" else set()
        addresses = set(re.findall(r"https?://[^\s\"'<)]+", text)) - {"http://www.w3.org/2000/svg"}
        assert addresses == links, name
    assert all(
        f'<a href="{one.address}" target="_blank" rel="noopener noreferrer">' in render_page("static")
        for one in SOURCES
    )
    assert '<meta http-equiv="x-dns-prefetch-control" content="off">' in render_page("served"), (
        "or names are looked up early"
    )
    assert not re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=", render_page("static"))


def test_scripts_and_styles_are_sent_as_they_are_written():
    folder = resources.files("bleuprint.web").joinpath("static")
    sent = page_files()
    for file in folder.iterdir():
        assert sent[file.name] == file.read_bytes(), file.name


def test_policies_forbid_everything_but_the_page_itself():
    for policy in (POLICY_SERVED, POLICY_STATIC):
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe-inline" not in policy
        assert "http" not in policy
    assert "frame-ancestors 'none'" in POLICY_SERVED


def test_lessons_are_few_different_and_say_what_they_teach():
    names = [lesson.title for lesson in EXAMPLE_BUTTONS]
    assert len(set(names)) == len(names) <= 6
    assert all(lesson.lesson for lesson in EXAMPLE_BUTTONS)


def test_the_selftest_shows_every_number_and_would_show_a_wrong_one(monkeypatch):
    html = handle({"action": "selftest"})["html"]
    assert 'data-check="passed"' in html
    assert html.count("<tr>") - 1 == sum(len(example.expected) for example in worked_examples.EXAMPLES)
    wrong = [worked_examples.CheckedNumber("brevity", "BLEU", "57.89", "57.90")]
    monkeypatch.setattr("bleuprint.lessons.worked_examples.check_examples", lambda: wrong)
    html = handle({"action": "selftest"})["html"]
    assert 'data-check="failed"' in html
    assert "1 number of 10 worked examples checked, 1 wrong." in html


# Whatever may come


@cache
def requests_by_action():
    """Give the valid requests of each action."""
    by_action = defaultdict(list)
    for action, request in list_requests():
        by_action[action].append(request)
    return by_action


def test_every_action_has_a_valid_request():
    assert set(requests_by_action()) == set(ACTIONS)


SLOW = {"identify-export"}
"""Actions whose result is tried anyway: writing it is left to the matrix."""


@pytest.mark.parametrize("turns", [3, pytest.param(1, marks=pytest.mark.extended)])
@pytest.mark.parametrize(
    "action", [pytest.param(name, marks=[pytest.mark.extended] if name in SLOW else []) for name in ACTIONS]
)
def test_a_request_that_is_wrong_in_one_place_gets_an_answer_or_a_clear_error(action, turns):
    for request in requests_by_action()[action]:
        refused, before = 0, json.dumps(request)
        for place, wrong in mutations_of({"action": action, **request}, kept=("action",), turns=turns):
            answer = handle(wrong)
            json.dumps(answer, allow_nan=False)
            assert isinstance(answer["ok"], bool), place
            if not answer["ok"]:
                refused += 1
                assert set(answer["error"]) == PARTS, place
        assert refused or not request
        assert json.dumps(request) == before, "a request is only read"


@pytest.mark.parametrize("action", ACTIONS)
def test_nesting_without_end_gets_an_answer_or_a_clear_error(action):
    for request, depth in product(requests_by_action()[action], (100, 500, 900, 100_000)):
        for key in request:
            others = json.dumps({"action": action, **request, key: None})
            answer = json.loads(handle_json(f'{others[:-1]}, "{key}": {"[" * depth}{"]" * depth}}}'))
            assert answer["ok"] or set(answer["error"]) == PARTS
            assert not (answer["ok"] and depth == 100_000)


def test_what_is_no_json_is_refused():
    for text in ("", "{", "[1,", "nul"):
        assert json.loads(handle_json(text))["error"]["where"] == "action"


@pytest.mark.parametrize(
    "row",
    [
        [2, -1, 1, 1, 2, 1],
        [2**45, 2, 1, 1, 2, 1],
        [2, 2, 1, 1, 2],
        [2, 2, 1, 1, 2, 1.0],
        [2, 2, 1, 1, 2, True],
    ],
)
def test_what_is_no_row_of_counts_is_refused(row):
    recipe = {"base": "paper", "order": "2"}
    answer = handle({"action": "corpus-result", "recipe": recipe, "rows": [[2, 2, 1, 1, 2, 1], row], "plain": [1, 1]})
    assert answer["error"]["where"] == "rows"


@pytest.mark.parametrize("documents", [[["a"], ["b"]], [1, 2], ["a"], ["a", "b", "c"], {"a": "b"}, "ab"])
def test_documents_are_a_name_for_each_segment(documents):
    _, counted = score_corpus(FILES, {"base": "paper"}, 2)
    for action in ("corpus-result", "corpus-export"):
        answer = handle({"action": action, "format": "json", **counted, "documents": documents})
        assert answer["error"]["where"] == "documents"


@pytest.mark.parametrize("action", ["details", "ngrams", "export"])
def test_what_would_take_too_much_memory_is_refused_before_it_is_made(action):
    texts = {"candidate": "a b " * 2000, "references": ["c d " * 2000]}
    form = {"order_shown": 1, "page": 0, "format": "json"}
    assert ask(action, **texts, **form)["ok"]
    refused = ask(action, **texts, **form, recipe={"base": "paper", "order": "100"})["error"]
    assert refused["where"] == "explanation"


def test_a_segment_too_long_to_be_explained_is_still_counted_for_a_corpus():
    request = {"action": "corpus-count", "segments": [["a", ["a"]], ["a b " * 2000, ["c b " * 2000]]]}
    counted = handle({**request, "recipe": {"base": "paper", "order": "100"}})
    assert counted["plain"] == [2001, *[0] * 99]


@pytest.mark.parametrize("base", ["chrf++", "ter"])
def test_rows_of_other_metrics_are_taken_back_if_a_text_can_have_them(base):
    # TER measures references in parts of a word: a row of a long text holds larger numbers than a text has words.
    given = {"recipe": {"base": base}, "segments": [["a b " * 4000, ["a b " * 4000]], ["a c", ["a b"]]]}
    counted = handle({"action": "corpus-count", **given})
    rows, plain = counted["rows"], counted["plain"]
    answer = handle({"action": "corpus-result", "plain": plain, "rows": rows, **given})
    assert answer["ok"], answer["error"]["message"]
    scored = bp.score(*zip(*given["segments"], strict=True), base)
    assert text_of(answer["html"], "score-100") == scored.printed
    for wrong in ([row[:-1] for row in rows], [[*row[:-1], -1] for row in rows]):
        refused = handle({"action": "corpus-result", "plain": plain, "rows": wrong, **given})
        assert refused["error"]["where"] == "rows"


def test_the_page_names_beforehand_what_its_script_imports():
    files, wanted = page_files(), ["app"]
    for name in wanted:
        imports = re.findall(r'^import [^;]+ from "\./([\w-]+)\.js";', files[f"{name}.js"].decode(), re.MULTILINE)
        wanted += [other for other in dict.fromkeys(imports) if other not in wanted]
    assert sorted(wanted[1:]) == sorted(FIRST_SCRIPTS)
    for host in ("served", "static"):
        named = re.findall(r'<link rel="modulepreload" href="static/([\w-]+)\.js">', render_page(host))
        assert named == [*FIRST_SCRIPTS, f"engine-{host}"]


def test_too_little_memory_is_an_answer(monkeypatch):
    def run_out(_request):
        raise MemoryError

    monkeypatch.setitem(ACTIONS, "explain", run_out)
    answer = json.loads(handle_json(json.dumps({"action": "explain", **SEGMENT})))
    assert answer["ok"] is False
    assert answer["error"].keys() == PARTS


def test_names_of_systems_are_compared_without_all_their_pairs():
    request = {"action": "compare-count", **THREE, "names": ["x"] * 3000, "candidates": [["a"] * 3] * 3000}
    assert handle(request)["error"]["where"] == "systems"
    assert peak_of(handle, request) < 8 * MIB
