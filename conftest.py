"""Doctests of modules that need packages which only ``make test-all`` installs."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
NEEDS = {
    "src/bleuprint/adapters/arrow": "pyarrow",
    "src/bleuprint/adapters/rewards.py": "torch",
    "src/bleuprint/adapters/spark.py": "pyspark",
    "src/bleuprint/adapters/spark_job.py": "pyspark",
    "src/bleuprint/adapters/token_ids": "torch",
    "src/bleuprint/adapters/torch": "torch",
    "src/bleuprint/adapters/torchmetrics.py": "torchmetrics",
    "src/bleuprint/compat/torchmetrics": "torchmetrics",
    "tests/support/browser_engine.py": "wasmtime",
    "tests/web/page/browsers.py": "selenium",
}

collect_ignore = [path for path, package in NEEDS.items() if find_spec(package) is None]
if not (find_spec("playwright") and (shutil.which("chromium-headless-shell") or shutil.which("chromium"))):
    collect_ignore.append("tests/web/page")


def pytest_report_header() -> str | None:
    """Name what is left out."""
    if not collect_ignore:
        return None
    return f"left out, as they need packages that make test-all installs: {', '.join(collect_ignore)}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave them to ``make test-all``."""
    for item in items:
        if any(item.path.is_relative_to(ROOT / path) for path in NEEDS):
            item.add_marker("extended")
