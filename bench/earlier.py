"""The project as it was at an earlier commit."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def unpack(commit: str, folder: Path, *parts: str) -> Path:
    """Unpack the files of a commit, or some parts of them, into a new folder."""
    archive = subprocess.run(["git", "archive", commit, *parts], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return folder
