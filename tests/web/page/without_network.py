"""Run by test_privacy.py where there is no network but the loopback: serve the site, use the page, print what it shows.

Arguments: the folder of the site, and the browser.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "support"))

from network_route import find_network
from page.driver import Driver, Host
from page.hosts import BROWSER_FLAGS, file_server, running


def use_page(folder: str, browser_path: str) -> dict[str, str]:
    """Open the page, write texts, read the result."""
    with running(file_server(Path(folder))) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, chromium_sandbox=False, args=list(BROWSER_FLAGS)
        )
        driver = Driver(browser.new_page(), Host("static", address)).open()
        shown = driver.write("the cat is on the mat", ["there is a cat on the mat"]).read()
        browser.close()
    return shown


if __name__ == "__main__":
    print(json.dumps({"network": find_network(), "shown": use_page(*sys.argv[1:])}))
