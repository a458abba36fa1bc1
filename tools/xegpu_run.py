"""`xegpu-run`: runs programs and kernels on a simulated GPU, and checks, traces and debugs them."""

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
"""The exit status of an interrupted command, by the convention of shells: 128 + SIGINT."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command. Returns 0, 1 if the kernel cannot run or fails, or 2 if the command line is wrong."""
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
        # The reader closed the pipe. Redirecting the stream avoids a second error when Python closes it.
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
