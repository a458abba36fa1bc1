"""Divergent control flow: channels wait at joins while others go on.

The blocks of a kernel and their branches are those of the thread, which is at one place at a time. A join is the end of
a block: channels that wait there are on in the block behind it. Where no channel is left, control goes on at a place
that the instruction names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_successor_def,
    successor_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.construction import initialize
from xegpu.dialects.xe.ops.types import FlagType, GRFType
from xegpu.dialects.xe.structure import BranchOp, verify_passed


def _verify_join(block: Block) -> None:
    if not isinstance(block.last_op, JoinOp):
        raise VerifyException("channels can only wait at a block that ends with 'xe.join'")


def _verify_plain(block: Block) -> None:
    if block.args:
        raise VerifyException("leads to a block with arguments, but passes none")


@irdl_op_definition
class GotoOp(IRDLOperation):
    """All channels that are on wait at the first block; control goes to the second one, where others may wait.

    No values go to the first block: control never goes there from here.

    ```mlir
    xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32,
        simd_size = 16 : i32, target = "pvc"} {
    ^bb0(%header: !xe.grf<64, 64 at 0>):
      %f = xe.cmp(%header : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 16 : i32, no_mask,
          reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
      xe.cond_goto %f, ^bb2, ^bb1 : !xe.flag
    ^bb1:
      xe.goto ^bb4, ^bb2
    ^bb2:
      xe.join ^bb3, ^bb4
    ^bb3:
      xe.br ^bb4
    ^bb4:
      xe.join ^bb5
    ^bb5:
      xe.eot
    }
    ```
    """

    name = "xe.goto"

    arguments = var_operand_def(GRFType)
    join = successor_def()
    empty = successor_def()
    traits = traits_def(IsTerminator())
    assembly_format = "$join `,` $empty (`(` $arguments^ `:` type($arguments) `)`)? attr-dict"

    def __init__(self, join: Block, empty: Block, arguments: Sequence[SSAValue] = ()):
        initialize(self, arguments, successors=[join, empty])

    def verify_(self) -> None:
        _verify_join(self.join)
        verify_passed(self.arguments, self.empty)


@irdl_op_definition
class CondGotoOp(IRDLOperation):
    """Channels whose flag is set (with `inverted`: is not) wait at the first block; the others go on at the second.

    When none is left, control goes to the first block. `xe.goto` has an example with two sides, this one has one:

    ```mlir
    xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32,
        simd_size = 16 : i32, target = "pvc"} {
    ^bb0(%header: !xe.grf<64, 64 at 0>):
      %f = xe.cmp(%header : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 16 : i32, no_mask,
          reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
      xe.cond_goto %f, ^bb2, ^bb1 {inverted} : !xe.flag
    ^bb1:
      xe.br ^bb2
    ^bb2:
      xe.join ^bb3
    ^bb3:
      xe.eot
    }
    ```
    """

    name = "xe.cond_goto"

    flag = operand_def(FlagType)
    arguments = var_operand_def(GRFType)
    inverted = opt_prop_def(UnitAttr)
    join = successor_def()
    following = successor_def()
    traits = traits_def(IsTerminator())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$flag `,` $join (`(` $arguments^ `:` type($arguments) `)`)? `,` $following attr-dict `:` type($flag)"
    )

    def __init__(
        self,
        flag: SSAValue,
        join: Block,
        following: Block,
        arguments: Sequence[SSAValue] = (),
        *,
        inverted: bool = False,
    ):
        properties = {"inverted": UnitAttr() if inverted else None}
        initialize(self, [flag, *arguments], properties=properties, successors=[join, following])

    def verify_(self) -> None:
        _verify_join(self.join)
        verify_passed(self.arguments, self.join)
        _verify_plain(self.following)


@irdl_op_definition
class JoinOp(IRDLOperation):
    """Channels that wait here are on again, and control goes to the first block.

    When none is on, it goes to the second block; without one, some channel always is. What stands in front of the join
    in its block runs whichever channels are on: it needs `no_mask`.

    ```mlir
    xe.kernel @k attributes {arguments = [], implicit_arguments = [], local_id_dimensions = 0 : i32,
        simd_size = 16 : i32, target = "pvc"} {
    ^bb0(%header: !xe.grf<64, 64 at 0>):
      %f = xe.cmp(%header : !xe.grf<64, 64 at 0>) {condition = "eq", exec_size = 16 : i32, no_mask,
          reads = [#xe.read<ud>, #xe.imm<ud, 0>]} flag !xe.flag
      xe.cond_goto %f, ^bb2, ^bb1 : !xe.flag
    ^bb1:
      xe.br ^bb2
    ^bb2:
      xe.join ^bb3
    ^bb3:
      xe.eot
    }
    ```
    """

    name = "xe.join"

    arguments = var_operand_def(GRFType)
    following = successor_def()
    empty = opt_successor_def()
    traits = traits_def(IsTerminator())
    assembly_format = "$following (`,` $empty^)? (`(` $arguments^ `:` type($arguments) `)`)? attr-dict"

    def __init__(self, following: Block, empty: Block | None = None, arguments: Sequence[SSAValue] = ()):
        initialize(self, arguments, successors=[following] if empty is None else [following, empty])

    def verify_(self) -> None:
        _verify_plain(self.following)
        if self.empty is not None:
            verify_passed(self.arguments, self.empty)
        elif self.arguments:
            raise VerifyException(f"passes {len(self.arguments)} values, but to no block")


def edges(terminator: Operation) -> Iterator[tuple[Block, Sequence[SSAValue]]]:
    """Returns the blocks that control may go to at the end of a block, and the values that it passes to each."""
    match terminator:
        case BranchOp():
            yield terminator.successor, terminator.arguments
        case GotoOp():
            yield terminator.empty, terminator.arguments
        case CondGotoOp():
            yield terminator.join, terminator.arguments
            yield terminator.following, ()
        case JoinOp():
            yield terminator.following, ()
            if terminator.empty is not None:
                yield terminator.empty, terminator.arguments
        case _:
            yield from ((block, ()) for block in terminator.successors)
