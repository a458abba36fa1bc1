"""`xegpu-run`: runs one kernel on a simulated GPU, checks and traces it, and debugs it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from runtime import ZeError
from tools.run.command_line import parse
from tools.run.driver import run
from tools.run.errors import RunError, UsageError

INTERRUPTED = 130
"""Exit status of a command that was stopped by an interrupt, as shells have it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command: 0, or 1 when the kernel cannot be run or fails, or 2 when the command line is wrong."""
    options = parse(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = run(options)
        sys.stdout.flush()
    except UsageError as error:
        return _fail(str(error), 2)
    except RunError as error:
        return _fail(str(error), 1)
    except ZeError as error:
        return _fail(f"xegpu-run: error: {error}", 1)
    except BrokenPipeError:
        # Whoever read the output has seen enough; without this, Python complains again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return _fail("xegpu-run: interrupted", INTERRUPTED)
    return status


def _fail(message: str, status: int) -> int:
    sys.stdout.flush()
    print(message, file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
