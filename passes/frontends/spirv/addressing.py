"""Access chains: the address of a part of what a pointer points to."""

from __future__ import annotations

from dataclasses import dataclass

from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.types import (
    AnyType,
    Array,
    FunctionType,
    Int,
    PointerType,
    Struct,
    Type as Type,
    VectorType,
)


@dataclass(frozen=True)
class Index:
    """An index: its type and text, and its value if it is constant."""

    type: AnyType
    text: str
    value: int | None = None


def chain(instruction: Instruction, pointer: AnyType, text: str, indices: list[Index], from_element: bool) -> str:
    """Returns the operands of the `getelementptr` of an access chain.

    Args:
        instruction: The instruction, for errors.
        pointer: The type of the base.
        text: The base.
        indices: The indices.
        from_element: The first index counts elements at the base, as in `OpPtrAccessChain`.

    Raises:
        SpirvError: The indices do not fit the type.
    """
    if not isinstance(pointer, PointerType):
        raise instruction.error(f"its base has the type {pointer.llvm}, not a pointer")
    kind = pointer.pointee
    if kind is None or isinstance(kind, FunctionType) or not kind.size:
        # Pointers to structures without members occur, and any element of them lies at the base.
        if isinstance(kind, Struct) and not any(index.value for index in indices[from_element:]):
            return f"i8, {pointer.llvm} {text}, i64 0"
        raise instruction.error("its base does not point to data")
    first = kind.llvm
    parts = [] if from_element else ["i64 0"]
    for number, index in enumerate(indices):
        if not isinstance(index.type, Int):
            raise instruction.error(f"index {number + 1} has the type {index.type.llvm}, not an integer")
        if number or not from_element:
            member = isinstance(kind, Struct)
            kind = _inside(instruction, kind, index, number)
            if member:
                parts.append(f"i32 {index.value}")
                continue
        parts.append(f"{index.type.llvm} {index.text}")
    return f"{first}, {pointer.llvm} {text}, {', '.join(parts)}"


def _inside(instruction: Instruction, kind: AnyType, index: Index, number: int) -> AnyType:
    match kind:
        case Struct():
            if index.value is None or index.value >= len(kind.members):
                raise instruction.error(
                    f"index {number + 1} is not the constant number of one of {len(kind.members)} members"
                )
            return kind.members[index.value]
        case Array() | VectorType():
            return kind.element
        case _:
            raise instruction.error(f"index {number + 1} goes into a {kind.llvm}, which has no parts")
