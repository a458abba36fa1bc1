"""Reads of the clock."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import VectorType, i32, i64
from xdsl.dialects.llvm import CallIntrinsicOp
from xdsl.ir import SSAValue

from passes.frontends.llvm.importer.calls import Call, builtin, intrinsic
from xegpu.dialects.upstream.arith import ShRUIOp, TruncIOp
from xegpu.dialects.upstream.vector import ExtractOp, FromElementsOp

_DEVICE, _WORK_GROUP, _SUBGROUP = 1, 2, 3
_SCOPES = (_DEVICE, _WORK_GROUP, _SUBGROUP)
_HALVES = VectorType(i32, [2])


@intrinsic("readcyclecounter", "readsteadycounter")
@builtin(*(f"clock_read_{form}{scope}" for form in ("", "hilo_") for scope in ("device", "work_group", "sub_group")))
def read(call: Call) -> SSAValue:
    """Returns the cycles of the thread, which all scopes share, as one number or as its low and its high half."""
    builder, cycles = call.builder, call.builder.add(CallIntrinsicOp("llvm.readcyclecounter", [], [i64]))
    if call.type == i64:
        return cycles
    if call.type != _HALVES:
        builder.error(f"calls '{call.name}' for a result of type {call.type}: expected {i64} or {_HALVES}")
    high = builder.add(ShRUIOp(cycles, builder.i64(32)))
    return builder.add(FromElementsOp([builder.add(TruncIOp(each, i32)) for each in (cycles, high)], _HALVES))


@intrinsic("genx.timestamp")
def read_register(call: Call) -> SSAValue:
    """Returns the words of the register that counts cycles, the last two of which tell of interruptions."""
    if not isinstance(call.type, VectorType) or call.type.get_element_type() != i32 or call.type.element_count() < 2:
        call.builder.error(f"calls '{call.symbol}' for a result of type {call.type}: expected words of 32 bits")
    halves = read(replace(call, type=_HALVES))
    words = [call.builder.add(ExtractOp(halves, [index])) for index in range(2)]
    rest = [call.builder.i32(0)] * (call.type.element_count() - 2)
    return call.builder.add(FromElementsOp([*words, *rest], call.type))


@builtin("__spirv_ReadClockKHR")
def read_scope(call: Call) -> SSAValue:
    scope = call.number(0)
    if scope not in _SCOPES:
        call.builder.error(f"reads the clock of scope {scope}, expected device (1), work-group (2) or subgroup (3)")
    return read(call)
