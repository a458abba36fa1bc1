"""Reads of a register block through addresses: each channel finds its own element."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from xdsl.dialects.builtin import I32, IntegerAttr, i32
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xe.ops import EXEC_SIZES, InstructionOp, has_operand
from xegpu.dialects.xe.ops.attributes import Write, WriteAttr
from xegpu.dialects.xe.ops.types import GRFType, register_type
from xegpu.isa.model import (
    ADDRESS,
    ADDRESS_WORDS,
    BY_MNEMONIC,
    CONTIGUOUS,
    VXH,
    DataType,
    Destination,
    Immediate,
    Instruction,
    OpSpec,
    Region,
    Register,
    RegisterFile,
    SourceRegister,
    indirect,
)

_OWN_ADDRESSES = Region(VXH, 1, 0)
_WORD = DataType.UW


@irdl_op_definition
class LookupOp(InstructionOp):
    """Channel i reads the element at byte offset `offsets[i]` of `source`.

    `offsets` holds a word for each channel, from byte `offsets_at` on; `write` says what the elements are, and where
    in the result they go. Offsets must stay inside of `source`. It becomes an `add` to the address register and a
    `mov` that reads through it.

    ```mlir
    %r = xe.lookup %a[%o] {exec_size = 16 : i32, offsets_at = 0 : i32, write = #xe.write<ud>}
        : !xe.grf<64, 64>, !xe.grf<64, 64> -> !xe.grf<64, 64>
    ```
    """

    name = "xe.lookup"
    SPEC: ClassVar[OpSpec] = BY_MNEMONIC["mov"]

    into = opt_operand_def(GRFType)
    source = operand_def(GRFType)
    offsets = operand_def(GRFType)
    exec_size = prop_def(IntegerAttr[I32])
    offsets_at = prop_def(IntegerAttr[I32])
    write = prop_def(WriteAttr)
    result = result_def(GRFType)

    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "(`into` $into^ `:` type($into))? $source `[` $offsets `]` attr-dict"
        " `:` type($source) `,` type($offsets) `->` type($result)"
    )

    def __init__(
        self,
        exec_size: int,
        source: SSAValue,
        offsets: SSAValue,
        offsets_at: int,
        write: Write,
        result: GRFType,
        *,
        into: SSAValue | None = None,
    ):
        super().__init__(
            operands=[into, source, offsets],
            result_types=[result],
            properties={
                "exec_size": IntegerAttr(exec_size, i32),
                "offsets_at": IntegerAttr(offsets_at, i32),
                "write": WriteAttr(write),
            },
        )

    @property
    def tied(self) -> SSAValue | None:
        return self.operands[0] if has_operand(self, 0) else None

    def verify_(self) -> None:
        size, first, write = self.exec_size.value.data, self.offsets_at.value.data, self.write.data
        if size not in EXEC_SIZES or size > ADDRESS_WORDS:
            raise VerifyException(f"execution size {size}, expected a power of two up to {ADDRESS_WORDS}")
        if self.into is not None and self.result.type != self.into.type:
            raise VerifyException("the result of an instruction with `into` has the type of that operand")
        end = write.offset + ((size - 1) * write.stride + 1) * write.type.size
        for what, start, stop, register in (
            ("the offsets cover", first, first + size * _WORD.size, self.offsets),
            ("the result covers", write.offset, end, self.result),
        ):
            available = register_type(register).size.data
            if start < 0 or stop > available:
                raise VerifyException(f"{what} bytes {start} to {stop} of a register block of {available} bytes")

    def instructions(self, source: int, offsets: Register, result: Register) -> Iterator[Instruction]:
        """The instructions, once registers are allocated; `source` is a byte address."""
        size, write = self.exec_size.value.data, self.write.data
        yield Instruction(
            BY_MNEMONIC["add"],
            size,
            no_mask=True,
            destination=Destination(Register(RegisterFile.ARF, ADDRESS.number), _WORD),
            sources=(SourceRegister(offsets, _WORD, CONTIGUOUS), Immediate.of(source, _WORD)),
        )
        yield Instruction(
            self.SPEC,
            size,
            no_mask=True,
            destination=Destination(result, write.type, write.stride),
            sources=(SourceRegister(indirect(0), write.type, _OWN_ADDRESSES),),
        )
