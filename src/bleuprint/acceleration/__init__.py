"""Other tools, accelerated where they are installed: their own code runs on, with bleuprint's counting under it.

Each module of this package knows one tool and has its name: ``DISTRIBUTION`` is what pip installs, ``TESTED_VERSIONS``
are the releases that the tests compare byte by byte, ``apply()`` puts the kernel under it and ``undo()`` takes it away.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pkgutil import iter_modules
from types import TracebackType
from typing import Protocol, cast

from bleuprint.errors import BleuprintError, name_list, quote
from bleuprint.wording import join_words


class AccelerationError(BleuprintError):
    """A tool that cannot be accelerated, or not without being told to try."""


class Peer(Protocol):
    """What a module of this package offers."""

    DISTRIBUTION: str
    TESTED_VERSIONS: tuple[str, ...]

    def apply(self) -> None:
        """Put the kernel under the tool."""

    def undo(self) -> None:
        """Put back exactly what was there."""


_running: dict[str, Peer] = {}


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

    Without names: all that are installed. What they compute and print stays the same, byte by byte, in the releases
    that were tested; others are refused unless ``force``. ``restore`` takes it back, as does the end of a ``with``
    block.

    >>> import bleuprint as bp
    >>> from sacrebleu.metrics import BLEU
    >>> with bp.accelerate("sacrebleu"):
    ...     print(BLEU().corpus_score(["the cat is on mat"], [["the cat is on the mat"]]).score)
    57.89300674674101
    """
    chosen = names or installed_peers()
    peers = {name: _find(name, force) for name in dict.fromkeys(chosen)}
    if not peers:
        raise AccelerationError(
            where="accelerate",
            wanted=f"one of {name_list(peer_names())} to be installed",
            got="none of them",
            next_step="Install the tool that you use, in this environment.",
        )
    started: list[str] = []
    try:
        for name, peer in peers.items():
            if name not in _running:
                peer.apply()
                _running[name] = peer
                started.append(name)
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


def peer_names() -> tuple[str, ...]:
    """Name the tools that can be accelerated."""
    return tuple(module.name for module in iter_modules(__path__))


def installed_peers() -> tuple[str, ...]:
    """Name those that are installed here."""
    return tuple(name for name in peer_names() if installed_version(name))


def tested_peers() -> tuple[str, ...]:
    """Name those that are installed in a release that was tested."""
    return tuple(name for name in peer_names() if installed_version(name) in _load(name).TESTED_VERSIONS)


def installed_version(name: str) -> str:
    """Give the installed release of a tool, empty where there is none."""
    try:
        return version(_load(name).DISTRIBUTION)
    except PackageNotFoundError:
        return ""


def _load(name: str) -> Peer:
    return cast("Peer", import_module(f"{__name__}.{name}"))


def _find(name: str, force: bool) -> Peer:
    if name not in peer_names():
        raise AccelerationError(
            where="accelerate",
            wanted=name_list(peer_names()),
            got=quote(name),
            next_step="What other tools compute is a recipe for bleuprint.score; `bleuprint recipes` lists them.",
        )
    peer, found = _load(name), installed_version(name)
    if not found:
        raise AccelerationError(
            where=f"accelerate, {name}",
            wanted=f"{peer.DISTRIBUTION} to be installed",
            got="no such package",
            next_step=f"Install it: pip install {peer.DISTRIBUTION}=={peer.TESTED_VERSIONS[-1]}.",
        )
    if found not in peer.TESTED_VERSIONS and not force:
        raise AccelerationError(
            where=f"accelerate, {name}",
            wanted=f"release {' or '.join(peer.TESTED_VERSIONS)}, which were tested",
            got=found,
            next_step="Use one of these, or force=True (on the command line --force) and compare some results.",
        )
    return peer


def _stop(name: str) -> None:
    peer = _running.pop(name, None)
    if peer is not None:
        peer.undo()
