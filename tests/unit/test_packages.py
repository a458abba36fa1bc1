"""The packages as users install them."""

from __future__ import annotations

import importlib
from importlib.metadata import version

import pytest

from tests.paths import ROOT


@pytest.mark.parametrize("name", ["xegpu", "passes", "zebin", "runtime", "tools"])
def test_packages_are_typed_and_say_what_they_are(name: str) -> None:
    package = importlib.import_module(name)
    assert (ROOT / name / "py.typed").exists()
    summary = str(package.__doc__).split("\n")[0]
    assert len(summary) > 20
    assert summary.endswith(".")


@pytest.mark.parametrize("name", ["xegpu", "passes", "zebin", "runtime"])
def test_packages_have_the_version_of_the_distribution(name: str) -> None:
    assert importlib.import_module(name).__version__ == version("xegpu-toolkit")
