"""Calls of other tools, once accelerated and once as they are."""

from contextlib import contextmanager
from importlib import import_module

from bleuprint.compat.acceleration import install, uninstall


@contextmanager
def accelerated(tool):
    """Accelerate a tool without the self-check, which takes longer than most calls here."""
    swaps = install(import_module(f"bleuprint.compat.{tool}.acceleration").replacements())
    try:
        yield
    finally:
        uninstall(swaps)


def both_ways(call, tool="sacrebleu"):
    """Return what a call returns when the tool is accelerated, and when it is not."""
    with accelerated(tool):
        fast = call()
    return fast, call()


def refuse(*_):
    raise AssertionError("sacreBLEU's own counting ran")
