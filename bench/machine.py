"""Where and with what something was measured: figures without that mean little."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

CHROMIUM = shutil.which("chromium") or "chromium"


def describe(*packages: str, chromium: bool = False) -> str:
    """Name day, processor, cores, load and versions, in two lines."""
    info = Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*: (.+)", info.read_text(encoding="utf-8")) if info.exists() else []
    where = f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores, {platform.system()}"
    load = f"load average {os.getloadavg()[0]:.1f} before"
    versions = [
        f"Python {platform.python_version()}",
        *(f"{name} {version(name)}" for name in ("bleuprint", *packages)),
    ]
    if chromium:
        said = subprocess.run([CHROMIUM, "--version"], capture_output=True, text=True, check=True).stdout
        versions.append(" ".join(said.split()[:2]))
    return f"{datetime.now(UTC):%Y-%m-%d}: {where}, {load}\n{', '.join(versions)}"
