"""`mux-compile`: compiles programs in OpenCL C, SPIR-V and LLVM IR to ZEBINs with the ComputeMux compiler."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.mux.command import MuxOptions, parse
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # --help does not wait for the compiler
    import tools.mux.driver as driver


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("mux-compile", argv, parse, _run)


def _run(options: MuxOptions) -> int:
    return driver.run(options)


if __name__ == "__main__":
    sys.exit(main())
