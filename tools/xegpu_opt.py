"""`xegpu-opt`: reads MLIR, runs passes, and writes MLIR, assembly or a ZEBIN."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from tools.opt.driver import OptDriver, OptUsageError


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns 0, 1 if the input cannot be read or is wrong, or 2 if the command line is wrong."""
    try:
        return OptDriver(argv).run()
    except OptUsageError as error:
        print(f"xegpu-opt: error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader closed the pipe. Redirecting the stream avoids a second error when Python closes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"xegpu-opt: error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
