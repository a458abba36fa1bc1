"""OpenCL C's relational functions, which the table of builtins does not have: they test numbers and give integers."""

from __future__ import annotations

import math as constants

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from passes.frontends.llvm.functions.intrinsics import Integers
from passes.frontends.llvm.functions.math import Floats
from passes.frontends.llvm.importer.calls import Call, builtin
from xegpu.dialects.upstream.arith import CmpfOp, ExtSIOp, ExtUIOp
from xegpu.dialects.upstream.vector import ExtractOp

_RELATIONS = {
    "isequal": "oeq",
    "isnotequal": "une",
    "isgreater": "ogt",
    "isgreaterequal": "oge",
    "isless": "olt",
    "islessequal": "ole",
    "islessgreater": "one",
    "isordered": "ord",
    "isunordered": "uno",
}


@builtin(*_RELATIONS)
def relation(call: Call) -> SSAValue:
    return _truth(call, call.builder.add(CmpfOp(call.value(0), call.value(1), _RELATIONS[call.name])))


def _truth(call: Call, condition: SSAValue) -> SSAValue:
    """Returns 1 or 0, or for vectors -1 or 0 in each element."""
    if condition.type == call.type:
        return condition
    return call.builder.add((ExtSIOp if isinstance(call.type, VectorType) else ExtUIOp)(condition, call.type))


@builtin("isnan", "isinf", "isfinite", "isnormal", "signbit")
def classify(call: Call) -> SSAValue:
    f, x = Floats(call), call.value(0)
    size = f.do(math.AbsFOp, x)
    match call.name:
        case "isnan":
            found = f.compare("uno", x, x)
        case "isinf":
            found = f.compare("oeq", size, constants.inf)
        case "isfinite":
            found = f.compare("olt", size, constants.inf)
        case "isnormal":
            normal = f.compare("oge", size, 2.0 ** (1 - f.bias))
            found = call.builder.add(arith.AndIOp(normal, f.compare("olt", size, constants.inf)))
        case _:
            found = f.integers.compare("slt", f.as_bits(x), f.integers.constant(0))
    return _truth(call, found)


@builtin("any", "all")
def of_signs(call: Call) -> SSAValue:
    """Returns whether the highest bit is set in any element, or in all."""
    value = call.value(0)
    i = Integers(call.builder, value.type)
    negative = i.compare("slt", value, i.constant(0))
    combine = arith.OrIOp if call.name == "any" else arith.AndIOp
    if isinstance(value.type, VectorType):
        elements = [call.builder.add(ExtractOp(negative, [n])) for n in range(value.type.element_count())]
        negative = elements[0]
        for element in elements[1:]:
            negative = call.builder.add(combine(negative, element))
    return call.builder.add(ExtUIOp(negative, call.type))
