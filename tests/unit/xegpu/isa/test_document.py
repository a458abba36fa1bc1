"""docs/isa.md is what the generator prints, and speaks of everything."""

from __future__ import annotations

import re

import pytest

from tests.paths import ROOT
from xegpu.isa import TABLE
from xegpu.isa.document.page import PARTS, page
from xegpu.isa.formats.spec import all_layouts

pytestmark = pytest.mark.docs

PAGE = page()


def test_the_committed_page_is_up_to_date():
    committed = (ROOT / "docs" / "isa.md").read_text()
    assert committed == PAGE, "run: python -m xegpu.isa.document > docs/isa.md"


def test_every_part_has_its_place():
    template = (ROOT / "xegpu" / "isa" / "document" / "page.md").read_text()
    assert sorted(re.findall(r"\{\{(\w+)\}\}", template)) == sorted(PARTS)
    assert "{{" not in PAGE


@pytest.mark.parametrize("spec", TABLE, ids=lambda spec: spec.mnemonic)
def test_an_instruction_has_a_section(spec):
    section = re.search(rf"^### {spec.mnemonic}$(.*?)^##", PAGE, re.MULTILINE | re.DOTALL)
    assert section is not None
    assert f"Opcode {spec.opcode:#04x}" in section[1]
    assert spec.summary in section[1]


def test_every_field_of_the_encoding_is_listed():
    for fields in all_layouts().values():
        for name in fields:
            assert f"`{name}`" in PAGE


def test_links_go_to_headings_or_files():
    anchors = {re.sub("[^a-z0-9]+", "-", t.lower()) for t in re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)}
    for link in re.findall(r"\]\(([^)]*)\)", PAGE):
        file, _, anchor = link.partition("#")
        if file:
            assert (ROOT / "docs" / file).exists()
        else:
            assert anchor in anchors


def test_tables_are_rectangular():
    for table in re.findall(r"(?:^\|.*\|\n)+", PAGE, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1, table
