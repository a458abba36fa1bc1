"""The base of all operations of instructions, and the rules that they share."""

from __future__ import annotations

import struct
from collections.abc import Collection
from functools import cache
from typing import ClassVar

from xdsl.dialects.builtin import I32, DenseArrayBase, IntegerAttr, StringAttr, UnitAttr, i32
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
)
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.xe.ops.types import FlagType, GRFType
from xegpu.isa.model import OpSpec
from xegpu.targets import TARGETS, Target

EXEC_SIZES = (1, 2, 4, 8, 16, 32)
UNIT = UnitAttr()


class InstructionOp(IRDLOperation):
    """The base class of all instructions; `SPEC` is the row of the instruction table."""

    SPEC: ClassVar[OpSpec]

    @property
    def tied(self) -> SSAValue | None:
        """The operand whose bytes the result takes over."""
        return None


class SendOp(InstructionOp):
    """The base class of messages: they take an address for each lane, and give a result or take data.

    The offsets say where in their registers addresses, data and result begin, in bytes.
    """

    into = opt_operand_def(GRFType)
    flag = opt_operand_def(FlagType)
    address = operand_def(GRFType)
    data = opt_operand_def(GRFType)
    exec_size = prop_def(IntegerAttr[I32])
    channel_offset = opt_prop_def(IntegerAttr[I32])
    no_mask = opt_prop_def(UnitAttr)
    inverted = opt_prop_def(UnitAttr)
    address_offset = opt_prop_def(IntegerAttr[I32])
    data_offset = opt_prop_def(IntegerAttr[I32])
    result_offset = opt_prop_def(IntegerAttr[I32])
    result = opt_result_def(GRFType)

    irdl_options = (
        AttrSizedOperandSegments(as_property=True),
        AttrSizedResultSegments(as_property=True),
        ParsePropInAttrDict(),
    )

    @property
    def tied(self) -> SSAValue | None:
        return self.operands[0] if has_operand(self, 0) else None

    def check_lanes(self) -> None:
        """Raises `VerifyException` unless channels, predicate and the operand that the result takes over fit."""
        size = self.exec_size.value.data
        check_exec_size(size)
        check_channels(size, self.channel_offset)
        check_predicate(self.flag, self.inverted)
        if self.into is not None and (self.result is None or self.result.type != self.into.type):
            raise VerifyException("the result of an instruction with `into` has the type of that operand")


def has_operand(op: InstructionOp, segment: int) -> bool:
    """Returns whether an optional operand is there, by its position in the definition.

    xDSL's accessors decode all segment sizes for each look at an operand, which takes a tenth of compilation.
    """
    sizes = op.properties["operandSegmentSizes"]
    assert isinstance(sizes, DenseArrayBase)
    return decoded(sizes.data.data)[segment] > 0


@cache
def decoded(sizes: bytes) -> tuple[int, ...]:
    """Returns the sizes of the segments of operands or results, from the bytes of the property that holds them."""
    return struct.unpack(f"<{len(sizes) // 4}i", sizes)


@cache
def segments(*sizes: int) -> DenseArrayBase[I32]:
    return DenseArrayBase.from_list(i32, sizes)


@cache
def number(value: int) -> IntegerAttr[I32]:
    return IntegerAttr(value, i32)


def check_exec_size(size: int) -> None:
    if size not in EXEC_SIZES:
        raise VerifyException(f"execution size {size}, expected one of {', '.join(map(str, EXEC_SIZES))}")


def check_channels(size: int, offset: IntegerAttr[I32] | None) -> None:
    """The channel offset goes with the execution size."""
    first = 0 if offset is None else offset.value.data
    if first < 0 or first % max(size, 4) or first + size > EXEC_SIZES[-1]:
        raise VerifyException(f"channel offset {first} does not go with execution size {size}")


def check_predicate(flag: SSAValue | None, inverted: UnitAttr | None) -> None:
    if inverted is not None and flag is None:
        raise VerifyException("inverted without a predicate")


def check_range(what: str, offset: int, size: int, register: SSAValue) -> None:
    available = register.type.size.data if isinstance(register.type, GRFType) else 0
    if offset < 0 or offset + size > available:
        raise VerifyException(
            f"{what} covers bytes {offset} to {offset + size} of a register block of {available} bytes"
        )


def possible_targets(op: Operation) -> Collection[Target]:
    """Returns the target of the kernel around an operation, or all targets where there is none that is known."""
    target = target_around(op)
    return TARGETS.values() if target is None else (target,)


def target_around(op: Operation) -> Target | None:
    """Returns the target of the kernel around an operation, if there is one that is known."""
    parent = op.parent_op()
    while parent is not None:
        name = parent.properties.get("target")
        if isinstance(name, StringAttr):
            return TARGETS.get(name.data)
        parent = parent.parent_op()
    return None
