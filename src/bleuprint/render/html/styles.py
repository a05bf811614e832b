"""The styles of all parts: rules, and the colours of a light and of a dark surrounding.

A document or a page follows what the reader's system prefers. A notebook has a theme of its own, and says so in its own
way: then its outputs follow that, whatever the system prefers. Paper is always light.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

WHERE = ".bp-explanation, .bp-page, .bp-document"
"""What has colours."""
LIGHT_HOSTS = ('[data-jp-theme-light="true"]', ".vscode-light", ".vscode-high-contrast-light", "html[theme=light]")
DARK_HOSTS = (
    '[data-jp-theme-light="false"]',
    ".vscode-dark",
    ".vscode-high-contrast:not(.vscode-high-contrast-light)",
    "html[theme=dark]",
)
"""How a surrounding says that it is light or dark: Jupyter, VS Code (twice) and Colab."""


@cache
def stylesheet() -> str:
    """Return the styles of all parts."""
    light, dark = read_file("light.css"), read_file("dark.css")
    preferred = f"@media screen and (prefers-color-scheme: dark) {{\n{WHERE} {{\n{dark}}}\n}}\n"
    return f"{WHERE} {{\n{light}}}\n{preferred}{read_file('bleuprint.css')}"


@cache
def notebook_stylesheet() -> str:
    """Return the styles of all parts for an output that follows the theme of its notebook."""
    themed = [
        f"{_inside(hosts)} .bp-explanation {{\n{read_file(name)}}}\n"
        for hosts, name in ((LIGHT_HOSTS, "light.css"), (DARK_HOSTS, "dark.css"))
    ]
    return f"{stylesheet()}@media screen {{\n{''.join(themed)}}}\n"


def _inside(hosts: tuple[str, ...]) -> str:
    """Select what is inside one of the hosts, also across the border of a shadow tree, where a browser can do that."""
    across = [f":host-context({host})" for host in hosts]
    return f":is({', '.join([*hosts, *across])})"


@cache
def read_file(name: str) -> str:
    """Read a file of styles or a script."""
    return resources.files("bleuprint.render.html").joinpath(name).read_text(encoding="utf-8")
