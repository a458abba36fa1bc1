"""A program whose process with bounds computes without an end, beside a process that it has started itself."""

from __future__ import annotations

import subprocess
import sys

from tools.bounded import BoundedProcess


def prepared() -> None:
    """Says that it is there on standard error, which the process shares with the program, and never returns."""
    subprocess.Popen(["sleep", "1000"])
    print("busy", file=sys.stderr, flush=True)
    while True:
        pass


if __name__ == "__main__":
    BoundedProcess(prepared).start()
