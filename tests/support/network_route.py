"""Whether there is a way out of the machine: asked by programs that run where none should be."""

from __future__ import annotations

import socket


def find_network() -> str:
    """Say whether any packet could leave."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "none"
    return "there is a route"
