"""Compile time of SPIR-V kernels, from the words of a module to a ZEBIN: milliseconds of CPU time of each stage, warm.

`[modules ...] --target pvc --repeat 10`. The modules are those of the tests' corpus unless some are given; each number
is the best of the repetitions. With `--profile`, the functions that took longest follow.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import time
from collections.abc import Sequence
from pathlib import Path

import zebin
from passes.frontends.llvm.module import Requirements, import_module
from passes.frontends.llvm.reader import read_module
from passes.frontends.optimisation import optimise
from passes.frontends.spirv import translate
from passes.frontends.spirv.reader import read
from passes.pipelines import imported_passes, run_to_kernels
from runtime.mux.compilation.compiler import empty_context
from xegpu import targets
from xegpu.isa import decode_program

_CORPUS = Path(__file__).parents[2] / "tests" / "corpus" / "spirv"
_NAMES = ("vector_add.ocloc", "tiled_matmul.clang15", "control_flow.ocloc", "shuffles.clang22", "generics.clang22")
_STAGES = ("translate", "optimise", "read", "import", "passes", "zebin")


class Stopwatch:
    """The CPU time of the stages of one compilation, in milliseconds."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self._last = time.process_time()

    def lap(self) -> None:
        now = time.process_time()
        self.times.append(1000 * (now - self._last))
        self._last = now


def compile_once(data: bytes, target: str) -> tuple[list[float], int]:
    """Returns the times of the stages, and the number of Xe instructions."""
    watch = Stopwatch()
    translation = translate(data, None)
    watch.lap()
    optimised = optimise(translation.text)
    watch.lap()
    lines = read_module(optimised, "module")
    watch.lap()
    kernels = translation.information.kernels
    sizes = {kernel.name: Requirements(kernel.local_size, kernel.subgroup_size) for kernel in kernels}
    module = import_module(lines, sizes)
    watch.lap()
    compiled = run_to_kernels(empty_context(), module, imported_passes(target))
    watch.lap()
    zebin.build(targets.get(target), compiled)
    watch.lap()
    return watch.times, sum(len(decode_program(kernel.code).instructions) for kernel in compiled)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", type=Path, nargs="*")
    parser.add_argument("--target", default="pvc", choices=("pvc", "arc"))
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args(arguments)
    print(f"{'module':28} {'SPIR-V':>7} {'Xe':>6} " + " ".join(f"{name:>9}" for name in _STAGES) + f" {'all':>9}")
    for path in options.modules or [_CORPUS / f"{name}.spv" for name in _NAMES]:
        data = path.read_bytes()
        runs = [compile_once(data, options.target) for _ in range(options.repeat)]
        best = [min(times) for times in zip(*(times for times, _ in runs), strict=True)]
        numbers = " ".join(f"{value:9.1f}" for value in (*best, sum(best)))
        print(f"{path.stem:28} {len(read(data).instructions):7} {runs[0][1]:6} {numbers}")
        if options.profile:
            with cProfile.Profile() as profile:
                compile_once(data, options.target)
            pstats.Stats(profile).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
