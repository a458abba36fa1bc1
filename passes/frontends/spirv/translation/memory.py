"""Memory: variables, loads, stores, copies and addresses."""

from __future__ import annotations

from passes.frontends.spirv.addressing import Index, chain
from passes.frontends.spirv.grammar import value_of
from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.translation.writer import FunctionWriter, Value, handles
from passes.frontends.spirv.types import (
    BOOL,
    INTS,
    MOST_LEAVES,
    VOID,
    AnyType,
    FunctionType,
    Int,
    Opaque,
    PointerType,
    Type,
    VectorType,
)

_VOLATILE = value_of("MemoryAccess", "Volatile")
_ALIGNED = value_of("MemoryAccess", "Aligned")

LARGEST_ALIGNMENT = 1 << 29


def pointee(instruction: Instruction, pointer: PointerType) -> AnyType:
    """Returns the type of the data behind a pointer."""
    kind = pointer.pointee
    if kind is None or isinstance(kind, FunctionType) or kind is VOID:
        raise instruction.error("its pointer does not point to data")
    return kind


def loadable(instruction: Instruction, kind: AnyType) -> AnyType:
    """Returns a type, unless values of it are too large, or nobody knows what they are."""
    if isinstance(kind, Opaque) and not kind.size:
        raise instruction.error("values of an opaque type cannot be moved")
    if kind.leaves > MOST_LEAVES:
        raise instruction.error(f"values of {kind.leaves} scalars stay in memory; the most are {MOST_LEAVES}")
    return kind


def access(instruction: Instruction, start: int) -> tuple[str, str]:
    """Returns the meaning of memory operands: the word for volatile, and the alignment.

    Compilers write 0 where they know none, although the specification has no such alignment.

    Raises:
        SpirvError: The alignment is not a power of two.
    """
    if start >= len(instruction.operands):
        return "", ""
    mask = instruction.number(start)
    volatile = "volatile " if mask & _VOLATILE else ""
    if not mask & _ALIGNED or not instruction.number(start + 1):
        return volatile, ""
    return volatile, f", align {_alignment(instruction, instruction.number(start + 1))}"


def _alignment(instruction: Instruction, alignment: int) -> int:
    if not 0 < alignment <= LARGEST_ALIGNMENT or alignment & alignment - 1:
        raise instruction.error(f"the alignment {alignment} is not a power of two")
    return alignment


@handles("OpVariable")
def _variable(writer: FunctionWriter, instruction: Instruction) -> None:
    """Writes a variable in front of the first block; a builtin becomes a variable that holds its value."""
    name = writer.module.module.built_in(instruction.result)
    if name is not None:
        _built_in(writer, instruction, name)
        return
    kind = writer.type(instruction)
    if not isinstance(kind, PointerType) or kind.space:
        raise instruction.error("variables of functions lie in the storage class Function")
    inner = pointee(instruction, kind)
    found = writer.decorated(instruction, "Alignment")
    alignment = _alignment(instruction, found[0]) if found and isinstance(found[0], int) else inner.alignment
    writer.in_entry(lambda: writer.define(instruction, f"alloca {inner.llvm}, align {alignment}"))
    if len(instruction.operands) > 1:
        value = writer.same(instruction, 1, loadable(instruction, inner))
        writer.emit(f"store {inner.llvm} {value}, ptr %v{instruction.result}, align {alignment}")


_DIMENSIONAL_COUNT = 3


def _built_in(writer: FunctionWriter, instruction: Instruction, name: str) -> None:
    """Writes a private copy of a builtin, since producers also address its components through casts."""
    kind = writer.type(instruction)
    assert isinstance(kind, PointerType)
    inner = pointee(instruction, kind)
    if not isinstance(inner.scalar, Int) or inner.count not in (1, _DIMENSIONAL_COUNT) or not isinstance(inner, Type):
        raise instruction.error(f"the builtin {name} has the type {inner.llvm}")
    if not isinstance(inner, VectorType):
        text = writer.temporary(writer.builtin(f"__spirv_BuiltIn{name}", inner, []))
    else:
        text = "poison"
        for dimension in range(inner.count):
            which = Value(INTS[32], str(dimension))
            part = writer.temporary(writer.builtin(f"__spirv_BuiltIn{name}", INTS[64], [which]))
            if inner.scalar.width != 64:
                part = writer.temporary(f"trunc i64 {part} to {inner.scalar.llvm}")
            text = writer.temporary(f"insertelement {inner.llvm} {text}, {inner.scalar.llvm} {part}, i32 {dimension}")
    place = writer.temporary(f"alloca {inner.llvm}, align {inner.alignment}")
    writer.emit(f"store {inner.llvm} {text}, ptr {place}, align {inner.alignment}")
    operation = "addrspacecast" if kind.space else "bitcast"
    writer.define(instruction, f"{operation} ptr {place} to {kind.llvm}")


@handles("OpLoad")
def _load(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = loadable(instruction, writer.type(instruction))
    pointer, text = writer.pointer(instruction, 0)
    if pointee(instruction, pointer).llvm != kind.llvm:
        raise instruction.error(
            f"the pointer points to {pointee(instruction, pointer).llvm}, and the result is {kind.llvm}"
        )
    volatile, alignment = access(instruction, 1)
    writer.define(instruction, f"load {volatile}{kind.llvm}, {pointer.llvm} {text}{alignment}")


@handles("OpStore")
def _store(writer: FunctionWriter, instruction: Instruction) -> None:
    pointer, text = writer.pointer(instruction, 0)
    kind = loadable(instruction, pointee(instruction, pointer))
    value = writer.same(instruction, 1, kind)
    volatile, alignment = access(instruction, 2)
    writer.emit(f"store {volatile}{kind.llvm} {value}, {pointer.llvm} {text}{alignment}")


@handles("OpCopyMemory", "OpCopyMemorySized")
def _copy(writer: FunctionWriter, instruction: Instruction) -> None:
    target, to = writer.pointer(instruction, 0)
    source, origin = writer.pointer(instruction, 1)
    if instruction.name == "OpCopyMemorySized":
        size, start = writer.operand(instruction, 2), 3
        if not isinstance(size.type, Int):
            raise instruction.error(f"its size has the type {size.type.llvm}")
        count = size.text
        if size.type.width < 64:
            count = writer.temporary(f"zext {size.typed} to i64")
    else:
        kind = pointee(instruction, target)
        if pointee(instruction, source).llvm != kind.llvm:
            raise instruction.error("its pointers point to different types")
        count, start = str(kind.size), 2
    volatile, alignment = access(instruction, start)
    mark = alignment.removeprefix(",")
    name = f"llvm.memcpy.p{target.space}.p{source.space}.i64"
    types = [target.llvm, source.llvm, "i64", "i1"]
    symbol = writer.module.declare(instruction, name, "void", types)
    arguments = (
        f"{target.llvm}{mark} {to}, {source.llvm}{mark} {origin}, i64 {count}, i1 {'true' if volatile else 'false'}"
    )
    writer.emit(f"call void {symbol}({arguments})")


@handles("OpAccessChain", "OpInBoundsAccessChain", "OpPtrAccessChain", "OpInBoundsPtrAccessChain")
def _chain(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    base = writer.operand(instruction, 0)
    if not isinstance(kind, PointerType):
        raise instruction.error(f"its type is {kind.llvm}, not a pointer")
    if isinstance(base.type, PointerType) and base.type.space != kind.space:
        raise instruction.error("its result and its base have different storage classes")
    operands = [writer.operand(instruction, place) for place in range(1, len(instruction.operands))]
    indices = [Index(each.type, each.text, each.number) for each in operands]
    path = chain(instruction, base.type, base.text, indices, "Ptr" in instruction.name)
    inbounds = "inbounds " if "InBounds" in instruction.name else ""
    writer.define(instruction, f"getelementptr {inbounds}{path}")


@handles("OpPtrEqual", "OpPtrNotEqual")
def _compare(writer: FunctionWriter, instruction: Instruction) -> None:
    pointer, left = writer.pointer(instruction, 0)
    right = writer.same(instruction, 1, pointer)
    if writer.type(instruction) is not BOOL:
        raise instruction.error("its result is not a truth value")
    writer.define(
        instruction, f"icmp {'eq' if instruction.name == 'OpPtrEqual' else 'ne'} {pointer.llvm} {left}, {right}"
    )


@handles("OpPtrDiff")
def _difference(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    pointer, left = writer.pointer(instruction, 0)
    right = writer.same(instruction, 1, pointer)
    size = pointee(instruction, pointer).size
    if not isinstance(kind, Int) or not size:
        raise instruction.error(f"it cannot count elements of {size} bytes as {kind.llvm}")
    words = [writer.temporary(f"ptrtoint {pointer.llvm} {each} to {kind.llvm}") for each in (left, right)]
    bytes_between = writer.temporary(f"sub {kind.llvm} {words[0]}, {words[1]}")
    writer.define(instruction, f"sdiv exact {kind.llvm} {bytes_between}, {size}")


@handles("OpSizeOf")
def _size(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    pointer, _ = writer.pointer(instruction, 0)
    writer.define(instruction, f"or {kind.llvm} {pointee(instruction, pointer).size}, 0")


@handles("OpArithmeticFenceEXT", "OpExpectKHR", "OpPtrAnnotationINTEL")
def _same(writer: FunctionWriter, instruction: Instruction) -> None:
    """Drops a hint about a value and keeps the value."""
    kind = writer.type(instruction)
    text = writer.same(instruction, 0, kind)
    writer.define(instruction, f"select i1 true, {kind.llvm} {text}, {kind.llvm} {text}")


@handles("OpAssumeTrueKHR")
def _assume(writer: FunctionWriter, instruction: Instruction) -> None:
    condition = writer.same(instruction, 0, BOOL)
    writer.emit(writer.call_text("llvm.assume", "void", [Value(BOOL, condition)]))


@handles("OpLifetimeStart", "OpLifetimeStop")
def _lifetime(writer: FunctionWriter, instruction: Instruction) -> None:
    """Writes nothing: LLVM wants the variable itself, and producers also name casts of it."""
    writer.pointer(instruction, 0)
