"""The clock of a thread."""

from __future__ import annotations

from xdsl.irdl import IRDLOperation, irdl_op_definition, result_def, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xe.ops.types import GRFType, register_bytes
from xegpu.isa.model import TIMESTAMP_BYTES


@irdl_op_definition
class ClockOp(IRDLOperation):
    """The cycles that the thread has taken so far: a `mov` of the two dwords of `tm0`. It stays among the messages.

    `%c = xe.clock : !xe.grf<8, 8>`
    """

    name = "xe.clock"

    result = result_def(GRFType)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, result: GRFType):
        super().__init__(result_types=[result])

    def verify_(self) -> None:
        if register_bytes(self.result.type) != TIMESTAMP_BYTES:
            raise VerifyException(f"a time in {register_bytes(self.result.type)} bytes, expected {TIMESTAMP_BYTES}")
