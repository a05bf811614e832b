"""Calls of other tools, once as they are and once accelerated."""

import bleuprint as bp


def both_ways(call):
    """Do the same with the installed sacreBLEU as it is, and accelerated."""
    with bp.accelerate("sacrebleu"):
        fast = call()
    return fast, call()


def refuse(*_):
    raise AssertionError("sacreBLEU's own counting ran")
