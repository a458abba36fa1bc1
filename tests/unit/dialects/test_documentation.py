"""The pages about dialects say what the dialects are."""

from __future__ import annotations

from pathlib import Path

from xegpu.dialects.xegpu import XeGPU
from xegpu.dialects.xegpu.documentation import page

PAGES = Path(__file__).parents[3] / "docs/dialects"


def test_the_committed_page_is_current():
    assert (PAGES / "xegpu.md").read_text() == page(), "run python -m xegpu.dialects.xegpu.documentation"


def test_every_operation_and_attribute_is_on_the_page_and_described():
    text = page()
    for entry in (*XeGPU.operations, *XeGPU.attributes):
        assert f"`{entry.name}`" in text
        assert entry.__doc__
