"""Servers that the tests start and stop themselves, and the flags that their browser runs with."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SUBFOLDER = "some/folder/bleu calculator"
"""The static page must work below any address, also below one with a space."""
QUICKLY_PACKED = 6
"""How hard gzip tries for the site of the tests: it is a hundredth larger, and three seconds sooner there."""
BROWSER_FLAGS = (
    "--disable-gpu", "--disable-quic", "--disable-background-networking", "--force-color-profile=srgb",
    "--process-per-site",
)  # fmt: skip


def find_chromium() -> str:
    """Chromium without windows, which takes half of the time; with them in the matrix, and where there is no other."""
    names = ["chromium"] if os.environ.get("BLEUPRINT_WINDOWS") else ["chromium-headless-shell", "chromium"]
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, "these tests drive Debian's Chromium, which is not installed: apt-get install chromium"
    return found


def file_server(folder: Path) -> list[str]:
    """Python's own file server, which sends no header beyond type, length and date."""
    return [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", str(folder), "0"]


@contextmanager
def running(command: list[str]) -> Iterator[str]:
    """Run a server and give the address that it prints."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            address = re.search(r"http://[\d.:]+/", line)
            assert address, f"{' '.join(command)} printed no address but {line!r}"
            yield address.group()
        finally:
            process.terminate()
