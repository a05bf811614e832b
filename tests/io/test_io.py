"""Files: no pair ever shifts, what cannot be read is named with its place, and results are written whole."""

import bz2
import gzip
import json
import lzma
import os
import re
import signal
import stat
import struct
import subprocess
import sys
import threading
import zlib
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bleuprint as bp
from bleuprint.errors import FileError, MissingPackageError, ShapeError
from bleuprint.io import lines as lines_module
from bleuprint.io.lines import read_corpus, read_lines, stream_files
from bleuprint.io.output import write_whole
from bleuprint.io.systems import SystemChoice, read_systems
from bleuprint.text.formats import split_lines
from bleuprint.text.formats.sources import LONGEST_LINE
from memory_use import MIB, peak_of
from packages import optional

pa = optional("pyarrow")

LINES = ["first", "", "line\u2028separator", "next\x85line", "form\x0cfeed", "file\x1cseparator", "a\ttab", "last"]
BOM = "\ufeff"
PACKERS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}
if pa:
    PACKERS["zst"] = lambda data: pa.compress(data, codec="zstd", asbytes=True)


@pytest.fixture
def write(tmp_path):
    """Write a file, text as UTF-8, and give its name."""

    def make(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return str(path)

    return make


def as_jsonl(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


# Lines.


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("start", ["", BOM], ids=["no mark", "byte order mark"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("last", [True, False], ids=["final newline", "no final newline"])
@pytest.mark.parametrize(("suffix", "pack"), [("txt", bytes), *PACKERS.items()])
def test_however_a_file_is_written_its_lines_are_the_same(start, end, last, suffix, pack, write):
    content = start + end.join(LINES) + end * last
    assert read_lines(write(f"a.{suffix}", pack(content.encode("utf-8")))) == LINES


def test_files_that_end_lines_differently_pair_the_same_segments(write):
    plain, other = write("a", "\n".join(LINES)), write("b", BOM + "\r\n".join([*LINES, ""]))
    corpus = read_corpus(plain, [other, plain])
    assert corpus.candidates == LINES
    assert corpus.references == [(line, line) for line in LINES]


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\n\0")).filter(lambda line: line[-1:] != "\r"),
        min_size=1,
    )
)
def test_any_lines_come_back_as_they_were_written(tmp_path_factory, lines):
    path = tmp_path_factory.getbasetemp() / "lines"
    path.write_bytes((BOM + "\n".join(lines) + "\n").encode("utf-8"))
    assert read_lines(str(path)) == lines


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("\n\n", ["", ""]),
        ("a", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\r", ["a"]),
        ("a\rb", ["a\rb"]),
    ],
)
def test_only_line_feeds_end_lines_and_an_empty_line_is_a_segment(content, lines, write):
    assert read_lines(write("a", content)) == lines


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize(("suffix", "pack"), PACKERS.items())
def test_a_compressed_file_of_several_members_is_read_to_its_end(suffix, pack, write):
    assert read_lines(write(f"a.{suffix}", pack(b"a\n") + pack(b"") + pack(b"b\n"))) == ["a", "b"]


@pytest.mark.parametrize("padding", [4, 1 << 15])
def test_padding_between_and_after_the_streams_of_an_xz_file_is_no_data(padding, write):
    packed = lzma.compress(b"a\n") + bytes(padding) + lzma.compress(b"b\n") + bytes(padding)
    assert read_lines(write("a.xz", packed)) == ["a", "b"]


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("suffix", ["bz2", "xz", "zst"])
def test_a_packed_file_unpacks_to_more_than_one_block(suffix, write):
    lines = [f"{number} {number * number}" for number in range(150_000)]
    pack = partial(lzma.compress, preset=0) if suffix == "xz" else PACKERS[suffix]
    assert read_lines(write(f"a.{suffix}", pack("\n".join(lines).encode()))) == lines


def test_a_zst_file_without_pyarrow_says_what_to_install(write, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackageError, match="The package pyarrow is needed to unpack zstd"):
        read_lines(write("a.zst", b""))


SECOND = lzma.compress(b"second\n")
DAMAGES = {
    "that is none": lambda _: b"text\n",
    "cut off": lambda packed: packed[:-5],
    "with a second part cut off": lambda packed: packed + packed[:-5],
    "with rubbish after it": lambda packed: packed + b"rubbish",
}
DAMAGED = lzma.compress(b"text\n") + SECOND[:12] + bytes([SECOND[12] ^ 0xFF]) + SECOND[13:]
UTF_16 = "It rains.\n"


UNREADABLE = {
    "no UTF-8": (
        "a",
        b"fine\nfine\nab\xff\n",
        "a, line 3: ",
    ),
    "Latin-1": ("a", "é".encode("latin-1"), "a, line 1: "),
    "no UTF-8 inside": (
        "a.gz",
        gzip.compress(b"a\n\x80"),
        r"a\.gz, line 2: ",
    ),
    "UTF-16": ("a", "text\n".encode("utf-16"), "line 1: expected text in UTF-8"),
    "UTF-16, big-endian": ("a", b"\xfe\xff\x00a", "line 1: expected text in UTF-8"),
    "no gz": ("a.gz", b"text", "compressed by its name: .Not a gzipped file"),
    "gz cut off": ("a.gz", gzip.compress(b"text\n" * 99)[:-9], "compressed by its name: "),
    "gz damaged": (
        "a.gz",
        gzip.compress(b"text\n")[:10] + b"\xff" * 9,
        "compressed by its name: ",
    ),
    "UTF-32": ("a", "text\n".encode("utf-32"), "line 1: expected text in UTF-8"),
    "UTF-16 without a mark": (
        "a",
        UTF_16.encode("utf-16-le"),
        "a, line 1: ",
    ),
    "UTF-16 without a mark, big-endian": ("a", UTF_16.encode("utf-16-be"), "line 1: "),
    "UTF-16 with more than ASCII": ("a", "Größe\n".encode("utf-16-le"), "line 1: "),
    "a NUL": (
        "a",
        b"fine\na\0b\n",
        "a, line 2: ",
    ),
    "random bytes": (
        "a",
        b"\xf3\0\x0b\x91\0\0\x17\x88",
        "line 1: expected text in UTF-8",
    ),
    "bzip2 by another name": ("a", bz2.compress(b"text\n"), "line 1: expected text in UTF-8"),
    "zstd by another name": ("a", b"\x28\xb5\x2f\xfd\x04X1", "line 1: expected text in UTF-8"),
    "gzip by another name": (
        "a.txt",
        gzip.compress(b"text\n"),
        "line 1: expected text in UTF-8",
    ),
    "xz by another name": ("a.txt", lzma.compress(b"text\n"), "line 1: expected text in UTF-8"),
    "Parquet": (
        "a.txt",
        b"PAR1\x15\x04\x15\0PAR1",
        "line 1: expected text in UTF-8",
    ),
    "Arrow": ("a.txt", b"ARROW1\0\0\xff", "line 1: expected text in UTF-8"),
    "xlsx": ("a.txt", b"PK\x03\x04\x14\0", "line 1: expected text in UTF-8"),
    "xz with a damaged second stream": ("a.xz", DAMAGED, "compressed by its name: "),
    "xz with rubbish after it": (
        "a.xz",
        lzma.compress(b"text\n") + b"rubbish",
        "compressed by its name: ",
    ),
    "xz padded by three bytes": ("a.xz", lzma.compress(b"text\n") + bytes(3), r"bytes after the compressed data"),
    "xz whose second stream is cut off": (
        "a.xz",
        lzma.compress(b"text\n") + SECOND[:-9],
        "the file ends inside compressed data",
    ),
    **{
        f"{suffix} {how}": (f"a.{suffix}", damage(pack(b"text\n")), "compressed by its name: ")
        for suffix, pack in PACKERS.items()
        for how, damage in DAMAGES.items()
    },
    "no xz": ("a.xz", b"text", "compressed by its name: "),
    "xz cut off": ("a.xz", lzma.compress(b"text\n")[:-9], "compressed by its name: "),
}


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize(("name", "content", "message"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_refused_with_its_place(name, content, message, write):
    with pytest.raises(FileError, match=message):
        read_lines(write(name, content))


@pytest.mark.parametrize(("suffix", "pack"), PACKERS.items())
def test_a_file_of_zeros_is_refused_before_it_is_unpacked(suffix, pack, write):
    name = write(f"a.{suffix}", pack(bytes(96 * MIB)))

    def read():
        with pytest.raises(FileError, match="line 1: expected text in UTF-8, got the byte 0x00 at byte 1"):
            read_lines(name)

    assert peak_of(read) < 16 * MIB


@pytest.mark.parametrize("first", [b"", lzma.compress(b"a\n")], ids=["first stream", "second stream"])
def test_an_xz_file_with_a_huge_dictionary_is_refused(first, write):
    packed = bytearray(lzma.compress(b"b\n"))
    header = packed[12:24]  # of the block: size, flags, filter, size of its properties, dictionary, padding, CRC-32
    assert header[2:5] == bytes([0x21, 1, 22])
    usual, huge = bytearray(header[:8]), bytearray(header[:8])
    usual[4], huge[4] = 28, 40  # 64 MiB, as xz -9 makes them, and 4 GiB
    packed[12:24] = usual + struct.pack("<I", zlib.crc32(usual))
    assert read_lines(write("a.xz", first + packed))[-1] == "b"
    packed[12:24] = huge + struct.pack("<I", zlib.crc32(huge))
    with pytest.raises(FileError, match=r"b\.xz: .* 'Memory usage limit exceeded'"):
        read_lines(write("b.xz", first + packed))


def test_a_nul_is_named_with_its_line_before_the_line_ends(write):
    with pytest.raises(FileError, match="line 2: expected text in UTF-8, got the byte 0x00 at byte 3"):
        read_lines(write("a", "é\né\0" + "é" * MIB))


@pytest.mark.parametrize(("suffix", "pack"), [("txt", bytes), *PACKERS.items()])
def test_a_line_that_is_too_long_is_refused_before_all_of_it_is_read(suffix, pack, write):
    longest = b"a" * LONGEST_LINE
    assert list(map(len, read_lines(write(f"a.{suffix}", pack(b"b\n" + longest + b"\n"))))) == [1, LONGEST_LINE]
    name = write(f"b.{suffix}", pack(b"b\n" + longest * 4))

    def read():
        with pytest.raises(FileError, match=r"b\.[a-z0-9]+, line 2: "):
            read_lines(name)

    assert peak_of(read) < 2 * LONGEST_LINE


def test_a_line_of_one_byte_too_many_is_refused(write):
    with pytest.raises(FileError, match="line 1: "):
        read_lines(write("a", b"a" * LONGEST_LINE + b"a\nb\n"))


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(FileError, match=r"^No such file: .*nosuch\. Check the name"):
        read_lines(str(tmp_path / "nosuch"))
    with pytest.raises(FileError, match="Cannot read the file: 'Is a directory'"):
        read_lines(str(tmp_path))


@pytest.mark.parametrize("start", ["PAR1", "BZh91AY&SY", "ARROW1", "PK\x03\x04", "%PDF-", "SQLite format 3"])
def test_a_text_may_begin_like_another_kind_of_file(start, write):
    assert read_lines(write("a", f"{start} é\n")) == [f"{start} é"]


# URLs, which pyarrow reads.


class Bucket(BaseHTTPRequestHandler):
    """What S3 answers to whoever looks at an object and reads it."""

    protocol_version = "HTTP/1.1"

    def answer(self, *, with_body):
        content = self.server.objects.get(self.path.partition("?")[0])
        if content is None:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        first, last = self.headers.get("Range", f"bytes=0-{len(content) - 1}").removeprefix("bytes=").split("-")
        part = content[int(first) : int(last) + 1]
        self.send_response(206 if "Range" in self.headers else 200)
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
        self.send_header("Content-Length", str(len(part)))
        self.send_header("Last-Modified", "Mon, 16 Nov 2026 08:00:00 GMT")
        self.end_headers()
        if with_body:
            self.wfile.write(part)

    def do_GET(self):
        self.answer(with_body=True)

    def do_HEAD(self):
        self.answer(with_body=False)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def bucket():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Bucket)
    server.objects = {}
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()

    def put(name, content):
        server.objects[f"/bucket/{name}"] = content
        place = f"endpoint_override=127.0.0.1:{server.server_port}&scheme=http&region=us-east-1"
        return f"s3://key:secret@bucket/{name}?{place}"

    yield put
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.needs("pyarrow")
def test_lines_tables_and_packed_files_come_from_s3(bucket, output):
    candidate, reference = b"the cat sat on the mat\n", b"the cat sat on a mat\n"
    plain = output("score", bucket("c.txt", candidate), bucket("r.txt.gz", gzip.compress(reference)))
    table = b"candidate\treference\n" + candidate.strip() + b"\t" + reference
    of_table = output("score", bucket("t.tsv", table))
    assert plain.startswith(bp.score([candidate.decode()], [reference.decode()]).summary())
    assert plain.split("\n")[1] == "candidate: s3://bucket/c.txt, reference: s3://bucket/r.txt.gz", "no credentials"
    assert of_table == plain.replace(plain.split("\n")[1], "candidates and references: s3://bucket/t.tsv")


@pytest.mark.needs("pyarrow")
def test_what_is_not_in_a_bucket_is_said(bucket, run):
    url = bucket("c.txt", b"a\n").replace("c.txt", "other.txt")
    refused = run("score", url, url)
    assert (refused.code, refused.out) == (2, "")
    assert f"{url}: Cannot open the file: " in refused.err
    assert "Path does not exist" in refused.err


@pytest.mark.parametrize(
    "url",
    [
        "s3://[/a.txt",
        "http://[::1/a.tsv",
        "x://a..b/c.jsonl.gz",
        pytest.param("file://[/a.parquet", marks=pytest.mark.needs("pyarrow")),
    ],
)
def test_a_malformed_url_is_refused(url, run):
    refused = run("score", url, url)
    assert (refused.code, refused.out) == (2, "")
    assert url in refused.err


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("suffix", ["", *PACKERS])
def test_a_url_of_a_file_here_is_read_as_the_file(suffix, tmp_path):
    content = "é\nb\n".encode()
    file = tmp_path / (f"a.txt.{suffix}" if suffix else "a.txt")
    file.write_bytes(PACKERS.get(suffix, bytes)(content))
    assert read_lines(file.as_uri()) == read_lines(str(file)) == ["é", "b"]
    file.write_bytes(file.read_bytes()[:-3] if suffix else b"\xff")
    with pytest.raises(FileError, match=f"^{re.escape(file.as_uri())}"):
        read_lines(file.as_uri())


@pytest.mark.needs("pyarrow")
def test_a_url_of_no_file_and_one_that_pyarrow_does_not_know(tmp_path):
    with pytest.raises(FileError, match=r"^No such file: .*none\.txt"):
        read_lines((tmp_path / "none.txt").as_uri())
    with pytest.raises(FileError, match=r"^https://example\.org/a\.txt: Cannot open the file: "):
        read_lines("https://example.org/a.txt")


def test_a_url_without_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackageError, match="The package pyarrow is needed to read files by their URLs"):
        read_lines((tmp_path / "a.txt").as_uri())


# Corpora.


def test_tsv_takes_its_columns_from_the_header_in_any_order(write):
    content = "id\treference\tdocument\tcandidate\treference\n1\tr1\td\tc1\tr2\n2\tr3\td\tc2\tr4\n"
    corpus = read_corpus(write("a.tsv", content))
    assert corpus.candidates == ["c1", "c2"]
    assert corpus.references == [["r1", "r2"], ["r3", "r4"]]
    assert corpus.documents == ["d", "d"]


def test_tsv_without_a_header_takes_its_columns_from_the_call(write):
    corpus = read_corpus(write("a.tsv", "c1\tr1\nc2\tr2\n"), columns=["candidate", "reference"])
    assert (corpus.candidates, corpus.references, corpus.documents) == (["c1", "c2"], [["r1"], ["r2"]], None)


def test_a_tsv_cell_that_is_empty_or_not_there_is_a_missing_reference(write):
    content = "candidate\treference\treference\nc1\tr1\tr2\nc2\tr1\nc3\t\tr2\n\tr1\t\n"
    corpus = read_corpus(write("a.tsv", content))
    assert corpus.candidates == ["c1", "c2", "c3", ""]
    assert corpus.references == [["r1", "r2"], ["r1"], [None, "r2"], ["r1", None]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("candidate\treference\na\tb\tc\n", r"a\.tsv, line 2: "),
        ("candidate\treference\na\tb\na\n", r"a\.tsv, line 3: "),
        ("candidate\treference\na\tb\n\n", r"a\.tsv, line 3: "),
        ("a\tb\n", r"a\.tsv, columns: "),
        ("candidate\tcandidate\treference\n", "columns: "),
        ("candidate\tdocument\n", "There is no column 'reference'"),
        ("", "columns: "),
        (
            "candidate\treference\tdocument\na\tb\td\na\tb\n",
            "line 3: ",
        ),
        (
            "candidate\treference\tdocument\na\tb\td\na\tb\t\n",
            "line 3: ",
        ),
    ],
)
def test_tsv_that_does_not_fit_its_columns_is_refused(content, message, write):
    with pytest.raises(FileError, match=message):
        read_corpus(write("a.tsv", content))


def test_jsonl_may_be_ragged_and_tells_a_missing_reference_from_an_empty_one(write):
    rows = [
        {"candidate": "a", "references": ["b", None, ""]},
        {"candidate": "", "references": ["b"]},
        {"candidate": "c", "references": "d", "extra": 1},
    ]
    corpus = read_corpus(write("a.jsonl", as_jsonl(*rows)))
    assert corpus.candidates == ["a", "", "c"]
    assert corpus.references == [["b", None, ""], ["b"], "d"]
    assert corpus.documents is None
    assert bp.statistics(corpus.candidates, corpus.references, "huggingface").column("reference_length")[0] == 0


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.jsonl.gz", "a.tsv.xz", "a.jsonl.bz2", "a.tsv.zst"])
def test_the_form_follows_from_the_name_under_its_compression(name, write):
    content = "candidate\treference\nc\tr\n" if "tsv" in name else as_jsonl({"candidate": "c", "references": ["r"]})
    pack = PACKERS.get(name.rpartition(".")[2], bytes)
    corpus = read_corpus(write(name, pack(content.encode("utf-8"))))
    assert (corpus.candidates, corpus.references) == (["c"], [["r"]])


FINE = as_jsonl({"candidate": "a", "references": ["b"], "document": "d"})


BROKEN_JSONL = {
    "empty line": (
        FINE + "\n" + FINE,
        r"a\.jsonl, line 2: ",
    ),
    "wrong quotes": (
        FINE + "{'candidate': 1}\n",
        "line 2: ",
    ),
    "cut off": (FINE + FINE.rstrip()[:-1], "line 2: "),
    "no references": (
        '{"candidate": "a"}',
        "line 1: ",
    ),
    "empty object": ("{}", r"line 1: There is no key 'candidate', only \[\]"),
    "list": ("[]", "line 1: "),
    "string": ('"candidate references"', "expected a JSON object, got '\"candidate references\"'"),
    "number": ("1", "expected a JSON object, got '1'"),
    "a key twice": (
        FINE + '{"candidate": "a", "candidate": "b", "references": ["a"], "document": "d"}',
        r"a\.jsonl, line 2: ",
    ),
    "a key twice, inside": (FINE + FINE.replace('"d"', '"d", "more": {"x": 1, "x": 1, "x": 1}'), "line 2: "),
    "half the documents": (
        FINE + FINE.replace(', "document": "d"', ""),
        "line 2: ",
    ),
    "document a list": (FINE + FINE.replace('"d"', "[3]"), "line 2: "),
    "document a surrogate": (FINE + FINE.replace('"d"', '"\\ud800"'), "line 2: "),
    "nested too deep": (FINE + "[" * 100_000, "line 2: "),
    "nested too deep, inside": (
        FINE + '{"candidate": ' + '{"a":' * 100_000,
        "line 2: ",
    ),
    "number too long": (FINE + "1" * 5000, "line 2: "),
}


@pytest.mark.parametrize(("content", "message"), BROKEN_JSONL.values(), ids=BROKEN_JSONL)
def test_jsonl_that_is_not_complete_is_refused_with_its_line(content, message, write):
    with pytest.raises(FileError, match=message):
        read_corpus(write("a.jsonl", content))


def test_objects_with_a_key_each_take_no_more_memory_than_they_are_long(write):
    rows = [{"a": "x", "b": "y", "references": ["z"], f"key {number}": 0} for number in range(3000)]
    name = write("a.jsonl", as_jsonl(*rows))
    choice = SystemChoice({"a": "a", "b": "b"})
    assert read_systems(name, choice).systems == {"a": ["x"] * 3000, "b": ["y"] * 3000}
    assert peak_of(read_systems, name, choice) < 16 * MIB


def test_documents_come_complete_or_not_at_all(write):
    assert read_corpus(write("a.jsonl", FINE + FINE)).documents == ["d", "d"]
    with pytest.raises(ShapeError, match=r"d\.txt has 2 lines but .*a\.jsonl has 1\."):
        read_corpus(write("a.jsonl", FINE), documents=write("d.txt", "d\nd\n"))


def test_of_files_that_differ_in_length_the_empty_one_is_named(write):
    empty, full = write("empty.txt", ""), write("full.txt", "x\ny\n")
    for sources in ((empty, [full]), (full, [empty]), (empty, [empty, full])):
        with pytest.raises(ShapeError, match=r"empty\.txt has 0 lines but .*full\.txt has 2\."):
            read_corpus(*sources)


def test_a_number_names_a_document_as_json_writes_it(write):
    lines = [FINE.replace('"d"', number) for number in ("3", "-1.50", '"3"')]
    assert read_corpus(write("a.jsonl", "".join(lines))).documents == ["3", "-1.5", "3"]


@pytest.mark.parametrize("name", ["a.tsv", "a.jsonl"])
def test_a_file_that_holds_its_references_takes_no_others_unless_told_that_it_is_plain(name, write):
    file, reference = write(name, "x\n"), write("r.txt", "y\n")
    with pytest.raises(FileError, match=r"(TSV|JSONL) has its references itself, .* `form=.plain.`"):
        read_corpus(file, [reference])
    assert read_corpus(file, [reference], form="plain").references == [("y",)]


def test_a_plain_file_takes_no_references_of_another_form_unless_told_that_they_are_plain(write):
    file, reference = write("a.txt", "x\n"), write("r.jsonl", "y\n")
    with pytest.raises(FileError, match=r"a\.txt is plain text, but .*r\.jsonl is JSONL\. .*`form=.plain.`"):
        read_corpus(file, [reference])
    assert read_corpus(file, [reference], form="plain").references == [("y",)]


@pytest.mark.parametrize(
    ("candidate", "references", "documents"), [("-", ["-"], None), ("a", ["-", "-"], None), ("-", ["a"], "-")]
)
def test_standard_input_is_read_once(candidate, references, documents):
    with pytest.raises(FileError, match="Only one file can be read from standard input"):
        read_corpus(candidate, references, documents=documents)


def test_a_plain_file_alone_is_refused(write):
    with pytest.raises(FileError, match="There are no references"):
        read_corpus(write("a.txt", "a\n"))


def test_unequal_numbers_of_lines_name_the_file_and_both_numbers(write):
    with pytest.raises(ShapeError, match=r"b\.txt has 3 lines but .*a\.txt has 2\. They must match line by line\."):
        read_corpus(write("a.txt", "1\n2\n"), [write("r.txt", "1\n2\n"), write("b.txt", "1\n2\n\n")])


@pytest.mark.parametrize(("name", "content"), [("a.txt", ""), ("a.jsonl", ""), ("a.tsv", "candidate\treference\n")])
def test_an_empty_file_has_no_score_and_is_named(name, content, write, run):
    file = write(name, content)
    files = [file, file] if name == "a.txt" else [file]
    for command in ("score", "segments"):
        refused = run(command, *files)
        assert (refused.code, refused.out) == (2, "")
        assert f"{file}: expected at least one segment, got none" in refused.err
    refused = run("identify", *files, "--reported", "30")
    assert f"{file}: expected at least one segment, got none" in refused.err


@pytest.mark.parametrize("names", [("/dev/stdin", "/dev/stdin"), ("-", "/dev/stdin"), ("/dev/fd/0", "/proc/self/fd/0")])
def test_standard_input_is_read_once_whatever_it_is_called(names, run):
    refused = run("score", *names, stdin=b"the cat sat on\n")
    assert (refused.code, refused.out) == (2, "")
    assert "Only one file can be read from standard input." in refused.err


# Results.


def test_a_result_replaces_an_older_one_and_is_as_readable_as_any_new_file(tmp_path):
    target, other = tmp_path / "out", tmp_path / "other"
    target.write_text("old", encoding="utf-8")
    other.touch()
    write_whole(str(target), "naïve\n")
    assert target.read_bytes() == "naïve\n".encode()
    assert target.stat().st_mode == other.stat().st_mode


def test_a_result_that_cannot_be_written_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "out"
    target.write_text("old", encoding="utf-8")
    with pytest.raises(ValueError, match="surrogate"):
        write_whole(str(target), "a \ud800")
    assert target.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_interrupt_while_a_file_is_written_leaves_the_older_one_alone(tmp_path, monkeypatch, request):
    ignored = signal.signal(signal.SIGINT, signal.default_int_handler)  # where the tests run in the background
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, ignored))
    target = tmp_path / "out"
    target.write_text("old\n", encoding="utf-8")
    monkeypatch.setattr(Path, "chmod", lambda *_given: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        write_whole(str(target), "new\n")
    assert [(file, file.read_text("utf-8")) for file in tmp_path.iterdir()] == [(target, "old\n")]


@pytest.mark.parametrize(
    ("name", "reason"), [("nosuch/out", "No such file"), ("folder", "Is a directory"), ("new/", "Is a directory")]
)
def test_a_place_that_takes_no_file_is_refused_and_left_as_it_was(name, reason, tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileError, match=f"Cannot write the file: '{reason}.* Nothing was written"):
        write_whole(f"{tmp_path}/{name}", "text")
    assert list(tmp_path.rglob("*")) == [tmp_path / "folder"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_result_keeps_the_permissions_of_the_file_that_it_replaces(mode, tmp_path):
    target = tmp_path / "out"
    target.touch()
    target.chmod(mode)
    write_whole(str(target), "text\n")
    assert stat.S_IMODE(target.stat().st_mode) == mode


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_has_the_permissions_that_the_umask_leaves(mask, tmp_path):
    before = os.umask(mask)
    try:
        write_whole(str(tmp_path / "out"), "text\n")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o666 & ~mask


def test_writing_a_file_leaves_the_umask_of_other_threads_alone(tmp_path, monkeypatch):
    masks = []
    monkeypatch.setattr(os, "umask", masks.append)
    write_whole(str(tmp_path / "out"), "text\n")
    write_whole(str(tmp_path / "out"), "new\n")
    assert masks == []


def test_what_replaces_a_private_file_is_private_from_the_beginning(tmp_path, monkeypatch):
    target, modes = tmp_path / "out", []
    target.touch(0o600)
    take_over = Path.chmod

    def watch(path, mode):
        modes.append(stat.S_IMODE(path.stat().st_mode))
        take_over(path, mode)

    monkeypatch.setattr(Path, "chmod", watch)
    write_whole(str(target), "text\n")
    assert [*modes, stat.S_IMODE(target.stat().st_mode)] == [0o600, 0o600]


ENDED = """
import os, signal, sys
from pathlib import Path
from bleuprint.cli import run_program
Path.chmod = lambda *_: os.kill(os.getpid(), signal.SIGTERM)
run_program()
"""


def test_a_program_that_is_terminated_while_it_writes_leaves_no_other_file(tmp_path):
    target, text = tmp_path / "out", tmp_path / "text"
    target.write_text("old\n", encoding="utf-8")
    text.write_text("a b c d\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", ENDED, "score", text, text, "-o", target], check=False)
    assert done.returncode == 128 + signal.SIGTERM
    assert sorted(tmp_path.iterdir()) == [target, text]
    assert target.read_text("utf-8") == "old\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_a_result_belongs_to_whom_the_older_file_belonged(tmp_path):
    target = tmp_path / "out"
    target.touch(0o640)
    os.chown(target, 12345, 54321)
    write_whole(str(target), "text\n")
    found = target.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (12345, 54321, 0o640)


@pytest.mark.parametrize("exists", [True, False])
def test_behind_a_link_its_target_is_written(exists, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "out", tmp_path / "link"
    link.symlink_to(Path("elsewhere", "out"))
    if exists:
        target.touch(0o600)
    write_whole(str(link), "text\n")
    assert link.is_symlink()
    assert target.read_text("utf-8") == "text\n"
    assert exists is (stat.S_IMODE(target.stat().st_mode) == 0o600)


@pytest.mark.parametrize("name", ["/dev/fd/{}", "/proc/self/fd/{}", "/proc/thread-self/fd/{}", "link"])
def test_what_is_open_already_is_written_on_and_not_replaced(name, tmp_path):
    log, link = tmp_path / "log", tmp_path / "link"
    log.write_text("old\n", encoding="utf-8")
    with log.open("a", encoding="utf-8") as file:
        link.symlink_to(f"/dev/fd/{file.fileno()}")
        place = str(link) if name == "link" else name.format(file.fileno())
        before = log.stat().st_ino
        write_whole(place, "new\n")
        write_whole(place, b"newer\n")
        assert log.read_text("utf-8") == "old\nnew\nnewer\n"
        assert log.stat().st_ino == before
    assert sorted(tmp_path.iterdir()) == [link, log]


def test_what_is_open_for_reading_alone_is_no_place_to_write_to(tmp_path):
    log = tmp_path / "log"
    log.write_text("old\n", encoding="utf-8")
    with log.open("rb") as file, pytest.raises(FileError, match="Cannot write the file: 'Bad file"):
        write_whole(f"/dev/fd/{file.fileno()}", "new\n")
    assert log.read_text("utf-8") == "old\n"


def test_a_link_to_itself_is_refused_and_left(tmp_path):
    link = tmp_path / "link"
    link.symlink_to(link)
    with pytest.raises(FileError, match="link: Cannot write the file: 'Too many levels of symbolic links"):
        write_whole(str(link), "text\n")
    assert link.is_symlink()


def test_a_name_may_be_as_long_as_the_system_lets_it_be_and_not_longer(tmp_path):
    longest = tmp_path / ("x" * 255)
    write_whole(str(longest), "text\n")
    assert longest.read_text("utf-8") == "text\n"
    with pytest.raises(FileError, match=r"xxx: Cannot write the file: 'File name too long"):
        write_whole(f"{longest}x", "text\n")
    with pytest.raises(FileError, match=r"xxx: Cannot read the file: 'File name too long'"):
        read_lines(f"{longest}x")


def test_a_pipe_is_written_into_not_replaced(tmp_path):
    """As /dev/stdout and /dev/null must be, which root could replace by a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(str(pipe), "text\n")
        assert stat.S_ISFIFO(Path(pipe).stat().st_mode)
        assert os.read(reader, 100) == b"text\n"
    finally:
        os.close(reader)


def in_batches(sources, batch, **choices):
    candidate, *references = sources
    return list(stream_files(candidate, references, batch=batch, **choices))


def joined(batches):
    return (
        [text for corpus in batches for text in corpus.candidates],
        [texts for corpus in batches for texts in corpus.references],
        [name for corpus in batches for name in corpus.documents or ()],
    )


@pytest.mark.parametrize("block", [1, 2, 3, 7, 1 << 20])
@pytest.mark.parametrize(
    "content", ["", "a", "a\n", "\n\n", "é\r\n中\ufeff\n\ufeffb\n\nlong line without end", "\ufeffa\n"]
)
def test_lines_do_not_depend_on_where_blocks_end(content, block, write, monkeypatch):
    monkeypatch.setattr(lines_module, "BLOCK", block)
    assert read_lines(write("a", content)) == split_lines(content)


@pytest.mark.parametrize("batch", [1, 2, 3, 4, 100])
def test_batches_add_up_to_the_whole(batch, write):
    plain = [write(name, "".join(f"{name} {n}\n" for n in range(7))) for name in ("c", "r", "s")]
    names = write("names", "x\nx\ny\ny\ny\nz\nz\n")
    tsv = write("a.tsv", "candidate\treference\tdocument\n" + "".join(f"c{n}\tr{n}\td\n" for n in range(7)))
    jsonl = write("a.jsonl", as_jsonl(*({"candidate": f"{n}", "references": ["r"], "document": "d"} for n in range(7))))
    for sources, choices in (
        (plain, {}), (plain, {"documents": names}), ([tsv], {}), ([tsv], {"documents": names}), ([jsonl], {}),
    ):  # fmt: skip
        whole = read_corpus(sources[0], sources[1:], **choices)
        batches = in_batches(sources, batch, **choices)
        assert joined(batches) == joined([whole])
        assert [corpus.place(0) for corpus in batches] == [whole.place(n) for n in range(0, 7, batch)]
        assert all(len(corpus.candidates) <= batch for corpus in batches)


@pytest.mark.parametrize("batch", [1, 2, 3, 100])
def test_what_is_wrong_far_down_is_named_by_its_line(batch, write):
    five, four, six = (write(str(n), "a\n" * n) for n in (5, 4, 6))
    with pytest.raises(ShapeError, match=r"4 has 4 lines but .*5 has 5\."):
        in_batches([five, five, four], batch)
    with pytest.raises(ShapeError, match=r"6 has 6 lines but .*5 has 5\."):
        in_batches([five, six], batch)
    for wrong, found in ((four, 4), (six, 6)):
        with pytest.raises(ShapeError, match=f"has {found} lines but .* has 5"):
            in_batches([five, five], batch, documents=wrong)
        with pytest.raises(ShapeError, match=f"has {found} lines but .* has 5"):
            in_batches([write("a.tsv", "a\tb\n" * 5)], batch, columns=["candidate", "reference"], documents=wrong)
    with pytest.raises(FileError, match="line 4: expected text in UTF-8, got the byte 0xFF at byte 2"):
        in_batches([write("b", b"a\nb\nc\nd\xff\ne\n"), five], batch)
    with pytest.raises(FileError, match="line 4: expected a JSON object"):
        in_batches([write("a.jsonl", FINE * 3 + "{\n")], batch)
    nameless = FINE.replace("document", "no")
    with pytest.raises(FileError, match="line 5: expected a document name"):
        in_batches([write("a.jsonl", FINE * 4 + nameless)], batch)
    with pytest.raises(FileError, match="line 1: expected a document name"):
        in_batches([write("a.jsonl", nameless * 4 + FINE)], batch)


def test_an_empty_corpus_is_refused_in_batches_too(write):
    with pytest.raises(ShapeError, match="a: expected at least one segment, got none"):
        list(in_batches([write("a", ""), write("b", "")], 10))
