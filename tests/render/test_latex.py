"""LaTeX and Markdown tables: every row has every column, no text becomes a command, and the commands write them."""

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.findings.reconciliation import group_dialects
from bleuprint.render import latex, render
from bleuprint.render.results import ScoredCorpus, arrange_segments
from latex_reading import TOKEN, Reader, bare, compile_document

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = [str(EXAMPLES / name) for name in ("candidate-b.txt", "reference-1.txt", "reference-2.txt")]


def split_at(text: str, mark: str) -> list[str]:
    """Split at a token that stands outside of groups."""
    parts, depth = [[]], 0
    for token in TOKEN.findall(text):
        depth += {"{": 1, "}": -1}.get(token, 0)
        if token == mark and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return ["".join(part) for part in parts]


TABLE = re.compile(
    r"""\\begin{table}\n\\centering(?P<size>.*)\n
    \\begin{(?P<kind>tabular|tabularx)}(?P<width>{\\linewidth})?{(?P<columns>.*)}\n
    (?P<rows>\\toprule\n(?s:.*?)\\bottomrule\n)
    \\end{(?P=kind)}\n\\caption{(?P<caption>.*)}\n\\end{table}\n""",
    re.VERBOSE,
)
LONG_TABLE = re.compile(
    r"""\\begingroup(?P<size>\\footnotesize.*)\n
    \\begin{(?P<kind>longtable|xltabular)}(?P<width>{\\linewidth})?{(?P<columns>.*)}\n
    \\caption{(?P<caption>.*)}\\\\\n
    (?P<rows>(?P<head>\\toprule\n.*\n\\midrule\n)\\endfirsthead\n(?P=head)\\endhead\n\\bottomrule\n\\endfoot\n(?s:.*?))
    \\end{(?P=kind)}\n\\endgroup\n""",
    re.VERBOSE,
)
COLUMN = re.compile(r"l|r|>\{\\ragged(?:right|left)\\arraybackslash\}X")


def read_tables(text: str) -> list[tuple[list[list[str]], str]]:
    """Read every table: the rows as they would be printed, and the caption."""
    tables, rest = [], text
    while rest.strip():
        comments, rest = re.fullmatch(r"\n*((?:% .*\n)*)((?s:.*))", rest).groups()
        found = TABLE.match(rest) or LONG_TABLE.match(rest)
        assert found, rest[:200]
        kind, columns, caption = found["kind"], COLUMN.findall(found["columns"]), found["caption"]
        assert "".join(columns) == found["columns"]
        assert found["size"] in ("", r"\footnotesize", r"\footnotesize\setlength{\tabcolsep}{3pt}")
        wraps = any(column.endswith("X") for column in columns)
        assert (kind in ("tabularx", "xltabular"), bool(found["width"])) == (wraps, wraps)
        needed = "booktabs" if kind == "tabular" else f"booktabs,{kind}"
        assert comments.startswith(f"% needs \\usepackage{{{needed}}}\n")
        *rows, last = split_at(re.sub(r"(?m)^\\\w+$\n", "", found["rows"]), r"\\")
        assert last.strip() == ""
        cells = [[Reader(cell).words().strip() for cell in split_at(row, "&")] for row in rows]
        assert {len(row) for row in cells} == {len(columns)}
        assert not any(re.match(r"\s*[\[*]", row) for row in rows), r"[ and * after \\ are arguments of it"
        tables.append((cells, Reader(caption).words()))
        rest = rest[found.end() :]
    return tables


def plain(text: str) -> str:
    """What of a text LaTeX can print: line breaks and control characters as spaces."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", text)


NASTY = r"""\input{x} 50% & $x$ #1 a_b {c} ~ ^ ` | <d> [e] * "f" 'g' — é 中"""


@pytest.mark.parametrize("text", [NASTY, "[1]", "*", "\\\\", "a\nb\r\u2028c", "--", "''", "%", "&&", "− · → ≥ – …"])
def test_every_mark_of_tex_comes_out_as_it_went_in(text):
    assert Reader(latex.escape(text)).words() == plain(text)


@given(st.text(st.one_of(st.sampled_from("\\{}[]%&$#_~^|<>*`'-,\n−·–…"), st.characters(exclude_categories=["Cs"]))))
def test_any_text_comes_out_as_it_went_in(text):
    escaped = latex.escape(text)
    assert "\n" not in escaped
    assert Reader(escaped).words() == plain(text)


def test_score_writes_recipes_and_documents_with_their_signatures(tmp_path, output):
    rows = [{"candidate": "a b c d e", "references": ["a b c d f"], "document": name} for name in (NASTY, "[2]", "* 3")]
    file = tmp_path / "a.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    arguments = ["score", file, "--recipe", "sacrebleu", "--recipe", "nltk", "-n", "2", "-n", "4", "--by-document"]
    data = json.loads(output(*arguments, "--format", "json"))["scores"]
    tables = read_tables(output(*arguments, "--format", "latex"))
    whole, *documents = tables
    assert whole[0][0] == ["recipe", "BLEU", "p1", "p2", "p3", "p4", "BP", "candidate", "reference"]
    assert [row[:2] for row in whole[0][1:]] == [[one["recipe"], f"{one['score']:.2f}"] for one in data]
    assert whole[0][1][4:6] == ["", ""]
    for entry, (cells, caption) in zip(data, documents, strict=True):
        assert f"{entry['recipe']}: {entry['signature']}" in caption
        assert entry["signature"] in whole[1]
        expected = [[name, f"{one['score']:.2f}"] for name, one in entry["documents"].items()]
        assert [row[:2] for row in cells[1:]] == expected


def test_notes_are_not_lost(output):
    text = output("score", *FILES, "--format", "latex")
    data = json.loads(output("score", *FILES, "--format", "json"))
    assert data["notes"]
    for note in data["notes"]:
        assert latex.escape(note["text"]) in text
        assert note["text"] in output("score", *FILES, "--format", "markdown")


def markdown_rows(text: str) -> list[list[str]]:
    """Read the rows of Markdown tables, without the lines of dashes."""
    lines = [line for line in text.split("\n") if line.startswith("| ")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [[re.sub(r"\\(.)", r"\1", cell) for cell in row] for row in cells]


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", *FILES, "--recipe", "paper", "--recipe", "nltk"],
        ["score", *FILES, "--by-document", "--documents", EXAMPLES / "documents.txt"],
        ["segments", *FILES],
        ["segments", *FILES, "-n", "2", "--documents", EXAMPLES / "documents.txt"],
        ["reconcile", *FILES, "--from", "nltk", "--to", "sacrebleu"],
        ["reconcile", *FILES, "--all"],
        ["identify", *FILES, "--reported", "31.4"],
    ],
    ids=lambda arguments: " ".join([arguments[0], *(str(a) for a in arguments[4:] if str(a).startswith("--"))]),
)
def test_markdown_and_latex_hold_the_same_cells(arguments, output):
    cells = []
    for rows, _ in read_tables(output(*arguments, "--format", "latex")):
        header = rows[0]
        cells += [header, *(row for row in rows[1:] if row != header)]
    assert cells == markdown_rows(output(*arguments, "--format", "markdown"))


def test_segments_hold_every_segment(output):
    [(rows, caption)] = read_tables(output("segments", *FILES, "--format", "latex"))
    lines = [line.split("\t") for line in output("segments", *FILES).split("\n")[1:-1]]
    body = rows[2:]
    assert [row[0] for row in body] == [line[0] for line in lines]
    assert [row[1] for row in body] == [f"{float(line[1]):.2f}" for line in lines]
    assert lines[0][-1] in caption


def test_results_of_the_library_render_as_the_commands_do(output):
    candidates, *references = (Path(name).read_text(encoding="utf-8").split("\n")[:-1] for name in FILES)
    pairs = list(zip(*references, strict=True))
    way = bp.reconcile(candidates, pairs, "nltk", "sacrebleu")
    assert output("reconcile", *FILES, "--from", "nltk", "--to", "sacrebleu", "--format", "latex") == render(
        way, "latex"
    )
    assert output("reconcile", *FILES, "--all", "--format", "latex") == render(
        group_dialects(candidates, pairs), "latex"
    )
    found = bp.identify(candidates, pairs, "31.4")
    assert output("identify", *FILES, "--reported", "31.4", "--format", "latex") == render(found, "latex")


def test_a_line_feed_in_a_name_ends_no_row_of_markdown():
    scores = {"a\nb | c": bp.score_sentence("a b c d e", "a b c d f")}
    assert markdown_rows(render(ScoredCorpus(scores), "markdown"))[1][0] == "a b | c"


def test_every_counted_order_has_a_column():
    """NLTK's method5 looks at 5-grams though N is 4."""
    scores = bp.score_segments(["a b c d e", "x"], ["a b c d e", "x"], "nltk-method5")
    assert "5-grams" in render(scores, "markdown")
    [(rows, _)] = read_tables(render(scores, "latex"))
    assert "5-grams" in rows[0]
    table = arrange_segments(scores)
    assert {len(row) for row in table.rows} == {len(table.columns)}


# A real LaTeX: nothing runs off the page, sideways or below, and every text can be read in the PDF.

COMPARED = ["compare", "-r", FILES[1], "--resamples", "1500", "--format", "latex"]
DOCUMENTS = ["--documents", EXAMPLES / "documents.txt"]
DEJAVU = r"\usepackage{fontspec}\setmainfont{DejaVuSans.ttf}[Path=/usr/share/fonts/truetype/dejavu/]"


def compile_tables(tables, folder, engine="pdflatex", preamble=""):
    """Set tables in an article with the packages that they need; give the text of all its pages."""
    needed = ",".join(dict.fromkeys(re.findall(r"(?m)^% needs \\usepackage\{(.*)\}$", tables)))
    paper = rf"\documentclass{{article}}\usepackage{{{needed}}}{preamble}\begin{{document}}" + "\n"
    return "".join(compile_document(paper + tables + "\n" + r"\end{document}", folder, engine))


def many_systems(folder, name):
    """Write a dozen systems, each worse than the one before, under names that a template makes."""
    words = [line.split() for line in Path(FILES[1]).read_text(encoding="utf-8").splitlines()]
    arguments = []
    for number in range(12):
        chance = random.Random(number)
        lines = [" ".join("zz" if chance.random() < 0.06 * number else word for word in line) for line in words]
        file = folder / f"{number}.txt"
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        arguments += ["-s", f"{name.format(number)}={file}"]
    return arguments


@pytest.mark.extended
@pytest.mark.parametrize(
    "name",
    ["s{}", "system_{}_of_12 at 50% & more", "a-very-long-name-without-a-single-space_{}_in/it.txt", "W" * 40 + "{}"],
    ids=["short", "marks", "long", "wide"],
)
def test_comparisons_of_many_systems_stay_on_the_page(tmp_path, name, output):
    arguments = [*COMPARED, *many_systems(tmp_path, name), "--by", "document", *DOCUMENTS, "--by", "length"]
    text = compile_tables(output(*arguments, "--examples", "2"), tmp_path)
    for number in range(12):
        assert bare(name.format(number)) in text
    assert "seed12345" in text


@pytest.mark.extended
@pytest.mark.parametrize(
    "arguments",
    [
        ["score", *FILES, "--recipe", "sacrebleu", "--recipe", "nltk-method4", "--by-document", *DOCUMENTS],
        ["segments", *FILES, *DOCUMENTS],
        ["reconcile", *FILES, "--from", "nltk", "--to", "sacrebleu"],
        ["reconcile", *FILES, "--all"],
        ["identify", *FILES, "--reported", "31.4"],
        [*COMPARED[:-2], "-s", f"A={FILES[0]}", "-s", f"B={FILES[2]}", "--examples", "3", "--by", "frequency"],
        [*COMPARED[:-2], "-s", f"only one system_of 100%={FILES[0]}"],
    ],
    ids=lambda arguments: " ".join([arguments[0], *(str(a) for a in arguments[4:] if str(a).startswith("-"))]),
)
def test_every_command_writes_tables_that_stay_on_the_page(tmp_path, arguments, output):
    """The examples have letters beyond Latin, which LuaLaTeX sets with a font that has them."""
    tables = output(*arguments, "--format", "latex")
    beyond = "% needs LuaLaTeX" in tables
    assert "BLEU" in compile_tables(tables, tmp_path, *(["lualatex", DEJAVU] if beyond else []))


@pytest.mark.extended
def test_names_in_other_scripts_say_what_they_need_and_compile_with_it(tmp_path, output):
    name = "система_{} σύστημα hệ thống 50%"
    tables = output(*COMPARED, *many_systems(tmp_path, name))
    assert "% needs LuaLaTeX or XeLaTeX, and a font that has all letters" in tables
    text = compile_tables(tables, tmp_path, "lualatex", DEJAVU)
    assert all(bare(name.format(number)) in text for number in range(12))
    assert "% needs LuaLaTeX" not in output(*COMPARED, *many_systems(tmp_path, "größer {}"))


@pytest.mark.extended
@pytest.mark.parametrize(
    ("name", "size"), [("d{}", 120), ("d{}-" + "with-a-long-name" * 4, 120), ("d{} in long" * 5, 3000)]
)
def test_a_table_longer_than_a_page_goes_over_pages(tmp_path, name, size, output):
    names = [name.replace("{}", str(number)) for number in range(size)]
    rows = [{"candidate": "a b c d e", "references": ["a b c d f"], "document": one} for one in names]
    file = tmp_path / "a.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    tables = output("score", file, "--by-document", "--format", "latex")
    assert [row[0] for cells, _ in read_tables(tables)[1:] for row in cells if row[0] != "document"] == names
    text = compile_tables(tables, tmp_path)
    assert bare(names[0]) in text
    assert bare(names[-1]) in text
