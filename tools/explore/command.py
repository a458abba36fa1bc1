"""The options of `xegpu-explore`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tools.cli import CommandParser, ExitStatus, seconds


class ExploreOptions(argparse.Namespace):
    """The parsed command line."""

    file: str | None
    port: int
    no_browser: bool
    timeout: float
    no_includes: bool


def parse(argv: Sequence[str] | None) -> ExploreOptions:
    """Parses the command line. Exits with status 2 if it is wrong."""
    parser = CommandParser(
        "xegpu-explore",
        "Show a kernel in the browser, with everything that it becomes: the module after each pass, assembly, native "
        "code and the ZEBIN. Serves a page to this machine only, until it is interrupted.",
        examples=(
            "xegpu-explore",
            "xegpu-explore gemm.mlir",
            "xegpu-explore --no-browser --port 8080 scale.cl",
        ),
        statuses={
            ExitStatus.FAILURE: "the extra 'explore' is not installed, the file cannot be read, or the port is taken"
        },
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="the kernel to begin with: MLIR, OpenCL C (.cl), LLVM IR (.ll), SPIR-V as text (.spvasm) or Xe assembly "
        "(.xeasm)",
    )
    parser.add_argument(
        "--port", type=_port, default=0, metavar="NUMBER", help="the port of the page (default: one that is free)"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the address only, and open no browser")
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=20.0,
        metavar="SECONDS",
        help="time that a compilation or a run may take (default: 20)",
    )
    parser.add_argument(
        "--no-includes",
        action="store_true",
        help="let kernels in OpenCL C include and embed no files of this machine but the compiler's own headers",
    )
    return parser.parse(argv, ExploreOptions())


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 1 << 16):
        raise argparse.ArgumentTypeError(f"'{text}' is not a port from 0 to 65535")
    return int(text)
