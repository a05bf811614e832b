"""Markup: the SGML of NIST and WMT up to 2020, and the XML of WMT since 2021.

Both hold documents with numbered segments, of systems (candidates) and of translators (references). A text is found by
its document and its segment's id, never by its place, so that no pair can shift.

SGML is not parsed but searched, as mteval does it: what stands between ``<seg id="1">`` and ``</seg>`` is the text,
entities included (13a decodes the four that mteval knows). XML is XML, read without anything from outside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import NoReturn

from bleuprint.advice import Advice
from bleuprint.errors import FileError, Location, ShapeError, name_list, nearest, quote
from bleuprint.text.formats.sources import RawCorpus, display_name
from bleuprint.wording import count_of

Key = tuple[str, str]
"""a document and the id of a segment in it"""


@dataclass(frozen=True, slots=True)
class Passage:
    """The text of a segment, and the line on which it stands."""

    text: str
    line: int


@dataclass
class Version:
    """All segments of one system or of one translator, in the order of their file."""

    name: str
    source: str
    passages: dict[Key, Passage] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Name it in messages."""
        return f"{quote(self.name)} in {display_name(self.source)}" if self.name else display_name(self.source)


@dataclass
class MarkedUp:
    """What a file of markup holds."""

    source: str
    systems: dict[str, Version] = field(default_factory=dict)
    translators: dict[str, Version] = field(default_factory=dict)
    originals: dict[str, Version] = field(default_factory=dict)
    """what was translated, where that is wanted"""
    documents: dict[str, Mapping[str, str]] = field(default_factory=dict)
    """what the tag of every document says of it"""


class Collector:
    """Put tags and texts together to versions; the tags are those of mteval's files and of WMT's.

    Sources are passed over, faults and all, unless they are wanted.
    """

    def __init__(self, source: str, *, with_originals: bool = False) -> None:
        self.found: MarkedUp = MarkedUp(source)
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
            self._document = self._want(attributes, "docid", "id")
            self.found.documents[self._document] = attributes
            self._name = attributes.get("sysid") or self._set
        elif tag in ("src", "ref", "hyp"):
            self._versions = self._homes[tag]
            self._name = attributes.get("system" if tag == "hyp" else "translator") or ""
        elif tag == "seg":
            if not self._document:
                self._refuse("a segment inside <doc>", "one outside")
            self._segment, self._parts = self._want(attributes, "id"), []

    def end(self, tag: str) -> None:
        """Leave an element."""
        if tag in ("src", "ref", "hyp", "tstset", "refset", "srcset"):
            self._versions = None
        elif tag == "doc":
            self._document = ""
        elif tag == "seg":
            text, self._parts = _LAYOUT.sub(" ", "".join(self._parts or [])).strip(" "), None
            if self._versions is not None and not self._skipped:
                self._keep(self._versions.setdefault(self._name, Version(self._name, self.found.source)), text)

    def text(self, text: str) -> None:
        """Take text; what stands outside of segments is layout."""
        if self._parts is not None:
            self._parts.append(text)

    def _keep(self, version: Version, text: str) -> None:
        key = (self._document, self._segment)
        if key in version.passages:
            self._refuse(f"{_describe(key)} once", f"it again, after line {version.passages[key].line}")
        version.passages[key] = Passage(text, self._line)

    def _want(self, attributes: Mapping[str, str], *names: str) -> str:
        value = next((attributes[name] for name in names if attributes.get(name)), "")
        return value or self._refuse(
            f"the attribute {name_list(names)}", quote(dict(attributes)) if attributes else "none"
        )

    def _refuse(self, wanted: str, got: str) -> NoReturn:
        raise FileError(
            where=f"{display_name(self.found.source)}, line {self._line}",
            wanted=wanted,
            got=got,
            next_step="Segments are matched by the id of their document and their own.",
        )


_LAYOUT = re.compile(r"[ \t\r\n]+")
"""Where lines are broken in a file means nothing; a no-break space does, to people at least, and stays."""
_TAG = re.compile(r"<(/?)(srcset|tstset|refset|doc|seg)\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<![\w:-])([\w:-]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""")
"""No way back into a name, and none begins inside another: what has no = would be read again for every letter."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag that counts, and where it stands in the text."""

    name: str
    closes: bool
    attributes: str
    start: int
    end: int


def _find_tags(text: str) -> Iterator[Tag]:
    done = 0
    while match := _TAG.search(text, done):
        end = text.find(">", match.end())
        if end < 0:  # then no later tag is complete either
            return
        done = end + 1
        yield Tag(match[2].lower(), bool(match[1]), text[match.end() : end], match.start(), done)


def read_sgml(source: str, lines: Iterable[str], collector: Collector) -> None:
    """Search SGML for the tags that count; upper and lower case are the same."""
    text = "\n".join(lines)
    inside, done, line = "", 0, 1
    for tag in _find_tags(text):
        between = text[done : tag.start]
        line += between.count("\n")
        if inside and not (tag.closes and tag.name == "seg"):
            _refuse_sgml(source, line, "</seg>, which ends the segment", quote(text[tag.start : tag.end]))
        collector.text(between)
        if tag.closes:
            collector.end(tag.name)
            inside = ""
        else:
            values = {name.lower(): a or b or c for name, a, b, c in _ATTRIBUTE.findall(tag.attributes)}
            collector.start(tag.name, values, line)
            inside = tag.name if tag.name == "seg" else ""
        line += tag.attributes.count("\n")
        done = tag.end
    if inside:
        _refuse_sgml(source, line, "</seg>, which ends the segment", "the end of the file")


def _refuse_sgml(source: str, line: int, wanted: str, got: str) -> NoReturn:
    raise FileError(
        where=f"{display_name(source)}, line {line}",
        wanted=wanted,
        got=got,
        next_step='A segment is <seg id="1">text</seg>, inside <doc docid="d" sysid="s"> of a <tstset> or <refset>.',
    )


def read_xml(source: str, lines: Iterable[str], collector: Collector) -> None:
    """Parse XML. Entities that a file brings itself are refused: they can fetch files, or grow without end.

    Default values of attributes are refused as well: every tag would have a copy.
    """
    from xml.parsers import expat

    parser = expat.ParserCreate()
    parser.buffer_text = True

    def refuse(what: str, next_step: str) -> NoReturn:
        place = f"{display_name(source)}, line {parser.CurrentLineNumber}"
        raise FileError(
            where=place,
            wanted="well-formed XML without entities or default values of its own",
            got=what,
            next_step=next_step,
        )

    def refuse_default(tag: str, name: str, _kind: str, value: str | None, _required: int) -> None:
        if value is not None:
            refuse(f"a default value of {quote(name)}", f"Write the attribute into each <{tag}>.")

    parser.StartElementHandler = lambda tag, values: collector.start(tag, values, parser.CurrentLineNumber)
    parser.EndElementHandler = collector.end
    parser.CharacterDataHandler = collector.text
    plain = "Write the characters themselves; &amp; &lt; &gt; &quot; &apos; and &#233; are understood."
    parser.EntityDeclHandler = lambda name, *_: refuse(f"the declaration of {quote(name)}", plain)
    parser.AttlistDeclHandler = refuse_default
    parser.SkippedEntityHandler = lambda name, _: refuse(f"the unknown entity &{name};", plain)
    try:
        parser.Parse("\n".join(lines), True)
    except expat.ExpatError as error:
        reason = expat.errors.messages[error.code]
        refuse(f"{reason} in column {error.offset + 1}", "Correct the file at this place; a bare & is written &amp;.")


READERS: dict[str, Callable[[str, Iterable[str], Collector], None]] = {"sgml": read_sgml, "xml": read_xml}


def read_markup(form: str, source: str, lines: Iterable[str], *, with_originals: bool = False) -> MarkedUp:
    """Read the systems and translators of a file, and what they translated if that is wanted."""
    collector = Collector(source, with_originals=with_originals)
    READERS[form](source, lines, collector)
    return collector.found


def join_markup(
    candidate: MarkedUp, others: Sequence[MarkedUp], system: str | None, translators: Sequence[str]
) -> RawCorpus:
    """Match a system with the references, which are in the candidate's file or in others; the first gives the order."""
    chosen = _choose_system(candidate, system)
    if others and candidate.translators:
        raise FileError(
            where=display_name(candidate.source),
            wanted="no reference files beside a file that holds its references itself",
            got=", ".join(other.source for other in others),
            next_step=Advice.LEAVE_REFERENCES,
        )
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
        _choose_system(found, None)  # which says what there is instead
    every = {name or PurePath(display_name(found.source)).name: name for name in found.systems}
    chosen = {name: _choose_system(found, own) for name, own in (systems or every).items()}
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
    """Give the source of every segment; None where the file does not have all of them."""
    for version in found.originals.values():
        if all(key in version.passages for key in keys):
            return [version.passages[key].text for key in keys]
    return None


def _choose_system(candidate: MarkedUp, system: str | None) -> Version:
    found = candidate.systems
    if not found:
        raise FileError(
            where=display_name(candidate.source),
            wanted="segments of a system, in <hyp> or <tstset>",
            got=f"references ({_names(candidate.translators)})" if candidate.translators else "none",
            next_step=Advice.CANDIDATE_FIRST,
        )
    if system is None and len(found) == 1:
        return next(iter(found.values()))
    if system is None or system not in found:
        raise FileError(
            where=display_name(candidate.source),
            wanted="the name of one system" if system is None else f"the system {quote(system)}",
            got=f"{count_of(len(found), 'system')}: {_names(found)}",
            suggestion=nearest(system, found),
            next_step=Advice.CHOOSE_SYSTEM,
        )
    return found[system]


def _choose_references(files: Sequence[MarkedUp], translators: Sequence[str]) -> list[Version]:
    for file in files:
        if not file.translators:
            raise FileError(
                where=display_name(file.source),
                wanted="references, in <ref> or <refset>",
                got=f"systems ({_names(file.systems)})" if file.systems else "none",
                next_step=Advice.REFERENCES_AFTER,
            )
    found = [version for file in files for version in file.translators.values()]
    names = [version.name for version in found]
    for name in translators:
        if name not in names:
            raise FileError(
                where=Location("translators"),
                wanted=f"one of {_names(names)}",
                got=quote(name),
                suggestion=nearest(name, names),
                next_step=Advice.CHOOSE_TRANSLATORS,
            )
    return [version for version in found if version.name in translators or not translators]


def _check_keys(candidate: Version, reference: Version) -> None:
    """Refuse a segment that only one of the two has."""
    for one, other in ((reference, candidate), (candidate, reference)):
        missing = [key for key in one.passages if key not in other.passages]
        if missing:
            line = one.passages[missing[0]].line
            raise ShapeError(
                where=other.title,
                wanted=f"{_describe(missing[0])}, as {one.title} has it on line {line}",
                got=f"no such segment ({len(missing):,} of {len(one.passages):,} are missing)",
                next_step=Advice.MATCH_SEGMENTS,
            )


def _describe(key: Key) -> str:
    return f"document {quote(key[0])}, segment {quote(key[1])}"


def _names(names: Iterable[str]) -> str:
    return ", ".join(quote(name) if name else "one without a name" for name in names)
