"""Operations that hold a kernel's code together: control flow, and what register allocation inserts."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I32, IntegerAttr, i32
from xdsl.ir import Block, SSAValue
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    successor_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsTerminator, MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.construction import initialize
from xegpu.dialects.xe.kernel import KernelOp
from xegpu.dialects.xe.ops.patterns import CopyPatterns
from xegpu.dialects.xe.ops.types import FlagType, GRFType, register_bytes, unplaced
from xegpu.dialects.xe.trip_count import TripCountAttr
from xegpu.isa.cost import TripCount
from xegpu.targets import register_sizes

_QWORD = 8


def _verify_sizes(what: str, source: SSAValue, result: SSAValue) -> None:
    before, after = register_bytes(source.type), register_bytes(result.type)
    if before != after:
        raise VerifyException(f"{what} changes its size: {before} to {after} bytes")


def verify_passed(values: Sequence[SSAValue], block: Block) -> None:
    """Raises `VerifyException` unless a block takes the values that a branch passes to it."""
    if len(values) != len(block.args):
        raise VerifyException(f"passes {len(values)} values to a block of {len(block.args)}")
    for passed, argument in zip(values, block.args, strict=True):
        if not isinstance(argument.type, GRFType):
            raise VerifyException(f"a block argument is no register block: {passed.type} and {argument.type}")
        _verify_sizes("a block argument", passed, argument)


_COPIED = BaseAttr(GRFType) | BaseAttr(FlagType)


def _verify_slot(slot: int) -> None:
    if slot < 0:
        raise VerifyException(f"slot {slot} of the scratch space is negative")


@irdl_op_definition
class UndefOp(IRDLOperation):
    """`%r = xe.undef : !xe.grf<128, 64>`: a register block with unspecified contents, to be filled piece by piece."""

    name = "xe.undef"

    result = result_def(GRFType)
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, result: GRFType):
        initialize(self, result_types=[result])


@irdl_op_definition
class CopyOp(IRDLOperation):
    """A copy of a whole register block, or of a flag to and from a dword: `mov` instructions, or nothing.

    The result may be aligned in another way. Register allocation gives both sides one place where it can.

    `%r = xe.copy %a : !xe.grf<8, 8> -> !xe.grf<8, 64>`
    """

    name = "xe.copy"

    source = operand_def(_COPIED)
    result = result_def(_COPIED)
    traits = traits_def(Pure(), CopyPatterns())
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue, result: GRFType | FlagType | None = None):
        initialize(self, [source], [unplaced(source.type) if result is None else result])

    def verify_(self) -> None:
        if isinstance(self.source.type, FlagType) and isinstance(self.result.type, FlagType):
            raise VerifyException("no instruction copies a flag to a flag")
        _verify_sizes("the copy", self.source, self.result)


def scratch_bytes(size: int) -> int:
    """Returns the bytes of scratch memory that a register block of `size` bytes takes.

    Block messages move a power of two of qwords. Blocks of a register or more consist of several such messages that
    start at registers each; a smaller block takes one.
    """
    qwords = -(-size // _QWORD)
    return _QWORD * (qwords if size >= max(register_sizes()) else 1 << (qwords - 1).bit_length())


@irdl_op_definition
class SpillOp(IRDLOperation):
    """Stores a register block to the thread's scratch space at a byte offset.

    `xe.spill %a to 128 : !xe.grf<128, 64>`
    """

    name = "xe.spill"

    source = operand_def(GRFType)
    slot = prop_def(IntegerAttr[I32])
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$source `to` $slot attr-dict `:` type($source)"

    def __init__(self, source: SSAValue, slot: int):
        super().__init__(operands=[source], properties={"slot": IntegerAttr(slot, i32)})

    def verify_(self) -> None:
        _verify_slot(self.slot.value.data)


@irdl_op_definition
class FillOp(IRDLOperation):
    """Loads a register block from the thread's scratch space at a byte offset.

    `%r = xe.fill 128 : !xe.grf<128, 64>`
    """

    name = "xe.fill"

    slot = prop_def(IntegerAttr[I32])
    result = result_def(GRFType)
    traits = traits_def(MemoryReadEffect())
    assembly_format = "$slot attr-dict `:` type($result)"

    def __init__(self, slot: int, result: GRFType):
        super().__init__(properties={"slot": IntegerAttr(slot, i32)}, result_types=[result])

    def verify_(self) -> None:
        _verify_slot(self.slot.value.data)


@irdl_op_definition
class BranchOp(IRDLOperation):
    """Goes to a block: `jmpi`, or nothing when the block follows.

    ```mlir
    xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32,
        simd_size = 16 : i32, target = "pvc"} {
    ^bb0(%header: !xe.grf<64, 64 at 0>):
      xe.br ^bb1(%header : !xe.grf<64, 64 at 0>)
    ^bb1(%copy: !xe.grf<64, 64>):
      xe.eot
    }
    ```
    """

    name = "xe.br"

    arguments = var_operand_def(GRFType)
    successor = successor_def()
    traits = traits_def(IsTerminator())
    assembly_format = "$successor (`(` $arguments^ `:` type($arguments) `)`)? attr-dict"

    def __init__(self, successor: Block, arguments: Sequence[SSAValue] = ()):
        initialize(self, arguments, successors=[successor])

    def verify_(self) -> None:
        verify_passed(self.arguments, self.successor)


@irdl_op_definition
class CondBranchOp(IRDLOperation):
    """Goes to the first block if bit 0 of the flag is set, else to the second; both take no arguments.

    In the first block of a loop, `trip_count` says how often it runs, for the cost model.

    ```mlir
    xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32,
        simd_size = 16 : i32, target = "pvc"} {
    ^bb0(%header: !xe.grf<64, 64 at 0>):
      %flag = xe.cmp(%header : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 1 : i32, no_mask,
          reads = [#xe.read<ud, 4>, #xe.imm<ud, 0>]} flag !xe.flag
      xe.cond_br %flag, ^bb1, ^bb2 : !xe.flag
    ^bb1:
      xe.br ^bb2
    ^bb2:
      xe.eot
    }
    ```
    """

    name = "xe.cond_br"

    flag = operand_def(FlagType)
    then_block = successor_def()
    else_block = successor_def()
    trip_count = opt_prop_def(TripCountAttr)
    traits = traits_def(IsTerminator())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$flag `,` $then_block `,` $else_block attr-dict `:` type($flag)"

    def __init__(self, flag: SSAValue, then_block: Block, else_block: Block, trips: TripCount | None = None):
        properties = {"trip_count": None if trips is None else TripCountAttr(trips)}
        initialize(self, [flag], properties=properties, successors=[then_block, else_block])

    def verify_(self) -> None:
        if self.then_block.args or self.else_block.args:
            raise VerifyException("leads to a block with arguments, but passes none")
        kernel = self.parent_op()
        argument = None if self.trip_count is None else self.trip_count.data.argument
        if argument is not None and isinstance(kernel, KernelOp) and argument >= len(kernel.facts.arguments):
            raise VerifyException(f"trip_count of argument {argument}, the kernel has {len(kernel.facts.arguments)}")


@irdl_op_definition
class EndOp(IRDLOperation):
    """`xe.eot` ends the thread."""

    name = "xe.eot"

    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict"

    def __init__(self) -> None:
        super().__init__()


@irdl_op_definition
class IllegalOp(IRDLOperation):
    """`xe.illegal` stops the launch with a fault."""

    name = "xe.illegal"

    traits = traits_def(MemoryWriteEffect())
    assembly_format = "attr-dict"

    def __init__(self) -> None:
        super().__init__()
