"""Count the requests per second that ``bleuprint serve`` answers, and how long the slowest percent waits.

One segment of 20 tokens against one reference of 20 tokens, POST /api/v1/score, over loopback, with wrk
(Debian: apt-get install wrk) on the same machine, so that server and wrk share its cores. Run it with
``.venv/bin/python bench/serve.py``; the goal is 1,000 requests per second on 2 cores, p99 under 50 ms.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from machine import describe

BODY = {
    "candidate": "the quick brown fox jumps over the lazy dog while the cat is sleeping on the warm mat near us",
    "references": ["the fast brown fox jumped over a lazy dog while the cat was sleeping on the warm mat near me"],
}
SCRIPT = """
wrk.method = "POST"
wrk.body = [==[{body}]==]
wrk.headers["Content-Type"] = "application/json"
"""
GOAL = (1000, 50)
"""Requests per second, and milliseconds at the 99th percentile."""


@contextmanager
def server() -> Iterator[str]:
    """Run the server on a free port."""
    command = [Path(sys.executable).parent / "bleuprint", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            if not found:
                sys.exit("bench/serve.py: the server did not start")
            yield found[0]
        finally:
            process.send_signal(signal.SIGINT)


def run_wrk(wrk: str, url: str, seconds: int, connections: int) -> str:
    """Send requests for a while; give what wrk prints."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(SCRIPT.replace("{body}", json.dumps(BODY)))
        script.flush()
        command = [
            wrk,
            "-t2",
            f"-c{connections}",
            f"-d{seconds}s",
            "--latency",
            "-s",
            script.name,
            f"{url}api/v1/score",
        ]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read_report(report: str) -> tuple[float, float, int]:
    """Read requests per second, p99 in milliseconds, and the number of failed requests."""
    rate = re.search(r"Requests/sec:\s+([\d.]+)", report)
    slowest = re.search(r"99%\s+([\d.]+)(us|ms|s)", report)
    failed = re.findall(r"Non-2xx or 3xx responses: (\d+)|(?:connect|read|write|timeout) (\d+)", report)
    assert rate, report
    assert slowest, report
    p99 = float(slowest[1]) * {"us": 0.001, "ms": 1, "s": 1000}[slowest[2]]
    return float(rate[1]), p99, sum(int(number) for pair in failed for number in pair if number)


def main() -> int:
    """Measure several times and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    wrk = shutil.which("wrk")
    if not wrk:
        print("bench/serve.py: wrk expected on the PATH, none found. Debian: apt-get install wrk", file=sys.stderr)
        return 2
    print(describe("fastapi", "uvicorn", "httptools" if find_spec("httptools") else "h11"))
    with server() as url:
        run_wrk(wrk, url, 2, options.connections)  # warms up
        rounds = [read_report(run_wrk(wrk, url, options.seconds, options.connections)) for _ in range(options.rounds)]
    print(f"wrk -t2 -c{options.connections} -d{options.seconds}s on the same machine")
    print("| round | requests/s | p99 in ms | failed |\n|---|---|---|---|")
    for number, (rate, p99, failed) in enumerate(rounds, start=1):
        print(f"| {number} | {rate:,.0f} | {p99:.1f} | {failed} |")
    rate, p99, failed = sorted(rounds)[len(rounds) // 2]
    met = rate >= GOAL[0] and p99 < GOAL[1] and not failed
    print(f"median round: {rate:,.0f} requests/s, p99 {p99:.1f} ms: goal {'met' if met else 'missed'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
