"""Atomic instructions and fences."""

from __future__ import annotations

from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.translation.memory import pointee
from passes.frontends.spirv.translation.writer import FunctionWriter, handles
from passes.frontends.spirv.types import BOOL, INTS, AnyType, Float, Int, PointerType

_SCOPES = {0: "", 1: 'syncscope("device") ', 2: 'syncscope("workgroup") ', 3: 'syncscope("subgroup") '}
_INVOCATION = 'syncscope("singlethread") '
_SCOPE_NAMES = "CrossDevice, Device, Workgroup, Subgroup and Invocation"

_UPDATES = {
    "OpAtomicExchange": "xchg",
    "OpAtomicIAdd": "add",
    "OpAtomicISub": "sub",
    "OpAtomicSMin": "min",
    "OpAtomicUMin": "umin",
    "OpAtomicSMax": "max",
    "OpAtomicUMax": "umax",
    "OpAtomicAnd": "and",
    "OpAtomicOr": "or",
    "OpAtomicXor": "xor",
    "OpAtomicFAddEXT": "fadd",
    "OpAtomicFMinEXT": "fmin",
    "OpAtomicFMaxEXT": "fmax",
}


def scope(writer: FunctionWriter, instruction: Instruction, index: int) -> str:
    """Returns the synchronization scope that an operand names; one that is not constant counts as all devices."""
    value = writer.operand(instruction, index)
    if not isinstance(value.type, Int) or value.type.width != 32:
        raise instruction.error(f"its scope has the type {value.type.llvm}")
    if value.number is None:
        return ""
    if value.number == 4:
        return _INVOCATION
    if value.number not in _SCOPES:
        raise instruction.error(f"its memory scope is {value.number}, not one of {_SCOPE_NAMES}")
    return _SCOPES[value.number]


def ordering(writer: FunctionWriter, instruction: Instruction, index: int) -> str:
    """Returns the order that memory semantics name; semantics that are not constant count as sequential consistency."""
    value = writer.operand(instruction, index)
    if not isinstance(value.type, Int) or value.type.width != 32:
        raise instruction.error(f"its memory semantics have the type {value.type.llvm}")
    if value.number is None or value.number & 0x10:
        return "seq_cst"
    acquires, releases = bool(value.number & 0xA), bool(value.number & 0xC)
    return {(True, True): "acq_rel", (True, False): "acquire", (False, True): "release"}.get(
        (acquires, releases), "monotonic"
    )


def _target(writer: FunctionWriter, instruction: Instruction, kind: AnyType) -> tuple[PointerType, str]:
    """Returns the pointer of an atomic instruction, which must point to values of a type."""
    pointer, text = writer.pointer(instruction, 0)
    inner = pointee(instruction, pointer)
    if inner.llvm != kind.llvm or not isinstance(kind, Int | Float | PointerType):
        raise instruction.error(f"its pointer points to {inner.llvm}, and the value is {kind.llvm}")
    if pointer.space == 2:
        raise instruction.error("its pointer points to UniformConstant")
    return pointer, text


@handles("OpAtomicLoad")
def _load(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    pointer, text = _target(writer, instruction, kind)
    order = {"release": "monotonic", "acq_rel": "acquire"}
    found = ordering(writer, instruction, 2)
    where = scope(writer, instruction, 1)
    line = f"load atomic {kind.llvm}, {pointer.llvm} {text} {where}{order.get(found, found)}, align {kind.size}"
    writer.define(instruction, line)


@handles("OpAtomicStore")
def _store(writer: FunctionWriter, instruction: Instruction) -> None:
    value = writer.operand(instruction, 3)
    pointer, text = _target(writer, instruction, value.type)
    order = {"acquire": "monotonic", "acq_rel": "release"}
    found = ordering(writer, instruction, 2)
    where = scope(writer, instruction, 1)
    writer.emit(
        f"store atomic {value.typed}, {pointer.llvm} {text} {where}{order.get(found, found)}, align {value.type.size}"
    )


@handles(*_UPDATES)
def _update(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    pointer, text = _target(writer, instruction, kind)
    floats = "OpAtomicF" in instruction.name
    expected = (Int | Float | PointerType) if instruction.name == "OpAtomicExchange" else Float if floats else Int
    if not isinstance(kind, expected):
        raise instruction.error(f"it cannot update a {kind.llvm}")
    operation = _UPDATES[instruction.name]
    where, order = scope(writer, instruction, 1), ordering(writer, instruction, 2)
    value = writer.same(instruction, 3, kind)
    size = f", align {kind.size}"
    writer.define(instruction, f"atomicrmw {operation} {pointer.llvm} {text}, {kind.llvm} {value} {where}{order}{size}")


@handles("OpAtomicIIncrement", "OpAtomicIDecrement")
def _count(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    pointer, text = _target(writer, instruction, kind)
    if not isinstance(kind, Int):
        raise instruction.error(f"it cannot count in a {kind.llvm}")
    operation = "add" if instruction.name == "OpAtomicIIncrement" else "sub"
    where, order = scope(writer, instruction, 1), ordering(writer, instruction, 2)
    writer.define(
        instruction, f"atomicrmw {operation} {pointer.llvm} {text}, {kind.llvm} 1 {where}{order}, align {kind.size}"
    )


@handles("OpAtomicCompareExchange", "OpAtomicCompareExchangeWeak")
def _exchange(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    pointer, text = _target(writer, instruction, kind)
    if not isinstance(kind, Int):
        raise instruction.error(f"it cannot compare a {kind.llvm}")
    where = scope(writer, instruction, 1)
    equal, unequal = ordering(writer, instruction, 2), ordering(writer, instruction, 3)
    unequal = {"release": "monotonic", "acq_rel": "acquire"}.get(unequal, unequal)
    value, comparator = writer.same(instruction, 4, kind), writer.same(instruction, 5, kind)
    operands = f"{pointer.llvm} {text}, {kind.llvm} {comparator}, {kind.llvm} {value}"
    found = writer.temporary(f"cmpxchg {operands} {where}{equal} {unequal}, align {kind.size}")
    writer.define(instruction, f"extractvalue {{ {kind.llvm}, i1 }} {found}, 0")


@handles("OpAtomicFlagTestAndSet", "OpAtomicFlagClear")
def _flag(writer: FunctionWriter, instruction: Instruction) -> None:
    pointer, text = _target(writer, instruction, INTS[32])
    where, order = scope(writer, instruction, 1), ordering(writer, instruction, 2)
    if instruction.name == "OpAtomicFlagClear":
        order = {"acquire": "monotonic", "acq_rel": "release"}.get(order, order)
        writer.emit(f"store atomic i32 0, {pointer.llvm} {text} {where}{order}, align 4")
        return
    if writer.type(instruction) is not BOOL:
        raise instruction.error("its result is not a truth value")
    old = writer.temporary(f"atomicrmw xchg {pointer.llvm} {text}, i32 1 {where}{order}, align 4")
    writer.define(instruction, f"icmp ne i32 {old}, 0")


@handles("OpMemoryBarrier")
def _fence(writer: FunctionWriter, instruction: Instruction) -> None:
    where, order = scope(writer, instruction, 0), ordering(writer, instruction, 1)
    if order != "monotonic":
        writer.emit(f"fence {where}{order}")
