"""What the workers of one run have in common: a folder, and turns."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from filelock import FileLock


def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give one folder for all workers of a run."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def locked(path: Path) -> FileLock:
    """Let one worker in at a time, on every system."""
    return FileLock(path)
