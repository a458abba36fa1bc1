"""Lowers branches, selects between blocks, and the end of a kernel."""

from __future__ import annotations

from fractions import Fraction

from xdsl.dialects.cf import BranchOp, ConditionalBranchOp
from xdsl.dialects.ub import UnreachableOp
from xdsl.ir import SSAValue
from xdsl.traits import IsTerminator

from passes.analysis.trip_counts import Affine, trip_count
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, UniformConstant
from passes.convert_xegpu_to_xe.math.elementwise import unsigned
from passes.kernel.simt import AdvanceOp, StopOp
from xegpu.dialects.upstream.gpu import ReturnOp
from xegpu.dialects.xe import CondBranchOp, EndOp, IllegalOp
from xegpu.isa.model import Condition, integer


@lowers(ReturnOp)
def kernel_return(lowering: KernelLowering, op: ReturnOp) -> None:
    lowering.emit.add(EndOp())


@lowers(StopOp, UnreachableOp)
def stop(lowering: KernelLowering, op: StopOp | UnreachableOp) -> None:
    """Code that is declared unreachable faults when it is reached."""
    lowering.emit.add(IllegalOp())
    if op.has_trait(IsTerminator):
        lowering.emit.add(EndOp())


@lowers(AdvanceOp)
def advance(lowering: KernelLowering, op: AdvanceOp) -> None:
    """Adds the step, or the distance to the limit if that is less: unlike the sum, it fits as an unsigned number."""
    (number, step, limit), count = lowering.operands(op, op.operands)
    type = integer(number.type.bits, signed=False)
    distance = lowering.emit.alu("add", type, [unsigned(limit), unsigned(number)], count, negate=(False, True))
    least = lowering.emit.alu("sel", type, [distance, unsigned(step)], count, condition=Condition.LT)
    lowering.values[op.results[0]] = lowering.emit.alu("add", type, [unsigned(number), least], count)


@lowers(BranchOp)
def branch(lowering: KernelLowering, op: BranchOp) -> None:
    lowering.blocks.jump(op.successors[0], op.operands)


@lowers(ConditionalBranchOp)
def conditional_branch(lowering: KernelLowering, op: ConditionalBranchOp) -> None:
    then_block, else_block = op.successors
    split = 1 + len(then_block.args)
    then_operands, else_operands = op.operands[1:split], op.operands[split:]
    condition = lowering.number(op.operands[0])
    if isinstance(condition, UniformConstant):
        if condition.value:
            lowering.blocks.jump(then_block, then_operands)
        else:
            lowering.blocks.jump(else_block, else_operands)
        return
    assert condition.lanes == 1
    block = lowering.emit.block
    flag = lowering.emit.flag(Elements(condition.register, condition.type, 1, condition.offset), 0, 1)
    then_target = lowering.blocks.landing(then_block, then_operands)
    else_target = lowering.blocks.landing(else_block, else_operands)
    lowering.emit.block = block
    trips = trip_count(op, lambda value: _known(lowering, value))
    lowering.emit.add(CondBranchOp(flag, then_target, else_target, trips))


def _known(lowering: KernelLowering, value: SSAValue) -> Affine | None:
    """Returns a value as a constant, or as a kernel argument in the payload; None for other values."""
    lowered = lowering.values.get(value)
    if isinstance(lowered, UniformConstant):
        return Affine(Fraction(lowered.value))
    if not isinstance(lowered, Elements) or lowered.register is not lowering.payload.arguments:
        return None
    arguments = enumerate(lowering.signature.facts.arguments)
    number = next((n for n, argument in arguments if argument.slots[0].offset == lowered.offset), None)
    return None if number is None else Affine(argument=number, scale=Fraction(1))
