"""JUnit: gates as test cases, for the many tools that show such reports."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

from bleuprint.findings.gates import Gate

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML document can hold, however it is written."""


def render_junit(suite: str, gates: Sequence[Gate], properties: Mapping[str, str]) -> str:
    """Write a report with a test case for every gate; properties tell how the numbers were made."""
    failed = sum(not gate.passed for gate in gates)
    counts = {"tests": str(len(gates)), "failures": str(failed), "errors": "0", "skipped": "0"}
    root = ElementTree.Element("testsuites", {"name": "bleuprint", **counts})
    own = ElementTree.SubElement(root, "testsuite", {"name": suite, **counts})
    told = ElementTree.SubElement(own, "properties")
    for name, value in properties.items():
        ElementTree.SubElement(told, "property", {"name": _clean(name), "value": _clean(value)})
    for gate in gates:
        names = {"classname": suite, "name": _clean(f"{gate.recipe}: {gate.rule}")}
        case = ElementTree.SubElement(own, "testcase", names)
        reason = _clean(gate.reason)
        if gate.passed:
            ElementTree.SubElement(case, "system-out").text = reason
        else:
            ElementTree.SubElement(case, "failure", {"message": reason, "type": "gate"}).text = reason
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _clean(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
