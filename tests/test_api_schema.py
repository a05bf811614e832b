"""The JSON API keeps its word: whatever ``openapi.json`` allows or forbids is sent, and every answer is as it says."""

import schemathesis
from hypothesis import settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from bleuprint.web.server import make_app

SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", make_app(["testserver"]))


@SCHEMA.parametrize()
@settings(max_examples=30)
def test_every_answer_is_as_documented(case):
    # A schema cannot say that a recipe exists or that two lists are equally long, so a valid body may be refused.
    case.call_and_validate(excluded_checks=[positive_data_acceptance])
