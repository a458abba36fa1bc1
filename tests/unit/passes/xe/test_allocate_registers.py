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
