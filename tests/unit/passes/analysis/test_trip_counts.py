"""The cost of compiled kernels, from MLIR to `.ze_info`."""

from __future__ import annotations

import pytest

from passes.pipelines import compile_to_kernels
from tests.unit.passes.kernels.gemm import Gemm
from xegpu.isa.cost import KernelCost, Pipe, TripCount
from xegpu.targets import PVC
from zebin import build, read
from zebin.ze_info import KernelCostInfo

KERNEL = """
gpu.module @m {
  gpu.func @k(%buffer: memref<?x16xf32>, %n: i32, %limit: index) kernel attributes {VectorComputeFunctionINTEL} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : vector<16xf32>
    %tile = xegpu.create_nd_tdesc %buffer[%c0, %c0], [%c16, %c16], [%c16, %c1]
        : memref<?x16xf32> -> !xegpu.tensor_desc<16xf32>
    BODY
    xegpu.store_nd %result, %tile : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    gpu.return
  }
}
"""

LOOP = """
    %result = scf.for %i = %from to %to step %step iter_args(%sum = %zero) -> (vector<16xf32>) {
      %next = arith.addf %sum, %sum : vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
"""

BUFFER_SIZE, N, LIMIT = 1, 2, 3
"""Numbers of kernel arguments: the dynamic size of the buffer stands behind its pointer."""

THREE = TripCount(1, 1, LIMIT, 3)


def text(body: str) -> str:
    return KERNEL.replace("BODY", body)


def looped(bounds: str) -> str:
    return text(bounds + LOOP)


def cost(mlir: str) -> KernelCost:
    (kernel,) = compile_to_kernels(mlir, PVC)
    assert kernel.cost is not None
    return kernel.cost


def cost_info(mlir: str) -> KernelCostInfo:
    ze_info = read(build(PVC, compile_to_kernels(mlir, PVC)), strict=True).ze_info
    assert ze_info is not None
    (found,) = ze_info.kernels_cost_info
    return found


def bounds(start: str, end: str, step: str, before: str = "") -> str:
    names = zip(("%from", "%to", "%step"), (start, end, step), strict=True)
    return before + "".join(f"\n{name} = arith.addi {value}, %c0 : index" for name, value in names)


@pytest.mark.parametrize(
    ("start", "end", "step", "before", "expected"),
    [
        ("%c0", "%c16", "%c1", "", TripCount(16)),
        ("%c1", "%c16", "%c3", "", TripCount(5)),
        ("%c3", "%c16", "%c3", "", TripCount(5)),
        ("%c0", "%limit", "%c1", "", TripCount(0, 1, LIMIT, 1)),
        ("%c1", "%limit", "%c3", "", TripCount(-1, 3, LIMIT, 1)),
        ("%limit", "%c16", "%c1", "", TripCount(16, 1, LIMIT, -1)),
        ("%c0", "%d", "%c16", "%d = memref.dim %buffer, %c0 : memref<?x16xf32>", TripCount(0, 16, BUFFER_SIZE, 1)),
        ("%c0", "%d", "%c1", "%d = memref.dim %buffer, %c1 : memref<?x16xf32>", TripCount(16)),
        ("%c0", "%d", "%c1", "%d = arith.index_cast %n : i32 to index", TripCount(0, 1, N, 1)),
        ("%c0", "%d", "%c1", "%e = arith.muli %limit, %c3 : index\n%d = arith.addi %e, %c1 : index", THREE),
        ("%c0", "%d", "%c1", "%d = arith.divui %limit, %c16 : index", TripCount(0, 16, LIMIT, 1)),
        ("%d", "%e", "%c1", "%d = arith.subi %limit, %c1 : index\n%e = arith.addi %limit, %c16 : index", TripCount(17)),
        ("%c0", "%d", "%c1", "%e = arith.index_cast %n : i32 to index\n%d = arith.addi %limit, %e : index", None),
        ("%c0", "%d", "%c1", "%d = arith.muli %limit, %limit : index", None),
        ("%c0", "%limit", "%limit", "", None),
        ("%c0", "%d", "%c1", "%d = gpu.block_id x", None),
    ],
)  # fmt: skip
def test_trip_counts(start: str, end: str, step: str, before: str, expected: TripCount | None) -> None:
    (loop,) = cost(looped(bounds(start, end, step, before))).loops
    assert loop.trips == expected


def test_every_loop_has_its_entry() -> None:
    nested = text("""
    %result = scf.for %i = %c0 to %limit step %c16 iter_args(%a = %zero) -> (vector<16xf32>) {
      %b = scf.for %j = %c0 to %c3 step %c1 iter_args(%c = %a) -> (vector<16xf32>) {
        %loaded = xegpu.load_nd %tile : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
        %d = arith.addf %c, %loaded : vector<16xf32>
        scf.yield %d : vector<16xf32>
      }
      scf.yield %b : vector<16xf32>
    }""")
    found = cost_info(nested)
    assert found.name == "k"
    assert [(s.arg_no, s.byte_offset, s.size_in_bytes, s.is_indirect) for s in found.kcm_args_sym] == [
        (LIMIT, 0, 8, False)
    ]
    assert [(e.factor, e.argsym_index, e.constant) for e in found.kcm_loop_count_exps] == [(1 / 16, 0, 0), (0, -1, 3)]
    outside, outer, inner = found.kcm_loop_costs
    assert [part.num_loops for part in (outside, outer, inner)] == [1, 1, 0]
    assert [part.bytes_loaded for part in (outside, outer, inner)] == [0, 0, 64]
    assert [part.bytes_stored for part in (outside, outer, inner)] == [64, 0, 0]
    assert inner.cycle > PVC.timing.l3_latency > outer.cycle > 0


def test_an_unknown_count_is_one_iteration() -> None:
    found = cost_info(looped(bounds("%c0", "%limit", "%limit")))
    assert [(e.factor, e.argsym_index, e.constant) for e in found.kcm_loop_count_exps] == [(0, -1, 1)]
    assert found.kcm_args_sym == []


def test_a_longer_body_costs_more() -> None:
    """Changing a kernel changes what its binary says of it."""
    short = looped(bounds("%c0", "%limit", "%c1"))
    long = short.replace("scf.yield %next", "%more = arith.mulf %next, %sum : vector<16xf32>\nscf.yield %more")
    before, after = cost_info(short), cost_info(long)
    assert after.kcm_loop_costs[1].cycle > before.kcm_loop_costs[1].cycle
    assert after.kcm_loop_costs[0] == before.kcm_loop_costs[0]


def test_a_kernel_without_loops() -> None:
    found = cost_info(text("%result = arith.addf %zero, %zero : vector<16xf32>"))
    assert found.kcm_loop_count_exps == []
    assert len(found.kcm_loop_costs) == 1


def test_the_matrix_engine_bounds_a_gemm_with_enough_accumulators() -> None:
    """4x4 tiles of 8x16: in one k step the matrix engine works 16 x 8 cycles, everything else is less."""
    (loop,) = cost(Gemm(32, 64, 64, tiles=(4, 4)).text()).loops
    assert loop.trips == TripCount(4)
    assert loop.occupancy[Pipe.DPAS] == 16 * 8
    assert max(loop.occupancy, key=lambda pipe: loop.occupancy[pipe]) is Pipe.DPAS
    assert loop.bytes_loaded == 4 * (8 * 16 * 2 + 16 * 16 * 2)
    assert loop.cycles < loop.occupancy[Pipe.DPAS] + PVC.timing.l3_latency + 3 * PVC.timing.branch_latency
