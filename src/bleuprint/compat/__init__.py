"""Other tools: drop-ins by their own names and with their own numbers, their arithmetic, and acceleration in place."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bleuprint.compat.acceleration import AccelerationError, accelerate, restore

__all__ = ["AccelerationError", "accelerate", "restore"]

if not TYPE_CHECKING:  # a drop-in is imported through here, and needs none of these

    def __getattr__(name: str) -> object:
        """Load acceleration when it is first asked for."""
        if name not in __all__:
            raise AttributeError(f"module 'bleuprint.compat' has no attribute {name!r}")
        return getattr(import_module("bleuprint.compat.acceleration"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
