"""Links to texts and recipes, as the page writes and follows them."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest


def fragment(form: object) -> str:
    data = form if isinstance(form, bytes) else json.dumps(form).encode()
    return "#s=" + base64.urlsafe_b64encode(data).decode().rstrip("=")


FOLLOW = """(link) => new Promise((done) => {
    addEventListener("hashchange", done, { once: true });
    location.hash = link;
})"""


def first_alone(links: list[Any]) -> list[Any]:
    """Open the first of them anew, and in the matrix the others: the same function reads what an open page follows."""
    return [links[0], *(pytest.param(link, marks=pytest.mark.extended) for link in links[1:])]
