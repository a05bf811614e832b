"""Errors for the person who reads them at midnight: what came, what is wanted, where, and what to do next."""

from __future__ import annotations

from collections.abc import Iterable


class BleuprintError(ValueError):
    """Anything bleuprint refuses. The message has four parts, and they are attributes too."""

    def __init__(self, *, where: str, wanted: str, got: str, next_step: str) -> None:
        self.where: str = where
        self.wanted: str = wanted
        self.got: str = got
        self.next_step: str = next_step
        super().__init__(f"{where}: {wanted} expected, {got} found. {next_step}")

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.where, self.wanted, self.got, self.next_step)


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


def _rebuild(kind: type[BleuprintError], where: str, wanted: str, got: str, next_step: str) -> BleuprintError:
    return kind(where=where, wanted=wanted, got=got, next_step=next_step)


def quote(value: object, limit: int = 60) -> str:
    """Show a value inside a message: its repr, shortened in the middle and never over several lines."""
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
