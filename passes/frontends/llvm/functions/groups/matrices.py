"""Products of matrices whose parts the lanes of a subgroup hold."""

from __future__ import annotations

import re

from xdsl.dialects.builtin import IntAttr, StringAttr, VectorType
from xdsl.ir import SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.llvm.functions.work_items import lanes_are
from passes.frontends.llvm.importer.builder import is_float
from passes.frontends.llvm.importer.calls import Call, builtin, builtins_like
from xegpu.dialects.upstream.vector import ExtractOp, FromElementsOp
from xegpu.dialects.upstream.xevm import MmaOp, MmaShapeAttr, MmaTypesAttr

_LANES = 16


def _product(call: Call, a: int, depth: int, types: tuple[str, str]) -> SSAValue:
    """Returns A * B + C, whose rows are the components of C."""
    lanes_are(call, _LANES)
    operands = [_as_vector(call, call.value(i)) for i in range(a, a + 3)]
    c = operands[2].type
    assert isinstance(c, VectorType)
    result = "f32" if is_float(c) else "s32"
    if get_element_type_or_self(c).name not in ("f32", "integer_type") or (result == "s32" and "8" not in types[0]):
        call.builder.error(f"adds a product of {types[0]} by {types[1]} to numbers of type {c}, which is not supported")
    shape = MmaShapeAttr(IntAttr(c.element_count()), IntAttr(_LANES), IntAttr(depth))
    names = MmaTypesAttr(StringAttr(result), StringAttr(types[0]), StringAttr(types[1]), StringAttr(result))
    op = MmaOp.create(operands=operands, result_types=[c], properties={"shape": shape, "types": names})
    product = call.builder.verified(op)
    return product if call.type == c else call.builder.add(ExtractOp(product, [0]))


def _as_vector(call: Call, value: SSAValue) -> SSAValue:
    """Returns a scalar, which stands for a vector of one, as that."""
    if isinstance(value.type, VectorType):
        return value
    return call.builder.add(FromElementsOp([value], VectorType(value.type, [1])))


_NAME = re.compile(r"intel_sub_group_(bf16|f16|tf32|[iu]8)_(bf16|f16|tf32|[iu]8)_matrix_mad_k(\d+)(?:_f32)?")
_SPELLED = {"i8": "s8"}


@builtins_like(_NAME.pattern)
def named(call: Call) -> SSAValue:
    found = _NAME.fullmatch(call.name)
    assert found is not None
    a, b = (_SPELLED.get(word, word) for word in (found[1], found[2]))
    return _product(call, 0, int(found[3]), (a, b))


_SIGNED_A, _SIGNED_B = 0x1, 0x2
_OPERANDS = {
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


@builtin("__spirv_SubgroupMatrixMultiplyAccumulateINTEL")
def multiply_add(call: Call) -> SSAValue:
    mask = call.number(4) if len(call.operands) > 4 else 0
    types = ["", ""]
    for bit, (place, name) in _OPERANDS.items():
        if mask & bit:
            signed = mask & (_SIGNED_A, _SIGNED_B)[place]
            types[place] = name if name[-1:] not in "84" else ("s" if signed else "u") + name
    if not all(types):
        call.builder.error(f"calls '{call.name}' with operands {mask:#x}, which tell no elements of both factors")
    return _product(call, 1, call.number(0), (types[0], types[1]))
