"""`ze-info`: prints the drivers and devices of Level Zero with all their properties."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.info.command import InfoOptions, parse
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # --help does not wait for the driver
    import tools.info.driver as driver


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("ze-info", argv, parse, _run)


def _run(options: InfoOptions) -> int:
    return driver.run(options)


if __name__ == "__main__":
    sys.exit(main())
