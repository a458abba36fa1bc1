"""The pages of decisions have the same four parts, and the table of contents has each of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.paths import DOCS

pytestmark = pytest.mark.docs

PAGES = sorted(path for path in (DOCS / "decisions").glob("*.md") if path.stem != "README")
PARTS = ["Context", "Decision", "What was given up", "What would change it"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_decision_says_why_and_what_it_costs(page: Path) -> None:
    parts = re.split(r"^## (.*)$", page.read_text(), flags=re.MULTILINE)
    assert parts[1::2] == PARTS
    assert all(len(text.split()) >= 8 for text in parts[2::2])


def test_the_table_has_every_decision() -> None:
    table = (DOCS / "decisions" / "README.md").read_text()
    assert sorted(re.findall(r"\]\((.*?\.md)\)", table)) == [page.name for page in PAGES]
