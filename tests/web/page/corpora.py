"""The example corpus, and how it is brought to the page."""

from __future__ import annotations

from pathlib import Path

from page.driver import Driver

EXAMPLES = Path(__file__).parents[3] / "examples"


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").split("\n")[:-1]


A, R1, R2 = (lines(name) for name in ("candidate-a.txt", "reference-1.txt", "reference-2.txt"))


def upload(driver: Driver, *files: Path | dict) -> None:
    driver.page.locator("#corpus-files").set_input_files(list(files))
    driver.page.locator("#corpus-list li").nth(len(files) - 1).wait_for()


def as_file(name: str, text: str | bytes) -> dict:
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    return {"name": name, "mimeType": "text/plain", "buffer": data}
