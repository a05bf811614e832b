"""What is done on the page until its result is there."""

from __future__ import annotations

from collections.abc import Callable

from page.driver import Driver


def act(driver: Driver, doing: Callable[[], object]) -> Driver:
    """Do something and wait for the result of it, or for a problem."""
    return driver.await_change("worked", doing)


def press(driver: Driver, button: str) -> Driver:
    return act(driver, driver.page.locator(f"#{button}").click)
