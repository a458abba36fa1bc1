"""`xegpu-explore`: kernels and all that they become, in the browser."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.cli import execute
from tools.explore.command import ExploreOptions, parse
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # --help does not wait for the compiler
    import tools.explore.driver as driver


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status; exits with 2 if the command line is wrong."""
    return execute("xegpu-explore", argv, parse, _run)


def _run(options: ExploreOptions) -> int:
    return driver.run(options)


if __name__ == "__main__":
    sys.exit(main())
