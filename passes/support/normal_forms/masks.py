"""Replaces `vector.mask` by operations that access, or combine, only the elements where the mask is true."""

from __future__ import annotations

from xdsl.dialects.arith import AndIOp, ConstantOp
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.dialects.vector import TransferReadOp, TransferWriteOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from passes.support.control_flow import operations_of
from passes.support.normal_forms.element_moves import shape_of
from passes.support.op_builder import OpBuilder
from passes.support.vectors.combining import neutral_number
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

_INDEX_BITS = 64


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
    type = vector_type(value)
    neutral = builder.add(ConstantOp(_neutral_element(op, type.element_type)))
    return builder.add(SelectOp(mask, value, builder.add(BroadcastOp(neutral, type))))


def _neutral_element(
    op: ReductionOp | MultiDimReductionOp, type: Attribute
) -> IntegerAttr[IntegerType | IndexType] | FloatAttr:
    kind = str(op.kind.data)
    if isa(type, AnyFloat):
        return FloatAttr(float(neutral_number(kind, type.bitwidth, is_float=True)), type)
    if not isinstance(type, IntegerType | IndexType):
        raise CompileError(op, f"of {op.operands[0].type} is not supported in a kernel")
    bits = type.width.data if isinstance(type, IntegerType) else _INDEX_BITS
    number = int(neutral_number(kind, bits))
    is_negative = bits > 1 and number >> bits - 1
    return IntegerAttr(number - (1 << bits) if is_negative else number, type)
