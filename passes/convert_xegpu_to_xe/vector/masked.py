"""Replaces `vector.mask` by operations that access, or combine, only the elements where the mask is true."""

from __future__ import annotations

from xdsl.dialects.arith import AndIOp, ConstantOp
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.dialects.vector import TransferReadOp, TransferWriteOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from passes.convert_xegpu_to_xe.kernel.values import BOOLEAN, UniformConstant, element_type
from passes.convert_xegpu_to_xe.vector.combining import identity
from passes.support.control_flow import operations_of
from passes.support.normal_forms import shape_of
from passes.support.op_builder import OpBuilder
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.arith import SelectOp
from xegpu.dialects.upstream.vector import (
    BroadcastOp,
    GatherOp,
    MaskOp,
    MultiDimReductionOp,
    OuterProductOp,
    ReductionOp,
    vector_type,
)
from xegpu.isa.model import DataType, Immediate, integer


def unmask(body: Region) -> None:
    """Replaces each `vector.mask` in a kernel.

    Raises `CompileError` for operations that have no masked form.
    """
    for op in operations_of(body, MaskOp):
        builder, masked, end = OpBuilder(op), op.masked_op, op.body.block.last_op
        assert end is not None
        results = list(end.operands)
        Rewriter.erase_op(end)
        if masked is not None:
            op.body.block.detach_op(masked)
            results = _unmasked(builder, masked, op.mask)
        if op.pass_thru is not None:
            if shape_of(op.pass_thru.type) != shape_of(op.mask.type):
                raise CompileError(op, f"passes {op.pass_thru.type} through a mask of {op.mask.type}: not supported")
            results = [builder.add(SelectOp(op.mask, results[0], op.pass_thru))]
        Rewriter.replace_op(op, [], results)


def _unmasked(builder: OpBuilder, op: Operation, mask: SSAValue) -> list[SSAValue]:
    """Adds an operation for the masked elements only, and returns its results."""
    match op:
        case TransferReadOp() | TransferWriteOp():
            op = _transfer(builder, op, mask)
        case GatherOp():
            op.operands[len(op.operands) - 2] = builder.add(AndIOp(op.mask, mask))
        case ReductionOp():
            op.operands[0] = _neutral_elsewhere(builder, op, op.vector, mask)
        case MultiDimReductionOp():
            op.operands[0] = _neutral_elsewhere(builder, op, op.source, mask)
        case OuterProductOp() if op.acc is not None:
            builder.insert(op)
            return [builder.add(SelectOp(mask, op.result, op.acc))]
        case _:
            raise CompileError(op, "under a mask is not supported in a kernel")
    builder.insert(op)
    return list(op.results)


def _transfer(builder: OpBuilder, op: TransferReadOp | TransferWriteOp, mask: SSAValue) -> Operation:
    if op.mask is not None:
        mask = builder.add(AndIOp(op.mask, mask))
    indices, in_bounds, places = list(op.indices), op.in_bounds, op.permutation_map
    if isinstance(op, TransferReadOp):
        masked: Operation = TransferReadOp(op.source, indices, op.padding, op.result.type, in_bounds, places, mask)
    else:
        masked = TransferWriteOp(op.vector, op.source, indices, in_bounds, mask, places)
    masked.location = op.location
    op.erase()
    return masked


def _neutral_elsewhere(
    builder: OpBuilder, op: ReductionOp | MultiDimReductionOp, value: SSAValue, mask: SSAValue
) -> SSAValue:
    """Returns the vector with neutral elements where the mask is false."""
    type, kind = vector_type(value), str(op.kind.data)
    element = element_type(type)
    if element is None:
        raise CompileError(op, f"of {type} is not supported in a kernel")
    neutral = builder.add(ConstantOp(_attribute(type.element_type, identity(kind, element), element)))
    return builder.add(SelectOp(mask, value, builder.add(BroadcastOp(neutral, type))))


def _attribute(
    type: Attribute, number: UniformConstant, element: DataType
) -> IntegerAttr[IntegerType | IndexType] | FloatAttr:
    """Returns a number of an element type as an attribute."""
    if isa(type, AnyFloat):
        return FloatAttr(float(number.value), type)
    assert isinstance(type, IntegerType | IndexType)
    value = Immediate.of(number.value, integer(element.bits, signed=True)).value()
    return IntegerAttr(abs(int(value)) if element is BOOLEAN else int(value), type)
