"""`xegpu-top`: shows what the simulated GPUs do, live."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.top.command import TopOptions, parse


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("xegpu-top", argv, parse, _run)


def _run(options: TopOptions) -> int:
    from tools.top.driver import run  # imported late: --help does not wait for the runtime

    return run(options)


if __name__ == "__main__":
    sys.exit(main())
