"""docs/level-zero.md is what its generator prints, and speaks of everything."""

from __future__ import annotations

from itertools import chain

import pytest

from runtime import zes, zet
from runtime.driver.abi import signatures
from runtime.ze.declaration import callables, functions
from runtime.ze.layers import CHECK_VARIABLES
from runtime.ze.unsupported import UNSUPPORTED
from tests.unit.runtime.ze.page.conformance import AREAS
from tests.unit.runtime.ze.page.coverage import ROOT, by_function, exists
from tests.unit.runtime.ze.page.page import page

pytestmark = pytest.mark.docs

FUNCTIONS, CALLABLES = functions(), callables()
PAGE = page()


def test_page_is_up_to_date() -> None:
    committed = (ROOT / "docs" / "level-zero.md").read_text()
    assert committed == PAGE, "run: python -m tests.unit.runtime.ze.page > docs/level-zero.md"


@pytest.mark.parametrize("name", CALLABLES)
def test_every_name_is_there(name: str) -> None:
    assert f"`{name}`" in PAGE


def test_system_management_is_there() -> None:
    """Every function of both specifications, each under its names."""
    assert len(callables(zes.SysmanChapter)) > len(functions(zes.SysmanChapter)) > 150
    assert [name for name in callables(zes.SysmanChapter) if f"`{name}`" not in PAGE] == []


def test_tools_are_there() -> None:
    """Every function that the tables of C have, and every one under its names in 0.91."""
    assert [name for name in signatures() if name.startswith(("zet", "zes")) and f"`{name}`" not in PAGE] == []
    assert [name for name in callables(zet.ToolsChapter) if f"`{name}`" not in PAGE] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_a_test(name: str) -> None:
    assert name in by_function(), f"no test calls ze.{name}"


def test_every_switch_is_there() -> None:
    assert all(f"`{variable}`" in PAGE for variable in CHECK_VARIABLES)


def test_nothing_is_both_there_and_missing() -> None:
    names = list(chain.from_iterable(names.split() for names, _ in UNSUPPORTED))
    assert len(set(names)) == len(names)
    assert not set(names) & set(CALLABLES), "take out of unsupported.py what is supported now"


@pytest.mark.parametrize("path", sorted(set(chain.from_iterable(chain(*(rows.values() for rows in AREAS.values()))))))
def test_conformance_names_tests_that_exist(path: str) -> None:
    assert exists(path)


def test_examples_use_names_that_exist() -> None:
    used = {word.strip("().,`") for word in PAGE.split() if word.startswith("zet.")}
    assert used and all(hasattr(zet, name.removeprefix("zet.").partition("(")[0]) for name in used)
