"""Where does corpus mode's counting take its time? This runs in the page's Python; browser_kernel.py hands it over."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from bleuprint.engines import find_engine
from bleuprint.engines.browser import Room
from bleuprint.native_kernel import find_kernel
from bleuprint.web.bridge import handle_json
from bleuprint.web.requests import read_recipe, read_segments


def time_stages(requests: list[str], rounds: int) -> dict[str, float]:
    """Give the least milliseconds that each stage takes for all requests: others may use the machine as well."""
    read = [json.loads(request) for request in requests]
    recipe = read_recipe(read[0])
    segments = [read_segments(request, [recipe]) for request in read]
    counted = [find_engine().count_with_plain(part, recipe.layout) for part in segments]
    instance = find_kernel()._instance

    def hand_over(part: Any) -> None:
        room = Room(instance)
        room.put_segments(part.candidates, part.references)
        room.give_back()

    def least(work: Callable[[Any], object], inputs: list[Any]) -> float:
        times = []
        for _ in range(rounds):
            start = time.perf_counter()
            for one in inputs:
                work(one)
            times.append(1000 * (time.perf_counter() - start))
        return min(times)

    handed = least(hand_over, segments)
    return {
        "read the request": least(json.loads, requests),
        "check and pair the texts": least(lambda request: read_segments(request, [recipe]), read),
        "encode the texts and copy them to the kernel": handed,
        "count in the kernel, and copy rows back": least(
            lambda part: find_engine().count_with_plain(part, recipe.layout), segments
        ) - handed,
        "write the answer": least(lambda made: json.dumps({"rows": made[0].list_rows()}), counted),
        "all of these, in the worker": least(handle_json, requests),
    }  # fmt: skip
