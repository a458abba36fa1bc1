"""Runs kernels in the manner of benchmark suites on both GPUs, and compares them with the CPU's OpenCL.

    python -m tests.bulk.suite                                   all kernels, on both GPUs, by four ways of compilation
    python -m tests.bulk.suite --family sorting --way llvm22     some of them
    python -m tests.bulk.suite --kernel bitonic_local --target arc --engine interpreter

The ways are clang 15 and 22, to LLVM IR (`llvm`) and to SPIR-V (`spirv`). Prints each failure, and the time of the
processor; ends with 1 if there was a failure.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from passes.frontends.opencl import Compiler, translation
from runtime import Device, LaunchError, ZeError
from tests.bulk.suite.cases import GPUS, Kernel, kernels
from tests.peer.opencl import cpu, producers
from xegpu.diagnostics import CompileError

WAYS = {"llvm15": ("llvm", 15), "llvm22": ("llvm", 22), "spirv15": ("clang15", 15), "spirv22": ("clang22", 22)}
"""The producer of each way, and its clang."""
_TIME_LIMIT = 120


@contextmanager
def _clang(version: int) -> Iterator[None]:
    """Makes the front end use one of several compilers."""
    chosen = Compiler(f"clang-{version}", version)
    with mock.patch.object(translation, "find_compiler", return_value=chosen):
        yield


def _is_missing(way: str) -> bool:
    """Says whether a way is left out, and why."""
    producer, version = WAYS[way]
    clang = f"clang-{version}"
    reason = producers.missing(producer) if shutil.which(clang) else f"{clang} is not installed"
    if reason is not None:
        print(f"{way} is left out: {reason}")
    return reason is not None


def _seconds() -> float:
    """Returns the time of the processor that this process and the compilers have taken."""
    return sum(os.times()[:4])


def outcome(kernel: Kernel, way: str, gpu: str, engine: str, expected: cpu.Answer) -> str:
    """Returns `same`, or how a kernel fails."""
    if isinstance(expected, str):
        return f"the CPU does not run it: {expected.partition('error:')[2].partition(chr(10))[0] or expected[-200:]}"
    producer, version = WAYS[way]
    device = Device(gpu, engine=engine, time_limit=_TIME_LIMIT)
    try:
        with _clang(version), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what clang says about the kernels
            found = producers.launched(kernel, producers.compiled(kernel, producer, device), device)
    except (CompileError, ZeError, LaunchError, AssertionError) as error:
        return f"{type(error).__name__}: {error}"
    return kernel.difference(found, expected) or "same"


def main() -> int:
    """Runs the command; returns 1 if a kernel gives something else than the CPU."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", action="append", help="a file of kernels")
    parser.add_argument("--kernel", action="append", help="a kernel")
    parser.add_argument("--way", action="append", choices=WAYS, help="a way of compilation")
    parser.add_argument("--target", action="append", choices=GPUS, help="a GPU")
    parser.add_argument("--engine", default="jit", choices=["jit", "interpreter"])
    parser.add_argument("--slow", type=float, default=10, help="name the runs that take more seconds")
    options = parser.parse_args()
    chosen = [
        kernel
        for kernel in kernels()
        if (not options.family or kernel.file in options.family)
        and (not options.kernel or kernel.name in options.kernel)
    ]
    if cpu.driver() is None:
        parser.error("needs OpenCL for CPUs: PoCL, or intel-opencl-rt of PyPI")
    ways = [way for way in options.way or WAYS if not _is_missing(way)]
    started = _seconds()
    expected = cpu.run([kernel.on_cpu() for kernel in chosen])
    outcomes: Counter[str] = Counter()
    for kernel, answer in zip(chosen, expected, strict=True):
        for gpu in options.target or GPUS:
            for way in ways:
                if gpu not in kernel.gpus or way in kernel.without:
                    continue
                start = _seconds()
                result = outcome(kernel, way, gpu, options.engine, answer)
                outcomes["same" if result == "same" else "failed"] += 1
                if result != "same":
                    print(f"{kernel.file} {kernel.name} {gpu} {way}: {result}", flush=True)
                if (seconds := _seconds() - start) > options.slow:
                    print(f"{kernel.file} {kernel.name} {gpu} {way}: {seconds:.1f} s", flush=True)
    seconds = _seconds() - started
    print(f"{len(chosen)} kernels, {outcomes.total()} runs: {dict(outcomes)}; {seconds:.0f} s of the processor")
    return int(outcomes["failed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
