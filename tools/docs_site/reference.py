"""The reference: a page for every public module, written by autodoc from docstrings and types."""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

MODULES = (
    "bleuprint",
    "bleuprint.results",
    "bleuprint.errors",
    "bleuprint.adapters.arrow",
    "bleuprint.adapters.evaluate_module",
    "bleuprint.adapters.mbrs",
    "bleuprint.adapters.rewards",
    "bleuprint.adapters.spark",
    "bleuprint.adapters.torch",
    "bleuprint.adapters.torchmetrics",
    "bleuprint.compat",
    "bleuprint.compat.nltk",
    "bleuprint.compat.nltk.chrf_score",
    "bleuprint.compat.sacrebleu",
    "bleuprint.compat.sacrebleu.compat",
    "bleuprint.compat.sacrebleu.metrics",
    "bleuprint.compat.sacrebleu.utils",
    "bleuprint.lessons",
)
"""What is documented. A test sees that the documents import from no other module."""


def stand_in_for_mbrs() -> None:
    """Let the adapter for mbrs be imported: mbrs asks for packages older than those of the tests."""
    metrics = ModuleType("mbrs.metrics")
    metrics.Metric = type("Metric", (), {"Config": type("Config", (), {})})  # type: ignore[attr-defined]
    metrics.register = lambda name: lambda metric: metric  # type: ignore[attr-defined]
    sys.modules |= {"mbrs": ModuleType("mbrs"), "mbrs.metrics": metrics}


def public_names(module_name: str) -> list[str]:
    """Name what a module offers."""
    return list(import_module(module_name).__all__)


def directive(module_name: str, name: str) -> str:
    """Choose how autodoc documents a name; what another page has already is only named."""
    value = getattr(import_module(module_name), name)
    first = next(other for other in MODULES if getattr(import_module(other), name, None) is value)
    if first != module_name and name in public_names(first):
        return f"{name}\n   the same as :py:obj:`{first}.{name}`\n"
    if inspect.isclass(value):
        options = ":members:", ":undoc-members:", ":show-inheritance:", f":inherited-members: {foreign_bases(value)}"
        return f".. autoclass:: {module_name}.{name}\n" + "".join(f"   {option}\n" for option in options)
    if inspect.isroutine(value):
        return f".. autofunction:: {module_name}.{name}\n"
    return f".. autodata:: {module_name}.{name}\n   :no-value:\n"


def foreign_bases(value: type) -> str:
    """Name the bases of a class that are not ours: what comes from them is documented elsewhere."""
    return ", ".join(base.__name__ for base in value.__mro__ if not base.__module__.startswith("bleuprint"))


def page(module_name: str) -> str:
    """Write the page of a module."""
    head = f"{module_name}\n{'=' * len(module_name)}\n\n.. automodule:: {module_name}\n"
    return "\n".join([head, *(directive(module_name, name) for name in sorted(public_names(module_name)))])


def index() -> str:
    """List the modules, each with the first sentence of its docstring."""
    head = "Reference\n=========\n\nEvery public name, with its types, by the module that it is imported from.\n"
    summaries = "".join(f":doc:`{name}`\n   {summary(name)}\n\n" for name in MODULES)
    listed = "".join(f"   {name}\n" for name in MODULES)
    return f"{head}\n{summaries}.. toctree::\n   :hidden:\n\n{listed}"


def summary(module_name: str) -> str:
    """Give the first paragraph of a module's docstring, on one line."""
    return " ".join((import_module(module_name).__doc__ or "").partition("\n\n")[0].split())


def write_reference(folder: Path) -> None:
    """Write the pages of all modules, and one that lists them."""
    folder.mkdir(parents=True)
    (folder / "index.rst").write_text(index(), encoding="utf-8")
    for name in MODULES:
        (folder / f"{name}.rst").write_text(page(name), encoding="utf-8")
