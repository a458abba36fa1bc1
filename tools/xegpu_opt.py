"""`xegpu-opt`: reads MLIR, runs passes, and writes MLIR, assembly or a ZEBIN."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.opt.command import OptOptions, parse


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("xegpu-opt", argv, parse, _run)


def _run(options: OptOptions) -> int:
    from tools.opt.driver import OptDriver  # imported late: --help does not wait for the dialects

    return OptDriver(options).run()


if __name__ == "__main__":
    sys.exit(main())
