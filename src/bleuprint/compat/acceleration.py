"""Other tools, accelerated where they are installed: their own code runs on, with bleuprint's counting under it.

For each tool there is a module of its name: ``apply()`` puts the kernel under it and ``undo()`` takes it away. Both
happen under one lock, and nothing is imported while it is held: a thread that imports a tool may be waiting for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from threading import Lock
from types import TracebackType
from typing import Protocol, cast

from bleuprint.advice import Advice
from bleuprint.compat.arrivals import await_package, forget_package
from bleuprint.errors import BleuprintError, name_list, nearest, quote
from bleuprint.recipes.registry import find_metric
from bleuprint.wording import join_words

TESTED: Mapping[str, tuple[str, ...]] = {
    "nltk": ("3.9.1", "3.9.2", "3.9.3", "3.9.4", "3.10.0", "3.10.1", "3.10.2", "3.10.3", "3.10.4"),
    "sacrebleu": ("2.4.0", "2.4.1", "2.4.2", "2.4.3", "2.5.0", "2.5.1", "2.6.0"),
    "torchmetrics": ("1.7.0", "1.7.1", "1.7.2", "1.7.3", "1.7.4", "1.8.0", "1.8.1", "1.8.2", "1.9.0"),
}
"""The tools, as pip and import name them, with the releases that are known to compute what is computed here.

The tests compare the first and the last of each minor release byte by byte, and everything about the newest; what is
accelerated reads alike in those between.
"""
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

    def __init__(self, names: tuple[str, ...], refused: Mapping[str, str] | None = None) -> None:
        self.names = names
        self.refused: Mapping[str, str] = refused or {}
        """The tools that are installed and were left alone, each with the reason."""

    def __enter__(self) -> Acceleration:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for name in reversed(self.names):
            _stop(name)

    def __repr__(self) -> str:
        left = f", not of {'; '.join(self.refused.values())}" if self.refused else ""
        return f"<Acceleration of {join_words(self.names) if self.names else 'nothing more'}{left}>"


def accelerate(*names: str, force: bool = False) -> Acceleration:
    """Put bleuprint's kernel under tools that are installed, so that code which uses them gets faster as it is.

    Of NLTK these are BLEU and chrF, of sacreBLEU and torchmetrics BLEU, chrF and TER. A tool that has not been imported
    yet is accelerated when it is. What they compute and print stays the same, byte by byte, in the releases that are
    known; others are refused unless ``force``. Without names: all tools that are installed in a known release, and
    ``refused`` says of the others why not. ``restore`` takes it back, as does the end of a ``with`` block.

    >>> from sacrebleu.metrics import BLEU
    >>> with accelerate("sacrebleu"):
    ...     print(BLEU().corpus_score(["the cat is on mat"], [["the cat is on the mat"]]).score)
    57.89300674674101
    """
    refused: dict[str, str] = {}
    for name in names or installed_peers():
        try:
            _check(name, force)
        except AccelerationError as error:
            if names:
                raise
            refused[name] = f"{name}: expected {error.wanted}, got {error.got}"
    chosen = names or tuple(name for name in installed_peers() if name not in refused)
    if not chosen:
        raise AccelerationError(
            where="accelerate",
            wanted=f"{releases_known()} to be installed",
            got=describe_installed(),
            next_step=Advice.FORCE_RELEASE if refused else "Install the tool that you use, in this environment.",
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
    return Acceleration(tuple(started), refused)


def restore() -> None:
    """Put back everything that ``accelerate`` replaced.

    >>> restore()
    """
    for name in reversed(list(_running)):
        _stop(name)


def installed_peers() -> tuple[str, ...]:
    """Name the tools that are installed here."""
    return tuple(name for name in TESTED if installed_version(name))


def describe_installed() -> str:
    """Name the tools that are installed here, each with its release."""
    return ", ".join(f"{name} {installed_version(name)}" for name in installed_peers()) or "none of them"


def tested_peers() -> tuple[str, ...]:
    """Name those that are installed in a release that was tested."""
    return tuple(name for name, versions in TESTED.items() if installed_version(name) in versions)


def releases_known() -> str:
    """Name the tools, each with the releases that are known.

    >>> releases_known()  # doctest: +ELLIPSIS
    'nltk 3.9.1 to 3.9.4 or 3.10.0 to 3.10.4; sacrebleu 2.4.0 to ...; torchmetrics 1.7.0 to 1.7.4, ...'
    """
    return "; ".join(f"{name} {name_releases(versions)}" for name, versions in TESTED.items())


def name_releases(releases: Sequence[str]) -> str:
    """Name releases, those of one minor release from the first to the last.

    >>> name_releases(["1.0.0", "1.0.1", "1.0.2", "1.2.0"])
    '1.0.0 to 1.0.2 or 1.2.0'
    """
    groups = [list(group) for _, group in groupby(releases, key=lambda release: release.rpartition(".")[0])]
    return join_words([group[0] if len(group) == 1 else f"{group[0]} to {group[-1]}" for group in groups], "or")


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
            wanted=f"{name} {name_releases(TESTED[name])}, which was tested",
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
