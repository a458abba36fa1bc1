"""Measures the options of `xe-pipeline`: estimated cycles of a thread (docs/cost-model.md), and time in the simulator.

Each kernel is compiled with each option and run; the result has to be the same bits as without. Prints the estimate for
one thread, registers, spilled bytes, instructions in the loop, and the time of a launch; cycles and time also as ratios
to the first line. `python benchmarks/speed/optimisations.py [--size 256] [--repeat 5]`
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import ml_dtypes
import numpy as np
from gemm import TILE, best_of, kernel_text
from numpy.typing import NDArray

import zebin
from passes.pipelines import read_module, run_to_kernels, xe_passes
from passes.xegpu.combine_loads import XegpuCombineLoadsPass
from runtime import Device
from xegpu import targets
from xegpu.diagnostics import SourceBuffer
from xegpu.isa import CompiledKernel
from xegpu.isa.cost import RegionCost

TARGET = "pvc"

SMALL_TILE = """
gpu.module @kernels {{
  gpu.func @k(%a: memref<{n}x{n}xbf16>, %b: memref<{n}x{n}xbf16>, %c: memref<{n}x{n}xf32>) kernel
      attributes {{VectorComputeFunctionINTEL}} {{
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %size = arith.constant {n} : index
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %m = arith.muli %bx, %c8 : index
    %n = arith.muli %by, %c16 : index
    %ta = xegpu.create_nd_tdesc %a[%m, 0] : memref<{n}x{n}xbf16> -> !xegpu.tensor_desc<8x16xbf16>
    %tb = xegpu.create_nd_tdesc %b[0, %n] : memref<{n}x{n}xbf16> -> !xegpu.tensor_desc<16x16xbf16>
    %tc = xegpu.create_nd_tdesc %c[%m, %n] : memref<{n}x{n}xf32> -> !xegpu.tensor_desc<8x16xf32>
    %zero = arith.constant dense<0.0> : vector<8x16xf32>
    %r:3 = scf.for %k = %c0 to %size step %c16 iter_args(%acc = %zero, %da = %ta, %db = %tb)
        -> (vector<8x16xf32>, !xegpu.tensor_desc<8x16xbf16>, !xegpu.tensor_desc<16x16xbf16>) {{
      %va = xegpu.load_nd %da : !xegpu.tensor_desc<8x16xbf16> -> vector<8x16xbf16>
      %vb = xegpu.load_nd %db <{{packed}}> : !xegpu.tensor_desc<16x16xbf16> -> vector<8x16x2xbf16>
      %sum = xegpu.dpas %va, %vb, %acc
          : vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>
      %na = xegpu.update_nd_offset %da, [0, 16] : !xegpu.tensor_desc<8x16xbf16>
      %nb = xegpu.update_nd_offset %db, [16, 0] : !xegpu.tensor_desc<16x16xbf16>
      scf.yield %sum, %na, %nb : vector<8x16xf32>, !xegpu.tensor_desc<8x16xbf16>, !xegpu.tensor_desc<16x16xbf16>
    }}
    xegpu.store_nd %r#0, %tc : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }}
}}
"""

DOT_PRODUCTS = """
gpu.module @kernels {{
  gpu.func @k(%a: memref<{n}x{n}xbf16>, %b: memref<{n}x{n}xbf16>, %c: memref<{n}x{n}xf32>) kernel
      attributes {{VectorComputeFunctionINTEL}} {{
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %size = arith.constant {n} : index
    %row = gpu.block_id x
    %zero = arith.constant dense<0.0> : vector<32xf32>
    %r = scf.for %k = %c0 to %size step %c32 iter_args(%acc = %zero) -> (vector<32xf32>) {{
      %x = vector.load %a[%row, %k] : memref<{n}x{n}xbf16>, vector<32xbf16>
      %y = vector.load %b[%row, %k] : memref<{n}x{n}xbf16>, vector<32xbf16>
      %wx = arith.extf %x : vector<32xbf16> to vector<32xf32>
      %wy = arith.extf %y : vector<32xbf16> to vector<32xf32>
      %sum = vector.fma %wx, %wy, %acc : vector<32xf32>
      scf.yield %sum : vector<32xf32>
    }}
    vector.store %r, %c[%row, %c0] : memref<{n}x{n}xf32>, vector<32xf32>
    gpu.return
  }}
}}
"""


@dataclass(frozen=True)
class Workload:
    """A kernel of two square bf16 arrays into an f32 one, and its grid, for a size that 64 divides."""

    name: str
    text: str
    grid: tuple[int, int]


@dataclass(frozen=True)
class Options:
    """The options given to `xe-pipeline`, and whether loads are combined, which it does by itself."""

    unroll_factor: int = 1
    pipeline_stages: int = 1
    combines: bool = True

    def __str__(self) -> str:
        parts = [] if self.combines else ["loads apart"]
        parts += [f"unroll {self.unroll_factor}"] if self.unroll_factor > 1 else []
        parts += [f"{self.pipeline_stages} stages"] if self.pipeline_stages > 1 else []
        return ", ".join(parts) or "no options"


VARIANTS = (
    Options(combines=False),
    Options(),
    Options(unroll_factor=4),
    *(Options(pipeline_stages=stages) for stages in (2, 3, 4)),
    Options(unroll_factor=4, pipeline_stages=2),
)


def workloads(size: int) -> Sequence[Workload]:
    """All kernels for arrays of size x size."""
    return (
        Workload("gemm, 32x64 a thread", kernel_text(size), (size // TILE[0], size // TILE[1])),
        Workload("gemm, 8x16 a thread", SMALL_TILE.format(n=size), (size // 8, size // 16)),
        Workload("dot products", DOT_PRODUCTS.format(n=size), (size, 1)),
    )


def compiled(text: str, options: Options) -> CompiledKernel:
    """The only kernel in the text."""
    context, module = read_module(SourceBuffer("kernel.mlir", text))
    steps = xe_passes(TARGET, unroll_factor=options.unroll_factor, pipeline_stages=options.pipeline_stages)
    kept = [step for step in steps if options.combines or not isinstance(step, XegpuCombineLoadsPass)]
    (kernel,) = run_to_kernels(context, module, kept)
    return kernel


def cycles(kernel: CompiledKernel) -> float:
    """Estimated cycles of a thread that has an EU for itself. The kernels' loops run a constant number of turns."""
    assert kernel.cost is not None
    regions = iter(kernel.cost.loops)

    def total(region: RegionCost) -> float:
        return region.cycles + sum(
            turns(loop) * total(loop) for loop in (next(regions) for _ in range(region.children))
        )

    def turns(loop: RegionCost) -> float:
        assert loop.trips is not None and loop.trips.argument is None
        return -(-loop.trips.offset // loop.trips.step)

    return total(kernel.cost.outside)


def measure(workload: Workload, size: int, repeat: int) -> None:
    """Prints a table."""
    device = Device(TARGET)
    random = np.random.default_rng(0)
    a, b = (random.standard_normal((size, size)).astype(ml_dtypes.bfloat16) for _ in range(2))
    print(f"\n{workload.name}")
    print(f"{'':20} {'cycles':>8} {'ratio':>6} {'GRF':>4} {'spilled':>8} {'code':>7} {'launch':>10} {'ratio':>6}")
    reference: tuple[float, float, NDArray[np.float32]] | None = None
    for options in VARIANTS:
        kernel = compiled(workload.text, options)
        launch = device.load(zebin.build(targets.get(TARGET), [kernel]))[kernel.name][workload.grid]
        buffers = device.array(a), device.array(b), device.array(np.zeros((size, size), np.float32))
        launch(*buffers)
        result = buffers[2].numpy().copy()
        seconds, estimate = best_of(repeat, lambda launch=launch, buffers=buffers: launch(*buffers)), cycles(kernel)
        if reference is None:
            reference = estimate, seconds, result
        if result.tobytes() != reference[2].tobytes():
            raise SystemExit(f"{workload.name}: the result with {options} is another one")
        print(
            f"{options!s:20} {estimate:>8.0f} {reference[0] / estimate:>6.2f} {kernel.facts.grf_count:>4} "
            f"{kernel.facts.spill_size:>8} {len(kernel.code):>7} {1e3 * seconds:>7.2f} ms "
            f"{reference[1] / seconds:>6.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=256, help="edge of the arrays, a multiple of 64")
    parser.add_argument("--repeat", type=int, default=5, help="launches of each, of which the fastest counts")
    arguments = parser.parse_args()
    for workload in workloads(arguments.size):
        measure(workload, arguments.size, arguments.repeat)


if __name__ == "__main__":
    main()
