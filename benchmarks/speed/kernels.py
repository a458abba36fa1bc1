"""Simulated kernels against numpy's memory bandwidth, PoCL and Oclgrind, in one run.

Bandwidth is that of `numpy.add` over large arrays, on one core as numpy has it. PoCL (a compiler of OpenCL for CPUs)
and Oclgrind (a simulator of OpenCL devices) run the same algorithm in OpenCL C, where they are installed (Debian:
pocl-opencl-icd, oclgrind; and `pip install -e '.[bench]'`). Oclgrind gets a smaller size; its time is scaled by the
amount of work.

With `--cpu`, processor time counts, which other programs on the machine hardly change.
With `--language opencl`, the simulator runs the same source as the peers, through clang and the front end for LLVM IR.

`python benchmarks/speed/kernels.py [workload ...] [--language mlir] [--scale 16] [--threads N] [--repeat 5]`
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import numpy as np
from workloads import WORKLOADS, Workload, aligned

from runtime import Device

PEERS = {
    "pocl": ("libpocl.so*", Path("/usr/lib")),
    "oclgrind": ("liboclgrind-rt-icd.so", Path("/usr/lib")),
}
"""OpenCL drivers: file name and where to look for it."""


def best(action: Callable[[], object], repeat: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of the fastest of some calls."""

    def timed() -> float:
        start = clock()
        action()
        return clock() - start

    return min(timed() for _ in range(repeat))


def bandwidth(repeat: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """Bytes a second of `numpy.add` over arrays that no cache holds."""
    a, b, c = (cast("np.ndarray[tuple[int], np.dtype[np.float32]]", aligned((1 << 24,))) for _ in range(3))
    for array in (a, b, c):
        array[:] = 1  # pages that nobody wrote are all one page of zeros
    return 12 * a.size / best(lambda: np.add(a, b, out=c), repeat, clock)


def simulated(
    workload: Workload, device: Device, repeat: int, language: str, clock: Callable[[], float]
) -> tuple[float, float]:
    """Seconds of the best launch, and of compiling and the first one."""
    start = time.perf_counter()
    if language == "opencl":
        kernel = device.compile(workload.opencl, language=language)[workload.name]
        launch, scalars = kernel[workload.opencl_grid, workload.opencl_group], workload.opencl_scalars
    else:
        kernel = device.compile(workload.mlir)[workload.name]
        launch, scalars = kernel[workload.grid, workload.group], workload.scalars
    launch(*workload.arrays, *scalars)
    first = time.perf_counter() - start
    return best(lambda: launch(*workload.arrays, *scalars), repeat, clock), first


def peer(name: str, workload: str, scale: int, repeat: int, cpu: bool) -> float | None:
    """Seconds of a launch in an OpenCL driver, None if it is not installed."""
    pattern, root = PEERS[name]
    library = next(iter(sorted(root.rglob(pattern))), None)
    if library is None:
        return None
    script = Path(__file__).with_name("opencl_peer.py")
    command = [sys.executable, str(script), workload, str(scale), "--library", str(library), "--repeat", str(repeat)]
    if cpu:
        command.append("--cpu")
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
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the ratios to a file, too")
    options = parser.parse_args()
    rows: list[dict[str, object]] = []
    for name in options.workloads:
        if name not in WORKLOADS:
            parser.error(f"unknown workload '{name}', expected one of: {', '.join(WORKLOADS)}")
    device = Device("pvc", threads=1 if options.cpu else options.threads)
    clock = time.process_time if options.cpu else time.perf_counter
    print(f"{'workload':<12} {'first':>8} {'launch':>9} {'GB/s':>6} {'numpy':>6} {'pocl':>7} {'oclgrind':>9}  error")
    print(" " * 39 + "(times as fast as the peer)")
    total: list[float] = []
    peers: list[float] = []
    for name in options.workloads:
        scale = min(options.scale, 8) if name == "mandelbrot" else options.scale
        workload = WORKLOADS[name](scale)
        if options.language == "mlir" and not workload.has_mlir:
            continue
        seconds, first = simulated(workload, device, options.repeat, options.language, clock)
        ratios = [workload.bytes / seconds / bandwidth(options.repeat, clock)]
        pocl = peer("pocl", name, scale, options.repeat, options.cpu)
        ratios.append(math.nan if pocl is None else pocl / seconds)
        total.append(seconds)
        peers.append(math.nan if pocl is None else pocl)
        small = WORKLOADS[name](1)
        work = math.prod(workload.opencl_grid) / math.prod(small.opencl_grid)
        grind = None if options.cpu or name == "transpose" else peer("oclgrind", name, 1, 1, cpu=False)
        ratios.append(math.nan if grind is None else grind * work / seconds)
        rows += [
            {"workload": name, "peer": against, "ratio": ratio}
            for against, ratio in zip(("numpy.add", "PoCL", "Oclgrind"), ratios, strict=True)
            if not math.isnan(ratio)
        ]
        print(
            f"{name:<12} {first:6.2f} s {seconds * 1e3:6.2f} ms {workload.bytes / seconds / 1e9:6.1f} "
            f"{ratios[0]:6.2f} {ratios[1]:7.2f} {ratios[2]:9.0f}  {workload.error():.2g}"
        )
    print(f"{'all':<12} {sum(total) * 1e3:18.2f} ms {'':13} {sum(peers) / sum(total):7.2f}")
    if options.json is not None:
        options.json.write_text(json.dumps(rows))


if __name__ == "__main__":
    main()
