"""Screenshots of the main states, wide and narrow, light and dark: kept in $BLEUPRINT_SCREENSHOTS if that is set."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from page.driver import Host, MakeDriver
from page.test_accessibility import LOOKS, STATES, name_of

SHOTS = [state for state in STATES if state.__name__ not in ("perfect", "too_long", "corpus_problem")]


@pytest.mark.parametrize("look", LOOKS)
def test_screenshots(served: Host, new_driver: MakeDriver, screenshots: Path, look: str):
    for state in SHOTS:
        driver = new_driver(served, **LOOKS[look]).open()
        state(driver)
        path = screenshots / f"{name_of(state)}-{look}.png"
        driver.page.screenshot(path=path, full_page=True)
        driver.page.context.close()
        data = path.read_bytes()
        width, height = struct.unpack(">II", data[16:24])
        assert data.startswith(b"\x89PNG")
        assert width == LOOKS[look].get("viewport", {"width": 1280})["width"]
        assert height > 900
        assert len(data) > 20_000
