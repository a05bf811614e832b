"""Packages that only ``make test-all`` installs, for test files of which only some tests need them."""

from importlib import import_module
from typing import Any


def optional(module: str, name: str = "") -> Any:
    """Return a module, or a name in it; None if it is not installed. Tests that use it have the mark ``needs``."""
    try:
        found = import_module(module)
    except ImportError:
        return None
    return getattr(found, name) if name else found
