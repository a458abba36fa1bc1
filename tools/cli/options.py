"""The vocabulary of the commands: options that mean the same wherever they occur."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable

from tools.cli.terminal import COLOR_CHOICES

OP_LEVELS = ("workgroup", "subgroup", "lane", "workitem")
"""The levels of XeGPU, spelled out because loading the passes takes longer than printing the help."""


CHECKS = ("memory", "uninitialized", "registers", "races", "barriers", "arithmetic", "layout")
"""The checks of the simulator, spelled out for the same reason."""


def seconds(text: str) -> float:
    """Returns the value of an option that takes a time from 0.01 to 3600 seconds."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.01 <= value <= 3600:
        raise argparse.ArgumentTypeError(f"'{text}' is not a time from 0.01 to 3600 seconds")
    return value


def complete_list(action: argparse.Action, names: Callable[[], Iterable[str]]) -> None:
    """Lets shells complete the last name of a comma-separated list."""

    def completions(prefix: str, **_: object) -> list[str]:
        earlier, comma, last = prefix.rpartition(",")
        return [f"{earlier}{comma}{name}" for name in names() if name.startswith(last)]

    action.completer = completions  # type: ignore[attr-defined]  # argcomplete's protocol


def add_check(parser: argparse._ActionsContainer) -> None:
    """Declares `--check`, the checks of the simulator."""
    checks = parser.add_argument(
        "--check", metavar="NAMES", help=f"check for bugs: all, or a comma-separated list of {', '.join(CHECKS)}"
    )
    complete_list(checks, lambda: ("all", *CHECKS))


def add_target(parser: argparse._ActionsContainer, targets: Iterable[str], text: str) -> None:
    """Declares `--target`, a GPU that code is compiled for, checked against or run on."""
    parser.add_argument("--target", choices=tuple(targets), help=text)


def add_op_level(parser: argparse._ActionsContainer, text: str) -> None:
    """Declares `--op-level`, whose values the operations of XeGPU have."""
    parser.add_argument("--op-level", choices=OP_LEVELS, help=text)


def add_lower_with(parser: argparse._ActionsContainer) -> None:
    """Declares `--lower-with`, the program that lowers what only MLIR knows."""
    parser.add_argument(
        "--lower-with",
        metavar="PROGRAM",
        help="lower linalg on tensors or buffers first: mlir-opt for the newest that is installed, or the path of one "
        "(LLVM 22 or newer)",
    )


def add_gpu_member(parser: argparse._ActionsContainer) -> None:
    """Declares `--member` and `--target`, which choose a member of a fat binary."""
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--member", metavar="NAME", help="only this piece of device code, for example 64.12.60.7")
    choice.add_argument(
        "--target", metavar="GPU", help="only what a driver chooses for a GPU: pvc, arc, acm-g10, 12.60.7"
    )


def add_output(parser: argparse._ActionsContainer, text: str = "output file", *, is_required: bool = False) -> None:
    """Declares `-o`/`--output`, a file or `-`."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default=None if is_required else "-",
        help=f"{text}; - for standard output{'' if is_required else ' (default: -)'}",
    )


def add_kernel(parser: argparse._ActionsContainer, text: str, *, is_repeatable: bool = False) -> None:
    """Declares `-k`/`--kernel`, the name of a kernel."""
    if is_repeatable:
        parser.add_argument("-k", "--kernel", metavar="NAME", action="append", default=[], help=f"{text}; repeatable")
    else:
        parser.add_argument("-k", "--kernel", metavar="NAME", help=text)


def add_source(parser: argparse._ActionsContainer, text: str) -> None:
    """Declares `-S`/`--source`, which interleaves instructions with their source."""
    parser.add_argument("-S", "--source", action="store_true", help=text)


def add_json(parser: argparse._ActionsContainer, text: str) -> None:
    """Declares `--json`."""
    parser.add_argument("--json", action="store_true", help=text)


def add_color(parser: argparse._ActionsContainer) -> None:
    """Declares `--color`."""
    parser.add_argument(
        "--color", choices=COLOR_CHOICES, default="auto", help="when to use colors (default: auto, on a terminal)"
    )
