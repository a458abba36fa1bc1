"""`xegpu-tune`: searches the parameters of a kernel with which it takes the fewest cycles."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.tune.command import TuneOptions, parse


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("xegpu-tune", argv, parse, _run)


def _run(options: TuneOptions) -> int:
    from tools.tune.driver import run  # imported late: --help does not wait for the compiler

    return run(options)


if __name__ == "__main__":
    sys.exit(main())
