"""Simulated kernels against numpy's memory bandwidth, PoCL and Oclgrind, in one run, each with as many threads.

Bandwidth is that of `numpy.add` over large arrays. PoCL (a compiler of OpenCL for CPUs) and Oclgrind (a simulator of
OpenCL devices) run the same algorithm in OpenCL C, where they are installed (Debian: pocl-opencl-icd, oclgrind; and
`pip install -e '.[bench]'`). Oclgrind gets a smaller size and one run; its time is scaled by the amount of work.

With `--cpu`, processor time of one thread counts, which other programs on the machine hardly change. With more threads
than one, the rate is also compared with that of one thread (`one core`).
With `--language opencl`, the simulator runs the same source as the peers, through clang and the front end for LLVM IR.

`python benchmarks/speed/kernels.py [workload ...] [--language mlir] [--scale 16] [--threads N] [--repeat 5]`
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from workloads import WORKLOADS, Floats, Workload, aligned

from runtime import Device

PEERS = {
    "pocl": ("libpocl.so*", Path("/usr/lib")),
    "oclgrind": ("liboclgrind-rt-icd.so", Path("/usr/lib")),
}
"""OpenCL drivers: file name and where to look for it."""

NAMES = ("numpy.add", "PoCL", "Oclgrind", "one core")
"""What a workload is compared with."""

Clock = Callable[[], float]


def best(action: Callable[[], object], repeat: int, clock: Clock) -> float:
    """Seconds of the fastest of some calls."""

    def timed() -> float:
        start = clock()
        action()
        return clock() - start

    return min(timed() for _ in range(repeat))


def bandwidth(repeat: int, clock: Clock, threads: int) -> float:
    """Bytes a second of `numpy.add` over arrays that no cache holds, a part of them in each thread."""
    a, b, c = (cast("np.ndarray[tuple[int], np.dtype[np.float32]]", aligned((1 << 24,))) for _ in range(3))
    for array in (a, b, c):
        array[:] = 1  # pages that nobody wrote are all one page of zeros
    parts = list(zip(*(np.split(array, threads) for array in (a, b, c)), strict=True))

    def add(part: tuple[Floats, Floats, Floats]) -> None:
        np.add(part[0], part[1], out=part[2])

    if threads == 1:
        return 12 * a.size / best(lambda: add(parts[0]), repeat, clock)
    with ThreadPoolExecutor(threads) as pool:
        return 12 * a.size / best(lambda: list(pool.map(add, parts)), repeat, clock)


def simulated(
    workload: Workload, devices: Sequence[Device], repeat: int, language: str, clock: Clock
) -> tuple[list[float], float]:
    """Seconds of the best launch on each of some devices, which take turns, and of compiling and the first one."""
    start = time.perf_counter()
    launches = [partial(_launch(workload, device, language), *_values(workload, language)) for device in devices]
    launches[0]()
    first = time.perf_counter() - start
    seconds = [math.inf] * len(launches)
    for _ in range(repeat):
        seconds = [min(before, best(launch, 1, clock)) for before, launch in zip(seconds, launches, strict=True)]
    return seconds, first


def _launch(workload: Workload, device: Device, language: str) -> Callable[..., object]:
    if language == "opencl":
        kernel = device.compile(workload.opencl, language=language)[workload.name]
        return kernel[workload.opencl_grid, workload.opencl_group]
    return device.compile(workload.mlir)[workload.name][workload.grid, workload.group]


def _values(workload: Workload, language: str) -> Sequence[NDArray[np.generic] | np.generic]:
    return *workload.arrays, *(workload.opencl_scalars if language == "opencl" else workload.scalars)


def peer(name: str, workload: str, scale: int, repeat: int, threads: int, *, cpu: bool) -> float | None:
    """Seconds of a launch in an OpenCL driver, None if it is not installed."""
    pattern, root = PEERS[name]
    library = next(iter(sorted(root.rglob(pattern))), None)
    if library is None:
        return None
    script = Path(__file__).with_name("opencl_peer.py")
    command = [sys.executable, str(script), workload, str(scale), "--library", str(library), "--repeat", str(repeat)]
    command += ["--threads", str(threads), *(["--cpu"] if cpu else [])]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        print(f"{name}: {result.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    answer: dict[str, float] = json.loads(result.stdout.splitlines()[-1])
    return answer["seconds"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", default=list(WORKLOADS), metavar="workload")
    parser.add_argument("--language", default="mlir", choices=("mlir", "opencl"))
    parser.add_argument("--scale", type=int, default=16)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--cpu", action="store_true", help="measure processor time, of one thread each")
    parser.add_argument("--fast", action="store_true", help="leave out Oclgrind, which takes seconds a kernel")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the ratios to a file, too")
    options = parser.parse_args()
    rows: list[dict[str, object]] = []
    for name in options.workloads:
        if name not in WORKLOADS:
            parser.error(f"unknown workload '{name}', expected one of: {', '.join(WORKLOADS)}")
    threads = 1 if options.cpu else options.threads or os.cpu_count() or 1
    devices = [Device("pvc", threads=count) for count in dict.fromkeys((threads, 1))]
    clock = time.process_time if options.cpu else time.perf_counter
    print(f"{'workload':<12} {'first':>8} {'launch':>9} {'GB/s':>6} {''.join(f'{name:>10}' for name in NAMES)}  error")
    print(" " * 41 + "(times as fast as the peer)")
    total: list[float] = []
    peers: list[float] = []
    for name in options.workloads:
        scale = min(options.scale, 8) if name == "mandelbrot" else options.scale
        workload = WORKLOADS[name](scale)
        if options.language == "mlir" and not workload.has_mlir:
            continue
        (seconds, *alone), first = simulated(workload, devices, options.repeat, options.language, clock)
        pocl = peer("pocl", name, scale, options.repeat, threads, cpu=options.cpu)
        small = WORKLOADS[name](1)
        work = math.prod(workload.opencl_grid) / math.prod(small.opencl_grid)
        grind = None if options.fast else peer("oclgrind", name, 1, 1, threads, cpu=options.cpu)
        times = {
            "numpy.add": workload.bytes / bandwidth(options.repeat, clock, threads),
            "PoCL": pocl,
            "Oclgrind": None if grind is None else grind * work,
            "one core": alone[0] if alone else None,
        }
        ratios = {name: math.nan if taken is None else taken / seconds for name, taken in times.items()}
        total.append(seconds)
        peers.append(math.nan if pocl is None else pocl)
        rows += [
            {"workload": name, "peer": against, "ratio": ratio}
            for against, ratio in ratios.items()
            if not math.isnan(ratio)
        ]
        print(
            f"{name:<12} {first:6.2f} s {seconds * 1e3:6.2f} ms {workload.bytes / seconds / 1e9:6.1f} "
            f"{''.join(f'{ratios[name]:10.4g}' for name in NAMES)}  {workload.error():.2g}"
        )
    print(f"{'all':<12} {sum(total) * 1e3:18.2f} ms {'':7}{'':10}{sum(peers) / sum(total):10.4g}")
    if options.json is not None:
        options.json.write_text(json.dumps(rows))


if __name__ == "__main__":
    main()
