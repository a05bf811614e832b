"""Segments: candidates and references, checked and paired, before anything is counted.

``references[i]`` belongs to ``candidates[i]`` and is a text or a list of texts; ``None`` in that list is a missing
reference, ``""`` an empty one. Nothing is cut to fit, converted or guessed: what does not fit is refused.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set, Sized
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn, TypeGuard, cast

from bleuprint.advice import Advice
from bleuprint.errors import InputTypeError, Location, ShapeError, quote
from bleuprint.native_kernel import find_kernel
from bleuprint.values import Value, keep
from bleuprint.wording import count_of

if TYPE_CHECKING:
    from typing import Protocol

    from bleuprint._kernel import TokenIds, TokenSnapshot

    class Snapshot(Protocol):
        """Tokens that the kernel has copied."""

        def count(self, rule: str, at_least_one: bool, order: int, numbers: memoryview, threads: int, /) -> object:
            """Count every segment into its row of a table."""

        def candidates(self) -> list[Any]:
            """Give the tokens of the candidates as Python's."""

        def references(self) -> list[Any]:
            """Give the tokens of the references as Python's."""


Text = str | Sequence[Hashable]
"""One text: a string, or a sequence of tokens where the recipe says ``pretokenized``."""
_VALUES = frozenset({str, int, float, bool, bytes, type(None)})
_MISSING = ("NAType", "NaTType")
"""What pandas calls the types of its own missing values."""
Check = Callable[[object, Location], Text]


class Segment(NamedTuple):
    """One candidate with the references it is held against."""

    candidate: Text
    references: tuple[Text, ...]

    @property
    def texts(self) -> tuple[Text, ...]:
        """The candidate and its references, in a line."""
        return (self.candidate, *self.references)


class Segments(Value):
    """A checked corpus, as two columns of equal length."""

    __match_args__ = ("candidates", "references")
    __slots__ = __match_args__
    candidates: list[Text]
    references: list[tuple[Text, ...]]

    def __init__(self, candidates: list[Text], references: list[tuple[Text, ...]]) -> None:
        keep(self, "candidates", candidates)
        keep(self, "references", references)

    def __iter__(self) -> Iterator[Segment]:
        return map(Segment, self.candidates, self.references)

    def texts(self) -> Iterator[Text]:
        """Give every candidate, then every reference."""
        return chain(self.candidates, chain.from_iterable(self.references))

    def segment(self, index: int) -> Segment:
        """Return one segment."""
        return Segment(self.candidates[index], self.references[index])

    def slice(self, start: int, stop: int) -> "Segments":
        """Return the segments from ``start`` up to ``stop``."""
        return Segments(self.candidates[start:stop], self.references[start:stop])

    def pick(self, places: Iterable[int]) -> "Segments":
        """Return the segments at these places."""
        chosen = list(places)
        return Segments([self.candidates[place] for place in chosen], [self.references[place] for place in chosen])

    def find_empty_references(self) -> list[int]:
        """Give for each reference without a single word the segment that it is in."""
        return [
            place
            for place, own in enumerate(self.references)
            for text in own
            if not (text.strip() if isinstance(text, str) else len(text))
        ]

    def __len__(self) -> int:
        return len(self.candidates)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segments):
            return NotImplemented
        return (self.candidates, self.references) == (other.candidates, other.references)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]


class SnapshotSegments(Segments):
    """A corpus of tokens that the kernel has copied; they become Python's again when asked for."""

    __slots__ = ("_size", "snapshot")
    _size: int
    snapshot: "Snapshot"

    def __init__(self, snapshot: "Snapshot", size: int) -> None:
        keep(self, "snapshot", snapshot)
        keep(self, "_size", size)

    def __getattr__(self, name: str) -> Any:
        if name not in ("candidates", "references"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        keep(self, "candidates", self.snapshot.candidates())
        keep(self, "references", self.snapshot.references())
        return object.__getattribute__(self, name)

    def __len__(self) -> int:
        return self._size

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle the tokens as Python's: a snapshot stays where it was taken."""
        return Segments, (self.candidates, self.references)


class SingleSegments(Segments):
    """A checked corpus of texts with one reference each; these become tuples when asked for."""

    __slots__ = ("_texts",)
    _texts: list[str]

    def __init__(self, candidates: list[Text], texts: list[str]) -> None:
        keep(self, "candidates", candidates)
        keep(self, "_texts", texts)

    def __getattr__(self, name: str) -> Any:
        if name != "references":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        keep(self, "references", [(text,) for text in self._texts])
        return object.__getattribute__(self, name)

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle it as what it stands for."""
        return Segments, (self.candidates, self.references)


def pair_segments(
    candidates: object, references: object, *, pretokenized: bool = False, cased: bool = False
) -> Segments:
    """Check a corpus and pair each candidate with its references; tokens that will be lowered must be strings."""
    candidate_list = _as_list(candidates, "candidates", pretokenized)
    reference_list = _as_list(references, "references", pretokenized)
    _refuse_empty(candidate_list, "candidates")
    if len(reference_list) != len(candidate_list):
        _refuse_lengths(candidate_list, reference_list)
    quick = _pair_quickly(candidate_list, reference_list, pretokenized, cased)
    if quick is not None:
        return quick
    check = _choose_check(pretokenized, cased)
    return Segments(
        [check(candidate, Location("candidates", index)) for index, candidate in enumerate(candidate_list)],
        [_check_references(entry, index, check, pretokenized) for index, entry in enumerate(reference_list)],
    )


def check_texts(texts: object, where: str, *, pretokenized: bool = False, cased: bool = False) -> list[Text]:
    """Check texts that have no references yet."""
    given = _as_list(texts, where, pretokenized)
    _refuse_empty(given, where)
    quick = _pair_quickly(given, [], pretokenized, cased)
    if quick is not None:
        return quick.candidates
    check = _choose_check(pretokenized, cased)
    return [check(text, Location(where, index)) for index, text in enumerate(given)]


def check_references(references: object, *, pretokenized: bool = False, cased: bool = False) -> list[tuple[Text, ...]]:
    """Check references that have no candidates yet."""
    given = _as_list(references, "references", pretokenized)
    _refuse_empty(given, "references")
    quick = _pair_quickly([], given, pretokenized, cased)
    if quick is not None:
        return quick.references
    check = _choose_check(pretokenized, cased)
    return [_check_references(entry, index, check, pretokenized) for index, entry in enumerate(given)]


def _refuse_empty(given: list[object], where: str) -> None:
    if not given:
        raise ShapeError(
            where=Location(where),
            wanted="at least one segment",
            got="an empty corpus",
            next_step="A score of nothing is not defined; check that the right file or list was given.",
        )


def _pair_quickly(
    candidates: list[object], references: list[object], pretokenized: bool, cased: bool
) -> Segments | None:
    """Let the kernel look over a corpus in which nothing is unusual; None means: check one by one, and say what is."""
    kernel = find_kernel()
    if kernel is None or (cased and pretokenized):
        return None
    if pretokenized:
        snapshot: TokenSnapshot | TokenIds | None = kernel.TokenSnapshot.take(candidates, references)
        snapshot = snapshot or kernel.TokenIds.take(candidates, references)
        return None if snapshot is None else SnapshotSegments(snapshot, len(candidates))
    if not kernel.are_plain_texts(candidates):
        return None
    paired = kernel.pair_texts(references)
    return None if paired is None else Segments(candidates, paired)  # type: ignore[arg-type]


def are_plain(texts: list[Any]) -> bool:
    """Whether all are strings, not of a subclass, that every engine reads to the last character.

    >>> are_plain(["a", "é"]), are_plain(["a", 5])
    (True, False)
    """
    kernel = find_kernel()
    return all(type(text) is str for text in texts) if kernel is None else bool(kernel.are_plain_texts(texts))


def snapshot_tokens(candidates: list[object], references: list[object]) -> Segments | None:
    """Copy a corpus in which every text is a list of strings, or every one ids; None elsewhere, or without a kernel."""
    return _pair_quickly(candidates, references, pretokenized=True, cased=False)


def pair_one(candidate: object, references: object, *, pretokenized: bool = False, cased: bool = False) -> Segments:
    """Check a single segment; ``references`` is a text or a list of texts."""
    check = _choose_check(pretokenized, cased)
    own = check(candidate, Location("candidate"))
    return Segments([own], [_check_references(references, None, check, pretokenized)])


def _choose_check(pretokenized: bool, cased: bool) -> Check:
    if not pretokenized:
        return _check_text
    return _check_string_tokens if cased else _check_tokens


def _as_list(values: object, where: str, pretokenized: bool) -> list[object]:
    if isinstance(values, str):
        raise InputTypeError(
            where=Location(where),
            wanted="a list of token sequences" if pretokenized else "a list of texts",
            got=f"a single text {quote(values)}",
            next_step=Advice.SCORE_ONE,
        )
    return list_entries(values, Location(where), "a list with one entry per segment")


def list_entries(
    values: object,
    where: str | Location,
    wanted: str,
    next_step: str = "The order of segments matters, so give a list or another sequence of texts.",
) -> list[object]:
    """List what stands in an order; refuse what has none, and what would give the names of its columns instead."""
    if not is_ordered(values):
        raise InputTypeError(
            where=where,
            wanted=wanted,
            got=_describe(values),
            next_step=Advice.GIVE_LIST if _has_columns(values) else next_step,
        )
    return _iterate(values, where, wanted)


def is_ordered(values: object) -> TypeGuard[Iterable[object]]:
    """Whether iterating gives entries, each in its place: a text has none, a set no places, a data frame columns."""
    if isinstance(values, (list, tuple)):
        return True
    unordered = isinstance(values, (str, bytes, bytearray, memoryview, Set)) or _has_columns(values)
    return isinstance(values, Iterable) and not unordered


def _has_columns(values: object) -> bool:
    """Whether this is a dictionary or a data frame, of whichever library."""
    marks = ("__dataframe__", "columns", "column_names")
    return isinstance(values, Mapping) or any(hasattr(type(values), mark) for mark in marks)


def _is_array(values: object) -> bool:
    """Whether this is an array of NumPy, torch, Arrow or another library, with at least one axis."""
    kind = type(values)
    return hasattr(kind, "__dlpack__") and hasattr(kind, "tolist") and bool(getattr(values, "ndim", 1))


def _iterate(values: Iterable[object], where: str | Location, wanted: str) -> list[object]:
    try:
        return list(values)
    except TypeError as error:  # an array without dimension is Iterable by type and yet cannot be iterated
        raise InputTypeError(
            where=where,
            wanted=wanted,
            got=f"{_describe(values)} ({error})",
            next_step="Give a list or another sequence.",
        ) from None


def _refuse_lengths(candidates: list[object], references: list[object]) -> NoReturn:
    next_step = Advice.MATCH_CANDIDATES
    columns = [entry for entry in references if isinstance(entry, Sized) and not isinstance(entry, str)]
    if columns and all(len(column) == len(candidates) for column in columns) and len(columns) == len(references):
        next_step = Advice.TURN_COLUMNS
    if len(candidates) == 1 and all(isinstance(entry, str) for entry in references):
        next_step = Advice.GATHER_REFERENCES
    raise ShapeError(
        where=Location("references"),
        wanted=f"{count_of(len(candidates), 'segment')} (one entry per candidate)",
        got=str(len(references)),
        next_step=next_step,
        values={"columns": count_of(len(columns), "column")},
    )


def _check_references(entry: object, index: int | None, check: Check, pretokenized: bool) -> tuple[Text, ...]:
    where = Location("references", index)
    if isinstance(entry, str) and not pretokenized:
        return (_check_text(entry, where),)
    if not is_ordered(entry):
        raise InputTypeError(
            where=where,
            wanted="a list of token sequences" if pretokenized else "a text or a list of texts",
            got=_describe(entry),
            next_step=_advice(entry, pretokenized, is_reference=True),
            values={"empty": _empty(pretokenized)},
        )
    given = _iterate(entry, where, "a list of token sequences" if pretokenized else "a text or a list of texts")
    kept = tuple(check(text, where._replace(reference=place)) for place, text in enumerate(given) if text is not None)
    if not kept:
        raise ShapeError(
            where=where,
            wanted="at least one reference",
            got="only None" if given else "an empty list",
            next_step=Advice.LEAVE_SEGMENT,
            values={"empty": _empty(pretokenized)},
        )
    return kept


def _check_text(text: object, where: Location) -> str:
    if isinstance(text, str):
        plain = str.__str__(text)  # of Markup and its like the characters alone: its methods do something else
        if not plain.isascii():
            _refuse_surrogates(plain, where)
        return plain
    raise InputTypeError(
        where=where,
        wanted="a text",
        got=_describe(text),
        next_step=_advice(text, pretokenized=False, is_reference=where.argument == "references"),
        values={"empty": _empty(pretokenized=False)},
    )


def _refuse_surrogates(text: str, where: Location) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputTypeError(
            where=where,
            wanted="text that UTF-8 can hold",
            got=f"the lone surrogate U+{ord(text[error.start]):04X} at character {error.start}",
            next_step="It comes from wrong decoding, or from half a pair of \\u escapes in JSON; "
            "decode the text as UTF-8 again.",
        ) from None


def _check_tokens(tokens: object, where: Location) -> tuple[Hashable, ...]:
    if not is_ordered(tokens):
        raise InputTypeError(
            where=where,
            wanted="a sequence of tokens, as the recipe says pretokenized",
            got=_describe(tokens),
            next_step=_advice(tokens, pretokenized=True, is_reference=where.argument == "references"),
            values={"empty": _empty(pretokenized=True)},
        )
    values = _list_array(tokens, where) if _is_array(tokens) else tokens
    kept = tuple(_iterate(values, where, "a sequence of tokens, as the recipe says pretokenized"))
    for place, token in enumerate(kept):
        if isinstance(token, str) and not token.isascii():
            _refuse_surrogates(token, where._replace(token=place))
        if not is_token(token):
            raise InputTypeError(
                where=where._replace(token=place),
                wanted="a token that can be compared and hashed by its value, such as a string or a number",
                got=_describe(token),
                next_step="A candidate is a flat sequence of tokens; references[i] is a list of such sequences.",
            )
    return kept


def _list_array(tokens: object, where: Location) -> list[object]:
    """Ask an array for Python's values, which compare and hash by value: a tensor hands out tensors."""
    try:
        values: list[object] = cast("Any", tokens).tolist()
    except Exception as error:  # whatever its library raises, of a sparse tensor, say
        raise InputTypeError(
            where=where,
            wanted="an array that gives its values",
            got=f"{_describe(tokens)} ({error})",
            next_step="Give an array in which every place has a value, or a list.",
        ) from None
    if hasattr(type(tokens), "mask") and None in values:
        raise InputTypeError(
            where=where._replace(token=values.index(None)),
            wanted="a token",
            got="a masked place",
            next_step="Leave out what is masked: array.compressed().",
        )
    return values


def _check_string_tokens(tokens: object, where: Location) -> tuple[Hashable, ...]:
    kept = _check_tokens(tokens, where)
    for place, token in enumerate(kept):
        if not isinstance(token, str):
            raise InputTypeError(
                where=where._replace(token=place),
                wanted="a string, as the recipe lowers case",
                got=_describe(token),
                next_step=Advice.KEEP_CASE,
            )
    return kept


def is_token(token: object) -> bool:
    """Whether a value can be hashed and equals itself, which NaN does not, and what is equal has one hash."""
    try:
        hash(token)
        return bool(token == token) and (type(token) in _VALUES or _hashes_by_value(token))
    except (TypeError, ValueError):
        return False


def _hashes_by_value(token: object) -> bool:
    """Tell values from a tensor, whose equals have other hashes, and from what Arrow keeps to itself."""
    if hasattr(token, "as_py"):
        return False
    try:
        twin = _find_copy()(token)
    except Exception:  # whatever a class of somebody's raises: then there is no copy to compare with
        return True
    return twin is token or not bool(twin == token) or hash(twin) == hash(token)


@cache
def _find_copy() -> Callable[[object], object]:
    """Import ``copy`` for the first token that is none of Python's own strings and numbers, and only then."""
    from copy import copy

    return copy


def _empty(pretokenized: bool) -> str:
    return "[]" if pretokenized else '""'


def _describe(value: object) -> str:
    if value is None:
        return "None"
    if _has_columns(value) and not isinstance(value, Mapping):
        return f"{type(value).__name__} (a table of columns)"
    written = quote(value)
    return written if written.startswith(type(value).__name__) else f"{type(value).__name__} {written}"


def _advice(value: object, pretokenized: bool, is_reference: bool) -> str | Advice:
    if value is None:
        return Advice.GIVE_EMPTY_TEXT
    if isinstance(value, (bytes, bytearray)):
        return "Decode it first: text.decode('utf-8')."
    if _has_columns(value):
        return Advice.GIVE_LIST
    if isinstance(value, Set):
        return "Give a list: order and number matter."
    if hasattr(value, "as_py"):
        return "Arrow keeps its values to itself: give column.to_pylist(), or the table to bleuprint.adapters.arrow."
    if pretokenized and is_reference:
        return "Already tokenised references are a list of token lists, even if there is only one."
    if pretokenized and not isinstance(value, str):
        return "A candidate is a flat sequence of tokens, such as a list of strings or of numbers."
    if isinstance(value, str):
        return Advice.SPLIT_TEXT
    if isinstance(value, (list, tuple)):
        return Advice.JOIN_TOKENS
    if isinstance(value, float) or type(value).__name__ in _MISSING:
        return (
            "A missing cell reads as NaN, NA or NaT: drop that segment on both sides, "
            "or replace it by the text it should hold."
        )
    return "Convert it to the text that was meant."
