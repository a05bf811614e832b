"""Numbers as other tools compute them, held to all digits that two floats can be expected to share."""

import pytest


def twelve_digits(expected):
    return pytest.approx(expected, rel=1e-12, abs=0)
