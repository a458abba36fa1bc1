"""Allocation of random `xe` kernels: every operand reads what it should, and the code is legal."""

from __future__ import annotations

import random

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from passes.xe.allocate_registers import XeAllocateRegistersPass
from tests.amounts import examples
from tests.unit.passes.kernels.allocation_checker import Checker, allocate_and_check
from tests.unit.passes.kernels.harness import compile_one, kernel_text, run
from tests.unit.passes.kernels.xe_programs import Generator, Shape
from xegpu.dialects.xe import AluOp, GRFType, KernelOp, MessageAttr, SpillOp, message_op, register_type
from xegpu.dialects.xe.emit import compiled_kernels
from xegpu.isa.model.messages import DataSize, Message, Unit
from xegpu.mlir import verify
from xegpu.targets import ARC, PVC, Target

ROUNDS = examples(8)
"""Programs of each kind; more on demand."""

SMALL = Shape()
WIDE = Shape(statements=25, registers=16, held=18)
FLAGS = Shape(statements=60, flags=12, depth=1)
NESTED = Shape(statements=80, depth=4)


def program(seed: int, target: Target, shape: Shape) -> ModuleOp:
    module = Generator(random.Random(seed), target, shape).module()
    verify(module)
    return module


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
@pytest.mark.parametrize("shape", [SMALL, WIDE, FLAGS, NESTED], ids=["small", "wide", "flags", "nested"])
@pytest.mark.parametrize("grf_count", [0, 128])
def test_random_programs(target: Target, shape: Shape, grf_count: int) -> None:
    for seed in range(ROUNDS):
        module = program(seed, target, shape)
        assert allocate_and_check(module, grf_count) > 0, seed
        assert compiled_kernels(module), seed


@pytest.mark.exhaustive
def test_wide_programs_spill() -> None:
    """Slots are shared: they take less scratch than everything that is spilled would."""
    for seed in range(examples(4)):
        module = program(seed, PVC, WIDE)
        allocate_and_check(module, 128)
        (kernel,) = compiled_kernels(module)
        stores = [op for op in module.walk() if isinstance(op, SpillOp)]
        assert 0 < kernel.facts.spill_size <= sum(register_type(op.source).size.data for op in stores)


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("seed", range(5))
def test_the_checker_sees_values_in_wrong_places(seed: int) -> None:
    """A load that brings its data over the registers of a value that is still used."""
    module = program(seed, PVC, WIDE)
    (kernel,) = (op for op in module.walk() if isinstance(op, KernelOp))
    checker = Checker(kernel)
    XeAllocateRegistersPass().apply(Context(), module)
    assert checker.check() > 0
    held, *_, last = [op.results[0] for op in kernel.body.blocks[0].ops if isinstance(op, AluOp) and op.into]
    place = register_type(held).address
    assert place is not None
    load = message_op("load")(
        MessageAttr(Message(Unit.UGM, DataSize.D64, 8, transposed=True)),
        kernel.body.blocks[0].args[0],
        result=GRFType(PVC.platform.grf_bytes, PVC.platform.grf_bytes, place),
    )
    owner = last.owner
    assert isinstance(owner, Operation)
    kernel.body.blocks[0].insert_op_after(load, owner)
    with pytest.raises(AssertionError, match="is lost"):
        checker.check()


@pytest.mark.sampled(every=4)
def test_spilled_blocks_below_a_register() -> None:
    """Three, five and six qwords each: no block message moves so many, and slots do not overlap."""
    sizes = [3, 5, 6] * 45
    body = "%zero = arith.constant 0 : index\n"
    for row, size in enumerate(sizes):
        body += f"%r{row} = arith.constant {row} : index\n"
        body += f"%v{row} = vector.load %m[%r{row}, %zero] : memref<135x8xi64>, vector<{size}xi64>\n"
    for row, size in enumerate(sizes):
        body += f"vector.store %v{row}, %m[%r{len(sizes) - 1 - row}, %zero] : memref<135x8xi64>, vector<{size}xi64>\n"
    kernel = compile_one(kernel_text("%m: memref<135x8xi64>", body), grf_count=128)
    assert kernel.facts.spill_size > 0
    start = np.arange(135 * 8).reshape(135, 8)
    expected = start.copy()
    for row, size in enumerate(sizes):
        expected[-1 - row, :size] = start[row, :size]
    np.testing.assert_array_equal(run(kernel, start)[0], expected)


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize(("items", "grf_count"), [(512, 256), (1024, 128)])
def test_registers_leave_room_for_the_required_group(items: int, grf_count: int) -> None:
    """Threads with all registers are half as many: a larger group gets the smaller mode, and spills."""
    count = 180
    loads = "\n".join(
        f"""
        %o{n} = arith.constant {n * items} : index
        %p{n} = arith.addi %i, %o{n} : index
        %v{n} = memref.load %a[%p{n}] : memref<{count * items}xf32>"""
        for n in range(count)
    )
    sums = "\n".join(f"%t{n} = arith.subf %v{n}, %t{n + 1} : f32" for n in reversed(range(count)))
    text = f"""
    gpu.module @m {{
      gpu.func @k(%a: memref<{count * items}xf32>, %out: memref<{items}xf32>)
          kernel attributes {{known_block_size = array<i32: {items}, 1, 1>}} {{
        %i = gpu.thread_id x
        {loads}
        gpu.barrier
        %t{count} = arith.constant 0.0 : f32
        {sums}
        memref.store %t0, %out[%i] : memref<{items}xf32>
        gpu.return
      }}
    }}
    """
    kernel = compile_one(text)
    assert kernel.facts.grf_count == grf_count
    a = np.random.default_rng(2).integers(-9, 9, (count, items)).astype(np.float32)
    *_, out = run(kernel, a, np.zeros(items, np.float32), local=(items, 1, 1))
    signs = np.where(np.arange(count) % 2, -1, 1)[:, None]
    np.testing.assert_array_equal(out, (a * signs).sum(axis=0))
