"""Asynchronous copies of work-groups: each work-item copies its part at once, and waiting is a barrier."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntAttr, IntegerType, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import SSAValue

from passes.frontends.builtins import Pointer, Scalar, Vector
from passes.frontends.llvm.functions.work_items import group_size, local_number
from passes.frontends.llvm.importer.calls import Call, builtin
from passes.frontends.llvm.importer.function import SHARED
from passes.frontends.llvm.importer.loops import counted_loop
from xegpu.dialects.upstream.arith import ExtUIOp
from xegpu.dialects.upstream.gpu import BarrierOp
from xegpu.dialects.upstream.llvm import LoadOp, StoreOp


def _copied(call: Call, target: int, count: SSAValue, stride: SSAValue | None, event: int) -> SSAValue:
    """Copies elements; the stride is that of global memory. Returns the event, which is the given one."""
    builder = call.builder
    size = _element_size(call, target)
    pointers = [call.pointer(target), call.pointer(target + 1)]
    distance = None if stride is None else _wide(call, stride)

    def place(pointer: SSAValue, index: SSAValue) -> SSAValue:
        if distance is not None and pointer.type != LLVMPointerType(IntAttr(SHARED)):
            index = builder.add(arith.MuliOp(index, distance))
        return builder.element(pointer, index, size)

    unit = min(size & -size, 8)
    places = range(0, size, unit)

    def step(index: SSAValue, _: list[SSAValue]) -> list[SSAValue]:
        to, source = (place(pointer, index) for pointer in pointers)
        values = [builder.add(LoadOp(builder.offset(source, at), IntegerType(8 * unit), unit)) for at in places]
        for value, at in zip(values, places, strict=True):
            builder.insert(StoreOp(value, builder.offset(to, at), unit))
        return []

    counted_loop(builder, local_number(call), _wide(call, count), group_size(call), [], step)
    return call.value(event)


def _wide(call: Call, number: SSAValue) -> SSAValue:
    return number if number.type == i64 else call.builder.add(ExtUIOp(number, i64))


def _element_size(call: Call, target: int) -> int:
    """Returns the bytes of an element, which the symbol tells; vectors of three take the place of four."""
    letters = call.letters[target] if target < len(call.letters) else None
    element = letters.pointee if isinstance(letters, Pointer) else None
    scalar = element.element if isinstance(element, Vector) else element
    bits = scalar.bits if isinstance(scalar, Scalar) else None
    if bits is None:
        call.builder.error(f"calls '{call.symbol}', whose elements are neither numbers nor vectors")
    count = element.count if isinstance(element, Vector) else 1
    return bits // 8 * (4 if count == 3 else count)


@builtin("async_work_group_copy", "async_work_group_strided_copy", "__spirv_GroupAsyncCopy")
def copy(call: Call) -> SSAValue:
    match call.name:
        case "async_work_group_copy":
            return _copied(call, 0, call.integer(2), None, 3)
        case "async_work_group_strided_copy":
            return _copied(call, 0, call.integer(2), call.integer(3), 4)
        case _:
            return _copied(call, 1, call.integer(3), call.integer(4), 5)


@builtin("wait_group_events", "__spirv_GroupWaitEvents")
def wait(call: Call) -> None:
    """Waits for all copies that have begun."""
    call.builder.insert(BarrierOp())


@builtin("async_work_group_prefetch")
def prefetch(call: Call) -> None:
    """A hint: it fetches nothing."""
