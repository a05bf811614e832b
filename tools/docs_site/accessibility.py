"""What Sphinx and its theme leave out, and who does not point or see needs; axe says in a test whether it is enough."""

from __future__ import annotations

from pathlib import Path

MENDED = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Site navigation">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    # what scrolls must be reached by keyboard
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    # the parameters of a signature, each on its line, are descriptions that describe nothing
    "<dl>\n<dd>": '<dl role="none">\n<dd>',
    '<div id="search-results">': '<h1>Search</h1>\n<div id="search-results">',
}


def mend(folder: Path) -> None:
    """Mend every page of Sphinx in a folder."""
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for left_out, mended in MENDED.items():
            text = text.replace(left_out, mended)
        page.write_text(text, encoding="utf-8")
