"""Lowers products of integers whose results have more bits than their operands."""

from __future__ import annotations

from xdsl.dialects.arith import MulSIExtendedOp, MulUIExtendedOp
from xdsl.ir import Operation

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Number, UniformConstant
from passes.convert_xegpu_to_xe.math.elementwise import signed, unsigned
from passes.kernel.register_types import BOOLEAN, element_type
from xegpu.isa.model import BY_MNEMONIC, DataType, integer


def _operands(lowering: KernelLowering, op: Operation) -> tuple[list[Number], int, DataType]:
    type = element_type(op.results[0].type)
    if type is None:
        lowering.refuse(op, f"has a result of type {op.results[0].type}, which registers do not hold")
    numbers, count = lowering.operands(op, op.operands)
    return numbers, count, type


@lowers(MulSIExtendedOp, MulUIExtendedOp)
def extended_product(lowering: KernelLowering, op: MulSIExtendedOp | MulUIExtendedOp) -> None:
    numbers, count, type = _operands(lowering, op)
    emit, is_signed = lowering.emit, isinstance(op, MulSIExtendedOp)
    operands = [signed(n) if is_signed else unsigned(n) for n in numbers]
    low: Number
    high: Number
    computed = integer(type.bits, is_signed)
    if type is BOOLEAN:
        # 1 is the only product that is not 0, and -1 times -1 is 1, too.
        low, high = emit.alu("and", BOOLEAN, numbers, count), UniformConstant(BOOLEAN, 0)
    elif computed in BY_MNEMONIC["mulh"].types:
        low = emit.alu("mul", type, operands, count)
        high = emit.alu("mulh", computed, operands, count).as_type(type)
    else:
        wide = integer(2 * type.bits, is_signed)
        product = emit.alu("mul", wide, operands, count)
        shifted = emit.alu("asr" if is_signed else "shr", wide, [product, UniformConstant(wide, type.bits)], count)
        low, high = (emit.unary("mov", computed, part, count).as_type(type) for part in (product, shifted))
    lowering.values[op.results[0]], lowering.values[op.results[1]] = low, high
