"""Messages: loads, stores, atomics and prefetches."""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import prop_def
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.construction import initialize
from xegpu.dialects.xe.ops.attributes import MessageAttr
from xegpu.dialects.xe.ops.base import UNIT, SendOp, check_range, number, possible_targets, segments, target_around
from xegpu.dialects.xe.ops.types import GRFType
from xegpu.isa.formats import check_form, check_message
from xegpu.isa.model import IllegalInstruction, Instruction, MemoryAccessKind, grf, touched_bytes
from xegpu.targets import Target

_SURFACE_BYTES = 32
"""Bytes of the address registers that a block-2D message reads."""


class MessageOp(SendOp):
    """A message to memory: loads give a result, stores take `data`, atomics have both at will.

    A predicate leaves lanes of `into` as they are.

    `message` says which unit it goes to, what the elements are, and how addresses are made. The offsets say where in
    their registers addresses, data and result begin, in bytes.

    ```mlir
    %v = xe.load if %flag : !xe.flag[%address : !xe.grf<128, 64>] {exec_size = 16 : i32,
        message = #xe.message<unit = ugm, size = d32>} -> !xe.grf<64, 64>
    ```
    ```mlir
    xe.store[%address : !xe.grf<64, 64>] data %v : !xe.grf<64, 64> {exec_size = 1 : i32,
        message = #xe.message<unit = ugm, size = d32, vector = 16, transposed>, no_mask}
    ```
    """

    message = prop_def(MessageAttr)

    assembly_format = (
        "(`into` $into^ `:` type($into))? (`if` $flag^ `:` type($flag))? `[` $address `:` type($address) `]`"
        " (`data` $data^ `:` type($data))? attr-dict (`->` type($result)^)?"
    )

    def __init__(
        self,
        message: MessageAttr,
        address: SSAValue,
        *,
        exec_size: int = 1,
        address_offset: int = 0,
        result: GRFType | None = None,
        result_offset: int = 0,
        data: SSAValue | None = None,
        data_offset: int = 0,
        into: SSAValue | None = None,
        flag: SSAValue | None = None,
        no_mask: bool = True,
    ):
        properties: dict[str, Attribute | None] = {
            "message": message,
            "exec_size": number(exec_size),
            "no_mask": UNIT if no_mask else None,
            "address_offset": number(address_offset) if address_offset else None,
            "data_offset": number(data_offset) if data_offset else None,
            "result_offset": number(result_offset) if result_offset else None,
            "operandSegmentSizes": segments(int(into is not None), int(flag is not None), 1, int(data is not None)),
            "resultSegmentSizes": segments(int(result is not None)),
        }
        operands = [operand for operand in (into, flag, address, data) if operand is not None]
        initialize(self, operands, [] if result is None else [result], properties)

    def verify_(self) -> None:
        self.check_lanes()
        if (self.data is not None) != (self.SPEC.sources > 0):
            raise VerifyException(f"{self.SPEC.mnemonic} {'needs' if self.data is None else 'takes no'} data")
        if self.SPEC.access is not MemoryAccessKind.ATOMIC and (self.result is not None) != (
            self.SPEC.access is MemoryAccessKind.LOAD
        ):
            raise VerifyException(f"{self.SPEC.mnemonic} {'needs a' if self.result is None else 'has no'} result")
        target = target_around(self)
        self._check_registers()
        if target is not None:
            self._check_message(target)

    def _check_registers(self) -> None:
        """Addresses, data and result lie in their registers; without a target, in as few bytes as any target needs."""
        message, size = self.message.data, self.exec_size.value.data
        platforms = [target.platform for target in possible_targets(self)]
        data, result = (
            min(touched_bytes(message, size, p.grf_bytes, p.physical_simd_width, operands) for p in platforms)
            for operands in (self.SPEC.sources, 1)
        )
        addresses = (1 if message.transposed else size) * message.address_size.size
        if message.block is not None:
            addresses = _SURFACE_BYTES
        for what, offset, used, register in (
            ("the address", self.address_offset, addresses, self.address),
            ("the data", self.data_offset, data, self.data),
            ("the result", self.result_offset, result, self.result),
        ):
            if register is not None:
                check_range(what, 0 if offset is None else offset.value.data, used, register)

    def _check_message(self, target: Target) -> None:
        """The target has the message."""
        place = grf(0)
        instruction = Instruction(
            self.SPEC,
            self.exec_size.value.data,
            message=self.message.data,
            address=place,
            data=None if self.data is None else place,
            returned=None if self.result is None else place,
        )
        try:
            check_form(instruction)
            check_message(instruction, target, max(target.platform.grf_counts))
        except IllegalInstruction as error:
            raise VerifyException(str(error)) from None
