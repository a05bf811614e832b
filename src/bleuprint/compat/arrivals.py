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
                    spec.loader = _Telling(spec.loader, self)
                return spec
        return None

    def tell(self, name: str) -> None:
        """Call, once, whoever awaited a package."""
        call = self.awaited.pop(name, None)
        if call is not None:
            call()


class _Telling(Loader):
    """Loads as another loader does, and then tells; to be found is not to be loaded."""

    def __init__(self, loader: Loader, watcher: _Watcher) -> None:
        self._loader, self._watcher = loader, watcher

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave it to the loader."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Load, as if nobody watched, and tell."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._watcher.tell(module.__name__)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


_watcher = _Watcher()


def await_package(name: str, call: Callable[[], None]) -> None:
    """Call when the package has been imported: at once if it has been already."""
    _watcher.awaited[name] = call
    if name in sys.modules:
        _watcher.tell(name)
    elif _watcher not in sys.meta_path:
        sys.meta_path.insert(0, _watcher)


def forget_package(name: str) -> None:
    """Await a package no longer."""
    _watcher.awaited.pop(name, None)
    if not _watcher.awaited and _watcher in sys.meta_path:
        # a new list: taken out of the old one, another thread that is looking for a module would miss the next finder
        sys.meta_path = [finder for finder in sys.meta_path if finder is not _watcher]
