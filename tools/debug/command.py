"""The options of `xegpu-debug`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tools.cli import CommandParser, ExitStatus


class AttachOptions(argparse.Namespace):
    """The parsed command line."""

    program: list[str]
    breakpoints: list[str]
    script: str | None
    device: int | None
    dap: bool

    @property
    def process(self) -> int | None:
        """The process to attach to; None if a program is started."""
        only = self.program[0] if len(self.program) == 1 else ""
        return int(only) if only.isascii() and only.isdigit() else None


def parse(argv: Sequence[str] | None) -> AttachOptions:
    """Parses the command line. Exits with status 2 if it is wrong."""
    parser = CommandParser(
        "xegpu-debug",
        "Debug the kernels of a program in another process: attach to it or start it, set breakpoints at lines or "
        "instructions, step, and inspect and change registers and memory. Commands are read from the terminal or from "
        "standard input; help lists them.",
        usage="xegpu-debug [options] PROCESS\n       xegpu-debug [options] -- PROGRAM [ARGUMENT ...]",
        examples=(
            "xegpu-debug 4711",
            "xegpu-debug --break 12 -- python train.py",
            "xegpu-debug -x commands.txt -- xegpu-run kernel.mlir --grid 4 --arg arange:64xf32",
        ),
        statuses={ExitStatus.FAILURE: "the program cannot be debugged, or was started here and failed"},
        notes="A program can be debugged if it runs with ZET_ENABLE_PROGRAM_DEBUGGING=1, which this command sets for "
        "programs that it starts. Their kernels run in the interpreter. A program that was started ends with the "
        "debugger, unless it was detached; one that was attached to goes on.",
    )
    parser.add_argument("program", nargs="*", metavar="PROCESS", help="process to attach to, or program with arguments")
    parser.add_argument(
        "--break",
        dest="breakpoints",
        action="append",
        metavar="PLACE",
        help="stop at LINE, FILE:LINE, KERNEL, #INDEX, *OFFSET or a label (`if CONDITION` may follow)",
    )
    parser.add_argument("-x", "--script", metavar="FILE", help="read commands from a file, and then end")
    parser.add_argument(
        "--device", type=_number, metavar="N", help="number of the card (default: all that the program uses)"
    )
    parser.add_argument(
        "--dap",
        action="store_true",
        help="serve an editor, with the Debug Adapter Protocol on standard input and output",
    )
    options = parser.parse(argv, AttachOptions())
    options.breakpoints = options.breakpoints or []
    if options.dap and (options.program or options.breakpoints or options.script or options.device is not None):
        parser.error("--dap takes nothing else: the editor says what it debugs")
    if not options.dap and not options.program:
        parser.error("a process or a program is missing")
    return options


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        raise argparse.ArgumentTypeError(f"'{text}' is not the number of a card")
    return int(text)
