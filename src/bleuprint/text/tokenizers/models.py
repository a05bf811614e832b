"""The model files of tokenizers: where they are looked for, and the SHA-256 that signatures carry instead of a path.

Nothing is downloaded. A model lies in one of two folders under a known name, or it is given by its path.
"""

from __future__ import annotations

import hashlib
import os
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bleuprint.errors import FileError, quote

VARIABLE = "BLEUPRINT_MODELS"


class Model(NamedTuple):
    """A model file, the SHA-256 of its bytes, and its name in the letters that a signature may have."""

    path: Path
    digest: str
    label: str

    def read(self) -> bytes:
        """Read the model again; refused if it is another one by now."""
        content = _read(self.path)
        if hashlib.sha256(content).hexdigest() != self.digest:
            raise FileError(
                where=str(self.path),
                wanted=f"the model with the SHA-256 {self.digest}",
                got="another one",
                next_step="The file changed while this program ran: start it again.",
            )
        return content


_given: dict[str, Model] = {}
"""The models given by their paths, and those found in their stead, by SHA-256."""


def models_folder() -> Path:
    """Name the folder for models: ``$BLEUPRINT_MODELS``, or ``~/.bleuprint/models``."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else _home() / ".bleuprint" / "models"


def model_folders() -> list[Path]:
    """List where models are looked for: the folder of bleuprint, then the one that sacreBLEU keeps its own in."""
    theirs = os.environ.get("SACREBLEU")
    return [models_folder(), (Path(theirs) if theirs else _home() / ".sacrebleu") / "models"]


def find_named(*names: str) -> Model | None:
    """Find a model by the names that its file may have."""
    places = (folder / name for folder in model_folders() for name in names)
    return next((_describe(place) for place in places if place.is_file()), None)


def find_path(path: str) -> Model:
    """Take a model by its path; from now on its SHA-256 is enough to find it."""
    model = _describe(Path(path))
    return _given.setdefault(model.digest, model)


def find_digest(digest: str, label: str) -> Model | None:
    """Find a model by its SHA-256: one given by its path before, or one in the folders, under any name."""
    if digest in _given:
        return _given[digest]
    for model in sorted(list_models(), key=lambda model: model.label != label):
        if model.digest == digest:
            return _given.setdefault(digest, model._replace(label=label))
    return None


def list_models() -> list[Model]:
    """List the models in the folders, by the ending ``.model``."""
    paths = [path for folder in model_folders() if folder.is_dir() for path in sorted(folder.glob("*.model"))]
    return [_describe(path) for path in paths if path.is_file()]


def _describe(path: Path) -> Model:
    try:
        status = path.stat()
    except (OSError, ValueError):
        _read(path)  # which says what is wrong
        raise
    label = re.sub(r"[^\w.-]", "_", path.name, flags=re.ASCII)
    return Model(path, _digest(path, status.st_size, status.st_mtime_ns), label)


@cache
def _digest(path: Path, _size: int, _changed: int) -> str:
    return hashlib.sha256(_read(path)).hexdigest()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(
            where=quote(str(path)),
            wanted="a SentencePiece model",
            got=quote(reason, 200),
            next_step="Check the path; the file usually ends in .model.",
        ) from None


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # nobody's process
        return Path("~")
