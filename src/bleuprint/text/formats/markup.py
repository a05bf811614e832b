"""Markup: the SGML of NIST and WMT up to 2020, and the XML of WMT since 2021.

Both hold documents with numbered segments, of systems (candidates) and of translators (references). Texts are matched
by their document and the id of their segment, never by position, so that no pair can shift.

SGML is searched, not parsed, as mteval does it: the text is what stands between ``<seg id="1">`` and ``</seg>``,
entities included (13a decodes the four that mteval decodes). XML is parsed, without anything external.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple

from bleuprint.errors import FileError, Location, ShapeError, name_list, nearest, quote, unknown_name
from bleuprint.text.formats.sources import RawCorpus, display_name
from bleuprint.wording import count_of

Key = tuple[str, str]
"""a document and the id of a segment in it"""


class Passage(NamedTuple):
    """The text of a segment, and its line."""

    text: str
    line: int


class Version(NamedTuple):
    """All segments of one system or of one translator, in the order of their file."""

    name: str
    source: str
    passages: dict[Key, Passage]

    @property
    def title(self) -> str:
        """Its name in messages."""
        return f"{quote(self.name)} in {display_name(self.source)}" if self.name else display_name(self.source)


class MarkedUp(NamedTuple):
    """The content of a file of markup."""

    source: str
    systems: dict[str, Version]
    translators: dict[str, Version]
    originals: dict[str, Version]
    """the sources of the translation, if they are read"""
    documents: dict[str, Mapping[str, str]]
    """the attributes of every document"""


class Collector:
    """Collect versions from tags and texts; the tags are those of mteval's files and of WMT's.

    Sources are skipped, even if they are malformed, unless ``with_originals`` is true.
    """

    def __init__(self, source: str, *, with_originals: bool = False) -> None:
        self.found: MarkedUp = MarkedUp(source, {}, {}, {}, {})
        originals = self.found.originals if with_originals else None
        self._homes = {
            "tstset": self.found.systems, "hyp": self.found.systems,
            "refset": self.found.translators, "ref": self.found.translators,
            "srcset": originals, "src": originals,
        }  # fmt: skip
        self._versions: dict[str, Version] | None = None
        self._set = self._document = self._name = self._segment = ""
        self._skipped = False
        self._line = 0
        self._parts: list[str] | None = None

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        """Enter an element."""
        self._line = line
        if tag in ("tstset", "refset", "srcset"):
            self._versions = self._homes[tag]
            self._set = self._name = attributes.get("sysid") or attributes.get("refid") or ""
        elif tag == "doc":
            self._skipped = "testsuite" in attributes
            self._document = self._attribute(attributes, "docid", "id")
            self.found.documents[self._document] = attributes
            self._name = attributes.get("sysid") or self._set
        elif tag in ("src", "ref", "hyp"):
            self._versions = self._homes[tag]
            self._name = attributes.get("system" if tag == "hyp" else "translator") or ""
        elif tag == "seg":
            if not self._document:
                raise self._error("A segment is outside of <doc>.")
            self._segment, self._parts = self._attribute(attributes, "id"), []

    def end(self, tag: str) -> None:
        """Leave an element."""
        if tag in self._homes:
            self._versions = None
        elif tag == "doc":
            self._document = ""
        elif tag == "seg":
            text, self._parts = _LAYOUT.sub(" ", "".join(self._parts or [])).strip(" "), None
            if self._versions is not None and not self._skipped:
                self._keep(self._versions.setdefault(self._name, Version(self._name, self.found.source, {})), text)

    def text(self, text: str) -> None:
        """Take text; outside of segments it is layout."""
        if self._parts is not None:
            self._parts.append(text)

    def _keep(self, version: Version, text: str) -> None:
        key = (self._document, self._segment)
        if key in version.passages:
            raise self._error(f"The {_describe(key)} is repeated, after line {version.passages[key].line}.")
        version.passages[key] = Passage(text, self._line)

    def _attribute(self, attributes: Mapping[str, str], *names: str) -> str:
        value = next((attributes[name] for name in names if attributes.get(name)), "")
        if not value:
            raise self._error(f"The attribute {name_list(names)} is missing.")
        return value

    def _error(self, message: str) -> FileError:
        fix = "Segments are matched by the id of their document and their own."
        return _file_error(self.found.source, self._line, message, fix)


def _file_error(source: str, line: int, message: str, fix: str) -> FileError:
    return FileError(message, fix, where=f"{display_name(source)}, line {line}")


_LAYOUT = re.compile(r"[ \t\r\n]+")
"""Line breaks in a file are layout. A no-break space is text."""
_TAG = re.compile(r"<(/?)(srcset|tstset|refset|doc|seg)\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<![\w:-])([\w:-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""")
"""Possessive and anchored at the start of a name: otherwise text without = would be read again for every letter."""


def read_sgml(source: str, lines: Iterable[str], collector: Collector) -> None:
    """Search SGML for the tags that count, in upper or lower case."""
    text = "\n".join(lines)
    inside, done, line = False, 0, 1
    fix = 'A segment is <seg id="1">text</seg>, inside <doc docid="d" sysid="s"> of a <tstset> or <refset>.'
    while match := _TAG.search(text, done):
        end = text.find(">", match.end())
        if end < 0:  # then no later tag is complete either
            break
        name, closes, attributes = match[2].lower(), bool(match[1]), text[match.end() : end]
        between = text[done : match.start()]
        line += between.count("\n")
        if inside and not (closes and name == "seg"):
            tag = quote(text[match.start() : end + 1])
            raise _file_error(source, line, f"expected </seg>, which ends the segment, got {tag}.", fix)
        collector.text(between)
        if closes:
            collector.end(name)
        else:
            values = {name.lower(): a or b or c for name, a, b, c in _ATTRIBUTE.findall(attributes)}
            collector.start(name, values, line)
        inside = name == "seg" and not closes
        line += attributes.count("\n")
        done = end + 1
    if inside:
        raise _file_error(source, line, "expected </seg>, which ends the segment, got the end of the file.", fix)


def read_xml(source: str, lines: Iterable[str], collector: Collector) -> None:
    """Parse XML without declarations of entities, which can read files or grow exponentially.

    Default values of attributes are errors as well, because every tag would have a copy.
    """
    from xml.parsers import expat

    parser = expat.ParserCreate()
    parser.buffer_text = True

    def error(message: str, fix: str) -> FileError:
        return _file_error(source, parser.CurrentLineNumber, message, fix)

    def refuse_entity(name: str, *_: object) -> None:
        fix = "Write the characters themselves. &amp; &lt; &gt; &quot; &apos; and &#233; are understood."
        raise error(f"XML with entities other than the standard ones is not read, got {quote(name)}.", fix)

    def refuse_default(tag: str, name: str, _kind: str, value: str | None, _required: int) -> None:
        if value is not None:
            raise error(f"The attribute {quote(name)} has a default value.", f"Write it into each <{tag}>.")

    parser.StartElementHandler = lambda tag, values: collector.start(tag, values, parser.CurrentLineNumber)
    parser.EndElementHandler = collector.end
    parser.CharacterDataHandler = collector.text
    parser.EntityDeclHandler = refuse_entity
    parser.SkippedEntityHandler = refuse_entity
    parser.AttlistDeclHandler = refuse_default
    try:
        parser.Parse("\n".join(lines), True)
    except expat.ExpatError as reason:
        message = f"Malformed XML: {expat.errors.messages[reason.code]} in column {reason.offset + 1}."
        raise error(message, "Correct the file here. A bare & is written &amp;.") from None


def read_markup(form: str, source: str, lines: Iterable[str], *, with_originals: bool = False) -> MarkedUp:
    """Read the systems and translators of a file, optionally with the sources of the translation."""
    collector = Collector(source, with_originals=with_originals)
    read = read_xml if form == "xml" else read_sgml
    read(source, lines, collector)
    return collector.found


def join_markup(
    candidate: MarkedUp, others: Sequence[MarkedUp], system: str | None, translators: Sequence[str]
) -> RawCorpus:
    """Match a system with the references, in its own file or in others, in the order of the first reference."""
    chosen = _choose_system(candidate, system)
    if others and candidate.translators:
        names = ", ".join(other.source for other in others)
        message = f"The file has its references itself, got {names} as well."
        raise FileError(message, "Leave out the other files.", where=display_name(candidate.source))
    references = _choose_references(others or [candidate], translators)
    for reference in references:
        _check_keys(chosen, reference)
    keys = list(references[0].passages)
    return RawCorpus(
        [chosen.passages[key].text for key in keys],
        [[reference.passages[key].text for reference in references] for key in keys],
        [document for document, _ in keys],
        candidate.source,
        lines=[chosen.passages[key].line for key in keys],
    )


def join_systems(
    found: MarkedUp, systems: Mapping[str, str], translators: Sequence[str]
) -> tuple[dict[str, list[str]], list[list[str]], dict[str, list[str]], list[str] | None]:
    """Match several systems, or all, with the references of one file: candidates, references, documents, sources."""
    if not found.systems:
        _choose_system(found, None)  # raises the error
    every = {name or PurePath(display_name(found.source)).name: name for name in found.systems}
    chosen = {name: _choose_system(found, system) for name, system in (systems or every).items()}
    references = _choose_references([found], translators)
    for version in chosen.values():
        for reference in references:
            _check_keys(version, reference)
    keys = list(references[0].passages)
    return (
        {name: [version.passages[key].text for key in keys] for name, version in chosen.items()},
        [[reference.passages[key].text for reference in references] for key in keys],
        {"document": [document for document, _ in keys]},
        _find_sources(found, keys),
    )


def _find_sources(found: MarkedUp, keys: Sequence[Key]) -> list[str] | None:
    """Return the source of every segment, None unless the file has all of them."""
    for version in found.originals.values():
        if all(key in version.passages for key in keys):
            return [version.passages[key].text for key in keys]
    return None


def _choose_system(candidate: MarkedUp, system: str | None) -> Version:
    found, where = candidate.systems, display_name(candidate.source)
    if not found:
        held = f"references ({_names(candidate.translators)})" if candidate.translators else "none"
        message = f"expected segments of a system, in <hyp> or <tstset>, got {held}."
        raise FileError(message, "The candidate's file comes first, then those of the references.", where=where)
    if system is None and len(found) == 1:
        return next(iter(found.values()))
    if system is None or system not in found:
        wanted = "the name of one system" if system is None else f"the system {quote(system)}"
        raise FileError(
            f"expected {wanted}, got {count_of(len(found), 'system')}: {_names(found)}.",
            "Choose one with `system`.",
            where=where,
            suggestion=nearest(system, found),
            values=found,
        )
    return found[system]


def _choose_references(files: Sequence[MarkedUp], translators: Sequence[str]) -> list[Version]:
    for file in files:
        if not file.translators:
            held = f"systems ({_names(file.systems)})" if file.systems else "none"
            message = f"expected references, in <ref> or <refset>, got {held}."
            raise FileError(message, "Name the files of the references as well.", where=display_name(file.source))
    found = [version for file in files for version in file.translators.values()]
    names = [version.name for version in found]
    for name in translators:
        if name not in names:
            fix = f"The file has {_names(names)}. Without `translators` all references count."
            raise unknown_name("translator", name, names, fix, location=Location("translators"), error=FileError)
    return [version for version in found if version.name in translators or not translators]


def _check_keys(candidate: Version, reference: Version) -> None:
    """Raise an error about a segment that only one of the two has."""
    for one, other in ((reference, candidate), (candidate, reference)):
        missing = [key for key in one.passages if key not in other.passages]
        if missing:
            raise ShapeError(
                f"{other.title} lacks {len(missing):,} of {count_of(len(one.passages), 'segment')}, first the "
                f"{_describe(missing[0])} on line {one.passages[missing[0]].line} of {one.title}.",
                "Every system and reference needs every segment. `translators` chooses references.",
            )


def _describe(key: Key) -> str:
    return f"segment {quote(key[1])} of document {quote(key[0])}"


def _names(names: Iterable[str]) -> str:
    return ", ".join(quote(name) if name else "one without a name" for name in names)
