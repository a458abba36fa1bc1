"""What docs/zebin-dump.md shows is what the commands print, and it names every option."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import zebin_dump, zebin_edit

pytestmark = pytest.mark.docs

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "zebin-dump.md").read_text()


def test_commands_print_what_the_page_shows() -> None:
    rerun = runpy.run_path(str(DOCS / "console.py"))["rerun"]
    assert rerun(PAGE, with_tools=False).splitlines() == PAGE.splitlines()


@pytest.mark.parametrize("command", [zebin_dump.main, zebin_edit.main], ids=("zebin-dump", "zebin-edit"))
def test_every_option_is_on_the_page(command: Callable[[list[str]], int], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command(["--help"])
    options = set(re.findall(r"^  (?:-\w, |-\w \w+, )?(--[a-z-]+)", capsys.readouterr().out, re.MULTILINE))
    assert len(options) > 5
    assert [option for option in sorted(options - {"--help"}) if option not in PAGE] == []
