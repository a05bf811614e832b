"""``bleuprint serve``: the page and the JSON API, on this machine."""

from __future__ import annotations

import click

from bleuprint.cli.options import Option, make_command
from bleuprint.cli.printing import print_out, print_to_stderr
from bleuprint.errors import MissingPackageError

NEEDED = ("fastapi", "starlette", "pydantic", "uvicorn", "h11")
"""The packages of the extra ``serve``, with what they bring."""


OPTIONS = [
    Option(
        ["--port"], default=8765, show_default=True, type=click.IntRange(0, 65535),
        help="The port; 0 for any that is free.",
    ),
    Option(
        ["--host"], default="127.0.0.1", show_default=True,
        help="The address to listen on; any but the default may open the page to other machines.",
    ),
    Option(["--open", "open_browser"], is_flag=True, help="Open the page in the browser."),
]  # fmt: skip


@make_command("serve", *OPTIONS)
def command(port: int, host: str, open_browser: bool) -> None:
    """Serve the page and the JSON API (/openapi.json describes it) until Ctrl-C.

    Unless --host says otherwise, only programs on this machine can reach it.
    """
    try:
        from bleuprint.web import listening, server
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    listener = listening.open_socket(host, port)
    if not listening.is_loopback(listener):
        print_to_stderr(
            f"bleuprint: warning: --host {host} lets every machine that can reach this one use the page and the API, "
            "without a password and without encryption."
        )
    url = listening.address_of(listener, host)

    def announce() -> None:
        print_out(f"bleuprint serves its page at {url} (Ctrl-C ends it)\n")
        if open_browser:
            import webbrowser

            webbrowser.open(url)

    listening.serve(listener, server.make_app([host]), announce)


def _missing(error: ModuleNotFoundError) -> Exception:
    """Return an error about a missing package of the extra; any other missing module is a defect."""
    if error.name is None or error.name.partition(".")[0] not in NEEDED:
        return error
    return MissingPackageError(f"The package {error.name} is missing.", 'Install it: pip install "bleuprint[serve]"')
