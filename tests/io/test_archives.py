"""Archives are unpacked whole or not at all, and nothing of them gets out of its folder."""

import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from bleuprint.errors import FileError
from bleuprint.io import archives
from bleuprint.io.archives import is_archive, unpack

TEXTS = {"set/a.txt": b"a\n", "set/inside/b.txt": b"b\n" * 9}


def tar(path, files, mode="w:gz", **members):
    with tarfile.open(path, mode) as packed:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
        for name, change in members.items():
            member = tarfile.TarInfo(name)
            for field, value in change.items():
                setattr(member, field, value)
            packed.addfile(member)
    return path


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return path


def files_in(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tgz", "a.tar.bz2", "a.tar.xz", "a.zip"])
def test_every_kind_of_archive_is_unpacked(tmp_path, name):
    mode = {".gz": "w:gz", ".tgz": "w:gz", ".bz2": "w:bz2", ".xz": "w:xz"}.get(Path(name).suffix, "w")
    archive = zipped(tmp_path / name, TEXTS) if name == "a.zip" else tar(tmp_path / name, TEXTS, mode)
    assert is_archive(name.upper())
    unpack(archive, tmp_path / "out")
    assert files_in(tmp_path / "out") == TEXTS
    (tmp_path / "out" / "set" / "a.txt").write_bytes(b"old")
    unpack(archive, tmp_path / "out")  # once more, over what is there
    assert files_in(tmp_path / "out") == TEXTS


@pytest.mark.parametrize("name", ["a.jsonl", "a.ref", "a.gz", "a.xz"])
def test_other_files_stay_as_they_are(name):
    assert not is_archive(name)


ESCAPES = ["../a", "set/../../a", "/a", "..", "c:/a", "set\\..\\a"]


@pytest.mark.parametrize("name", ESCAPES)
@pytest.mark.parametrize("pack", [tar, zipped])
def test_a_name_that_leads_out_of_the_folder_refuses_all(tmp_path, name, pack):
    archive = pack(tmp_path / ("a.zip" if pack is zipped else "a.tgz"), {**TEXTS, name: b"x"})
    with pytest.raises(FileError, match="leads out of its folder"):
        unpack(archive, tmp_path / "out" / "in")
    assert files_in(tmp_path / "out") == {}
    assert sorted(path.name for path in tmp_path.iterdir()) == [archive.name]


LINKS = {
    "link": {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"},
    "hard": {"type": tarfile.LNKTYPE, "linkname": "set/a.txt"},
    "pipe": {"type": tarfile.FIFOTYPE},
    "device": {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 3},
}


def test_links_and_devices_are_left_out_of_a_tar_file(tmp_path):
    unpack(tar(tmp_path / "a.tgz", TEXTS, **LINKS), tmp_path / "out")
    assert files_in(tmp_path / "out") == TEXTS
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["set"]


def test_a_folder_that_is_a_link_leads_nowhere(tmp_path):
    (tmp_path / "outside").mkdir()
    with tarfile.open(tmp_path / "a.tgz", "w:gz") as packed:
        link = tarfile.TarInfo("set")
        link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path / "outside")
        packed.addfile(link)
        member = tarfile.TarInfo("set/a.txt")
        member.size = 1
        packed.addfile(member, io.BytesIO(b"a"))
    unpack(tmp_path / "a.tgz", tmp_path / "out")
    assert files_in(tmp_path / "outside") == {}
    assert files_in(tmp_path / "out") == {"set/a.txt": b"a"}


def test_a_link_in_a_zip_file_is_left_out(tmp_path):
    link = zipfile.ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr(link, "/etc/passwd")
        packed.writestr("set/a.txt", b"a\n")
    unpack(tmp_path / "a.zip", tmp_path / "out")
    assert files_in(tmp_path / "out") == {"set/a.txt": b"a\n"}


def with_headers(path, kind, header, count=1):
    """A tar file with an extended header of these bytes before each member."""
    with gzip.open(path, "wb") as packed:
        for number in range(count):
            extended = tarfile.TarInfo("header")
            extended.type, extended.size = kind, len(header)
            packed.write(extended.tobuf() + header + bytes(-len(header) % 512) + tarfile.TarInfo(f"a{number}").tobuf())
        packed.write(bytes(1024))


def bomb_with_holes(path, size=1 << 40):
    """A sparse file: a few bytes stand for a terabyte."""
    member = tarfile.TarInfo("a")
    member.size = 512
    member.pax_headers = {
        "GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.name": "a",
        "GNU.sparse.size": str(size), "GNU.sparse.numblocks": "1", "GNU.sparse.map": f"{(1 << 40) - 512},512",
    }  # fmt: skip
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as packed:
        packed.addfile(member, io.BytesIO(b"x" * 512))


BOMBS = {
    "a.tgz": lambda path: tar(path, {"a": bytes(40 << 20)}),
    "a.tar.xz": lambda path: tar(path, {"a": bytes(40 << 20)}, "w:xz"),
    "a.zip": lambda path: zipped(path, {"a": bytes(40 << 20)}),
    "holes.tgz": bomb_with_holes,
    "holes of a short file.tgz": lambda path: bomb_with_holes(path, 512),
    "holes of a negative size.tgz": lambda path: bomb_with_holes(path, -(1 << 40)),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_before_it_has_grown(tmp_path, name):
    BOMBS[name](tmp_path / name)
    with pytest.raises(FileError, match=r"unpacks to more than [0-9,]+ bytes"):
        unpack(tmp_path / name, tmp_path / "out")
    assert files_in(tmp_path / "out") == {}


@pytest.mark.parametrize("pack", [tar, zipped])
@pytest.mark.parametrize("end", ["", "/"], ids=["files", "folders"])
def test_too_many_files_are_refused(tmp_path, monkeypatch, pack, end):
    monkeypatch.setattr(archives, "MOST_FILES", 3)
    archive = tmp_path / ("a.zip" if pack is zipped else "a.tgz")
    unpack(pack(archive, {f"{n}{end}": b"" for n in range(3)}), tmp_path / "out")
    with pytest.raises(FileError, match="more than 3 files and folders"):
        unpack(pack(archive, {f"{n}{end}": b"" for n in range(4)}), tmp_path / "out")


HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


@pytest.mark.parametrize("kind", HEADERS)
def test_a_long_extended_header_of_a_tar_file_is_refused(tmp_path, kind):
    with_headers(tmp_path / "a.tgz", kind, b"1" * (archives.LONGEST_HEADER + 1))
    with pytest.raises(FileError, match="An extended header of 65,537 bytes"):
        unpack(tmp_path / "a.tgz", tmp_path / "out")


def test_many_extended_headers_are_refused_if_reading_them_takes_too_long(tmp_path):
    """Python before 3.11.10 needs seconds for each of these."""
    with_headers(tmp_path / "a.tgz", tarfile.XHDTYPE, b"1" * 20_000, 6)
    with pytest.raises(FileError, match="Its extended headers are too many or too long"):
        unpack(tmp_path / "a.tgz", tmp_path / "out")


def test_names_of_usual_length_in_extended_headers_are_read(tmp_path):
    files = {f"{'folder/' * 9}{'é' * 90}{number}": b"a\n" for number in range(200)}
    unpack(tar(tmp_path / "a.tgz", files), tmp_path / "out")
    assert files_in(tmp_path / "out") == files


def test_a_long_list_of_files_in_a_zip_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LONGEST_LIST", 150)
    unpack(zipped(tmp_path / "a.zip", {"a": b"x" * 1000}), tmp_path / "out")
    with pytest.raises(FileError, match="a list of files of 193 bytes"):
        unpack(zipped(tmp_path / "a.zip", {"a": b"", "b" * 100: b""}), tmp_path / "out")


@pytest.mark.parametrize("pack", [tar, zipped])
def test_folders_deep_inside_each_other_are_refused(tmp_path, pack):
    """To remove them takes more recursion than Python has."""
    archive = tmp_path / ("a.zip" if pack is zipped else "a.tgz")
    pack(archive, {"a/" * depth + "b": b"" for depth in range(100, 1100, 100)})
    with pytest.raises(FileError, match="more than 50 nested folders"):
        unpack(archive, tmp_path / "out")
    assert list(tmp_path.iterdir()) == [archive]


def damaged(path, content):
    path.write_bytes(content)
    return path


DAMAGED = {
    "cut.tgz": lambda path: damaged(path, tar(path, {"a": bytes(range(256)) * 999}).read_bytes()[:-700]),
    "cut.zip": lambda path: damaged(path, zipped(path, TEXTS).read_bytes()[:-30]),
    "page.tgz": lambda path: damaged(path, b"<html>not found</html>"),
    "page.zip": lambda path: damaged(path, b"<html>not found</html>"),
    "empty.tgz": lambda path: damaged(path, b""),
    "gzip.tgz": lambda path: damaged(path, gzip.compress(b"no tar file")),
    "wrong.tar.xz": lambda path: damaged(path, lzma.compress(b"x" * 2000)[:-9]),
    "twice.tgz": lambda path: tar(path, {"a": b"a", "a/b": b"b"}),
    "sparse.tgz": lambda path: with_headers(path, tarfile.XHDTYPE, b"22 GNU.sparse.map=abc\n"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_archive_is_refused_and_nothing_of_it_kept(tmp_path, name):
    DAMAGED[name](tmp_path / name)
    with pytest.raises(FileError, match="It cannot be unpacked"):
        unpack(tmp_path / name, tmp_path / "out")
    assert not (tmp_path / "out").exists()
