"""The model files of tokenizers, found by name, path or the SHA-256 that signatures have.

Nothing is downloaded.
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
        """Read the model again; a changed file is an error."""
        content = _read(self.path)
        if hashlib.sha256(content).hexdigest() != self.digest:
            message = f"The model no longer has the SHA-256 {self.digest}."
            raise FileError(message, "The file changed while this program ran. Start it again.", where=str(self.path))
        return content


_given: dict[str, Model] = {}
"""The models given by their paths or found by their SHA-256."""


def models_folder() -> Path:
    """Return the folder for models: ``$BLEUPRINT_MODELS``, or ``~/.bleuprint/models``."""
    return _folder(VARIABLE, "~/.bleuprint/models")


def model_folders() -> list[Path]:
    """List the folders with models: that of bleuprint, then that of sacreBLEU."""
    return [models_folder(), _folder("SACREBLEU", "~/.sacrebleu") / "models"]


def _folder(variable: str, usual: str) -> Path:
    # Path.expanduser raises an error for a user without a home.
    return Path(os.environ.get(variable) or os.path.expanduser(usual))  # noqa: PTH111


def find_named(*names: str) -> Model | None:
    """Find a model by the names that its file may have."""
    places = (folder / name for folder in model_folders() for name in names)
    return next((_describe(place) for place in places if place.is_file()), None)


def find_path(path: str) -> Model:
    """Read a model by its path, so that its SHA-256 finds it from now on."""
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
        message = f"Cannot read the SentencePiece model: {quote(reason, 200)}."
        raise FileError(message, "Check the path. The file usually ends in .model.", where=quote(str(path))) from None
