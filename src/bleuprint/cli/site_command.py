"""``bleuprint site``: the page as a static folder, for any web host."""

from __future__ import annotations

import click

from bleuprint.cli.options import Option, make_command
from bleuprint.cli.printing import print_out, print_to_stderr


@make_command(
    "site",
    click.Argument(["directory"], metavar="DIR"),
    Option(["--force"], is_flag=True, help="Replace an older site in DIR (never another folder)."),
)
def command(directory: str, force: bool) -> None:
    """Build the page as a static site in DIR, a new or empty folder.

    Python runs in the visitor's browser (Pyodide), and nothing that is typed leaves it. Needs node and npm, and the
    network the first time; later builds take what was fetched from the cache.
    """
    from bleuprint.web.site import KERNEL, build_site

    site = build_site(directory, force=force)
    if KERNEL not in site.sizes:
        print_to_stderr(
            f"bleuprint: warning: This installation has no {KERNEL}, so the page will count in Python. Identifying a "
            "number can take over a minute instead of a second. Install a released wheel, or run `make wasm` in the "
            "clone and install again."
        )
    size = sum(site.sizes.values()) / 1e6
    print_out(
        f"{directory}: {len(site.sizes)} files, {size:.1f} MB. Put the folder on any web host, or try it:\n"
        f"python3 -m http.server --bind 127.0.0.1 --directory {directory}\n"
    )
