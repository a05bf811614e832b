"""Printing: to a file, to a terminal with colour, or to a pipe without."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from bleuprint.errors import FileError, quote
from bleuprint.wording import safe_for_terminal, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import click
    from rich.console import RenderableType

    from bleuprint.cli.call import Call
    from bleuprint.findings.gates import Gate


def deliver(text: str, output: str | None) -> None:
    """Write a text to a file, or print it."""
    text = text.rstrip("\n") + "\n"
    if output:
        write_output(output, text)
    else:
        print_out(text)


def check_output(_ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Raise an error if the file cannot be written, before there is work to lose."""
    if value is not None:
        from bleuprint.io.output import check_place

        check_place(value, param.opts[0])
    return value


def write_output(path: str, content: str | bytes, option: str = "--output") -> None:
    """Write a file, except one that the command has read."""
    import click

    from bleuprint.io.output import write_whole

    context = click.get_current_context(silent=True)
    for name, value in context.params.items() if context else ():
        if name not in ("output", "report"):
            for given in value if isinstance(value, tuple) else (value,):
                _refuse_input(path, given, option)
    with _raising_at_sigterm():
        write_whole(path, content, option)


@contextmanager
def _raising_at_sigterm() -> Iterator[None]:
    """Let SIGTERM raise an exception, so that no temporary file stays behind."""
    import signal
    from threading import current_thread, main_thread

    if current_thread() is not main_thread() or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def end(number: int, _: object) -> None:
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _refuse_input(path: str, given: object, option: str) -> None:
    for read in (given, given.partition("=")[2]) if isinstance(given, str) else ():
        if _is_same_file(path, read):
            message = f"{option} {path} would overwrite {read}, which the command reads."
            raise FileError(message, "Choose another name; nothing was written.")


def _is_same_file(path: str, read: str) -> bool:
    try:
        return os.path.samefile(path, read)  # noqa: PTH121, pathlib would be imported for this alone
    except (OSError, ValueError):  # one of them is not there, or no name of a file
        return False


def print_out(text: str) -> None:
    """Print a text; to a pipe or file always as UTF-8. A reader that leaves, as head does, is no error."""
    print_each([text])


def print_each(texts: Iterable[str]) -> None:
    """Print texts one after the other, each before the next is made."""
    with _printing():
        for text in texts:
            if sys.stdout.isatty():
                sys.stdout.write(safe_for_terminal(text))
            else:
                sys.stdout.buffer.write(text.encode("utf-8"))
            sys.stdout.flush()


@contextmanager
def _printing() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        discard_output(sys.stdout)
    except OSError as error:
        raise refuse_output(error) from None


def refuse_output(error: OSError) -> FileError:
    """Return an error about standard output, and discard what is buffered for it."""
    discard_output(sys.stdout)
    reason = quote(error.strerror or str(error), 200)
    return FileError(f"Standard output cannot be written to: {reason}.", "Check the disk, or where the output goes.")


def print_to_stderr(text: str, end: str = "\n") -> None:
    """Print to standard error."""
    print(safe_for_terminal(text) if sys.stderr.isatty() else text, end=end, file=sys.stderr, flush=True)


def complain(message: str, status: int = 2) -> int:
    """Print one line to standard error, and return the exit code: 2 for an error."""
    try:
        print_to_stderr(f"bleuprint: {visible(' '.join(message.split()))}")
    except OSError:  # nobody reads standard error; the exit code says it, too
        discard_output(sys.stderr)
    return status


def discard_output(stream: TextIO) -> None:
    """Discard what is buffered, so that Python does not fail on it again when it shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def replace_closed_streams() -> None:
    """Replace streams that were closed before the start, which Python leaves as None.

    Reading and printing then fail as the system says, and no file that is opened later gets the number of a stream.
    """
    for name, mode, flags in (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_RDONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode))


def deliver_views(views: Iterable[RenderableType], output: str | None) -> None:
    """Print views of rich one after the other, each before the next is made."""
    from bleuprint.render.text import plain_text

    if not output and sys.stdout.isatty():
        _show(views)
        return
    colour = not output and bool(os.environ.get("FORCE_COLOR"))
    texts = (f"{plain_text(view, colour=colour)}\n" for view in views)
    if output:
        write_output(output, "".join(texts))
    else:
        print_each(texts)


def _show(views: Iterable[RenderableType]) -> None:
    from rich.console import Console
    from rich.segment import Segment, Segments

    console = Console(highlight=False)
    for view in views:
        safe = [Segment(safe_for_terminal(text), style, control) for text, style, control in console.render(view)]
        with _printing():
            console.print(Segments(safe), crop=False)


def deliver_result(result: object, call: Call, gates: Sequence[Gate] = (), **options: object) -> None:
    """Print a result in the format of the call; the options are those of ``render``."""
    from bleuprint.render import render, view

    if call.output_format == "text":
        deliver_views(view(result, gates, **options), call.output)
    else:
        deliver(render(result, call.output_format, gates, **options), call.output)


def tab_separated(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Write a table as TSV; a float keeps all its digits."""
    lines = ["\t".join(header)]
    lines += ["\t".join(_cell(value) for value in row) for row in rows]
    return "\n".join(lines)


def _cell(value: object) -> str:
    text = repr(value) if isinstance(value, float) else "" if value is None else str(value)
    return " ".join(text.split()) if any(mark in text for mark in "\t\n\r") else text
