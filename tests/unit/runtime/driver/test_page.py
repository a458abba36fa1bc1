"""docs/driver-functions.md is what its generator prints, and docs/driver.md names every variable."""

from __future__ import annotations

import dataclasses

import pytest

from runtime.driver import Settings
from runtime.driver.abi import signatures
from tests.paths import DOCS
from tests.unit.runtime.driver.page import page

pytestmark = pytest.mark.docs


def test_page_is_up_to_date() -> None:
    text = (DOCS / "driver-functions.md").read_text()
    assert text == page(), "run: python -m tests.unit.runtime.driver.page > docs/driver-functions.md"


def test_every_function_is_there() -> None:
    text = page()
    assert [name for name in signatures() if f"\n| `{name}` |" not in text] == []


@pytest.mark.parametrize("field", dataclasses.fields(Settings), ids=lambda field: field.name)
def test_every_variable_is_there(field: dataclasses.Field[str]) -> None:
    assert f"`XEGPU_{field.name.upper()}`" in (DOCS / "driver.md").read_text()
