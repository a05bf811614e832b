"""A test set by name: its references, and what else there is for every segment.

``wmt22/en-de`` is the pair en-de of the set wmt22; the pair follows the last slash.
"""

# Annotations are not postponed here: making a NamedTuple of postponed ones compiles each of them, on every start.

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

from bleuprint.errors import FileError, Location, ShapeError, quote, unknown_name
from bleuprint.io.lines import read_lines
from bleuprint.wording import count_of, join_words

DIGITS = 16
"""The number of hexadecimal digits of the references' SHA-256 in a signature."""
LABELS = ("document", "origin", "domain")
_PUNCTUATION = "._+-"
_EXAMPLE = "For example wmt22/en-de. `bleuprint testsets` lists the names."


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
            raise _name_error("the name of a set, a slash and a pair of languages", name)
    else:
        set_name = name
    if not is_manifest(set_name):
        check_set_name(set_name)
    if not isinstance(pair, str) or not is_name_part(pair):
        raise _name_error("a pair of languages as en-de", pair)
    return TestsetName(set_name, pair)


def is_manifest(set_name: object) -> bool:
    """Whether the name of a set is the path of a manifest."""
    return isinstance(set_name, str) and set_name.endswith(".toml")


def check_set_name(set_name: object) -> None:
    """Raise an error about anything that cannot be the name of a set."""
    if not isinstance(set_name, str) or not all(map(is_name_part, set_name.split("/"))):
        raise _name_error("the name of a set, of letters, digits and . _ + - between slashes", set_name)


def is_name_part(text: str) -> bool:
    """Whether a text can be between the slashes of a name: letters, digits and some punctuation.

    Names become parts of paths and of signatures, so they have no separators and no spaces, and are not ``..``.
    """
    return text.isascii() and all(sign.isalnum() or sign in _PUNCTUATION for sign in text) and text.strip(".") != ""


def _name_error(expected: str, got: object) -> FileError:
    return FileError(f"expected {expected}, got {quote(got)}.", _EXAMPLE, where="test set")


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
"""Reads one text, or one label, of every segment."""


class FoundTexts(NamedTuple):
    """The columns of one pair of languages."""

    name: TestsetName
    place: str
    """the folder or file that they are in"""
    references: Mapping[str, ReadColumn]
    """by the name of the translator; a single one may have an empty name"""
    columns: Mapping[str, ReadColumn | None]
    """``source``, ``document``, ``origin`` and ``domain``, if there are any"""
    usual_references: tuple[str, ...] | None = None
    """the default references, if they are known"""
    is_own: bool = False
    """whether the files are the user's, and cannot be fetched again"""

    @property
    def advice(self) -> str:
        """What to do about files that are empty or too short."""
        if self.is_own:
            return "Look at your files: each has a line for every segment."
        return "A file may be cut off: remove them, and fetch the set again."

    def kept(self) -> "FoundTexts":
        """Return the same with every column read, independent of files."""
        return self._replace(references=_read_all(self.references), columns=_read_all(self.columns))


def _read_all(columns: Mapping[str, ReadColumn | None]) -> dict[str, Any]:
    return {name: column and partial(list[str], column()) for name, column in columns.items()}


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
        titles = [f"reference {name}".rstrip() for name in self.reference_names]
        columns = [self._read(title, self._texts.references[name]) for title, name in zip(titles, self.reference_names)]
        if len(set(map(len, columns))) > 1:
            lengths = [f"{title} has {len(column):,}" for title, column in zip(titles, columns, strict=True)]
            raise self._error(f"The references differ in length: {join_words(lengths)} lines.")
        return [list(row) for row in zip(*columns, strict=True)]

    @cached_property
    def sources(self) -> list[str] | None:
        """The text that was translated."""
        return self._label("source")

    @cached_property
    def documents(self) -> list[str] | None:
        """The name of every segment's document."""
        return self._label("document")

    @cached_property
    def origin(self) -> list[str] | None:
        """The language in which the text was written first."""
        return self._label("origin")

    @cached_property
    def domain(self) -> list[str] | None:
        """What kind of text it is: news, say."""
        return self._label("domain")

    @cached_property
    def references_sha256(self) -> str:
        """The SHA-256 of the references: a JSON list per segment and line, independent of the order of translators."""
        return hash_references(self.references)

    @property
    def advice(self) -> str:
        """What to do if files of the set do not fit together."""
        return self._texts.advice

    @property
    def label(self) -> str:
        """The end of the signatures of scores on this set: its name and a hash of the references."""
        return f"testset:{self.name}|refhash:{self.references_sha256[:DIGITS]}"

    def column(self, field: str) -> list[str]:
        """Return one field: source, reference if only one is used, reference:NAME, document, origin or domain."""
        columns = self._columns()
        if field not in columns:
            raise unknown_name("field", field, columns, error=FileError)
        return self._read(field, columns[field])

    @property
    def fields(self) -> list[str]:
        """The names of all fields."""
        return list(self._columns())

    def _columns(self) -> dict[str, ReadColumn]:
        texts = self._texts
        columns = {"source": texts.columns.get("source")}
        if len(self.reference_names) == 1:
            columns["reference"] = texts.references[self.reference_names[0]]
        columns |= {f"reference:{name}": column for name, column in texts.references.items() if name}
        columns |= {name: texts.columns.get(name) for name in LABELS}
        return {name: column for name, column in columns.items() if column is not None}

    def _label(self, field: str) -> list[str] | None:
        column = self._texts.columns.get(field)
        if column is None:
            return None
        labels = self._read(field, column)
        if len(labels) != len(self.references):
            raise self._error(
                f"There are {len(self.references):,} references but {count_of(len(labels), 'line')} of {field}."
            )
        return labels

    def _read(self, field: str, column: ReadColumn) -> list[str]:
        found = column()
        if not found:
            raise self._error(f"There are no segments in {field}.")
        return found

    def _error(self, message: str) -> ShapeError:
        return ShapeError(message, self.advice, where=f"{self.name} in {self.place}")

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
    """Choose the references: the wanted ones, else the usual ones, else all if they are numbered."""
    name, known = texts.name, tuple(texts.references)
    for one in wanted:
        if one not in known:
            raise unknown_name("reference", one, known, location=Location("references"), error=FileError)
    if wanted:
        return tuple(dict.fromkeys(wanted))
    if texts.usual_references is not None:
        return texts.usual_references
    if len(known) == 1 or all(one.isdigit() for one in known):
        return known
    raise FileError(
        f"{name} has several references: {join_words(map(quote, known))}.",
        "Choose with references=[NAME, ...], or --translator NAME. An installed sacreBLEU has the usual ones.",
        values=known,
    )


def testset(
    name: str,
    pair: str | None = None,  # noqa: PT028
    *,
    references: Sequence[str] = (),  # noqa: PT028
) -> Testset:
    """Return a test set by name, ``testset("wmt22", "en-de")`` or ``testset("wmt22/en-de")``.

    The set is fetched if it is not on this machine. ``references`` are names of translators, for other references than
    the usual ones.
    """
    from bleuprint.io.providers import find_texts

    texts = find_texts(split_name(name, pair))
    return Testset(texts, choose_references(texts, references))
