"""Acceleration: replace the slow functions of installed tools with bleuprint's, in every module that holds them.

Each tool has a module ``compat/TOOL/acceleration.py`` that makes the new functions (``replacements``) and scores sample
texts with the tool (``samples``). The samples are scored before and after the replacement. If a number differs, the
tool gets its functions back and is refused.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from threading import Lock
from types import ModuleType
from typing import Any

from bleuprint.errors import BleuprintError, quote, unknown_name

TOOLS = ("nltk", "sacrebleu", "torchmetrics")
SAMPLES = """
The cat sat on the mat. | The cat is sitting on the mat. | There is a cat on the mat.
On the mat the black cat sat today | The black cat sat on the mat today | today the cat sat
“Don't!” he said; she didn't. | "Do not!" he said: she didn't. | He said, 'Don't.'
&quot;R&amp;D&quot; &lt;skipped&gt; <skipped> well-known | "R&D" <skipped> well known | R & D
Die Größe der STRASSE beträgt 2.500 m². | Die GRÖSSE der Straße beträgt 2500 m². | Eine Straße.
我有一本书,价格是 25 元。 | 我有两本书,价格是25元。 | 这是一本书。
e.g. U.S. 3.14.15 a.b a/b a_b [x] {y} #1 @me ~^` | e.g., US 3.14 a.b a / b [x] #1 | e.g.
b c d a e f g | a b c d e f g | g f e d c b a
the the the the the | The cat is here, the dog is not. | the end
It costs $1,234.50 (about 3.5% more)... | It costs 1,234.5 $ - about 3.5 % more. | It costs €5.
彼は東京へ行きました。 | 彼は昨日、東京へ行った。 | 東京へ
그는 서울에 갔다. | 그는 어제 서울에 갔다. | 서울
Он сказал: «Привет, мир!» | Он сказал: «Здравствуй, мир!» | Привет
قال الرجل: ١٢٣ كتابًا؟ | قال الرجل ١٢٣ كتابا؟ | كتاب
राम ने 5 सेब खाए। | राम ने पाँच सेब खाए। | सेब
Ça coûte 5\u00a0€ n° 7 – l’été | Cela coûte 5 € n° 7 - l'été | l'été
naïve cafe\u0301 İstanbul ΣΑΣ | naïve café istanbul σας | NAÏVE
🙂 fine ➔ ok №5 ½ ™ | 🙂 fine -> ok no. 5 1/2 TM | ok
a  b\tc   d | a b c d | a b
word | word | another word
 | an empty candidate | nothing
no overlap whatsoever | completely different words | none
 |  | of two references one is empty
one two three four five six seven eight nine ten | ten nine eight seven six five four three two one | one
exactly the same text here . | exactly the same text here . | the same text
"""
"""Candidates, each with two references: what tokenizers, smoothing, clipping and shifts treat differently."""
CANDIDATES, *_STREAMS = map(list, zip(*(line.split(" | ") for line in SAMPLES.strip("\n").split("\n")), strict=True))
REFERENCES = list(map(list, zip(*_STREAMS, strict=True)))

Replacement = tuple[Any, str, Callable[..., Any]]
"""A module or class of a tool, the name of one of its functions, and the new function."""
Swap = tuple[Any, str, Any, Any]
"""A module or class, the name of one of its functions, the old and the new function."""
_INHERITED = object()
"""Stands for a method that a class does not define itself."""
_running: dict[str, list[Swap]] = {}
"""The accelerated tools, with what was replaced."""
_lock = Lock()
"""Held while that changes. Nothing is imported meanwhile: a thread that imports a tool may be waiting for the lock."""


class AccelerationError(BleuprintError):
    """A tool that cannot be accelerated."""


@dataclass
class Acceleration:
    """The tools that a call of ``accelerate`` accelerated; leaving it as a context restores them."""

    names: list[str] = field(default_factory=list)
    """The tools that this call accelerated, or will when they are imported."""
    refused: dict[str, AccelerationError] = field(default_factory=dict)
    """The tools that were left alone, each with the reason."""

    def __enter__(self) -> Acceleration:
        return self

    def __exit__(self, *_: object) -> None:
        for name in self.names:
            _stop(name)

    def start(self, name: str) -> None:
        """Accelerate a tool, or refuse it."""
        try:
            if _start(name):
                self.names.append(name)
        except AccelerationError as error:
            self.refused[name] = error


class _ImportHook(MetaPathFinder):
    """Accelerates tools right after their first import. Importing them only for that would cost programs seconds."""

    def __init__(self) -> None:
        self.waiting: dict[str, Acceleration] = {}

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find a tool as the other finders do, with a loader that accelerates it."""
        acceleration = self.waiting.pop(name, None)
        if acceleration is None:
            return None
        spec = find_spec(name)
        self.waiting[name] = acceleration
        loader: Any = spec and spec.loader
        if loader:
            load = loader.exec_module

            def load_and_accelerate(module: ModuleType) -> None:
                load(module)
                self.accelerate(module.__name__)

            loader.exec_module = load_and_accelerate
        return spec

    def accelerate(self, name: str) -> None:
        """Accelerate a tool that was imported."""
        acceleration = self.waiting.pop(name, None)
        if acceleration:
            acceleration.names.remove(name)
            acceleration.start(name)
            if name in acceleration.refused:
                warnings.warn(str(acceleration.refused[name]), RuntimeWarning, stacklevel=2)


_hook = _ImportHook()


def accelerate(*names: str) -> Acceleration:
    """Replace the slow functions of installed tools, so that existing code gets faster unchanged.

    Accelerated are BLEU and chrF of NLTK, and BLEU, chrF and TER of sacreBLEU and torchmetrics. A self-check compares
    the numbers first. A tool that computes other numbers is refused. ``restore()`` undoes everything, and so does
    leaving a ``with`` block.

    Args:
        names: ``"nltk"``, ``"sacrebleu"`` or ``"torchmetrics"``, which are imported at once. Without names, all
            installed tools; one that is not imported yet is accelerated when it is imported.

    Returns:
        What this call accelerated (``names``), and what it refused, with the reasons (``refused``).

    Raises:
        AccelerationError: If a named tool is refused or not installed, or if no tool can be accelerated.

    >>> from sacrebleu.metrics import BLEU
    >>> with accelerate("sacrebleu"):
    ...     print(BLEU().corpus_score(["the cat is on mat"], [["the cat is on the mat"]]).score)
    57.89300674674101

    """
    unknown = [name for name in names if name not in TOOLS]
    if unknown:
        fix = f"Use one of: {', '.join(TOOLS)}. The numbers of other tools are recipes: bleuprint recipes"
        raise unknown_name("tool", unknown[0], TOOLS, fix, error=AccelerationError)
    chosen = names or installed_tools()
    if not chosen:
        message = f"None of the tools is installed: {', '.join(TOOLS)}."
        raise AccelerationError(message, "Install the tool that you use, in this environment.")
    acceleration = Acceleration()
    with ExitStack() as undoing:
        undoing.push(acceleration)
        for name in chosen:
            if names or name in sys.modules:
                acceleration.start(name)
            elif name not in _hook.waiting:
                _hook.waiting[name] = acceleration
                acceleration.names.append(name)
        if _hook.waiting and _hook not in sys.meta_path:
            sys.meta_path.insert(0, _hook)
        if acceleration.refused and (names or len(acceleration.refused) == len(chosen)):
            raise next(iter(acceleration.refused.values()))
        undoing.pop_all()
    return acceleration


def restore() -> None:
    """Undo everything that ``accelerate`` did.

    >>> restore()
    """
    for name in [*_running, *_hook.waiting]:
        _stop(name)


def installed_tools() -> tuple[str, ...]:
    """Return the names of the tools that can be imported."""
    return tuple(name for name in TOOLS if name in sys.modules or find_spec(name))


def install(replacements: Iterable[Replacement]) -> list[Swap]:
    """Replace functions: a method in its class, a function in every loaded module that holds it."""
    swaps = [(owner, name, vars(owner).get(name, _INHERITED), new) for owner, name, new in replacements]
    _exchange(swaps)
    return swaps


def uninstall(swaps: Iterable[Swap]) -> None:
    """Undo ``install``, also in modules that were loaded since. What somebody else has replaced since stays."""
    _exchange((owner, name, new, old) for owner, name, old, new in swaps)


def _exchange(swaps: Iterable[Swap]) -> None:
    functions = {}
    for owner, name, old, new in swaps:
        if isinstance(owner, ModuleType):
            functions[id(old)] = new
        elif vars(owner).get(name, _INHERITED) is old:
            delattr(owner, name) if new is _INHERITED else setattr(owner, name, new)
    for module in list(sys.modules.values()):
        names = vars(module) if issubclass(type(module), ModuleType) else {}
        for name, value in list(names.items()):
            if id(value) in functions:
                names[name] = functions[id(value)]


def _start(name: str) -> bool:
    """Check a tool and replace its functions; return whether that is new."""
    if name in _running:
        return False
    try:
        tool = import_module(f"bleuprint.compat.{name}.acceleration")
        expected = list(tool.samples(CANDIDATES, REFERENCES))
        with _lock:
            if name in _running:
                return False
            _running[name] = install(tool.replacements())
        found = list(tool.samples(CANDIDATES, REFERENCES))
        for (label, theirs), (_, ours) in zip(expected, found, strict=True):
            if theirs != ours:
                raise _refusal(name, f"{label}: it returns {quote(theirs)}, bleuprint {quote(ours)}")
    except BaseException as error:
        _stop(name)
        if isinstance(error, AccelerationError) or not isinstance(error, Exception):
            raise
        raise _refusal(name, quote(error)) from error
    return True


def _refusal(name: str, reason: str) -> AccelerationError:
    release = f"{name} {getattr(sys.modules.get(name), '__version__', '')}".rstrip()
    return AccelerationError(
        f"{release} cannot be accelerated: {reason}.",
        f"Install another release (pip install --upgrade {name}), or use this one without acceleration.",
    )


def _stop(name: str) -> None:
    with _lock:
        uninstall(_running.pop(name, ()))
        if _hook.waiting.pop(name, None) and not _hook.waiting:
            # a new list: another thread that iterates over the old one would skip the next finder
            sys.meta_path = [finder for finder in sys.meta_path if finder is not _hook]
