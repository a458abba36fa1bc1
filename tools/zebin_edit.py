"""`zebin-edit`: changes `.ze_info` of a ZEBIN and leaves every other byte unchanged."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.edit.command import EditOptions, parse
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # --help does not wait for the reader
    import tools.edit.driver as driver


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("zebin-edit", argv, parse, _run)


def _run(options: EditOptions) -> int:
    return driver.run(options)


if __name__ == "__main__":
    sys.exit(main())
