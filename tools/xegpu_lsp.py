"""`xegpu-lsp`: a language server for MLIR with our dialects."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.lsp.command import LspOptions, parse


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("xegpu-lsp", argv, parse, _run)


def _run(options: LspOptions) -> int:
    from tools.lsp.driver import run  # imported late: --help does not wait for the dialects

    return run(options)


if __name__ == "__main__":
    sys.exit(main())
