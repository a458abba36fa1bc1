"""`xegpu-explore`: kernels and all that they become, in the browser."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.explore.command import ExploreOptions, parse


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("xegpu-explore", argv, parse, _run)


def _run(options: ExploreOptions) -> int:
    from tools.explore.driver import run  # imported late: --help does not wait for the compiler

    return run(options)


if __name__ == "__main__":
    sys.exit(main())
