"""Writes the queries of a work-item's place in the launch, barriers, and printing."""

from __future__ import annotations

import re
from collections.abc import Callable

from xdsl.dialects.arith import AddiOp, MinUIOp, MuliOp, SubiOp
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, StringAttr, VectorType, i64
from xdsl.dialects.llvm import LLVMPointerType, PtrToIntOp
from xdsl.ir import Operation, SSAValue

from passes.frontends.builtins import DIMENSIONAL
from passes.frontends.llvm.importer.calls import Call, builtin
from passes.frontends.llvm.reader import constant_value, string_at
from xegpu.dialects.upstream.arith import CmpiOp, ExtUIOp, SelectOp, TruncIOp
from xegpu.dialects.upstream.gpu import (
    BarrierOp,
    BlockDimOp,
    BlockIdOp,
    DimensionEnum,
    GlobalIdOp,
    GridDimOp,
    LaneIdOp,
    NumSubgroupsOp,
    PrintfOp,
    SubgroupIdOp,
    SubgroupSizeOp,
    ThreadIdOp,
)
from xegpu.dialects.upstream.llvm import FenceOp
from xegpu.dialects.upstream.vector import ExtractOp

DIMENSIONS = (DimensionEnum.X, DimensionEnum.Y, DimensionEnum.Z)
INDEX = IndexType()
_PREFIX = "__spirv_BuiltIn"
WORK_GROUP, SUBGROUP = 2, 3
"""The numbers of scopes in SPIR-V."""


def _index(call: Call, op: Operation) -> SSAValue:
    """Returns an id as a number of 64 bits."""
    return call.builder.from_index(call.builder.add(op), i64)


def _plus(call: Call, a: SSAValue, b: SSAValue) -> SSAValue:
    return call.builder.add(AddiOp(a, b))


def _times(call: Call, a: SSAValue, b: SSAValue) -> SSAValue:
    return call.builder.add(MuliOp(a, b))


def _group_start(call: Call, dimension: DimensionEnum) -> SSAValue:
    return _times(call, _index(call, BlockIdOp(dimension)), _index(call, BlockDimOp(dimension)))


def _without_offset(call: Call, dimension: DimensionEnum) -> SSAValue:
    return _plus(call, _group_start(call, dimension), _index(call, ThreadIdOp(dimension)))


def _global_size(call: Call, dimension: DimensionEnum) -> SSAValue:
    return _times(call, _index(call, GridDimOp(dimension)), _index(call, BlockDimOp(dimension)))


_OF_DIMENSION: dict[str, Callable[[Call, DimensionEnum], SSAValue]] = {
    "GlobalInvocationId": lambda call, d: _index(call, GlobalIdOp(d)),
    "LocalInvocationId": lambda call, d: _index(call, ThreadIdOp(d)),
    "WorkgroupId": lambda call, d: _index(call, BlockIdOp(d)),
    "NumWorkgroups": lambda call, d: _index(call, GridDimOp(d)),
    "WorkgroupSize": lambda call, d: _index(call, BlockDimOp(d)),
    "EnqueuedWorkgroupSize": lambda call, d: _index(call, BlockDimOp(d)),
    "GlobalSize": _global_size,
    "GlobalOffset": lambda call, d: call.builder.add(SubiOp(_index(call, GlobalIdOp(d)), _without_offset(call, d))),
}


@builtin(*(f"{_PREFIX}{name}" for name in DIMENSIONAL))
def of_dimension(call: Call) -> SSAValue:
    """Returns what a dimension has; a dimension that is computed at run time chooses between the three."""
    name = call.name.removeprefix(_PREFIX)
    make, beyond = _OF_DIMENSION[name], call.builder.constant(call.type, DIMENSIONAL[name])
    number = constant_value(call.operand(0))
    if number is not None:
        return _sized(call, make(call, DIMENSIONS[number])) if 0 <= number < len(DIMENSIONS) else beyond
    asked, result = call.value(0), beyond
    for position, dimension in enumerate(DIMENSIONS):
        here = call.builder.add(CmpiOp(asked, call.builder.constant(asked.type, position), "eq"))
        result = call.builder.add(SelectOp(here, _sized(call, make(call, dimension)), result))
    return result


def _sized(call: Call, number: SSAValue) -> SSAValue:
    """Returns a number of 64 bits in the type of the call's result."""
    return number if call.type == number.type else call.builder.add(TruncIOp(number, call.type))


def _linear(call: Call, ids: list[SSAValue], sizes: list[SSAValue]) -> SSAValue:
    inner = _plus(call, ids[1], _times(call, ids[2], sizes[1]))
    return _plus(call, ids[0], _times(call, inner, sizes[0]))


def local_number(call: Call) -> SSAValue:
    """Returns the number of the work-item in its work-group, of 64 bits."""
    ids = [_index(call, ThreadIdOp(d)) for d in DIMENSIONS]
    return _linear(call, ids, [_index(call, BlockDimOp(d)) for d in DIMENSIONS[:2]])


def group_size(call: Call) -> SSAValue:
    """Returns the number of work-items of a work-group, of 64 bits."""
    sizes = [_index(call, BlockDimOp(d)) for d in DIMENSIONS]
    return _times(call, _times(call, sizes[0], sizes[1]), sizes[2])


@builtin(f"{_PREFIX}LocalInvocationIndex")
def local_index(call: Call) -> SSAValue:
    return _sized(call, local_number(call))


@builtin(f"{_PREFIX}GlobalLinearId")
def global_index(call: Call) -> SSAValue:
    ids = [_without_offset(call, d) for d in DIMENSIONS]
    return _sized(call, _linear(call, ids, [_global_size(call, d) for d in DIMENSIONS[:2]]))


_SUBGROUP_NUMBERS: dict[str, Callable[[], Operation]] = {
    "SubgroupMaxSize": SubgroupSizeOp,
    "NumSubgroups": NumSubgroupsOp,
    "NumEnqueuedSubgroups": NumSubgroupsOp,
    "SubgroupId": SubgroupIdOp,
    "SubgroupLocalInvocationId": lambda: LaneIdOp.create(result_types=[INDEX], properties={}),
}


@builtin(*(f"{_PREFIX}{name}" for name in _SUBGROUP_NUMBERS))
def of_subgroup(call: Call) -> SSAValue:
    return _sized(call, _index(call, _SUBGROUP_NUMBERS[call.name.removeprefix(_PREFIX)]()))


@builtin(f"{_PREFIX}WorkDim")
def dimensions(call: Call) -> SSAValue:
    """The highest dimension that has more than one work-item, as Level Zero's launches do not tell."""
    result = call.builder.constant(call.type, 1)
    for number, dimension in enumerate(DIMENSIONS[1:], 2):
        size = _global_size(call, dimension)
        many = call.builder.add(CmpiOp(size, call.builder.i64(1), "ugt"))
        result = call.builder.add(SelectOp(many, call.builder.constant(call.type, number), result))
    return result


@builtin(f"{_PREFIX}SubgroupSize")
def subgroup_size(call: Call) -> SSAValue:
    """The last subgroup of a work-group has the remaining work-items."""
    full = _index(call, SubgroupSizeOp())
    total = group_size(call)
    before = _times(call, _index(call, SubgroupIdOp()), full)
    left = call.builder.add(SubiOp(total, before))
    return _sized(call, call.builder.add(MinUIOp(full, left)))


@builtin("__spirv_IsHelperInvocationEXT")
def is_helper(call: Call) -> SSAValue:
    """Kernels have no helpers."""
    return call.builder.constant(call.type, 0)


def lanes_are(call: Call, count: int) -> None:
    """Refuses a function of subgroups of one size in kernels with another."""
    if call.importer.lanes != count:
        call.builder.error(f"calls '{call.name}' in subgroups of {call.importer.lanes}: it needs {count} work-items")


@builtin("__spirv_ControlBarrierArriveINTEL")
def arrive(call: Call) -> None:
    """Arriving only orders memory: who waits, waits for all to come there, which is behind their arrival."""
    call.builder.insert(FenceOp("seq_cst", "workgroup"))


@builtin("__spirv_ControlBarrierWaitINTEL", "__spirv_ControlBarrier")
def barrier(call: Call) -> None:
    """The work-items of a subgroup are always at the same instruction; only their memory needs order."""
    scope = call.number(0)
    if scope == WORK_GROUP:
        call.builder.insert(BarrierOp())
    elif scope == SUBGROUP:
        call.builder.insert(FenceOp("seq_cst", "subgroup"))
    else:
        call.builder.error(f"waits for scope {scope}: work-items wait for their work-group (2) or subgroup (3)")


@builtin("printf")
def printf(call: Call) -> SSAValue:
    """The format is a variable in constant memory. The result tells that all went well."""
    text, values = _expanded(call, _text(call))
    arguments = [_promoted(call, value) for value in values]
    call.builder.insert(PrintfOp.create(operands=arguments, properties={"format": StringAttr(text)}))
    return call.builder.i32(0)


_CONVERSION = re.compile(r"%(?:%|([-+ #0]*\d*(?:\.\d+)?)(?:v(\d+))?(hh|hl|h|ll|l)?([a-zA-Z]))")


def _expanded(call: Call, text: str) -> tuple[str, list[SSAValue]]:
    """Returns a format for scalars: strings stand in it, since they are constants, and vectors are their components."""
    operands = iter(call.operands[1:])
    values: list[SSAValue] = []

    def replaced(found: re.Match[str]) -> str:
        operand = next(operands, None) if found[4] else None
        if operand is None:
            return found[0]
        if found[4] == "s":
            string = string_at(call.importer.module, operand)
            if string is None:
                call.builder.error("prints a string that is no constant of the module")
            return (f"%{found[1]}s" % string).replace("%", "%%")
        value = call.importer.value(operand)
        if not isinstance(value.type, VectorType):
            values.append(value)
            return found[0]
        count = value.type.element_count()
        if found[2] is None or int(found[2]) != count:
            call.builder.error(f"prints a vector of {count} components as {found[0]!r}: expected %v{count}")
        values.extend(call.builder.add(ExtractOp(value, [place])) for place in range(count))
        length = "" if found[3] == "hl" else found[3] or ""
        return ",".join([f"%{found[1]}{length}{found[4]}"] * count)

    return _CONVERSION.sub(replaced, text), [*values, *map(call.importer.value, operands)]


def _text(call: Call) -> str:
    """Returns the format of a print."""
    text = string_at(call.importer.module, call.operand(0))
    if text is None:
        call.builder.error("prints with a format that is no constant of the module")
    return text


def _promoted(call: Call, value: SSAValue) -> SSAValue:
    """Returns an argument of a print; small integers become 32 bits wide, and pointers numbers."""
    if isinstance(value.type, LLVMPointerType):
        return call.builder.add(PtrToIntOp(value, IntegerType(64)))
    if value.type in (IntegerType(1), IntegerType(8), IntegerType(16)):
        return call.builder.add(ExtUIOp(value, IntegerType(32)))
    if not isinstance(value.type, IntegerType | AnyFloat):
        call.builder.error(f"prints a value of type {value.type}, which is not supported in a kernel")
    return value
