"""Operations of MLIR that LLVM IR has no form for, which calls stand for."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, VectorType, i64
from xdsl.ir import SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.llvm.importer.calls import Call, builtins_like
from xegpu.dialects.upstream.arith import IndexCastOp


@builtins_like(r"mlir\.\d+")
def operation(call: Call) -> tuple[SSAValue, ...] | None:
    """Returns the results of a copy of the operation; what it takes or gives as an index is a number elsewhere."""
    found = call.importer.module.operations.get(call.symbol)
    if found is None:
        call.builder.error(f"calls '{call.symbol}', a function that is not supported in a kernel")
    values = {}
    for before, operand in zip(found.operands, call.values, strict=True):
        is_index = isinstance(get_element_type_or_self(before.type), IndexType)
        values[before] = call.builder.add(IndexCastOp(operand, before.type)) if is_index else operand
    copy = found.clone(value_mapper=values)
    call.builder.insert(copy)
    if not copy.results:
        return None
    return tuple(_number(call, result) for result in copy.results)


def _number(call: Call, value: SSAValue) -> SSAValue:
    type = value.type
    if not isinstance(get_element_type_or_self(type), IndexType):
        return value
    number = VectorType(i64, type.get_shape()) if isinstance(type, VectorType) else i64
    return call.builder.add(IndexCastOp(value, number))
