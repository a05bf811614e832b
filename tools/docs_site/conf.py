"""How Sphinx makes the site; what it makes it from is staged by ``build.py``."""

import inspect
from pathlib import Path
from typing import Any

import reference
from sphinx.application import Sphinx

import bleuprint

reference.stand_in_for_mbrs()

project = "bleuprint"
author = "The bleuprint authors"
release = version = bleuprint.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
exclude_patterns = ["src", "examples"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
default_role = "code"
python_use_unqualified_type_names = True
maximum_signature_line_length = 88
add_module_names = False  # the title of the page has it
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"bleuprint {release}"
html_favicon = str(Path(bleuprint.__file__).parent / "web/static/icon.svg")
html_static_path = [str(Path(__file__).parent / "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#16658f", "color-brand-content": "#16658f"},
    "dark_css_variables": {"color-brand-primary": "#7cc4e8", "color-brand-content": "#7cc4e8"},
}


def drop_empty_words(app: Sphinx, what: str, name: str, value: object, options: Any, lines: list[str]) -> None:
    """Leave out what Python says about every field of a named tuple, and about every value of a type."""
    is_field = bool(lines) and lines[0].startswith("Alias for field number")
    if is_field or (what == "data" and "\n".join(lines).strip() == inspect.getdoc(type(value))):
        lines.clear()


def setup(app: Sphinx) -> None:
    """Connect what is above."""
    app.connect("autodoc-process-docstring", drop_empty_words)
