"""Tests that docs/zebin-dump.md shows native code as Intel's disassembler does."""

from __future__ import annotations

import runpy
import shutil

import pytest

from tests.paths import DOCS

pytestmark = pytest.mark.docs


@pytest.mark.sampled(every=3)
@pytest.mark.skipif(shutil.which("iga64") is None, reason="iga64 (package libigc-tools) is not installed")
def test_commands_print_what_the_page_shows() -> None:
    page = (DOCS / "zebin-dump.md").read_text()
    assert "needs=iga64" in page
    assert runpy.run_path(str(DOCS / "console.py"))["rerun"](page).splitlines() == page.splitlines()
