"""CSV, SGML and XML: what they hold comes out whole, in pairs that cannot shift, or is refused with its line."""

import csv
import gzip
import io
import json
import lzma
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.dataset.fake_sgml import FakeSGMLDataset
from sacrebleu.dataset.wmt_xml import WMTXMLDataset

import bleuprint as bp
from bleuprint.errors import BleuprintError, FileError, ShapeError
from bleuprint.text.formats import ListedLines, assemble_corpus, split_lines, stream_corpus, suffix_of
from bleuprint.text.formats.sources import LONGEST_LINE
from wmt_markup import as_xml

EXAMPLES = Path(__file__).parents[2] / "examples"


def read(files, **choices):
    """Read files, given as texts by name, the candidate's first."""
    candidate, *references = files
    return assemble_corpus(candidate, references, lambda name: ListedLines(split_lines(files[name])), **choices)


def refuse(files, message, kind=FileError, **choices):
    with pytest.raises(kind, match=message):
        read(files, **choices)


# Names.


@given(st.text(st.sampled_from("ab./"), max_size=8).filter(lambda name: not name.endswith("/.") and name != "."))
def test_the_ending_of_a_name_is_what_pathlib_takes_it_for(name):
    assert suffix_of(name) == PurePosixPath(name).suffix.removesuffix(
        "."
    )  # pathlib takes a dot alone for one from 3.14 on


# CSV.


def as_csv(rows, **style):
    stream = io.StringIO()
    csv.writer(stream, **style).writerows(rows)
    return stream.getvalue()


TEXTS = st.text(st.sampled_from("ab ,\"'\n\té中"), max_size=6)


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXTS, TEXTS.filter(bool), TEXTS, TEXTS.filter(bool)), min_size=1, max_size=6), st.data())
def test_csv_holds_any_text_however_it_is_quoted_and_cut_into_batches(rows, data):
    style = {
        "quoting": data.draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
        "lineterminator": data.draw(st.sampled_from(["\n", "\r\n"])),
    }
    text = as_csv([("candidate", "reference", "reference", "document"), *rows], **style)
    whole = read({"a.csv": text})
    assert whole.candidates == [row[0] for row in rows]
    assert whole.references == [[row[1], row[2] or None] for row in rows]
    assert whole.documents == [row[3] for row in rows]
    size = data.draw(st.integers(1, 7))
    batches = list(stream_corpus("a.csv", [], lambda _: ListedLines(split_lines(text)), size))
    assert [one for batch in batches for one in batch.candidates] == whole.candidates
    assert [line for batch in batches for line in batch.lines] == list(whole.lines)
    assert all(len(batch.candidates) <= size for batch in batches)


def test_csv_and_tsv_follow_the_same_rules():
    for name, sep in (("a.csv", ","), ("a.tsv", "\t")):
        rows = [
            ["id", "reference", "candidate", "reference"],
            ["1", "r", "c", "s"],
            ["2", "r", "c"],
            ["3", "", "", "s"],
        ]
        corpus = read({name: "\n".join(map(sep.join, rows))})
        assert corpus.candidates == ["c", "c", ""]
        assert corpus.references == [["r", "s"], ["r"], [None, "s"]]
        assert corpus.documents is None
        given = read({name: f"a{sep}b\n"}, columns=["candidate", "reference"])
        assert (given.candidates, given.references) == (["a"], [["b"]])


def test_a_row_of_csv_is_named_by_the_line_on_which_it_begins():
    corpus = read({"a.csv": 'candidate,reference\n"a\nb\nc",r\nd,r\n'})
    assert [corpus.place(index) for index in range(2)] == ["a.csv, line 2", "a.csv, line 5"]


HEAD = "candidate,reference\n"
BROKEN_CSV = {
    "too many cells": (
        HEAD + "a,b,c\n",
        r"a\.csv, line 2: ",
    ),
    "too few": (HEAD + 'a,b\n"x\ny",c\na\n', "line 5: "),
    "empty line": (HEAD + "a,b\n\n", "line 3: "),
    "open quote": (HEAD + 'a,b\nc,"d\ne\n', "line 3: "),
    "text after a quote": (HEAD + 'a,"b"c\n', "line 2: "),
    "semicolons": ("candidate;reference\na;b\n", "columns: "),
    "no reference": (HEAD + "a,\n", "line 2: "),
    "half the documents": (
        "candidate,reference,document\na,b,d\na,b,\n",
        "line 3: ",
    ),
    "empty": ("", "columns: "),
}


@pytest.mark.parametrize(("content", "message"), BROKEN_CSV.values(), ids=BROKEN_CSV)
def test_csv_that_does_not_fit_is_refused_with_its_line(content, message):
    refuse({"a.csv": content}, message)


def test_a_header_beside_columns_is_refused():
    refuse({"a.csv": HEAD}, "Leave out `columns`", columns=["candidate", "reference"])


def test_a_cell_of_csv_may_be_as_long_as_a_line_of_text():
    text = "x " * 100_000
    corpus = read({"a.csv": f"{HEAD}{text},b\n"})
    assert (corpus.candidates, corpus.references) == ([text], [["b"]])


def test_a_row_of_csv_is_no_longer_than_a_line():
    half = "a" * (LONGEST_LINE // 2 - 8)
    corpus = read({"a.csv": f'{HEAD}"{half}\n{half}",b\n"{half}\n{half}",b\n'})
    assert corpus.candidates == [f"{half}\n{half}"] * 2
    refuse({"a.csv": f'{HEAD}a,b\n"' + f"{half}\n" * 3}, r"a\.csv, line 3: expected a row of at most")


def test_reading_csv_never_lowers_the_limit_of_other_readers():
    before = csv.field_size_limit(1 << 30)
    try:
        read({"a.csv": f"{HEAD}a,b\n"})
        assert csv.field_size_limit() == 1 << 30
    finally:
        csv.field_size_limit(before)


# Markup.

SGML = """<!DOCTYPE {set} SYSTEM "x.dtd">
<{set} setid="s" srclang="en" trglang="de">
<DOC SysID="{name}" docid='one' genre="news">
<hl>
<seg id=1>{first}</seg>
</hl><p>
<Seg id="2"> two lines
of a &amp; b < c </SEG>
</p>
</DOC>
<doc docid="two" sysid="{name}"><seg id="1">last</seg></doc>
</{set}>
"""
TST = SGML.format(set="tstset", name="X", first="a candidate")
REF = SGML.format(set="refset", name="ref", first="a reference")


def test_sgml_is_matched_by_document_and_segment_and_keeps_texts_as_they_are():
    second = re.sub(r'(<doc docid="two".*</doc>)', "", REF).replace("<DOC", REF[REF.index("<doc d") : -11] + "\n<DOC")
    corpus = read({"c.sgm": TST, "r.sgm": REF, "s.sgml": second.replace("a ref", "other ref")})
    assert corpus.candidates == ["a candidate", "two lines of a &amp; b < c", "last"]
    assert corpus.references == [
        ["a reference", "other reference"], ["two lines of a &amp; b < c"] * 2, ["last", "last"],
    ]  # fmt: skip
    assert corpus.documents == ["one", "one", "two"]
    assert corpus.place(1) == "c.sgm, line 7"


def test_one_refset_may_hold_several_references():
    both = REF + SGML.format(set="refset", name="B", first="by B")
    corpus = read({"c.sgm": TST, "r.sgm": both})
    assert corpus.references[0] == ["a reference", "by B"]
    assert read({"c.sgm": TST, "r.sgm": both}, translators=["B"]).references[0] == ["by B"]


def test_sgml_gives_the_texts_that_sacrebleu_takes_out_of_it(tmp_path):
    lines = [*(EXAMPLES / "reference-1.txt").read_text(encoding="utf-8").splitlines(), "a &quot;b&quot; <c>", " d\t e "]
    segments = "\n".join(f'<seg id="{number}">{line}</seg>' for number, line in enumerate(lines, start=1))
    doc = f'<doc sysid="s" docid="d">\n{segments}\n</doc>\n'
    path, out = tmp_path / "r.sgm", tmp_path / "r.txt"
    path.write_text(f"<refset>\n{doc}</refset>\n", encoding="utf-8")
    FakeSGMLDataset("t", data=[], langpairs={})._convert_format(str(path), str(out))
    corpus = read({"c.sgm": f"<tstset>{doc}</tstset>", "r.sgm": path.read_text(encoding="utf-8")})
    theirs = out.read_text(encoding="utf-8").split("\n")[:-1]
    assert [" ".join(texts[0].split()) for texts in corpus.references] == theirs
    assert any("\u00a0" in text for text in corpus.candidates), "we keep no-break spaces, they do not"
    assert corpus.candidates[-2:] == ["a &quot;b&quot; <c>", "d e"]


DOCUMENTS = {
    "d1": {
        ("src", ""): {1: "s1", 2: "s2"},
        ("ref", "A"): {1: "a <1>", 2: "a & 2"},
        ("ref", "B"): {1: "b 1", 2: "b 2"},
        ("hyp", "X"): {1: "x 1", 2: "x 2"},
        ("hyp", "Y"): {2: "y  2", 1: "y 1"},
    },
    "d2": {
        ("src", ""): {1: "s"},
        ("ref", "A"): {1: "a"},
        ("ref", "B"): {1: "b"},
        ("hyp", "Y"): {1: ""},
        ("hyp", "X"): {1: "x"},
    },
}  # fmt: skip


@pytest.mark.parametrize("collection", [False, True])
def test_one_xml_file_may_hold_systems_and_translators(collection):
    files = {"t.xml": as_xml(DOCUMENTS, collection)}
    corpus = read(files, system="Y")
    assert corpus.candidates == ["y 1", "y 2", ""]
    assert corpus.references == [["a <1>", "b 1"], ["a & 2", "b 2"], ["a", "b"]]
    assert corpus.documents == ["d1", "d1", "d2"]
    assert read(files, system="X", translators=["B"]).references == [["b 1"], ["b 2"], ["b"]]
    refuse(files, r"t\.xml: expected the name of one system, got 2 systems: 'X', 'Y'\. .*`system`")
    refuse(files, r"t\.xml: expected the system 'Z', got 2 systems: 'X', 'Y'", system="Z")
    refuse(files, "Unknown translator 'C'. The file has 'A', 'B'", system="X", translators=["A", "C"])


def only(*kept):
    return {name: {key: value for key, value in d.items() if key[0] in kept} for name, d in DOCUMENTS.items()}


def without(document, version, segment):
    texts = {key: dict(value) for key, value in DOCUMENTS[document].items()}
    del texts[version][segment]
    return DOCUMENTS | {document: texts}


def test_candidates_and_references_may_be_in_files_of_their_own_in_any_order():
    hypotheses, references = only("src", "hyp"), dict(reversed(only("src", "ref").items()))
    corpus = read({"h.xml": as_xml(hypotheses), "r.xml": as_xml(references)}, system="X")
    assert corpus.documents == ["d2", "d1", "d1"]
    assert corpus.candidates == ["x", "x 1", "x 2"]
    assert corpus.references == [["a", "b"], ["a <1>", "b 1"], ["a & 2", "b 2"]]


def test_xml_gives_the_texts_that_sacrebleu_takes_out_of_it():
    text = as_xml(DOCUMENTS)
    theirs = WMTXMLDataset._unwrap_wmt21_or_later(io.BytesIO(text.encode("utf-8")))
    for system in "XY":
        ours = read({"t.xml": text}, system=system)
        assert ours.candidates == [" ".join(line.split()) for line in theirs[system]]
        assert ours.documents == theirs["docid"]
        for place, name in enumerate("AB"):
            assert [texts[place] for texts in ours.references] == theirs[f"ref:{name}"]


NAMES = st.text(st.sampled_from("ab&<>\"' é"), min_size=1, max_size=4)
WORDS = st.text(st.sampled_from("ab&<>\"' é\n]"), max_size=8)


@settings(max_examples=50)
@given(st.dictionaries(NAMES.map(str.strip).filter(bool), st.lists(WORDS, min_size=1, max_size=3), min_size=1))
def test_xml_holds_any_text(documents):
    marked = {
        name: {(tag, "n"): dict(enumerate(texts, start=1)) for tag in ("ref", "hyp")}
        for name, texts in documents.items()
    }
    corpus = read({"t.xml": as_xml(marked)})
    expected = [" ".join(text.split()) for texts in documents.values() for text in texts]
    assert corpus.candidates == [texts[0] for texts in corpus.references] == expected
    assert corpus.documents == [name for name, texts in documents.items() for _ in texts]


def test_documents_of_test_suites_are_left_out_as_sacrebleu_leaves_them_out():
    text = as_xml(DOCUMENTS).replace('id="d2"', 'id="d2" testsuite="t"')
    assert read({"t.xml": text}, system="X").documents == ["d1", "d1"]
    assert WMTXMLDataset._unwrap_wmt21_or_later(io.BytesIO(text.encode("utf-8")))["docid"] == ["d1", "d1"]


def test_the_xml_of_mteval_is_read_too():
    def make(kind, name, text):
        return (
            '<!DOCTYPE mteval SYSTEM "mteval-xml-v1.3.dtd"><mteval>'
            f'<{kind} setid="s" {name}><doc docid="d" genre="n"><p><seg id="1">{text}</seg></p></doc></{kind}></mteval>'
        )

    corpus = read({"c.xml": make("tstset", 'sysid="X"', "a"), "r.xml": make("refset", 'refid="r1"', "b")})
    assert (corpus.candidates, corpus.references, corpus.documents) == (["a"], [["b"]], ["d"])


MISSING = {
    "a reference's segment": (
        as_xml(without("d1", ("ref", "B"), 2)),
        r"'B' in t\.xml lacks 1 of 3 segments, first the segment '2' of document 'd1' on line \d+ of 'X' in t\.xml",
    ),
    "a candidate's segment": (
        as_xml(without("d1", ("hyp", "X"), 1)),
        r"'X' in t\.xml lacks 1 of 3 segments, first the segment '1' of document 'd1'",
    ),
    "a reference's document": (
        as_xml(without("d2", ("ref", "A"), 1)),
        r"'A' in t\.xml lacks 1 of 3 segments, first the segment '1' of document 'd2'",
    ),
}


@pytest.mark.parametrize(("text", "message"), MISSING.values(), ids=MISSING)
def test_a_segment_that_one_side_lacks_is_named(text, message):
    refuse({"t.xml": text}, message, ShapeError, system="X")


REFUSED = {
    "a bare ampersand": ("<dataset>\n<doc id='d'>\na & b", r"t\.xml, line 3: "),
    "cut off": (as_xml(DOCUMENTS)[:-20], r"t\.xml, line \d+: "),
    "no XML": ("text\n", "line 1: "),
    "empty": ("", "line 1: "),
    "an entity of its own": ('<!DOCTYPE d [\n<!ENTITY a "b">]><d>&a;</d>', "line 2: "),
    "an entity that grows": (
        '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY c "&b;&b;">]><d>&c;</d>',
        "XML with entities other than the standard ones is not read, got 'a'",
    ),
    "a file from outside": (
        '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><d>&a;</d>',
        "XML with entities other than the standard ones is not read, got 'a'",
    ),
    "a declaration from outside": (
        '<!DOCTYPE d [<!ENTITY % a SYSTEM "x">%a;]><d/>',
        "XML with entities other than the standard ones is not read, got 'a'",
    ),
    "a default value": (
        "<!DOCTYPE d [\n<!ATTLIST doc\nid CDATA 'x'>]><d><doc/></d>",
        r"line \d: ",
    ),
    "an entity from outside": (
        '<!DOCTYPE d SYSTEM "x.dtd"><d>\n&nbsp;</d>',
        "line 2: ",
    ),
    "an unknown entity": ("<d>&nbsp;</d>", "line 1: "),
    "a segment twice": (
        '<dataset><doc id="d"><hyp system="X">\n<seg id="1"/>\n<seg id="1"/></hyp></doc></dataset>',
        "line 3: ",
    ),
    "a segment without an id": (
        '<dataset><doc id="d"><hyp>\n<seg>a</seg></hyp></doc></dataset>',
        "line 2: ",
    ),
    "a document without an id": (
        "<dataset><doc/></dataset>",
        "line 1: ",
    ),
    "a segment outside": (
        '<dataset><seg id="1"/></dataset>',
        "line 1: ",
    ),
    "references only": (
        as_xml(only("ref")),
        r"expected segments of a system, in <hyp> or <tstset>, got references \('A', 'B'",
    ),
    "systems only": (
        as_xml({"d": {("hyp", "X"): {1: "a"}}}),
        r"expected references, in <ref> or <refset>, .* systems \('X'\)",
    ),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_xml_that_is_broken_or_brings_entities_is_refused_with_its_line(text, message):
    refuse({"t.xml": text}, message)


REFUSED_SGML = {
    "no end of a segment": (
        TST.replace("candidate</seg>", "candidate"),
        r"c\.sgm, line 7: ",
    ),
    "cut off": (TST[: TST.index("of a &amp;")], r"c\.sgm, line \d: "),
    "twice": (
        TST.replace('id="2"', "id=1"),
        "line 7: ",
    ),
    "no id": (TST.replace(" id=1", ""), "line 5: "),
    "nothing": ("text", r"c\.sgm: expected segments of a system, in <hyp> or <tstset>, got none"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED_SGML.values(), ids=REFUSED_SGML)
def test_sgml_that_is_broken_is_refused_with_its_line(text, message):
    refuse({"c.sgm": text, "r.sgm": REF}, message)


def test_files_and_choices_that_do_not_fit_together_are_refused():
    xml = as_xml(DOCUMENTS)
    refuse({"t.xml": xml, "r.xml": xml}, r"t\.xml: The file has its references itself, got r\.xml as well", system="X")
    refuse(
        {"t.xml": xml, "r.txt": "a"},
        r"t\.xml is XML, but r\.txt is plain text\.",
    )
    refuse(
        {"c.txt": "a", "r.xml": xml},
        r"c\.txt is plain text, but r\.xml is XML\.",
    )
    refuse({"t.xml": xml}, "XML names its documents itself", documents="d", system="X")
    refuse({"t.xml": xml}, r"columns: expected TSV or CSV, got XML \(t\.xml\)", columns=["candidate"])
    refuse({"a.csv": HEAD}, r"system: expected SGML or XML, got CSV \(a\.csv\)", system="X")
    refuse({"a.txt": "a", "b.txt": "a"}, r"translators: expected SGML or XML, got plain text", translators=["A"])
    refuse({"a.csv": HEAD, "b.txt": "a"}, "CSV has its references itself")


# The command line.


def bleuprint(*arguments, check=True):
    command = [sys.executable, "-m", "bleuprint", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=check, encoding="utf-8")


def test_the_command_reads_every_form_to_the_same_score_by_document(tmp_path):
    names = ("candidate-a.txt", "reference-1.txt", "reference-2.txt", "documents.txt")
    plain = [EXAMPLES / name for name in names]
    columns = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in plain]
    rows = list(zip(*columns, strict=True))
    documents = {}
    for number, (*texts, document) in enumerate(rows, start=1):
        versions = documents.setdefault(document, {})
        for key, text in zip((("hyp", "X"), ("ref", "A"), ("ref", "B")), texts, strict=True):
            versions.setdefault(key, {})[number] = text

    def as_sgml(kind, tag, name):
        parts = [f"<{kind} setid='s'>"]
        for document, versions in documents.items():
            texts = "".join(f'<seg id="{n}">{escape(text)}</seg>\n' for n, text in versions[tag, name].items())
            parts.append(f'<doc docid="{document}" sysid="{name}">\n{texts}</doc>')
        return "\n".join([*parts, f"</{kind}>"])

    files = {
        "a.csv": as_csv([("candidate", "reference", "reference", "document"), *rows]),
        "b.xml.gz": gzip.compress(as_xml(documents).encode("utf-8")),
        "c.sgm": as_sgml("tstset", "hyp", "X"),
        "A.sgm": as_sgml("refset", "ref", "A"),
        "B.sgm.xz": lzma.compress(as_sgml("refset", "ref", "B").encode("utf-8")),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    asked = ("--by-document", "--format", "json")
    expected = json.loads(bleuprint("score", *plain[:3], "--documents", plain[3], *asked).stdout)
    for arguments in (["a.csv"], ["b.xml.gz"], ["c.sgm", "A.sgm", "B.sgm.xz"]):
        named = [tmp_path / name for name in arguments]
        found = json.loads(bleuprint("score", *named, *asked).stdout)
        assert found == expected
    (tmp_path / "b").write_bytes(gzip.decompress(files["b.xml.gz"]))
    named = bleuprint("score", tmp_path / "b", "--input", "xml", "--system", "X", "--translator", "A", "-b")
    assert named.stdout == f"{bp.score(columns[0], columns[1]).score:.2f}\n"
    refused = bleuprint("score", tmp_path / "b.xml.gz", "--system", "Z", check=False)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "expected the system 'Z', got 1 system: 'X'" in refused.stderr


def test_a_text_that_counting_refuses_is_named_by_its_line(tmp_path):
    file = tmp_path / "t.xml"
    file.write_text(as_xml({"d": {("hyp", ""): {1: "a", 2: "b"}, ("ref", ""): {1: "a", 2: "b"}}}), encoding="utf-8")
    refused = bleuprint("score", file, "-t", "pretokenized", check=False)
    assert re.search(r"t\.xml, line 7, candidate: .*read as characters", refused.stderr)


def test_files_without_segments_have_no_score():
    corpus = read({"a.csv": HEAD})
    with pytest.raises(BleuprintError, match="at least one segment"):
        bp.score(corpus.candidates, corpus.references)


# Columns, or keys, of other names


def rows_of(name, text, **choices):
    corpus = read({name: text}, **choices)
    return corpus.candidates, corpus.references, corpus.documents


TABLE = [["id", "out", "a", "b", "part"], ["1", "x", "r", "s", "d"], ["2", "y", "t", "", "e"]]
NAMES = {"candidate_column": "out", "reference_columns": ("b", "a"), "document_column": "part"}


@pytest.mark.parametrize(("form", "mark"), [("tsv", "\t"), ("csv", ",")])
def test_columns_of_a_table_have_any_names(form, mark):
    text = "\n".join(map(mark.join, TABLE))
    found = rows_of(f"x.{form}", text, **NAMES)
    assert found == (["x", "y"], [["r", "s"], ["t", None]], ["d", "e"])
    bare = "\n".join(map(mark.join, TABLE[1:]))
    assert rows_of(f"x.{form}", bare, columns=TABLE[0], **NAMES) == found
    repeated = text.replace("b", "a", 1)
    assert rows_of(f"x.{form}", repeated, candidate_column="out", reference_columns=("a",))[1] == found[1]


def test_keys_of_jsonl_have_any_names_also_inside_others():
    rows = [
        {"out": {"de": "x"}, "a": "r", "b": ["s", None], "part": "d"},
        {"out": {"de": "y"}, "a": None, "b": "", "part": "e"},
    ]
    found = rows_of("x.jsonl", "\n".join(map(json.dumps, rows)), **{**NAMES, "candidate_column": "out.de"})
    assert found == (["x", "y"], [["s", None, "r"], ["", None]], ["d", "e"])
    dotted = {"a.b": "x", "a": {"b": "y"}, "references": "r"}
    assert rows_of("x.jsonl", json.dumps(dotted), candidate_column="a.b")[0] == ["x"]


def test_the_keys_of_wmt_need_no_name_and_our_own_go_first():
    wmt = {"doc_id": "d", "hypothesis": "x", "references": ["r"]}
    assert rows_of("x.jsonl", json.dumps(wmt)) == (["x"], [["r"]], ["d"])
    both = wmt | {"candidate": "y", "document": "e"}
    assert rows_of("x.jsonl", json.dumps(both)) == (["y"], [["r"]], ["e"])
    one = {"candidate": "y", "reference": "r"}
    assert rows_of("x.jsonl", json.dumps(one))[:2] == (["y"], ["r"])
    assert rows_of("x.jsonl", json.dumps(one | {"references": ["s", "t"]}))[:2] == (["y"], [["s", "t"]])


ABSENT = [
    ("x.tsv", "out\ta\nx\tr\n", {"candidate_column": "uot", "reference_columns": ("a",)}, "columns", "out"),
    ("x.tsv", "candidate\treference\nx\tr\n", {"document_column": "part"}, "columns", None),
    ("x.jsonl", '{"candidate": "x", "a": "r"}', {"reference_columns": ("a", "c")}, "line 1", None),
    ("x.jsonl", '{"candidate": "x", "references": "r"}', {"document_column": "part"}, "line 1", None),
    ("x.jsonl", '{"candidate": {"de": "x"}, "references": "r"}', {"candidate_column": "a.en"}, "line 1", None),
    ("x.jsonl", '{"candidat": "x", "references": "r"}', {}, "line 1", "candidat"),
    ("x.jsonl", '{"out": "x", "references": "r"}', {"candidate_column": "oout"}, "line 1", "out"),
    ("x.tsv", "candidate\treference\tdocument\nx\tr\td\n", {"columns": ("candidate", "reference", "documnt")},
     "line 1", None),
    ("x.csv", "candidate,reference\nx,r\n", {"columns": ("candidate", "reference", "document")}, "line 1", None),
    ("x.tsv", "candidate\trefrence\nx\tr\n", {"columns": ("candidate", "reference")}, "line 1", None),
    ("x.tsv", "candidat\treference\nx\tr\n", {"columns": ("candidate", "reference")}, "line 1", None),
    ("x.tsv", "Candidate\tReference\nx\tr\n", {"columns": ("candidate", "reference")}, "line 1", None),
    ("x.csv", "candidate, reference\nx,r\n", {"columns": ("candidate", "reference")}, "line 1", None),
    ("x.tsv", "candidate\treference\nx\tr\n", {"columns": ("reference", "candidate")}, "line 1", None),
    ("x.tsv", "candidate\treference\trefB\nx\tr\ts\n", {"columns": ("candidate", "src", "reference")}, "line 1", None),
    ("x.tsv", "candidate\treference\trefB\nx\tr\ts\n", {"columns": ("candidate", "reference", "reference")},
     "line 1", None),
    ("x.tsv", "OUT\ta\nx\tr\n", {"columns": ("out", "a"), "candidate_column": "out", "reference_columns": ("a",)},
     "line 1", None),
]  # fmt: skip


@pytest.mark.parametrize(
    "texts",
    [("Reference", "Reference"), ("References", "Preference"), ("candidate", "nominee"), ("Candidates", "Candidate"),
     ("a candidate", "a reference"), ("Re", "Can"), ("the candidate", "reference")],
)  # fmt: skip
def test_a_first_segment_of_one_word_is_no_heading(texts):
    found = rows_of("x.tsv", "\t".join(texts), columns=("candidate", "reference"))
    assert found == ([texts[0]], [[texts[1]]], None)


FOUR, THREE = ("id", "source", "candidate", "reference"), ("candidate", "reference", "reference")


@pytest.mark.parametrize(
    ("first", "columns"),
    [("id src mt ref", FOUR), ("ID Source Hypothesis Target", FOUR), ("seg_id src_1 HYP refA", FOUR),
     (" src output tgt", FOUR), ("segid source prediction reference", FOUR), ("mt ref1 ref2", THREE),
     ("Translation ref-A refB", THREE), ("ref hyp ref", THREE), ("mqm mt ref", ("mqm", "candidate", "reference"))],
)  # fmt: skip
@pytest.mark.parametrize(("form", "mark"), [("tsv", "\t"), ("csv", ",")])
def test_a_header_of_usual_words_is_no_segment(first, columns, form, mark):
    text = "\n".join([first.replace(" ", mark), mark.join("abcd"[: len(columns)])])
    with pytest.raises(FileError) as caught:
        rows_of(f"x.{form}", text, columns=columns)
    assert caught.value.where == f"x.{form}, line 1"
    candidates, _, _ = rows_of(f"x.{form}", text, columns=columns, no_header=True)
    cells = first.split(" ")
    assert candidates == [cells[columns.index("candidate")], "abcd"[columns.index("candidate")]]
    beyond = "\n".join([mark.join("abcd"[: len(columns)]), first.replace(" ", mark)])
    assert len(rows_of(f"x.{form}", beyond, columns=columns)[0]) == 2


@pytest.mark.parametrize(
    ("first", "columns"),
    [("1 src mt ref", FOUR), ("id source outputs reference", FOUR), ("output prediction hyp", THREE),
     ("id src the ref", FOUR)],
)  # fmt: skip
def test_a_first_line_with_another_word_is_a_segment(first, columns):
    assert len(rows_of("x.tsv", first.replace(" ", "\t"), columns=columns)[0]) == 1


@pytest.mark.parametrize(("name", "text", "choices", "where", "suggestion"), ABSENT)
def test_a_column_that_is_not_there_is_refused(name, text, choices, where, suggestion):
    with pytest.raises(FileError) as caught:
        rows_of(name, text, **choices)
    assert (caught.value.where, caught.value.suggestion) == (f"{name}, {where}", suggestion)
