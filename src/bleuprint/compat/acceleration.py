"""Other tools, accelerated where they are installed: their own code runs on, with bleuprint's counting under it.

For each tool there is a module of its name: ``apply()`` puts the kernel under it and ``undo()`` takes it away. Both
happen under one lock, and nothing is imported while it is held: a thread that imports a tool may be waiting for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from threading import Lock
from types import TracebackType
from typing import Protocol, cast

from bleuprint.advice import Advice
from bleuprint.compat.arrivals import await_package, forget_package
from bleuprint.errors import BleuprintError, name_list, nearest, quote
from bleuprint.recipes.registry import find_metric
from bleuprint.wording import join_words

TESTED: Mapping[str, tuple[str, ...]] = {"nltk": ("3.10.4",), "sacrebleu": ("2.6.0",), "torchmetrics": ("1.9.0",)}
"""The tools, as pip and import name them, with the releases that the tests compare byte by byte."""
ACCELERATED: Mapping[str, tuple[str, ...]] = {
    "nltk": ("bleu", "chrf"),
    "sacrebleu": ("bleu", "chrf", "ter"),
    "torchmetrics": ("bleu", "chrf", "ter"),
}
"""What is accelerated of each."""


class AccelerationError(BleuprintError):
    """A tool that cannot be accelerated, or not without being told to try."""


class Peer(Protocol):
    """What a module of this package offers."""

    MODULES: tuple[str, ...]
    """The modules of the tool that it looks into."""

    def apply(self) -> None:
        """Put the kernel under the tool."""

    def undo(self) -> None:
        """Put back exactly what was there."""


_running: dict[str, Peer | None] = {}
"""What ``accelerate`` was asked for; None while the tool has not been imported."""
_lock = Lock()
"""Held whenever that changes, or a tool does."""


class Acceleration:
    """What a call of ``accelerate`` changed; leaving it as a context puts that back."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def __enter__(self) -> Acceleration:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for name in reversed(self.names):
            _stop(name)

    def __repr__(self) -> str:
        return f"<Acceleration of {join_words(self.names) if self.names else 'nothing more'}>"


def accelerate(*names: str, force: bool = False) -> Acceleration:
    """Put bleuprint's kernel under tools that are installed, so that code which uses them gets faster as it is.

    Of NLTK these are BLEU and chrF, of sacreBLEU and torchmetrics BLEU, chrF and TER. Without names: all tools that are
    installed. A tool that has not been imported yet is accelerated when it is. What they
    compute and print stays the same, byte by byte, in the releases that were tested; others are refused unless
    ``force``. ``restore`` takes it back, as does the end of a ``with`` block.

    >>> from sacrebleu.metrics import BLEU
    >>> with accelerate("sacrebleu"):
    ...     print(BLEU().corpus_score(["the cat is on mat"], [["the cat is on the mat"]]).score)
    57.89300674674101
    """
    chosen = names or installed_peers()
    for name in chosen:
        _check(name, force)
    if not chosen:
        raise AccelerationError(
            where="accelerate",
            wanted=f"{releases_known()} to be installed",
            got="none of them",
            next_step="Install the tool that you use, in this environment.",
        )
    started: list[str] = []
    try:
        for name in dict.fromkeys(chosen):
            with _lock:
                is_new = name not in _running
                _running.setdefault(name, None)
            if is_new:
                started.append(name)
                await_package(name, partial(_start, name))
    except BaseException:
        for name in reversed(started):
            _stop(name)
        raise
    return Acceleration(tuple(started))


def restore() -> None:
    """Put back everything that ``accelerate`` replaced.

    >>> restore()
    """
    for name in reversed(list(_running)):
        _stop(name)


def installed_peers() -> tuple[str, ...]:
    """Name the tools that are installed here."""
    return tuple(name for name in TESTED if installed_version(name))


def tested_peers() -> tuple[str, ...]:
    """Name those that are installed in a release that was tested."""
    return tuple(name for name, versions in TESTED.items() if installed_version(name) in versions)


def releases_known() -> str:
    """Name the tools, each with the releases that were tested.

    >>> releases_known()
    'nltk 3.10.4, sacrebleu 2.6.0 or torchmetrics 1.9.0'
    """
    *most, last = [f"{name} {' or '.join(versions)}" for name, versions in TESTED.items()]
    return f"{', '.join(most)} or {last}" if most else last


def metrics_known() -> str:
    """Name the tools, each with its metrics that are accelerated.

    >>> metrics_known()
    'BLEU and chrF of nltk, BLEU, chrF and TER of sacrebleu, BLEU, chrF and TER of torchmetrics'
    """
    return ", ".join(
        f"{join_words([find_metric(key).name for key in keys])} of {name}" for name, keys in ACCELERATED.items()
    )


def installed_version(name: str) -> str:
    """Give the installed release of a tool, empty where there is none."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _check(name: str, force: bool) -> None:
    if not isinstance(name, str) or name not in TESTED:
        raise AccelerationError(
            where="accelerate",
            wanted=name_list(TESTED),
            got=quote(name),
            suggestion=nearest(name, TESTED),
            next_step="What other tools compute is a recipe for bleuprint.score; `bleuprint recipes` lists them.",
        )
    found = installed_version(name)
    if not found:
        raise AccelerationError(
            where=f"accelerate, {name}",
            wanted=f"{name} to be installed",
            got="no such package",
            next_step=f"Install it: pip install {name}=={TESTED[name][-1]}.",
        )
    if found not in TESTED[name] and not force:
        raise AccelerationError(
            where=f"accelerate, {name}",
            wanted=f"{name} {' or '.join(TESTED[name])}, which was tested",
            got=found,
            next_step=Advice.FORCE_RELEASE,
        )


def _start(name: str) -> None:
    """Put the kernel under a tool that has been imported, unless somebody did so, or has called it off, meanwhile."""
    peer = cast("Peer", import_module(f"bleuprint.compat.{name}.acceleration"))
    for module in peer.MODULES:
        import_module(module)
    with _lock:
        if name not in _running or _running[name] is not None:
            return
        try:
            peer.apply()
        except BaseException:
            peer.undo()
            raise
        _running[name] = peer


def _stop(name: str) -> None:
    with _lock:
        forget_package(name)
        peer = _running.pop(name, None)
        if peer is not None:
            peer.undo()
