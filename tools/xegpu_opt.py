"""`xegpu-opt`: reads MLIR, runs passes, and writes MLIR, assembly or a ZEBIN."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.opt.command import OptOptions, parse
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # --help does not wait for the dialects
    import tools.opt.driver as driver


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("xegpu-opt", argv, parse, _run)


def _run(options: OptOptions) -> int:
    return driver.OptDriver(options).run()


if __name__ == "__main__":
    sys.exit(main())
