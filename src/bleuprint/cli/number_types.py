"""Numbers among the options: what click reads, less what only Python takes for a number."""

from __future__ import annotations

from typing import Any

import click
from click.types import FloatParamType, IntParamType

from bleuprint.errors import quote
from bleuprint.written_numbers import is_plainly_written


class _Whole(IntParamType):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        _refuse_odd_digits(self, value, param, ctx)
        return super().convert(value, param, ctx)


class _Decimal(FloatParamType):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        _refuse_odd_digits(self, value, param, ctx)
        return super().convert(value, param, ctx)


class WholeRange(click.IntRange):
    """A whole number between limits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it."""
        _refuse_odd_digits(self, value, param, ctx)
        return super().convert(value, param, ctx)


WHOLE = _Whole()
DECIMAL = _Decimal()


def _refuse_odd_digits(kind: Any, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> None:
    if isinstance(value, str) and not is_plainly_written(value):
        kind.fail(f"expected a number in the digits 0 to 9, got {quote(value)}.", param, ctx)
