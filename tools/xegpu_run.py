"""`xegpu-run`: runs programs and kernels on a simulated GPU, and checks, traces and debugs them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.run.command import RunOptions, parse


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("xegpu-run", argv, parse, _run)


def _run(options: RunOptions) -> int:
    from tools.run.driver import run  # imported late: --help does not wait for the simulator

    return run(options)


if __name__ == "__main__":
    sys.exit(main())
