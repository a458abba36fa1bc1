"""`xe-asm`: assembles text to code of the virtual Xe ISA, and disassembles code and ZEBINs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.asm.command import AsmOptions, parse
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # --help does not wait for the instruction table
    import tools.asm.driver as driver
from tools.cli import execute


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("xe-asm", argv, parse, _run)


def _run(options: AsmOptions) -> int:
    return driver.run(options)


if __name__ == "__main__":
    sys.exit(main())
