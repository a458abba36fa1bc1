"""`xegpu-debug`: debugs the kernels of a running program."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.debug.command import AttachOptions, parse
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # --help does not wait for the runtime
    import tools.debug.driver as driver


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("xegpu-debug", argv, parse, _run)


def _run(options: AttachOptions) -> int:
    return driver.run(options)


if __name__ == "__main__":
    sys.exit(main())
