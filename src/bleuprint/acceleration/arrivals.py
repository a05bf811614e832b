"""Arrivals: do something when a package is imported for the first time, and nothing before that.

Importing a tool only to accelerate it would cost every program that does not use it seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class _Watcher(MetaPathFinder):
    """Stands first among the finders, and lets the others find."""

    def __init__(self) -> None:
        self.awaited: dict[str, Callable[[], None]] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find an awaited package as the other finders do, with a loader that tells when it is there."""
        if name not in self.awaited:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find(name, path, target) if find and finder is not self else None
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Telling(spec.loader, self.awaited.pop(name))
                return spec
        return None


class _Telling(Loader):
    """Loads as another loader does, and then calls."""

    def __init__(self, loader: Loader, call: Callable[[], None]) -> None:
        self._loader, self._call = loader, call

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave it to the loader."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Load, as if nobody watched, and call."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._call()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


_watcher = _Watcher()


def await_package(name: str, call: Callable[[], None]) -> None:
    """Call when the package has been imported: at once if it has been already."""
    if name in sys.modules:
        call()
        return
    _watcher.awaited[name] = call
    if _watcher not in sys.meta_path:
        sys.meta_path.insert(0, _watcher)


def forget_package(name: str) -> None:
    """Await a package no longer."""
    _watcher.awaited.pop(name, None)
    if not _watcher.awaited and _watcher in sys.meta_path:
        sys.meta_path.remove(_watcher)
