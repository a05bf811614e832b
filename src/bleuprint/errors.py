"""Errors: a sentence that names the problem, then the fix. What programs need is in attributes.

Errors speak of Python's arguments. Front ends translate the location and the names in backticks, nothing else.
"""

import copyreg
from collections.abc import Callable, Iterable
from itertools import islice
from typing import NamedTuple, Self

__all__ = [
    "BleuprintError",
    "FileError",
    "InputTypeError",
    "Location",
    "MissingPackageError",
    "RecipeError",
    "ShapeError",
]


class Location(NamedTuple):
    """The argument that an error is about, and the element of it, or the option of a recipe."""

    argument: str
    position: int | None = None
    """the index of the segment, in candidates, references, documents and labels"""
    reference: int | None = None
    token: int | None = None
    option: str = ""
    system: str | None = None
    """the system whose candidates these are, if there are several"""

    def __str__(self) -> str:
        system = "" if self.system is None else f"system {quote(self.system)}, "
        inside = "".join(f"[{index}]" for index in (self.position, self.reference) if index is not None)
        detail = f", {self.option}" if self.option else "" if self.token is None else f", token {self.token}"
        return f"{system}{self.argument}{inside}{detail}"


class BleuprintError(ValueError):
    """Anything bleuprint refuses.

    ``message`` names the problem and ``fix`` the remedy. Names of arguments in ``fix`` are in backticks, alone
    (```documents```) or with a value (```form="plain"```), so that front ends can translate them. A message that starts
    with a small letter ("expected a string, got 3.") follows its location when printed. One that starts with a capital
    letter is a sentence of its own, and only elements and lines of files are named before it.
    """

    def __init__(
        self,
        message: str,
        fix: str = "",
        *,
        location: Location | None = None,
        where: str = "",
        suggestion: str | None = None,
        values: Iterable[str] = (),
    ) -> None:
        super().__init__(message)
        self.message: str = message
        self.fix: str = fix
        self.location: Location | None = location
        self.where: str = str(where or location or "")
        """the location in words: an argument, a flag, or a line of a file"""
        self.is_worded: bool = bool(where)
        """whether ``where`` is more than the location's argument, so that front ends keep it"""
        self.suggestion: str | None = suggestion
        self.values: tuple[str, ...] = tuple(values)
        """the valid values, if they can be listed"""

    def __str__(self) -> str:
        meant = f"Did you mean {self.suggestion!r}?" if self.suggestion else ""
        text = " ".join(part for part in (self.message, meant, self.fix) if part)
        return f"{self.where}: {text}" if self.where and self._names_location else text

    @property
    def _names_location(self) -> bool:
        """Whether the text needs its location: a full sentence about an argument as a whole does not."""
        element = self.location and self.location._replace(argument="", option="") != Location("")
        return self.is_worded or self.message[:1].islower() or bool(element)

    def __reduce__(self) -> tuple[object, ...]:
        return copyreg.__newobj__, (type(self), self.message), self.__dict__  # type: ignore[attr-defined]

    @property
    def index(self) -> int | None:
        """The index of the segment that the error is about, if it is about one."""
        return self.location.position if self.location else None

    @property
    def reference_index(self) -> int | None:
        """The index of the reference among those of its segment, if the error is about one."""
        return self.location.reference if self.location else None

    def reworded(self, *, where: str | Location | None = None, fix: str | None = None) -> Self:
        """Return the same error with another location or fix."""
        from copy import copy

        error = copy(self)
        if isinstance(where, Location):
            error.location, error.where = where, str(where)
        elif where:
            error.where, error.is_worded = where, True
        error.fix = self.fix if fix is None else fix
        return error

    def translated(self, locate: Callable[[Location], str], rename: Callable[[str, str], str]) -> Self:
        """Return the same error for a front end, which names locations and arguments (with a value or none)."""
        import re

        fix = re.sub(r"`([a-z_]+)(?:=\"?([^`\"]*)\"?)?`", lambda name: rename(name[1], name[2] or ""), self.fix)
        error = self.reworded(fix=fix)
        if self.location and not self.is_worded:
            error.where = locate(self.location)
        return error


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


def unknown_name(
    kind: str,
    name: object,
    names: Iterable[object],
    fix: str = "",
    *,
    location: Location | None = None,
    error: type[BleuprintError] = BleuprintError,
) -> BleuprintError:
    """Return an error about a name that is none of ``names``, with the closest one as a suggestion."""
    known = tuple(map(str, names))
    listed = f"Use one of: {', '.join(known)}." if known and len(known) <= MOST_LISTED else ""
    return error(
        f"Unknown {kind} {quote(name)}.",
        fix or listed,
        location=location,
        suggestion=nearest(name, known),
        values=known,
    )


def wrong_type(expected: str, value: object, fix: str = "", *, location: Location | None = None) -> BleuprintError:
    """Return an error about a value of the wrong type."""
    return InputTypeError(f"expected {expected}, got {quote(value)}.", fix, location=location)


def missing_package(package: str, install: str) -> BleuprintError:
    """Return an error about an optional package, with what pip installs it by."""
    return MissingPackageError(f"The package {package} is not installed.", f"Install it: pip install {install}")


MOST_LISTED = 12
"""the number of names that an error lists"""


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
