"""`mux-compile`: compiles programs in OpenCL C, SPIR-V and LLVM IR to ZEBINs with the ComputeMux compiler."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.mux.command import MuxOptions, parse


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("mux-compile", argv, parse, _run)


def _run(options: MuxOptions) -> int:
    from tools.mux.driver import run  # imported late: --help does not wait for the compiler

    return run(options)


if __name__ == "__main__":
    sys.exit(main())
