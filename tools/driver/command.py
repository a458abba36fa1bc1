"""The options of `xegpu-driver`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tools.cli import CommandParser, ExitStatus, add_check, complete_list
from xegpu.targets import TARGETS

ACTIONS = {"build": False, "path": False, "env": True, "run": True}
"""The actions, and whether each takes the stand-in for the loader unless an option names the driver."""


class DriverOptions(argparse.Namespace):
    """The parsed command line."""

    action: str
    stand_in: bool | None
    output: str | None
    device: str | None
    check: str | None
    profile: str | None
    trace: str | None
    trace_output: str | None
    log: str | None
    program: list[str]


def parse(argv: Sequence[str] | None) -> DriverOptions:
    """Parses the command line. Exits with status 2 if it is wrong."""
    parser = CommandParser(
        "xegpu-driver",
        "Run programs in C, C++ or SYCL that use Level Zero on simulated GPUs: run one program, print what to export "
        "for others, or build a driver that the Level Zero loader loads, or a library in place of the loader.",
        usage="%(prog)s build|path|env|run [OPTION ...] [-- PROGRAM [ARGUMENT ...]]",
        examples=(
            "xegpu-driver run -- ./vector_add",
            "xegpu-driver run --device=arc --check=all -- ./vector_add",
            "xegpu-driver run --profile=profile.txt -- ./vector_add",
            'eval "$(xegpu-driver env)"; ./vector_add',
            "xegpu-driver run --loader -- ./with_the_layers_of_the_loader",
            "xegpu-driver build -o /usr/local/lib/libze_xegpu.so",
        ),
        statuses={ExitStatus.FAILURE: "the driver cannot be built, or the program cannot be started"},
        notes="run ends with the exit status of the program.",
    )
    parser.add_argument("action", choices=ACTIONS, help="the task; run takes a program and its arguments after --")
    library = parser.add_argument_group("library")
    kinds = library.add_mutually_exclusive_group()
    kinds.add_argument(
        "--stand-in",
        action="store_true",
        default=None,
        help="a library in place of the loader, for programs with any loader or none (default of run and env)",
    )
    kinds.add_argument(
        "--loader",
        dest="stand_in",
        action="store_false",
        default=None,
        help="a driver for the loader that the program finds, with its layers (default of build and path)",
    )
    library.add_argument(
        "-o", "--output", metavar="FILE", help="file for the library that build makes (default: one in the cache)"
    )
    machine = parser.add_argument_group("simulated GPU (env and run)")
    devices = machine.add_argument(
        "--device", metavar="NAMES", help=f"the devices, a comma-separated list of {', '.join(TARGETS)} (default: all)"
    )
    complete_list(devices, lambda: TARGETS)
    add_check(machine)
    machine.add_argument(
        "--profile",
        metavar="FILE",
        help="file for the profile of the first launch: text or, by its extension, .json, .trace.json or .svg; "
        "those of the others are numbered",
    )
    machine.add_argument(
        "--trace",
        nargs="?",
        const="all",
        metavar="FILTER",
        help="trace executed instructions with their values; --trace=FILTER selects some, e.g. group=1:0:0,lane=0-3",
    )
    machine.add_argument("--trace-output", metavar="FILE", help="file for the trace (default: standard error)")
    machine.add_argument(
        "--log",
        metavar="FILE",
        help="file for the calls that fail, with the reasons; - for standard error (default with --check)",
    )
    words = sys.argv[1:] if argv is None else list(argv)
    end = words.index("--") if "--" in words else len(words)
    options = parser.parse(words[:end], DriverOptions())
    options.program = words[end + 1 :]
    if options.stand_in is None:
        options.stand_in = ACTIONS[options.action]
    return _checked(parser, options)


def _checked(parser: CommandParser, options: DriverOptions) -> DriverOptions:
    """Returns the options; exits if they do not fit together."""
    if options.action == "run" and not options.program:
        parser.error("run: expected -- PROGRAM")
    if options.action != "run" and options.program:
        parser.error(f"{options.action} takes no PROGRAM")
    if options.trace_output is not None and options.trace is None:
        parser.error("--trace-output requires --trace")
    if options.output is not None and options.action != "build":
        parser.error("--output is for build")
    return options
