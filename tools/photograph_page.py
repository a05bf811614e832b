"""Take docs/page.png, the picture of the page with its first example, in the installed Chromium.

    .venv/bin/python tools/photograph_page.py

The picture carries what the page says of itself and its modes, as a text of PNG's: by that a test tells when it is old.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs/page.png"
SIZE = {"width": 1200, "height": 1010}
AT_REST = "document.body.dataset.ready === 'yes' && !Number(document.body.dataset.coming ?? 0)"
FLAGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"]
SIGNATURE = b"\x89PNG\r\n\x1a\n"
KEYWORD = b"Description"


def describe(page: str) -> str:
    """Give the words by which a picture of a page can be told from an older one: its summary, and its modes."""
    [summary] = re.findall(r"<h1>bleuprint</h1><p>(.+?)</p>", page)
    return " | ".join([summary, *re.findall(r'role="tab".*?>([^<]+)</button>', page)])


def label(picture: bytes, words: str) -> bytes:
    """Put words into a PNG, before its last chunk."""
    body = b"tEXt" + KEYWORD + b"\0" + words.encode("latin-1")
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    end = picture.rindex(b"IEND") - 4
    return picture[:end] + chunk + picture[end:]


def read_label(picture: bytes) -> str:
    """Read such words back; empty where there are none."""
    place = len(SIGNATURE)
    while place < len(picture):
        (length,) = struct.unpack_from(">I", picture, place)
        kind, body = picture[place + 4 : place + 8], picture[place + 8 : place + 8 + length]
        if kind == b"tEXt" and body.startswith(KEYWORD + b"\0"):
            return body[len(KEYWORD) + 1 :].decode("latin-1")
        place += length + 12
    return ""


def take_picture(chromium: str) -> bytes:
    """Serve the page, and photograph it once its first result is there and at rest."""
    command = [sys.executable, "-m", "bleuprint", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            [address] = re.findall(r"http://\S+", server.stdout.readline())
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, chromium_sandbox=False, args=FLAGS)
                page = browser.new_page(viewport=SIZE, color_scheme="light")
                page.goto(address)
                page.wait_for_function(AT_REST)
                page.get_by_text("What if", exact=True).first.wait_for()
                page.wait_for_load_state("networkidle")
                words, picture = describe(page.content()), page.screenshot()
                browser.close()
        finally:
            server.terminate()
    return label(picture, words)


def main() -> None:
    """Write the picture."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("photograph_page: expected chromium, got no such program. On Debian: apt-get install chromium")
    PICTURE.write_bytes(take_picture(chromium))


if __name__ == "__main__":
    main()
