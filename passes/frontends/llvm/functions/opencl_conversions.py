"""OpenCL C's conversions with rounding and saturation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, IntegerAttr, i32
from xdsl.ir import Operation, SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.llvm.functions.intrinsics import Integers, convert_saturating
from passes.frontends.llvm.functions.math import Floats
from passes.frontends.llvm.importer.builder import is_float
from passes.frontends.llvm.importer.calls import Call, builtins_like
from passes.frontends.llvm.importer.operations import reinterpreted
from passes.frontends.llvm.reader import Local
from xegpu.dialects.upstream.arith import (
    ExtFOp,
    ExtSIOp,
    ExtUIOp,
    FPToSIOp,
    FPToUIOp,
    SIToFPOp,
    TruncFOp,
    TruncIOp,
    UIToFPOp,
)

_NAME = re.compile(r"convert_(u?)(char|short|int|long|half|float|double)(?:2|3|4|8|16)?(_sat)?(?:_(rt[enpz]))?")
_ROUNDINGS: Mapping[str, Callable[[SSAValue], Operation]] = {
    "rte": math.RoundEvenOp,
    "rtn": math.FloorOp,
    "rtp": math.CeilOp,
}
"""The operations that round a float to an integer before it is converted, which truncates."""


@builtins_like(_NAME.pattern)
def convert(call: Call) -> SSAValue:
    match = _NAME.fullmatch(call.name)
    assert match is not None
    signed, saturates, rounding = not match[1], bool(match[3]), match[4]
    value = call.value(0)
    if is_float(call.type):
        return _to_float(call, value, rounding)
    if not is_float(value.type):
        return _to_integer(call, value, signed=signed, saturates=saturates)
    if rounding in _ROUNDINGS:
        value = call.builder.add(_ROUNDINGS[rounding](value))
    if saturates:
        name = f".{len(call.importer.values)}"
        call.importer.values[name] = (value,)
        kind = "fptosi.sat" if signed else "fptoui.sat"
        return convert_saturating(replace(call, name=kind, operands=(Local(value.type, name),)))
    return call.builder.add((FPToSIOp if signed else FPToUIOp)(value, call.type))


_MODES = {"rte": 0, "rtn": 1, "rtp": 2, "rtz": 3}
"""The rounding modes of `arith.truncf`, by OpenCL's suffixes."""


def _to_float(call: Call, value: SSAValue, rounding: str | None) -> SSAValue:
    mode = rounding or "rte"
    if not is_float(value.type):
        nearest = call.builder.add((SIToFPOp if call.signed(0) else UIToFPOp)(value, call.type))
        return nearest if mode == "rte" else _directed(call, value, nearest, mode)
    source, target = (get_element_type_or_self(type) for type in (value.type, call.type))
    assert isinstance(source, AnyFloat) and isinstance(target, AnyFloat)
    if source == target:
        return value
    if source.bitwidth < target.bitwidth:
        return call.builder.add(ExtFOp(value, call.type))
    narrow = TruncFOp(value, call.type)
    if mode != "rte":
        narrow.properties["roundingmode"] = IntegerAttr(_MODES[mode], i32)
    return call.builder.add(narrow)


def _directed(call: Call, value: SSAValue, nearest: SSAValue, mode: str) -> SSAValue:
    """Returns the nearest float to an integer, or its neighbor where that lies in the direction of the rounding.

    The float is compared as an integer; one that is too large for that type lies above every number of it.
    """
    builder, signed, f = call.builder, call.signed(0), Floats(call, call.type)
    i = Integers(builder, value.type)
    limit = 2.0 ** (i.bits - signed)
    back = builder.add((FPToSIOp if signed else FPToUIOp)(nearest, value.type))
    sign = "s" if signed else "u"
    beyond = f.compare("oge", nearest, limit)
    above = builder.add(arith.OrIOp(beyond, i.compare(f"{sign}gt", back, value)))
    below = builder.add(
        arith.AndIOp(
            i.compare(f"{sign}lt", back, value), builder.add(arith.XOrIOp(beyond, builder.constant(beyond.type, 1)))
        )
    )
    bits, n = f.as_bits(nearest), f.integers
    negative = n.compare("slt", bits, n.constant(0))
    up = n.choose(negative, n.constant(-1), n.constant(1))
    down = n.choose(negative, n.constant(1), n.constant(-1))
    none = n.constant(0)
    if mode == "rtp":
        step = n.choose(below, up, none)
    elif mode == "rtn":
        step = n.choose(above, down, none)
    else:
        step = n.choose(negative, n.choose(below, up, none), n.choose(above, down, none))
    return f.from_bits(n.add(bits, step))


def _to_integer(call: Call, value: SSAValue, *, signed: bool, saturates: bool) -> SSAValue:
    """Limits are compared in the source's type, before the value changes its width or sign."""
    source, target = Integers(call.builder, value.type), Integers(call.builder, call.type)
    was_signed = call.signed(0)
    if saturates:
        least = -(1 << target.bits - 1) if signed else 0
        most = (1 << target.bits - 1) - 1 if signed else (1 << target.bits) - 1
        lowest = -(1 << source.bits - 1) if was_signed else 0
        highest = (1 << source.bits - 1) - 1 if was_signed else (1 << source.bits) - 1
        if most < highest:
            op = arith.MinSIOp if was_signed else arith.MinUIOp
            value = call.builder.add(op(value, source.constant(most)))
        if least > lowest:
            value = call.builder.add(arith.MaxSIOp(value, source.constant(least)))
    if source.bits == target.bits:
        return value
    if source.bits > target.bits:
        return call.builder.add(TruncIOp(value, call.type))
    return call.builder.add((ExtSIOp if was_signed else ExtUIOp)(value, call.type))


@builtins_like(r"as_u?(char|short|int|long|half|float|double)(2|3|4|8|16)?")
def reinterpret(call: Call) -> SSAValue:
    return reinterpreted(call.importer, call.value(0), call.type)
