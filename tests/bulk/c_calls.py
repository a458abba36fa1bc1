"""Sixteen threads of a program in C call the driver, and a child is forked in between: `python -m tests.bulk.c_calls`.

The program must end, and memory must not grow with the number of calls.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from runtime.driver.library import LibraryKind, build
from tests.unit.runtime.driver.clients import Client, Route

_MOST_GROWTH = 20_000
"""The memory in KiB that may be used afterwards, beside that of a few calls: what threads and handles rest in."""


def main() -> int:
    """Runs the program. Returns 1 if memory grows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        driver = build(LibraryKind.DRIVER, Path(folder, LibraryKind.DRIVER.value))
        begin = time.monotonic()
        client = Client({Route.LOADER: driver}, Path(folder))
        grown = int(client.run("storm", str(options.calls), timeout=3600))
        print(f"{options.calls} calls in {time.monotonic() - begin:.0f} s, {grown} KiB more memory")
    return int(grown > _MOST_GROWTH)


if __name__ == "__main__":
    raise SystemExit(main())
