"""``bleuprint selftest``: the worked examples once more, on this machine."""

from __future__ import annotations

from bleuprint.cli.options import make_command
from bleuprint.cli.printing import deliver
from bleuprint.lessons.worked_examples import EXAMPLES, check_examples
from bleuprint.wording import count_of


@make_command("selftest")
def command() -> int:
    """Work every documented example out again on this machine, and fail loudly if a digit differs."""
    checks = check_examples()
    lines = []
    for example in EXAMPLES:
        own = [check for check in checks if check.example == example.name]
        verdict = "ok  " if all(check.holds for check in own) else "FAIL"
        lines.append(f"{verdict} {example.name}: {example.lesson}")
        for check in own:
            mark = "" if check.holds else f"  <-- must be {check.expected}"
            lines.append(f"       {check.quantity} = {check.got}{mark}")
    failed = sum(not check.holds for check in checks)
    deliver("\n".join([*lines, f"{count_of(len(checks), 'number')} checked, {failed} wrong"]), None)
    return int(bool(failed))
