"""Lowers reads of the clock."""

from __future__ import annotations

from xdsl.dialects.builtin import i64
from xdsl.dialects.llvm import CallIntrinsicOp

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements
from xegpu.dialects.xe import ClockOp
from xegpu.isa.model import TIMESTAMP_BYTES, DataType

CLOCKS = frozenset({"llvm.readcyclecounter", "llvm.readsteadycounter"})
"""The intrinsics that read the clock, which does not stand still or change its rate."""


@lowers(CallIntrinsicOp)
def intrinsic(lowering: KernelLowering, op: CallIntrinsicOp) -> None:
    if op.intrin.data not in CLOCKS:
        lowering.refuse(op, f"calls '{op.intrin.data}', which kernels have no instruction for")
    if op.args or op.ress is None or op.ress.type != i64:
        lowering.refuse(op, "reads the clock as another function than () -> i64")
    clock = ClockOp(lowering.emit.register_type(TIMESTAMP_BYTES))
    lowering.emit.add(clock)
    lowering.values[op.ress] = Elements(clock.result, DataType.UQ, 1)
