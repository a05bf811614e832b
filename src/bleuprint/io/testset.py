"""A test set by name: its references, and what else there is for every segment.

``wmt22/en-de`` is the pair en-de of the set wmt22; the pair follows the last slash.
"""

# Annotations are not postponed here: making a NamedTuple of postponed ones compiles each of them, on every start.

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

from bleuprint.advice import Advice
from bleuprint.errors import FileError, ShapeError, name_list, nearest, quote
from bleuprint.io.lines import read_lines
from bleuprint.wording import count_of, join_words

DIGITS = 16
"""So many hexadecimal digits of the references' SHA-256 stand in a signature."""
_MARKS = "._+-"
_EXAMPLE = "For example wmt22/en-de; `bleuprint testsets` lists the names."


class TestsetName(NamedTuple):
    """A set, and a pair of languages in it."""

    set_name: str
    pair: str

    def __str__(self) -> str:
        return f"{self.set_name}/{self.pair}"


def split_name(name: str, pair: str | None = None) -> TestsetName:
    """Read the name of a test set, in one piece or in two.

    >>> split_name("wmt21/systems/en-de"), split_name("wmt22", "en-de")
    (TestsetName(set_name='wmt21/systems', pair='en-de'), TestsetName(set_name='wmt22', pair='en-de'))
    """
    if pair is None:
        set_name, slash, pair = name.rpartition("/") if isinstance(name, str) else ("", "", "")
        if not slash:
            raise _refuse_name("the name of a set, a slash and a pair of languages", quote(name))
    else:
        set_name = name
    if not is_manifest(set_name):
        check_set_name(set_name)
    if not isinstance(pair, str) or not is_name_part(pair):
        raise _refuse_name("a pair of languages as en-de", quote(pair))
    return TestsetName(set_name, pair)


def is_manifest(set_name: object) -> bool:
    """Whether the name of a set is that of a file which describes one."""
    return isinstance(set_name, str) and set_name.endswith(".toml")


def check_set_name(set_name: object) -> None:
    """Refuse what can be no name of a set."""
    if not isinstance(set_name, str) or not all(map(is_name_part, set_name.split("/"))):
        raise _refuse_name("the name of a set, of letters, digits and . _ + - between slashes", quote(set_name))


def is_name_part(text: str) -> bool:
    """Whether a text can stand between the slashes of a name: letters, digits and a few marks.

    A name becomes part of paths and of signatures: no separators, no spaces, nothing that leads out of a folder.
    """
    return text.isascii() and all(sign.isalnum() or sign in _MARKS for sign in text) and text.strip(".") != ""


def _refuse_name(wanted: str, got: str) -> FileError:
    return FileError(where="test set", wanted=wanted, got=got, next_step=_EXAMPLE)


class KnownSet(NamedTuple):
    """A set that a provider has, or could fetch."""

    name: str
    pairs: frozenset[str]
    here: frozenset[str] = frozenset()
    """the pairs whose texts are on this machine"""
    description: str = ""

    def joined(self, other: "KnownSet") -> "KnownSet":
        """Add what another provider knows of the same set."""
        return KnownSet(
            self.name, self.pairs | other.pairs, self.here | other.here, self.description or other.description
        )


ReadColumn = Callable[[], list[str]]
"""How to get at one text, or one label, for every segment."""


class FoundTexts(NamedTuple):
    """The columns of one pair of languages, by what they are."""

    name: TestsetName
    place: str
    """the folder or file that they are in"""
    source: ReadColumn | None = None
    references: Mapping[str, ReadColumn] = {}
    """by the name of the translator; empty where a lone one has none"""
    usual_references: tuple[str, ...] | None = None
    """those that count unless somebody chooses; None where nobody has said so"""
    document: ReadColumn | None = None
    origin: ReadColumn | None = None
    domain: ReadColumn | None = None
    is_own: bool = False
    """whether the files are the user's, whom nobody can send to fetch them again"""

    @property
    def advice(self) -> str:
        """What to do about files that are empty or too short."""
        if self.is_own:
            return "Look at your files: each has a line for every segment."
        return "A file may be cut off: remove them, and fetch the set again."

    def kept(self) -> "FoundTexts":
        """Give the same with every column read, so that it no longer hangs on files."""
        return self._replace(
            source=_kept(self.source),
            references={name: partial(list[str], column()) for name, column in self.references.items()},
            document=_kept(self.document),
            origin=_kept(self.origin),
            domain=_kept(self.domain),
        )


def _kept(column: ReadColumn | None) -> ReadColumn | None:
    return None if column is None else partial(list[str], column())


def column_of(path: str) -> ReadColumn:
    """Read a file with a text per line; spaces at the end of a line are no part of it, as in sacreBLEU."""
    return lambda: [line.rstrip() for line in read_lines(path)]


class Testset:
    """One pair of languages of a test set. Texts are read from their files when they are asked for.

    ``references[i]`` are those of segment ``i``, as every verb takes them; ``sources``, ``documents``, ``origin`` (the
    language that a text was written in) and ``domain`` have an entry for every segment, or are None.
    """

    def __init__(self, texts: FoundTexts, reference_names: Sequence[str]) -> None:
        self._texts = texts
        self.reference_names: tuple[str, ...] = tuple(reference_names)
        """the references that count, by the names of their translators"""

    @property
    def name(self) -> str:
        """The set and the pair, as ``wmt22/en-de``."""
        return str(self._texts.name)

    @property
    def place(self) -> str:
        """The folder or file that the texts are in."""
        return self._texts.place

    @cached_property
    def references(self) -> list[list[str]]:
        """The references of every segment."""
        columns = [
            self._read(f"reference {name}".rstrip(), self._texts.references[name]) for name in self.reference_names
        ]
        if len(set(map(len, columns))) > 1:
            lengths = ", ".join(
                f"{name or 'reference'}: {len(column):,}" for name, column in zip(self.reference_names, columns)
            )
            raise self._refuse_lengths("as many lines in every reference", lengths)
        return [list(row) for row in zip(*columns, strict=True)]

    @cached_property
    def sources(self) -> list[str] | None:
        """The text that was translated."""
        return self._label("source", self._texts.source)

    @cached_property
    def documents(self) -> list[str] | None:
        """The name of every segment's document."""
        return self._label("document", self._texts.document)

    @cached_property
    def origin(self) -> list[str] | None:
        """The language in which the text was written first."""
        return self._label("origin", self._texts.origin)

    @cached_property
    def domain(self) -> list[str] | None:
        """What kind of text it is: news, say."""
        return self._label("domain", self._texts.domain)

    @cached_property
    def references_sha256(self) -> str:
        """The SHA-256 of the references: a JSON list per segment and line, whatever the order of translators."""
        return hash_references(self.references)

    @property
    def advice(self) -> str:
        """What to do where files of the set do not fit together."""
        return self._texts.advice

    @property
    def label(self) -> str:
        """What signatures of scores on this set end with: its name and a hash of the references that counted."""
        return f"testset:{self.name}|refhash:{self.references_sha256[:DIGITS]}"

    def column(self, field: str) -> list[str]:
        """Give one field: source, reference where one counts, reference:NAME, document, origin or domain."""
        columns = self._columns()
        if field not in columns:
            raise FileError(
                where=self.name, wanted=name_list(columns), got=quote(field), suggestion=nearest(field, columns),
                next_step="These are the fields that the set has for this pair.",
            )  # fmt: skip
        return self._read(field, columns[field])

    @property
    def fields(self) -> list[str]:
        """The names of all fields there are."""
        return list(self._columns())

    def _columns(self) -> dict[str, ReadColumn]:
        texts = self._texts
        columns = {"source": texts.source}
        if len(self.reference_names) == 1:
            columns["reference"] = texts.references[self.reference_names[0]]
        columns |= {f"reference:{name}": column for name, column in texts.references.items() if name}
        columns |= {"document": texts.document, "origin": texts.origin, "domain": texts.domain}
        return {name: column for name, column in columns.items() if column is not None}

    def _label(self, field: str, column: ReadColumn | None) -> list[str] | None:
        if column is None:
            return None
        labels = self._read(field, column)
        if len(labels) != len(self.references):
            raise self._refuse_lengths(
                f"as many lines of {field} as there are references, {len(self.references):,}", f"{len(labels):,}"
            )
        return labels

    def _read(self, field: str, column: ReadColumn) -> list[str]:
        found = column()
        if not found:
            raise ShapeError(
                where=f"{self.name}, {field}", wanted="at least one segment", got=f"none in {self.place}",
                next_step=self.advice,
            )  # fmt: skip
        return found

    def _refuse_lengths(self, wanted: str, got: str) -> ShapeError:
        return ShapeError(
            where=f"{self.name} in {self.place}", wanted=wanted, got=got,
            next_step=self.advice,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, Testset) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, self.reference_names))

    @property
    def _values(self) -> tuple[object, ...]:
        labels = (self.sources, self.documents, self.origin, self.domain)
        return self.name, self.reference_names, self.references, labels

    def __getstate__(self) -> dict[str, object]:
        """Pickle the texts, not where they are: another machine may not have the files."""
        return {"texts": self._texts.kept(), "reference_names": self.reference_names}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._texts, self.reference_names = state["texts"], state["reference_names"]

    def __len__(self) -> int:
        return len(self.references)

    def __repr__(self) -> str:
        return f"<Testset {self.name}, {count_of(len(self), 'segment')}>"


def hash_references(references: Sequence[Sequence[str]]) -> str:
    """Hash a line for every segment: a JSON list of its references, sorted, without spaces.

    >>> hash_references([["b", "a"], ["c"]])[:16]
    '5d16647e3dd437c9'
    """
    import hashlib
    import json

    encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
    digest = hashlib.sha256()
    for texts in references:
        digest.update(f"{encoder.encode(sorted(texts))}\n".encode())
    return digest.hexdigest()


def choose_references(texts: FoundTexts, wanted: Sequence[str] = ()) -> tuple[str, ...]:
    """Choose the references that count: those asked for, else the usual ones, else all that have but a number."""
    name, known = texts.name, tuple(texts.references)
    for one in wanted:
        if one not in known:
            raise FileError(
                where=f"{name}, reference",
                wanted=name_list(known) if any(known) else "no name, as the lone reference has none",
                got=quote(one),
                suggestion=nearest(one, known),
                next_step="These are the translators whose references the set has.",
            )
    if wanted:
        return tuple(dict.fromkeys(wanted))
    if texts.usual_references is not None:
        return texts.usual_references
    if len(known) == 1 or all(one.isdigit() for one in known):
        return known
    raise FileError(
        where=str(name), wanted="a choice of references, as there are several", got=join_words(map(quote, known)),
        next_step=Advice.CHOOSE_REFERENCES,
    )  # fmt: skip


def testset(
    name: str,
    pair: str | None = None,  # noqa: PT028
    *,
    references: Sequence[str] = (),  # noqa: PT028
) -> Testset:
    """Give a test set by name, ``testset("wmt22", "en-de")`` or ``testset("wmt22/en-de")``.

    It is looked for on this machine, and fetched where it is not there but known. ``references`` are the names of the
    translators whose references count, where others than the usual ones are wanted.
    """
    from bleuprint.io.providers import find_texts

    texts = find_texts(split_name(name, pair))
    return Testset(texts, choose_references(texts, references))
