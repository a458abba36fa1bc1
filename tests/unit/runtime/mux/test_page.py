"""The page about the specification: each rule has a test that exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.paths import DOCS, ROOT

pytestmark = pytest.mark.docs

PAGE = (DOCS / "computemux.md").read_text()
_FEWEST_RULES = 90


def rows() -> list[list[str]]:
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and line != "| Rule | Here | Test |"]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


@cache
def names_in(path: Path) -> frozenset[str]:
    """Returns the tests of a file as pytest names them."""
    tree = ast.parse(path.read_text())
    found = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return frozenset(found)


def test_every_rule_has_a_test_that_exists() -> None:
    for row in rows():
        assert len(row) == 3, row
        found = re.fullmatch(r"`(\S+?\.py)::(\S+)`", row[2])
        assert found is not None, f"no test: {row[0]}"
        path = ROOT / "tests" / "unit" / found[1]
        assert path.is_file(), row[2]
        assert found[2].rpartition("::")[2].startswith("test_"), row[2]
        assert found[2] in names_in(path), row[2]


def test_no_rule_is_left_out() -> None:
    """Counts what the specification calls compulsory or likely; its text is not part of the project."""
    assert len(rows()) >= _FEWEST_RULES


def test_every_section_has_rules_or_words() -> None:
    for section in PAGE.split("\n## ")[1:]:
        assert len(section.splitlines()) > 2, section
