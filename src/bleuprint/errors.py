"""Errors for the person who reads them at midnight: what came, what is wanted, where, and what to do next.

What they say is data, too: the place, the name that may have been meant, the kind of advice. So an edge puts the same
error into its own words, and nobody has to read numbers out of a sentence.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from itertools import islice
from typing import NamedTuple, Self

from bleuprint.advice import Advice

__all__ = [
    "Argument",
    "BleuprintError",
    "FileError",
    "InputTypeError",
    "MissingPackageError",
    "Place",
    "RecipeError",
    "ShapeError",
]


class Argument(StrEnum):
    """What an error can be about, by the name that it has in Python."""

    CANDIDATE = "candidate"
    CANDIDATES = "candidates"
    REFERENCES = "references"
    TEXTS = "texts"
    DOCUMENTS = "documents"
    RECIPES = "recipes"
    RECIPE = "recipe"
    FORM = "form"
    COLUMNS = "columns"
    SYSTEM = "system"
    TRANSLATORS = "translators"
    LABELS = "labels"
    SCORES = "scores"
    LOWER_IS_BETTER = "lower_is_better"
    BASELINE = "baseline"
    BY = "by"
    TEST = "test"
    RESAMPLES = "resamples"
    CONFIDENCE = "confidence"
    SEED = "seed"
    LEVEL = "level"
    EXAMPLES = "examples"
    THREADS = "threads"
    REPORTED = "reported"
    METRIC = "metric"
    ON_ERROR = "on_error"


class Place(NamedTuple):
    """Which argument an error is about, and which of its elements, counted from 0, or which axis of a recipe."""

    argument: Argument
    element: int | None = None
    """the segment, in candidates, references, documents and labels"""
    reference: int | None = None
    token: int | None = None
    axis: str = ""
    system: str | None = None
    """whose candidates they are, where there are several systems"""

    def __str__(self) -> str:
        owner = "" if self.system is None else f"system {quote(self.system)}, "
        inside = "".join(f"[{place}]" for place in (self.element, self.reference) if place is not None)
        part = f", {self.axis}" if self.axis else "" if self.token is None else f", token {self.token}"
        return f"{owner}{self.argument}{inside}{part}"


class BleuprintError(ValueError):
    """Anything bleuprint refuses. The message has four parts, and they are attributes too."""

    def __init__(
        self,
        *,
        where: str | Place,
        wanted: str,
        got: str,
        next_step: str | Advice,
        suggestion: str | None = None,
        place: Place | None = None,
        values: Mapping[str, str] | None = None,
    ) -> None:
        self.place: Place | None = where if isinstance(where, Place) else place
        self.is_worded: bool = not isinstance(where, Place)
        """whether the place is in somebody's own words already"""
        self.where: str = str(where)
        self.wanted: str = wanted
        self.got: str = got
        self.suggestion: str | None = suggestion
        self.values: dict[str, str] = dict(values or {})
        self.advice: Advice | None = next_step if isinstance(next_step, Advice) else None
        self.next_step: str = next_step.say(self.values) if isinstance(next_step, Advice) else next_step
        meant = f" Did you mean {suggestion!r}?" if suggestion else ""
        super().__init__(f"{self.where}: expected {wanted}, got {got}.{meant} {self.next_step}")

    @property
    def index(self) -> int | None:
        """The index of the element that is refused, most often a segment; None where it is no element."""
        return self.place.element if self.place else None

    @property
    def reference_index(self) -> int | None:
        """The index of the reference among those of its segment; None where it is none of them."""
        return self.place.reference if self.place else None

    def reworded(self, *, where: str | None = None, got: str | None = None, next_step: str | None = None) -> Self:
        """Give the same error with other words for some of its parts; what is data in it stays."""
        words = {"where": where, "got": got, "next_step": next_step}
        return self._saying({part: text for part, text in words.items() if text is not None})

    def moved(self, place: Place) -> Self:
        """Give the same error for another place."""
        return self._saying({"where": place, "place": place})

    def _saying(self, parts: Mapping[str, object]) -> Self:
        error = _rebuild(type(self), {**self._said(), **parts})
        error.__dict__.update({name: value for name, value in self.__dict__.items() if name not in error.__dict__})
        return error  # type: ignore[return-value]

    def _said(self) -> dict[str, object]:
        said = {name: getattr(self, name) for name in ("wanted", "got", "suggestion", "place", "values")}
        return said | {
            "where": self.where if self.is_worded else self.place,
            "next_step": self.advice or self.next_step,
        }

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self._said()), self.__dict__


class RecipeError(BleuprintError):
    """A recipe, a signature or one of their parts that bleuprint cannot read or keep."""


class ShapeError(BleuprintError):
    """Candidates and references that do not fit together, or an empty corpus."""


class InputTypeError(BleuprintError, TypeError):
    """A value of a type that is neither a text nor a list of tokens where one is due."""


class FileError(BleuprintError):
    """A file that is missing, cannot be decoded, or does not hold what its format says."""


class MissingPackageError(BleuprintError, ImportError):
    """An optional package that is not installed."""


def _rebuild(kind: type[BleuprintError], said: Mapping[str, object]) -> BleuprintError:
    """Make an error again, also one whose class takes other arguments."""
    error = kind.__new__(kind)
    BleuprintError.__init__(error, **said)  # type: ignore[arg-type]
    return error


def quote(value: object, limit: int = 60) -> str:
    """Show a value inside a message: its repr, shortened in the middle and never over several lines."""
    if isinstance(value, str) and len(value) > 4 * limit:  # a line may have millions of characters
        value = f"{value[: 2 * limit]}...{value[-2 * limit :]}"
    try:
        written = repr(value)
    except (RecursionError, ValueError) as error:  # nested deeper, or an int longer, than Python writes
        written = (
            f"{type(value).__name__} {'nested too deep' if isinstance(error, RecursionError) else 'too long'} to show"
        )
    text = " ".join(written.split())
    if len(text) <= limit:
        return text
    half = (limit - 3) // 2
    return f"{text[:half]}...{text[-half:]}"


def name_list(names: Iterable[object]) -> str:
    """Write names for a message: ``'a', 'b' or 'c'``."""
    quoted = [repr(str(name)) for name in names]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1]


LONGEST_NAME = 64
MOST_NAMES = 1000
SHORTEST_START = 2
LEAST_LIKENESS = 0.65
"""By difflib's measure: xlm is as near to xml as may be, nonsense not near enough to moses."""


def nearest(given: object, names: Iterable[object]) -> str | None:
    """Find the name that was meant: the shortest that begins so, else the nearest; what is too long for a name is none.

    >>> nearest("sacrbleu", ["paper", "sacrebleu"]), nearest("method", ["paper"])
    ('sacrebleu', None)
    >>> nearest("--tok", ["-t", "--tokenizer"])
    '--tokenizer'
    """
    if not isinstance(given, str) or not 0 < len(given) <= LONGEST_NAME:
        return None
    from difflib import get_close_matches  # an error is rare, and most programs never need it

    known = {str(name).lower(): str(name) for name in islice(names, MOST_NAMES) if len(str(name)) <= LONGEST_NAME}
    start = given.lower()
    begun = [name for name in known if name.startswith(start)] if len(start.strip("-")) >= SHORTEST_START else []
    found = sorted(begun, key=len) or get_close_matches(start, known, n=1, cutoff=LEAST_LIKENESS)
    return known[found[0]] if found else None
