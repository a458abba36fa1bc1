"""The help of the commands, and the words that they share."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import passes
from runtime.debugger.trace import DEFAULT_LIMIT
from runtime.simulator import ENGINES
from runtime.simulator.checks import Check
from tests.paths import ROOT
from tests.unit.tools.cli.commands import MAINS
from tools.cli import CHECKS
from tools.run.command import ENGINES as ENGINE_NAMES
from xegpu import __version__

WORDS = {
    "--color": {"xegpu-opt", "zebin-dump"},
    "--json": {"zebin-dump", "ze-info", "xegpu-tune"},
    "--kernel": {"xegpu-run", "xe-asm", "zebin-dump", "mux-compile", "xegpu-tune"},
    "--output": {"xegpu-opt", "xe-asm", "zebin-edit", "ze-info", "xegpu-driver", "mux-compile", "xegpu-tune"},
    "--source": {"xe-asm", "zebin-dump"},
    "--target": {"xegpu-opt", "xegpu-run", "xe-asm", "zebin-dump", "zebin-edit", "mux-compile", "xegpu-tune"},
    "--version": set(MAINS),
}
"""The commands that have an option."""

SHORT = {"--kernel": "-k NAME", "--output": "-o FILE", "--source": "-S"}


def help_of(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        MAINS[command](["--help"])
    assert ended.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", MAINS)
def test_help_has_examples_and_exit_statuses(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of(command, capsys)
    examples, statuses = re.findall(r"^(?:examples|exit status):\n((?:  .*\n)+)", text, re.MULTILINE)
    assert re.search(rf"^  (?:\S+=\S+ )?{command} ", examples, re.MULTILINE)
    assert re.findall(r"^  (\d+) ", statuses, re.MULTILINE) == ["0", "1", "2", "130", "141"]


@pytest.mark.parametrize("word", WORDS)
def test_one_word_for_one_thing(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {command: help_of(command, capsys) for command in MAINS}
    found = {command: re.search(rf"^  (.*){word}\b", text, re.MULTILINE) for command, text in texts.items()}
    assert {command for command, match in found.items() if match} == WORDS[word]
    short = SHORT.get(word)
    assert all(match[1].startswith(short) for match in found.values() if match and short)


@pytest.mark.parametrize("command", MAINS)
def test_version(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        MAINS[command](["--version"])
    assert ended.value.code == 0
    assert re.fullmatch(rf"{command} {re.escape(__version__)}(?: \(xdsl [\d.]+\))?\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("command", "option", "hint"),
    [
        ("zebin-dump", "--jso", "; did you mean '--json'?"),
        ("zebin-dump", "--ker", "; did you mean '--kernel'?"),
        ("zebin-dump", "--zzz", ""),
        ("zebin-edit", "--appen=x", "; did you mean '--append'?"),
        ("xegpu-opt", "--split-input-fil", "; did you mean '--split-input-file'?"),
        ("xegpu-run", "--filechek", "; did you mean '--filecheck'?"),
        ("xe-asm", "--offset", "; did you mean '--offsets'?"),
        ("xegpu-driver", "--devic=x", "; did you mean '--device'?"),
        ("mux-compile", "--option=-g", "; did you mean '--options'?"),
        ("ze-info", "--lists", "; did you mean '--list'?"),
    ],
)
def test_options_are_spelled_out(command: str, option: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = {"ze-info": [], "xegpu-driver": ["path"]}.get(command, ["file"])
    if command == "zebin-edit":
        arguments += ["-o", "out"]
    with pytest.raises(SystemExit) as ended:
        MAINS[command]([*arguments, option])
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"{command}: error: unrecognized arguments: {option}{hint} (see --help)\n"


@pytest.mark.parametrize("words", [["--target", "zebin"], ["--target=mlir"]])
def test_the_target_is_no_output_format(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """In xdsl-opt, it is."""
    with pytest.raises(SystemExit) as ended:
        MAINS["xegpu-opt"](words)
    assert ended.value.code == 2
    assert " is an output format, not a GPU: use -t " in capsys.readouterr().err


HEAVY = ("llvmlite", "ml_dtypes", "numpy", "yaml", "elftools", "rich", "zebin", "runtime", "xegpu.isa")


@pytest.mark.parametrize("command", MAINS)
def test_help_does_not_load_what_does_the_work(command: str) -> None:
    """Passes and output formats of `xegpu-opt` are named by xDSL, which has tables for that."""
    heavy = (*HEAVY, "xdsl") if command != "xegpu-opt" else (*HEAVY, "xegpu.dialects")
    code = (
        f"import sys; from tools.{command.replace('-', '_')} import main\n"
        f"try: main(['--help'])\n"
        f"except SystemExit: print(sorted({{*{heavy}}} & {{*sys.modules}}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stderr == "[]\n"


def test_names_in_the_help_of_xegpu_run_are_those_of_the_simulator(capsys: pytest.CaptureFixture[str]) -> None:
    assert tuple(ENGINES) == ENGINE_NAMES
    assert tuple(check.text for check in Check) == CHECKS
    words = " ".join(help_of("xegpu-run", capsys).split())
    assert f"list of {', '.join(CHECKS)}" in words
    assert f"traced instructions (default: {DEFAULT_LIMIT})" in words


def test_our_passes_have_a_line_each_in_front_of_those_of_xdsl(capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of("xegpu-opt", capsys)
    for name, summary in passes.summaries().items():
        assert re.fullmatch(r"[a-z].*[\w`]", summary), name
        assert re.search(rf"^  {name} +{re.escape(summary)}$", text, re.MULTILINE)
    assert list(passes.summaries()) == list(passes.registry())
    assert text.index("xetile-wg-to-sg") < text.index("and those of xDSL")


def test_no_pass_is_called_like_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    """Passes are options, too."""
    options = set(re.findall(r"--([a-z][a-z-]*)", help_of("xegpu-opt", capsys).partition("\npasses:\n  arith-")[0]))
    assert {"passes", "split-input-file", "mlir-timing"} <= options
    assert options & set(passes.available()) == set()
