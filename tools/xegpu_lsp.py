"""`xegpu-lsp`: a language server for MLIR with our dialects."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.lsp.command import LspOptions, parse
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # --help does not wait for the dialects
    import tools.lsp.driver as driver


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("xegpu-lsp", argv, parse, _run)


def _run(options: LspOptions) -> int:
    return driver.run(options)


if __name__ == "__main__":
    sys.exit(main())
