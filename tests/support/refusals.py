"""Errors of calls that are refused, compared by their type and attributes instead of their text."""

import pytest

from bleuprint.errors import BleuprintError


def refuse(call, error=BleuprintError, **attributes):
    """Call and return the error. ``argument``, ``system`` and the error's attributes are compared."""
    with pytest.raises(error) as caught:
        call()
    found = caught.value
    assert found.message
    for name, expected in attributes.items():
        assert getattr(found.location if name in ("argument", "system") else found, name) == expected
    return found
