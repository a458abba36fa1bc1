"""The options of `xegpu-top`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tools.cli import CommandParser, ExitStatus, seconds


class TopOptions(argparse.Namespace):
    """The parsed command line."""

    interval: float
    count: int | None


def parse(argv: Sequence[str] | None) -> TopOptions:
    """Parses the command line. Exits with status 2 if it is wrong."""
    parser = CommandParser(
        "xegpu-top",
        "Show what the simulated GPUs do: power, clocks, temperatures, activity, memory, and the processes that use "
        "them. On a terminal the view is live until q is pressed; else it is printed once.",
        examples=("xegpu-top", "xegpu-top --interval=0.2", "xegpu-top --count=10 > log.txt"),
        statuses={ExitStatus.FAILURE: "there are no cards, or the output cannot be written"},
        notes="Times and energies are those that the work would take on the device, compared with time on the host.",
    )
    parser.add_argument(
        "--interval", type=seconds, default=1.0, metavar="SECONDS", help="time between two views (default: 1)"
    )
    parser.add_argument(
        "--count", type=_number, metavar="N", help="number of views (default: no end on a terminal, else 1)"
    )
    return parser.parse(argv, TopOptions())


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) < 1 << 31:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number")
    return int(text)
