"""Segments: candidates and references, checked and paired before anything is counted.

``references[i]`` belongs to ``candidates[i]`` and is a text or a list of texts. ``None`` in that list is a missing
reference, ``""`` an empty one. Nothing is truncated, converted or guessed: input that does not fit raises an error.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set, Sized
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeGuard, cast

from bleuprint.errors import BleuprintError, InputTypeError, Location, ShapeError, quote, wrong_type
from bleuprint.native_kernel import find_kernel
from bleuprint.values import Value, keep
from bleuprint.wording import count_of

if TYPE_CHECKING:
    from typing import Protocol

    from bleuprint._kernel import BleuKernel, TokenIds, TokenSnapshot

    class Snapshot(Protocol):
        """Tokens that the kernel has copied."""

        def count(self, bleu: BleuKernel, numbers: memoryview, threads: int, /) -> object:
            """Count every segment into its row of a table."""

        def candidates(self) -> list[Any]:
            """Return the tokens of the candidates as Python objects."""

        def references(self) -> list[Any]:
            """Return the tokens of the references as Python objects."""


Text = str | Sequence[Hashable]
"""One text: a string, or a sequence of tokens if the recipe is ``pretokenized``."""
_VALUES = frozenset({str, int, float, bool, bytes, type(None)})
_MISSING = ("NAType", "NaTType")
"""The types of pandas' missing values."""
_ONE_COLUMN = (
    'Pass one column as a list: list(data["column"]), or data["column"].to_pylist() for Arrow. '
    "bleuprint.adapters.arrow reads whole tables."
)
Check = Callable[[object, Location], Text]


class Segment(NamedTuple):
    """One candidate with its references."""

    candidate: Text
    references: tuple[Text, ...]

    @property
    def texts(self) -> tuple[Text, ...]:
        """The candidate, then its references."""
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
        """Iterate over every candidate, then over every reference."""
        return chain(self.candidates, chain.from_iterable(self.references))

    def segment(self, index: int) -> Segment:
        """Return one segment."""
        return Segment(self.candidates[index], self.references[index])

    def slice(self, start: int, stop: int) -> "Segments":
        """Return the segments from ``start`` up to ``stop``."""
        return Segments(self.candidates[start:stop], self.references[start:stop])

    def pick(self, indices: Iterable[int]) -> "Segments":
        """Return the segments at these indices."""
        chosen = list(indices)
        return Segments([self.candidates[index] for index in chosen], [self.references[index] for index in chosen])

    def find_empty_references(self) -> list[int]:
        """Return the index of the segment of each reference without a word."""
        return [
            index
            for index, texts in enumerate(self.references)
            for text in texts
            if not (text.strip() if isinstance(text, str) else len(text))
        ]

    def __len__(self) -> int:
        return len(self.candidates)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segments):
            return NotImplemented
        return (self.candidates, self.references) == (other.candidates, other.references)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]


class _LazySegments(Segments):
    """A corpus with columns that are made when they are first read."""

    __slots__ = ()

    def _make(self, column: str) -> object:
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        if name not in Segments.__match_args__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        keep(self, name, self._make(name))
        return object.__getattribute__(self, name)

    def __reduce__(self) -> tuple[object, ...]:
        return Segments, (self.candidates, self.references)


class SnapshotSegments(_LazySegments):
    """A corpus of tokens that the kernel has copied."""

    __slots__ = ("_size", "snapshot")
    _size: int
    snapshot: "Snapshot"

    def __init__(self, snapshot: "Snapshot", size: int) -> None:
        keep(self, "snapshot", snapshot)
        keep(self, "_size", size)

    def _make(self, column: str) -> object:
        return getattr(self.snapshot, column)()

    def __len__(self) -> int:
        return self._size


class SingleSegments(_LazySegments):
    """A checked corpus of texts with one reference each."""

    __slots__ = ("_texts",)
    _texts: list[str]

    def __init__(self, candidates: list[Text], texts: list[str]) -> None:
        keep(self, "candidates", candidates)
        keep(self, "_texts", texts)

    def _make(self, column: str) -> object:
        return [(text,) for text in self._texts]


def pair_segments(
    candidates: object, references: object, *, pretokenized: bool = False, cased: bool = False
) -> Segments:
    """Check a corpus and pair each candidate with its references; tokens that will be lowered must be strings."""
    candidate_list = _list_segments(candidates, "candidates", pretokenized)
    reference_list = _list_segments(references, "references", pretokenized)
    _refuse_empty(candidate_list, "candidates")
    if len(reference_list) != len(candidate_list):
        raise _length_mismatch(candidate_list, reference_list)
    return _check_lists(candidate_list, "candidates", reference_list, pretokenized, cased)


def check_texts(texts: object, where: str, *, pretokenized: bool = False, cased: bool = False) -> list[Text]:
    """Check texts that have no references yet."""
    given = _list_segments(texts, where, pretokenized)
    _refuse_empty(given, where)
    return _check_lists(given, where, [], pretokenized, cased).candidates


def check_references(references: object, *, pretokenized: bool = False, cased: bool = False) -> list[tuple[Text, ...]]:
    """Check references that have no candidates yet."""
    given = _list_segments(references, "references", pretokenized)
    _refuse_empty(given, "references")
    return _check_lists([], "candidates", given, pretokenized, cased).references


def pair_one(candidate: object, references: object, *, pretokenized: bool = False, cased: bool = False) -> Segments:
    """Check a single segment; ``references`` is a text or a list of texts."""
    check = _choose_check(pretokenized, cased)
    text = check(candidate, Location("candidate"))
    return Segments([text], [_check_references(references, None, check, pretokenized)])


def _check_lists(
    candidates: list[object], where: str, references: list[object], pretokenized: bool, cased: bool
) -> Segments:
    quick = _pair_quickly(candidates, references, pretokenized, cased)
    if quick is not None:
        return quick
    check = _choose_check(pretokenized, cased)
    return Segments(
        [check(candidate, Location(where, index)) for index, candidate in enumerate(candidates)],
        [_check_references(entry, index, check, pretokenized) for index, entry in enumerate(references)],
    )


def _pair_quickly(
    candidates: list[object], references: list[object], pretokenized: bool, cased: bool
) -> Segments | None:
    """Let the kernel pair a corpus without anything unusual. None means: check one by one, and find what is wrong."""
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
    """Copy a corpus whose texts are all lists of strings, or all ids; None for other texts or without a kernel."""
    return _pair_quickly(candidates, references, pretokenized=True, cased=False)


def _choose_check(pretokenized: bool, cased: bool) -> Check:
    return partial(_check_tokens, strings=cased) if pretokenized else _check_text


def _list_segments(values: object, where: str, pretokenized: bool) -> list[object]:
    if isinstance(values, str):
        expected = "a list of token sequences" if pretokenized else "a list of texts"
        fix = "For one segment use score_sentence(candidate, references)."
        raise wrong_type(expected, values, fix, location=Location(where))
    return list_entries(values, where, "a list with one entry per segment")


def list_entries(
    values: object,
    where: str | Location,
    expected: str,
    fix: str = "The order of segments matters. Pass a list or another sequence of texts.",
) -> list[object]:
    """List the entries of an ordered iterable. Anything without an order, or with columns, is an error."""
    if not is_ordered(values):
        location = where if isinstance(where, Location) else Location(where)
        raise wrong_type(expected, values, _ONE_COLUMN if _has_columns(values) else fix, location=location)
    return list(values)


def is_ordered(values: object) -> TypeGuard[Iterable[object]]:
    """Whether iterating gives entries in an order: not a string, a set, a table, or an array without dimensions."""
    if isinstance(values, (list, tuple)):
        return True
    unordered = isinstance(values, (str, bytes, bytearray, memoryview, Set)) or _has_columns(values)
    return isinstance(values, Iterable) and not unordered and getattr(values, "ndim", 1) != 0


def _has_columns(values: object) -> bool:
    """Whether this is a dictionary or a data frame of any library."""
    attributes = ("__dataframe__", "columns", "column_names")
    return isinstance(values, Mapping) or any(hasattr(type(values), name) for name in attributes)


def _refuse_empty(given: list[object], where: str) -> None:
    if not given:
        message = "expected at least one segment, got none."
        raise ShapeError(message, "Check that this is the right file or list.", location=Location(where))


def _length_mismatch(candidates: list[object], references: list[object]) -> ShapeError:
    fix = "Pass one reference, or a list of references, per candidate."
    columns = [entry for entry in references if isinstance(entry, Sized) and not isinstance(entry, str)]
    if columns and all(len(column) == len(candidates) for column in columns) and len(columns) == len(references):
        fix = "The references look transposed. Each entry must have the references of one candidate."
    if len(candidates) == 1 and all(isinstance(entry, str) for entry in references):
        fix = "Wrap the references of one candidate in a list: [[...]]."
    numbers = f"{count_of(len(candidates), 'candidate')} but {count_of(len(references), 'entry', 'entries')}"
    return ShapeError(f"There {'is' if len(candidates) == 1 else 'are'} {numbers} of references.", fix,
                      location=Location("references"))  # fmt: skip


def _check_references(entry: object, index: int | None, check: Check, pretokenized: bool) -> tuple[Text, ...]:
    location = Location("references", index)
    if isinstance(entry, str) and not pretokenized:
        return (check(entry, location),)
    if not is_ordered(entry):
        expected = "a list of token sequences" if pretokenized else "a text or a list of texts"
        raise _wrong_value(expected, entry, location, pretokenized)
    given = list(entry)
    texts = tuple(check(text, location._replace(reference=i)) for i, text in enumerate(given) if text is not None)
    if not texts:
        raise ShapeError(
            f"expected at least one reference, got {'only None' if given else 'an empty list'}.",
            f"Leave the segment out, or pass {'[]' if pretokenized else quote('')} if its reference is empty.",
            location=location,
        )
    return texts


def _check_text(text: object, location: Location) -> str:
    if not isinstance(text, str):
        raise _wrong_value("a text", text, location, pretokenized=False)
    plain = str.__str__(text)  # a subclass such as Markup may override the methods that tokenizers call
    if not plain.isascii():
        _refuse_surrogates(plain, location)
    return plain


def _refuse_surrogates(text: str, location: Location) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputTypeError(
            f"expected text that UTF-8 can encode, got the lone surrogate U+{ord(text[error.start]):04X} at "
            f"character {error.start}.",
            "Decode the text as UTF-8 again. In JSON, half a pair of \\u escapes has the same effect.",
            location=location,
        ) from None


def _check_tokens(tokens: object, location: Location, *, strings: bool) -> tuple[Hashable, ...]:
    if not is_ordered(tokens):
        raise _wrong_value("a sequence of tokens, because the recipe is pretokenized", tokens, location, True)
    checked = tuple(_list_array(tokens, location) if _is_array(tokens) else tokens)
    for index, token in enumerate(checked):
        if isinstance(token, str):
            if not token.isascii():
                _refuse_surrogates(token, location._replace(token=index))
        elif strings:
            expected, fix = (
                "a string, because the recipe lowers case",
                "Only strings have a case: use the case 'mixed'.",
            )
            raise wrong_type(expected, token, fix, location=location._replace(token=index))
        if not is_token(token):
            expected = "a token that can be compared and hashed by its value, such as a string or a number"
            fix = "A candidate is a flat sequence of tokens, references[i] a list of such sequences."
            raise wrong_type(expected, token, fix, location=location._replace(token=index))
    return checked


def _is_array(values: object) -> bool:
    """Whether this is an array of NumPy, torch, Arrow or another library."""
    return hasattr(type(values), "__dlpack__") and hasattr(type(values), "tolist")


def _list_array(tokens: object, location: Location) -> list[object]:
    """List an array as Python objects, which compare and hash by value, unlike the elements of a tensor."""
    try:
        values: list[object] = cast("Any", tokens).tolist()
    except Exception as error:  # libraries raise their own types, for a sparse tensor for example
        message = f"expected an array that can be listed, got {quote(tokens)} ({error})."
        raise InputTypeError(message, "Pass a dense array or a list.", location=location) from None
    if hasattr(type(tokens), "mask") and None in values:
        where = location._replace(token=values.index(None))
        raise InputTypeError("expected a token, got a masked element.", "Pass array.compressed().", location=where)
    return values


def is_token(token: object) -> bool:
    """Whether a value can be hashed, equals itself (NaN does not), and hashes like its equals."""
    try:
        hash(token)
        return bool(token == token) and (type(token) in _VALUES or _hashes_by_value(token))
    except (TypeError, ValueError):
        return False


def _hashes_by_value(token: object) -> bool:
    """Whether equal values have equal hashes, which is not so for elements of tensors and Arrow arrays."""
    if hasattr(token, "as_py"):
        return False
    try:
        twin = _find_copy()(token)
    except Exception:  # a user's class may raise anything, and then there is no copy to compare with
        return True
    return twin is token or not bool(twin == token) or hash(twin) == hash(token)


@cache
def _find_copy() -> Callable[[object], object]:
    from copy import copy  # most tokens are of _VALUES and never need it

    return copy


def _wrong_value(expected: str, value: object, location: Location, pretokenized: bool) -> BleuprintError:
    """Return an error about a value that is not a text, or not a sequence of tokens."""
    fix = "Convert it to a string first."
    if value is None:
        empty = "[]" if pretokenized else '""'
        fix = f"Only one of several references may be None (null in JSONL). Pass {empty} if the text is empty."
    elif isinstance(value, (bytes, bytearray)):
        fix = "Decode it first: text.decode('utf-8')."
    elif _has_columns(value):
        fix = "Pass the text itself, not a dictionary or a table."
    elif isinstance(value, Set):
        fix = "Pass a list: order and number matter."
    elif hasattr(value, "as_py"):
        fix = "Convert the Arrow column first: column.to_pylist()."
    elif pretokenized and location.argument == "references":
        fix = "The references of a segment are a list of token lists, even if there is only one."
    elif pretokenized and isinstance(value, str):
        fix = "A string would be read as characters. Split it into tokens, or choose another tokenizer."
    elif pretokenized:
        fix = "A candidate is a flat sequence of tokens, such as a list of strings or of numbers."
    elif isinstance(value, (list, tuple)):
        fix = (
            "Candidates come before references. For tokens use the tokenizer 'pretokenized' (BLEU only), or join them."
        )
    elif isinstance(value, float) or type(value).__name__ in _MISSING:
        fix = "A missing cell reads as NaN, NA or NaT. Drop the segment on both sides, or pass the text it should have."
    return wrong_type(expected, value, fix, location=location)
