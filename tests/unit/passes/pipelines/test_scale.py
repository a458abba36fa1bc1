"""Large kernels: work and code grow with the source, counted in rounds, lines and instructions instead of seconds."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import pytest
from xdsl.ir import Block, Region

from passes.xe.allocate_registers import coalescing
from passes.xe.allocate_registers.liveness import Liveness, compute
from runtime.llvm import this_cpu
from runtime.simulator import KernelDescription, Memory, Simulator
from runtime.simulator.jit.kernel.divergence import MOST_VARIABLES
from runtime.simulator.jit.kernel.translation import Variant, kernel_code
from tests.unit.passes.kernels.gemm import Gemm
from tests.unit.passes.kernels.growing import lines_run, loops, straight, tile, waiting_loops
from tests.unit.passes.kernels.harness import compile_one, kernel_text, refusal, run
from tests.unit.passes.pipelines.test_gemm import compare, execute
from xegpu.isa import decode_program
from xegpu.targets import PVC


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one for each time that liveness is computed."""
    counted: list[int] = []

    def counting(body: Region, before: Liveness | None = None, changed: Collection[Block] = ()) -> Liveness:
        counted.append(1)
        return compute(body, before, changed)

    monkeypatch.setattr(coalescing, "compute", counting)
    return counted


@pytest.mark.exhaustive
def test_a_tile_that_spills_a_lot(rounds: list[int]) -> None:
    """64x128 elements of f32 take twice the registers that there are."""
    gemm = Gemm(64, 128, 32, tiles=(8, 8))
    kernel = compile_one(gemm.text())
    assert kernel.facts.spill_size > 64 * 128 * 4 - 256 * 64
    assert len(rounds) < 20, "many values are spilled at a time"
    compare(gemm, execute(gemm, kernel))


def chain_text(length: int) -> str:
    """`length` operations, each on the results of the two before."""
    desc, type = "!xegpu.tensor_desc<32xi32>", "vector<32xi32>"
    lines = [f"%t = xegpu.create_nd_tdesc %m[0] : memref<32xi32> -> {desc}"]
    lines += [f"%v0 = xegpu.load_nd %t : {desc} -> {type}", f"%v1 = arith.muli %v0, %v0 : {type}"]
    lines += [f"%v{i} = arith.{'addi' if i % 3 else 'xori'} %v{i - 1}, %v{i - 2} : {type}" for i in range(2, length)]
    lines.append(f"xegpu.store_nd %v{length - 1}, %t : {type}, {desc}")
    return kernel_text("%m: memref<32xi32>", "\n".join(lines))


def test_a_long_chain(rounds: list[int]) -> None:
    kernel = compile_one(chain_text(500))
    assert len(decode_program(kernel.code).instructions) < 500 + 20
    assert (len(rounds), kernel.facts.grf_count, kernel.facts.spill_size) == (1, 128, 0)
    values = np.arange(32, dtype=np.int32)
    first, second = values, values * values
    for i in range(2, 500):
        first, second = second, second + first if i % 3 else second ^ first
    assert run(kernel, values)[0].tolist() == second.tolist()


def test_code_for_odd_tiles_grows_with_them() -> None:
    def instructions(columns: int) -> int:
        desc, vector = f"!xegpu.tensor_desc<8x{columns}xf16>", f"vector<8x{columns}xf16>"
        text = kernel_text(
            "%m: memref<9x99xf16>",
            f"%t = xegpu.create_nd_tdesc %m[0, 1] : memref<9x99xf16> -> {desc}\n"
            f"%v = xegpu.load_nd %t : {desc} -> {vector}\nxegpu.store_nd %v, %t : {vector}, {desc}",
        )
        return len(decode_program(compile_one(text).code).instructions)

    assert instructions(64) < 5 * instructions(16)


def nested(depth: int) -> str:
    """A kernel that adds 1 to a number `size ** depth` times, for a size that is known at run time."""
    constants = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%one = arith.constant 1 : i32\n"
    loops = "".join(f"scf.for %i{level} = %c0 to %size step %c1 {{\n" for level in range(depth))
    body = "%v = memref.load %m[%c0] : memref<1xi32>\n%w = arith.addi %v, %one : i32\n"
    body += "memref.store %w, %m[%c0] : memref<1xi32>\n"
    return kernel_text("%m: memref<1xi32>, %size: index", constants + loops + body + "}\n" * depth, "")


@pytest.mark.sampled(every=4)
def test_nested_loops() -> None:
    """Loops that the parser can read compile, however deep they are; deeper ones are refused where they are."""
    kernel = compile_one(nested(60))
    assert run(kernel, np.zeros(1, np.int32), 1, local=(1, 1, 1))[0].tolist() == [1]
    for depth in (500, 3000):
        message = refusal(nested(depth))
        assert message.startswith("kernel.mlir:") and message.endswith("error: nested too deeply"), message[:200]


STYLES: dict[str, Callable[[int], str]] = {
    "straight": straight,
    "loops": loops,
    "divergent": lambda count: loops(count, divergent=True),
    "tile": tile,
}


def lines_per_instruction(text: str) -> float:
    found: list[int] = []
    lines = lines_run(lambda: found.append(len(decode_program(compile_one(text).code).instructions)))
    return lines / found[0]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("style", ["loops", "straight", "divergent", "tile"])
def test_the_work_for_an_instruction_does_not_grow(style: str) -> None:
    make, small = STYLES[style], {"straight": 48, "tile": 2}.get(style, 4)
    compile_one(make(2))
    assert lines_per_instruction(make(4 * small)) < 1.05 * lines_per_instruction(make(small))


@pytest.mark.exhaustive
@pytest.mark.parametrize(("style", "small"), [("straight", 200), ("loops", 25), ("divergent", 12), ("tile", 4)])
def test_the_work_for_an_instruction_does_not_grow_in_large_kernels(style: str, small: int) -> None:
    make = STYLES[style]
    compile_one(make(2))
    assert lines_per_instruction(make(4 * small)) < 1.1 * lines_per_instruction(make(small))


@pytest.mark.exhaustive
def test_code_of_the_host_for_many_loops_grows_with_them() -> None:
    """Threads that may wait for others in a loop keep the channels that wait at all joins of the kernel."""

    def lines_per_instruction(count: int) -> float:
        kernel = compile_one(waiting_loops(count, 16))
        description = KernelDescription(kernel.name, kernel.code, PVC, kernel.facts)
        executable = Simulator(PVC, Memory()).load(description)
        assert len(executable.spinning) >= count
        return kernel_code(executable, Variant(), this_cpu()).ir.count("\n") / len(executable.program.instructions)

    assert lines_per_instruction(48) < lines_per_instruction(24)


@pytest.mark.sampled(every=4)
def test_many_divergent_loops_in_threads_that_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads with different trip counts yield to each other every few instructions."""
    monkeypatch.setattr("runtime.simulator.jit.kernel.thread.QUANTUM", 16)
    count = MOST_VARIABLES + 3
    first, limits = np.arange(32, dtype=np.int32) - 7, np.arange(32, dtype=np.int32) * 5 % 64
    expected = first.copy()
    for i in range(count):
        for round in range(64):
            running = round < (limits & (16 + i))
            expected = np.where(running, expected * np.int32(3 + 2 * i) + np.int32(round), expected)
    kernel = compile_one(waiting_loops(count, 32))
    arrays = run(kernel, first, limits, np.zeros(32, np.int32), local=(32, 1, 1))
    assert arrays[2].tolist() == expected.tolist()
