"""The commands, in this process and in processes of their own."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.paths import ROOT
from tools import (
    mux_compile,
    xe_asm,
    xegpu_debug,
    xegpu_driver,
    xegpu_explore,
    xegpu_lsp,
    xegpu_opt,
    xegpu_run,
    xegpu_top,
    xegpu_tune,
    ze_info,
    zebin_dump,
    zebin_edit,
)

MAINS: Mapping[str, Callable[[Sequence[str] | None], int]] = {
    "xegpu-opt": xegpu_opt.main,
    "xegpu-run": xegpu_run.main,
    "xe-asm": xe_asm.main,
    "zebin-dump": zebin_dump.main,
    "zebin-edit": zebin_edit.main,
    "ze-info": ze_info.main,
    "xegpu-driver": xegpu_driver.main,
    "xegpu-top": xegpu_top.main,
    "xegpu-debug": xegpu_debug.main,
    "xegpu-lsp": xegpu_lsp.main,
    "xegpu-tune": xegpu_tune.main,
    "xegpu-explore": xegpu_explore.main,
    "mux-compile": mux_compile.main,
}
"""The commands by name."""

VADD = str(ROOT / "tests/data/zebin/vadd.pvc.zebin")
KERNEL = str(ROOT / "examples/vector_add.mlir")


def command_line(command: str, *arguments: str) -> list[str]:
    """Returns the words that start a command with the Python of this process."""
    return [sys.executable, "-m", f"tools.{command.replace('-', '_')}", *arguments]


def on_terminal(command: str, *arguments: str, folder: Path = ROOT, **variables: str) -> tuple[int, bytes]:
    """Runs a command whose standard output is a terminal of 80 columns. Returns its status and what it wrote there."""
    master, slave = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "PYTHONPATH": str(ROOT)} | variables
    environment = {name: value for name, value in environment.items() if value}
    words = command_line(command, *arguments)
    with subprocess.Popen(words, stdout=slave, stderr=slave, env=environment, cwd=folder) as process:
        os.close(slave)
        output = bytearray()
        while chunk := _read(master):
            output += chunk
        os.close(master)
    return process.returncode, bytes(output).replace(b"\r\n", b"\n")


def _read(master: int) -> bytes:
    try:
        return os.read(master, 1 << 16)
    except OSError:  # EIO: the command has closed the terminal
        return b""
