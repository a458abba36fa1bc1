"""Lowers reads of the clock."""

from __future__ import annotations

from xdsl.dialects.builtin import i64

from passes.convert_xegpu_to_xe.lowering.intrinsics import IntrinsicCall, lowers_intrinsic
from passes.convert_xegpu_to_xe.lowering.values import Elements
from xegpu.dialects.xe import ClockOp
from xegpu.isa.model import TIMESTAMP_BYTES, DataType


@lowers_intrinsic("llvm.readcyclecounter", "llvm.readsteadycounter")
def read_clock(call: IntrinsicCall) -> Elements:
    """Returns the cycles of the thread: the clock does not stand still or change its rate."""
    if call.op.args or call.result_type != i64:
        call.refuse("reads the clock as another function than () -> i64")
    clock = ClockOp(call.emit.register_type(TIMESTAMP_BYTES))
    call.emit.add(clock)
    return Elements(clock.result, DataType.UQ, 1)
