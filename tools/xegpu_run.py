"""`xegpu-run`: runs programs and kernels on a simulated GPU, and checks, traces and debugs them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.run.command import RunOptions, parse
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # --help does not wait for the simulator
    import tools.run.driver as driver


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("xegpu-run", argv, parse, _run)


def _run(options: RunOptions) -> int:
    return driver.run(options)


if __name__ == "__main__":
    sys.exit(main())
