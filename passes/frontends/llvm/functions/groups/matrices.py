"""Products of matrices whose parts the lanes of a subgroup hold."""

from __future__ import annotations

import re
from collections.abc import Mapping

from xdsl.dialects.builtin import BFloat16Type, Float16Type, IntAttr, IntegerType, StringAttr, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.llvm.importer.calls import Call, builtin, builtins_like
from xegpu.dialects.upstream.vector import ExtractOp, FromElementsOp
from xegpu.dialects.upstream.xevm import MmaOp, MmaShapeAttr, MmaTypesAttr


def _product(call: Call, a: int, depth: int, factors: tuple[str, str], sums: tuple[str, str]) -> SSAValue:
    """Returns A * B + C, whose rows are the components of C; `sums` are the elements of C and of the result."""
    operands = [_as_vector(call, call.value(i)) for i in range(a, a + 3)]
    c = operands[2].type
    assert isinstance(c, VectorType)
    result = VectorType(get_element_type_or_self(call.type), c.get_shape())
    if call.type not in (result, result.element_type) or (call.type != result and c.element_count() > 1):
        call.builder.error(f"calls '{call.name}' for a result of type {call.type}, and adds numbers of type {c}")
    shape = MmaShapeAttr(IntAttr(c.element_count()), IntAttr(call.importer.lanes), IntAttr(depth))
    names = MmaTypesAttr(*map(StringAttr, (sums[1], *factors, sums[0])))
    op = MmaOp.create(operands=operands, result_types=[result], properties={"shape": shape, "types": names})
    product = call.builder.verified(op)
    return product if call.type == result else call.builder.add(ExtractOp(product, [0]))


_SUMS = {"f32": "f32", "f16": "f16", "bf16": "bf16", "i32": "s32", "i16": "bf16"}
"""The elements of sums, by their types: OpenCL C has bf16 as their bits."""


def _sum(call: Call, type: Attribute) -> str:
    element = get_element_type_or_self(type)
    name = f"i{element.width.data}" if isinstance(element, IntegerType) else element.name
    if name not in _SUMS:
        call.builder.error(f"calls '{call.name}' for sums of type {type}, which no product of matrices has")
    return _SUMS[name]


def _as_vector(call: Call, value: SSAValue) -> SSAValue:
    """Returns a scalar, which stands for a vector of one, as that."""
    if isinstance(value.type, VectorType):
        return value
    return call.builder.add(FromElementsOp([value], VectorType(value.type, [1])))


_ELEMENTS = "bf16|f16|tf32|[isu]8|[isu]4"
_NAME = re.compile(rf"intel_sub_group_({_ELEMENTS})_({_ELEMENTS})_matrix_mad_k(\d+)(?:_f32)?")


@builtins_like(_NAME.pattern)
def named(call: Call) -> SSAValue:
    found = _NAME.fullmatch(call.name)
    assert found is not None
    a, b = (re.sub("^i", "s", word) for word in (found[1], found[2]))
    return _product(call, 0, int(found[3]), (a, b), (_sum(call, call.value(2).type), _sum(call, call.type)))


_SIGNED = (0x1, 0x2)
_BFLOAT_SUMS = 0x4 | 0x8
_FLAGS: Mapping[int, tuple[int, str]] = {
    0x10: (0, "8"),
    0x20: (1, "8"),
    0x40: (0, "4"),
    0x80: (1, "4"),
    0x100: (0, "tf32"),
    0x200: (1, "tf32"),
    0x400: (0, "f16"),
    0x800: (1, "f16"),
    0x1000: (0, "bf16"),
    0x2000: (1, "bf16"),
}
"""The bits of the last operand: which factor they are about, and its elements; integers have signs of their own."""
_KNOWN = sum(_FLAGS) | sum(_SIGNED) | _BFLOAT_SUMS


@builtin("__spirv_SubgroupMatrixMultiplyAccumulateINTEL")
def multiply_add(call: Call) -> SSAValue:
    """Sums tell their elements by their types: numbers of 16 bits are bf16, as other bits of the mask say again."""
    mask = call.number(4) if len(call.operands) > 4 else 0
    if mask & ~_KNOWN:
        call.builder.error(f"calls '{call.name}' with operands {mask:#x}, of which {mask & ~_KNOWN:#x} are not known")
    factors = []
    for place in range(2):
        named = [name for bit, (about, name) in _FLAGS.items() if about == place and mask & bit]
        element = get_element_type_or_self(call.value(1 + place).type)
        if not named and place == 0 and isinstance(element, Float16Type | BFloat16Type):
            named = [element.name]  # a column for each lane, which needs no packing
        if len(named) != 1:
            call.builder.error(
                f"calls '{call.name}' with operands {mask:#x}, which tell no elements of both factors, or several"
            )
        signs = "s" if mask & _SIGNED[place] else "u"
        factors.append(named[0] if named[0] not in ("8", "4") else signs + named[0])
    sums = _sum(call, call.value(3).type), _sum(call, call.type)
    return _product(call, 1, call.number(0), (factors[0], factors[1]), sums)
