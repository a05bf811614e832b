"""Run by test_adapter_evaluate.py where there is no network at all: load the module, score, print what came back.

Arguments: the candidates and references as JSON.
"""

from __future__ import annotations

import json
import sys

from bleuprint.adapters.evaluate_module import evaluate_path
from network_route import find_network

if __name__ == "__main__":
    import evaluate

    candidates, references = json.loads(sys.argv[1])
    metric = evaluate.load(evaluate_path())
    result = metric.compute(predictions=candidates, references=references)
    print(json.dumps({"network": find_network(), "result": result}))
