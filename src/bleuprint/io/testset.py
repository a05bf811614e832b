"""A test set by name: its references, and what else there is for every segment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from bleuprint.advice import Advice
from bleuprint.errors import FileError, ShapeError, name_list, nearest, quote
from bleuprint.io.names import split_name
from bleuprint.io.texts import FoundTexts, ReadColumn
from bleuprint.wording import count_of, join_words

DIGITS = 16
"""So many hexadecimal digits of the references' SHA-256 stand in a signature."""


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
        from bleuprint.io.digests import hash_references

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
