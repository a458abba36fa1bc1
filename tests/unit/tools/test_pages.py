"""The pages of the commands and the README show what the commands print, and name every option."""

from __future__ import annotations

import re
import runpy
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from passes.frontends.opencl import find_compiler
from tests.paths import DOCS, ROOT
from tests.unit.tools.cli.commands import MAINS
from tests.warm import warm_commands

pytestmark = pytest.mark.docs

PAGES = {
    "xegpu-opt": DOCS / "xegpu-opt.md",
    "xegpu-run": DOCS / "xegpu-run.md",
    "xe-asm": DOCS / "xe-asm.md",
    "ze-info": DOCS / "ze-info.md",
    "xegpu-driver": DOCS / "driver.md",
    "mux-compile": DOCS / "mux-compile.md",
    "xegpu-top": DOCS / "sysman.md",
    "xegpu-debug": DOCS / "debugging.md",
    "xegpu-lsp": DOCS / "editors.md",
    "xegpu-tune": DOCS / "xegpu-tune.md",
    "xegpu-explore": DOCS / "explorer.md",
    "zebin-dump": DOCS / "zebin-dump.md",
    "zebin-edit": DOCS / "zebin-dump.md",
}
COMMON = DOCS / "commands.md"
SESSIONS = {DOCS / "debugging.md"}
"""Pages with commands that read commands, which have a test of their own."""


@pytest.fixture(scope="module")
def commands(request: pytest.FixtureRequest) -> Iterator[Path]:
    """Yields the folder of the commands: of warm ones, and with `--all` of those that users have."""
    if request.config.getoption("--all"):
        yield Path(sys.executable).parent
    else:
        with warm_commands() as folder:
            yield folder


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    "page",
    [*dict.fromkeys(page for page in PAGES.values() if page not in SESSIONS), DOCS / "upstream.md", ROOT / "README.md"],
    ids=lambda page: page.stem,
)
def test_commands_print_what_the_page_shows(page: Path, commands: Path) -> None:
    """Run `python docs/console.py PAGE` to renew it."""
    rerun = runpy.run_path(str(DOCS / "console.py"))["rerun"]
    text = page.read_text()
    assert "```console" in text
    assert rerun(text, with_tools=False, commands=commands).splitlines() == text.splitlines()


def test_the_page_on_commands_completes_all_of_them() -> None:
    (names,) = re.findall(r"^for command in (.*); do$", COMMON.read_text(), re.MULTILINE)
    assert sorted(names.split()) == sorted(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"])


@pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")
@pytest.mark.parametrize("page", ["computemux", "native", "opencl"])
def test_programs_in_python_run(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of these pages are whole, and check their results themselves."""
    monkeypatch.chdir(ROOT)
    programs = re.findall(r"^```python\n(.*?)^```$", (DOCS / f"{page}.md").read_text(), re.MULTILINE | re.DOTALL)
    assert programs
    names: dict[str, object] = {"__name__": page}
    for program in programs:
        exec(compile(program, f"{page}.md", "exec"), names)


@pytest.mark.parametrize(
    "page",
    ["attention", "bugs", "first-kernel", "sycl", pytest.param("gemm", marks=pytest.mark.exhaustive)],
)
def test_tutorials_print_what_they_show(page: str, commands: Path) -> None:
    """The one on SYCL runs where its packages are."""
    path = DOCS / "tutorials" / f"{page}.md"
    text = path.read_text()
    rerun = runpy.run_path(str(DOCS / "console.py"))["rerun"]
    assert "$ " in text
    assert rerun(text, commands=commands).splitlines() == text.splitlines()


@pytest.mark.parametrize("command", PAGES)
def test_every_option_is_on_the_page(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        MAINS[command](["--help"])
    options = set(re.findall(r"^  (?:-\w+, |-\w [A-Z]+, )?(--[a-z-]+)", capsys.readouterr().out, re.MULTILINE))
    assert len(options) >= 4
    text = PAGES[command].read_text() + COMMON.read_text()
    assert [option for option in sorted(options) if not re.search(rf"{option}(?![a-z-])", text)] == []
