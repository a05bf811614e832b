"""Run by test_adapter_evaluate.py where there is no network at all: load the module, score, print what came back.

Arguments: the candidates and references as JSON.
"""

from __future__ import annotations

import json
import socket
import sys

import bleuprint as bp


def find_network() -> str:
    """Say whether any packet could leave."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "none"
    return "there is a route"


if __name__ == "__main__":
    import evaluate

    candidates, references = json.loads(sys.argv[1])
    metric = evaluate.load(bp.evaluate_path())
    result = metric.compute(predictions=candidates, references=references)
    print(json.dumps({"network": find_network(), "result": result}))
