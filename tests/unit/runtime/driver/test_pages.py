"""The generated pages of the driver are what their generators print, and docs/driver.md names every variable."""

from __future__ import annotations

import dataclasses

import pytest

from runtime.driver import Settings
from runtime.driver.abi import layouts, signatures
from runtime.driver.marshalling import class_of
from tests.paths import DOCS
from tests.unit.runtime.driver.pages import functions, structures

pytestmark = pytest.mark.docs


PAGES = {"functions": functions.page, "structures": structures.page}


@pytest.mark.parametrize("name", PAGES)
def test_page_is_up_to_date(name: str) -> None:
    text = (DOCS / f"driver-{name}.md").read_text()
    assert text == PAGES[name](), f"run: python -m tests.unit.runtime.driver.pages {name} > docs/driver-{name}.md"


def test_every_function_is_there() -> None:
    text = functions.page()
    assert [name for name in signatures() if f"\n| `{name}` |" not in text] == []


def test_every_structure_has_an_account() -> None:
    assert [name for name in layouts() if not structures.account(name)] == []


def test_no_reason_is_given_for_what_the_driver_has() -> None:
    given = [name for reasons in structures.REASONS.values() for name in reasons]
    assert [name for name in given if name not in layouts()] == []
    assert [name for name in given if class_of(name) is not None and structures.is_chained(name)] == []


@pytest.mark.parametrize("field", dataclasses.fields(Settings), ids=lambda field: field.name)
def test_every_variable_is_there(field: dataclasses.Field[str]) -> None:
    assert f"`XEGPU_{field.name.upper()}`" in (DOCS / "driver.md").read_text()
