"""`zebin-dump`: shows the contents of ZEBINs, those of this compiler and of Intel's."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.dump.command import DumpOptions, parse
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # --help does not wait for the reader
    import tools.dump.driver as driver


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("zebin-dump", argv, parse, _run, lambda options: options.failure)


def _run(options: DumpOptions) -> int:
    return driver.run(options)


if __name__ == "__main__":
    sys.exit(main())
