"""Times calls of a program in C: the start, calls that only ask, and launches of an empty kernel.

Compiles a client with the system's compiler and headers (`libze-dev`), and runs it several times; the best time of each
counts. The same calls from Python are in `launch.py`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from runtime import Device
from runtime.driver.library import LibraryKind, build

CLIENT = Path(__file__).parent / "driver_calls.c"

EMPTY = """
gpu.module @kernels {
  gpu.func @empty() kernel attributes {VectorComputeFunctionINTEL} {
    gpu.return
  }
}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=("pvc", "arc"), default="pvc")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    best: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name, Device(arguments.target) as device:
        folder = Path(name)
        library = build(LibraryKind.DRIVER, folder / "libze_xegpu.so")
        client, binary = folder / "client", folder / "empty.zebin"
        subprocess.run(["cc", "-O1", "-o", client, CLIENT, "-lze_loader"], check=True)
        binary.write_bytes(device.compile(EMPTY).binary)
        environment = {**os.environ, "ZE_ENABLE_ALT_DRIVERS": str(library), "XEGPU_DEVICE": arguments.target}
        for _ in range(arguments.runs):
            output = subprocess.run(
                [client, binary], env=environment, check=True, capture_output=True, text=True
            ).stdout
            for line in output.splitlines():
                what, time = line.rsplit(" ", 1)
                best[what] = min(best.get(what, float("inf")), float(time))
    for what, time in best.items():
        print(f"{what:<50} {time:>11.2f} us")
    return 0


if __name__ == "__main__":
    sys.exit(main())
