"""Composites: vectors, arrays and structures as values."""

from __future__ import annotations

from passes.frontends.spirv.constants import UNDEFINED, members_of
from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.translation.arithmetic import broadcast
from passes.frontends.spirv.translation.writer import FunctionWriter, Value, handles
from passes.frontends.spirv.types import AnyType, Array, Int, MatrixType, Struct, VectorType

_UNUSED = 0xFFFFFFFF
"""The component of `OpVectorShuffle` that has no value."""


def _walk(instruction: Instruction, kind: AnyType, path: tuple[int, ...]) -> tuple[list[int], int | None, AnyType]:
    """Returns the indices into arrays and structures, the component of a vector behind them, and the type there."""
    indices: list[int] = []
    for number, place in enumerate(path):
        match kind:
            case Struct() if place < len(kind.members):
                kind = kind.members[place]
            case Array() if place < kind.length:
                kind = kind.element
            case VectorType() if place < kind.components and number == len(path) - 1:
                return indices, place, kind.element
            case _:
                raise instruction.error(f"index {number + 1} is {place}, and {kind.llvm} has no such part")
        indices.append(place)
    return indices, None, kind


@handles("OpCompositeExtract")
def _extract(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    whole = writer.operand(instruction, 0)
    indices, component, part = _walk(instruction, whole.type, instruction.numbers(1))
    if part.llvm != kind.llvm:
        raise instruction.error(f"the part has the type {part.llvm}, and the result {kind.llvm}")
    if component is None:
        text = (
            f"extractvalue {whole.typed}{_path(indices)}"
            if indices
            else f"select i1 true, {whole.typed}, {whole.typed}"
        )
        writer.define(instruction, text)
        return
    vector = whole.text
    vector_type = whole.type.llvm
    if indices:
        vector_type = _type_at(whole.type, indices).llvm
        vector = writer.temporary(f"extractvalue {whole.typed}{_path(indices)}")
    writer.define(instruction, f"extractelement {vector_type} {vector}, i32 {component}")


def _type_at(kind: AnyType, indices: list[int]) -> AnyType:
    for place in indices:
        kind = kind.members[place] if isinstance(kind, Struct) else kind.element if isinstance(kind, Array) else kind
    return kind


def _path(indices: list[int]) -> str:
    return "".join(f", {index}" for index in indices)


@handles("OpCompositeInsert")
def _insert(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    part = writer.operand(instruction, 0)
    whole = writer.same(instruction, 1, kind)
    indices, component, place = _walk(instruction, kind, instruction.numbers(2))
    if place.llvm != part.type.llvm:
        raise instruction.error(f"the part has the type {part.type.llvm}, and its place {place.llvm}")
    if component is None:
        text = f"insertvalue {kind.llvm} {whole}, {part.typed}{_path(indices)}" if indices else None
        writer.define(instruction, text or f"select i1 true, {part.typed}, {part.typed}")
        return
    vector_type = _type_at(kind, indices)
    inner = writer.temporary(f"extractvalue {kind.llvm} {whole}{_path(indices)}") if indices else whole
    changed = f"insertelement {vector_type.llvm} {inner}, {part.typed}, i32 {component}"
    if not indices:
        writer.define(instruction, changed)
        return
    vector = writer.temporary(changed)
    writer.define(instruction, f"insertvalue {kind.llvm} {whole}, {vector_type.llvm} {vector}{_path(indices)}")


@handles("OpCompositeConstruct", "OpSpecConstantComposite", "OpConstantComposite")
def _construct(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    parts = [writer.operand(instruction, place) for place in range(len(instruction.operands))]
    if isinstance(kind, MatrixType):
        _splat(writer, instruction, kind, parts)
        return
    if isinstance(kind, VectorType):
        _vector(writer, instruction, kind, parts)
        return
    members = members_of(kind)
    if members is None or [each.llvm for each in members] != [part.type.llvm for part in parts]:
        raise instruction.error(f"its constituents are not those of its type {kind.llvm}")
    text = "poison"
    for place, part in enumerate(parts):
        step = f"insertvalue {kind.llvm} {text}, {part.typed}, {place}"
        if place == len(parts) - 1:
            writer.define(instruction, step)
        else:
            text = writer.temporary(step)
    if not parts:
        writer.define(instruction, f"select i1 true, {kind.llvm} poison, {kind.llvm} poison")


def _splat(writer: FunctionWriter, instruction: Instruction, kind: MatrixType, parts: list[Value]) -> None:
    """Gives all elements of a matrix one value."""
    if [part.type for part in parts] != [kind.element]:
        raise instruction.error(f"its constituents are not a {kind.element.llvm} for all elements of the matrix")
    vector = broadcast(writer, kind, parts[0].text)
    writer.define(instruction, f"select i1 true, {kind.llvm} {vector}, {kind.llvm} {vector}")


def _vector(writer: FunctionWriter, instruction: Instruction, kind: VectorType, parts: list[Value]) -> None:
    """Puts scalars and shorter vectors one behind the other."""
    scalars: list[str] = []
    for part in parts:
        if part.type.scalar.llvm != kind.element.llvm:
            raise instruction.error(f"a constituent has the type {part.type.llvm}, and the result {kind.llvm}")
        if not isinstance(part.type, VectorType):
            scalars.append(part.text)
        else:
            places = range(part.type.count)
            scalars += [writer.temporary(f"extractelement {part.typed}, i32 {place}") for place in places]
    if len(scalars) != kind.components:
        raise instruction.error(
            f"its constituents have {len(scalars)} components, and {kind.llvm} has {kind.components}"
        )
    text = "poison"
    for place, scalar in enumerate(scalars):
        step = f"insertelement {kind.llvm} {text}, {kind.element.llvm} {scalar}, i32 {place}"
        if place == len(scalars) - 1:
            writer.define(instruction, step)
        else:
            text = writer.temporary(step)


@handles("OpVectorShuffle")
def _shuffle(writer: FunctionWriter, instruction: Instruction) -> None:
    """Writes a shuffle; LLVM wants operands of one length, so the shorter one is extended."""
    kind = writer.data(instruction)
    sources = [writer.operand(instruction, 0), writer.operand(instruction, 1)]
    places = instruction.numbers(2)
    counts = [each.type.count for each in sources]
    fits = all(isinstance(each.type, VectorType) and each.type.scalar == kind.scalar for each in sources)
    if not isinstance(kind, VectorType) or not fits:
        raise instruction.error(f"its operands have the types {sources[0].type.llvm} and {sources[1].type.llvm}")
    if len(places) != kind.components:
        raise instruction.error(f"it names {len(places)} components, and the result has {kind.components}")
    if any(place != _UNUSED and place >= sum(counts) for place in places):
        raise instruction.error(f"it names components beyond the {sum(counts)} of its operands")
    longest = max(counts)
    texts = [_extended(writer, each, longest) for each in sources]
    mask = [_component(place, counts[0], longest) for place in places]
    row = f"<{longest} x {kind.element.llvm}>"
    selected = ", ".join(f"i32 {place}" for place in mask)
    writer.define(instruction, f"shufflevector {row} {texts[0]}, {row} {texts[1]}, <{len(mask)} x i32> <{selected}>")


def _component(place: int, first: int, longest: int) -> str:
    if place == _UNUSED:
        return "poison"
    return str(place if place < first else place - first + longest)


def _extended(writer: FunctionWriter, value: Value, count: int) -> str:
    if value.type.count == count:
        return value.text
    mask = ", ".join(f"i32 {place}" if place < value.type.count else "i32 poison" for place in range(count))
    return writer.temporary(f"shufflevector {value.typed}, {value.type.llvm} poison, <{count} x i32> <{mask}>")


@handles("OpVectorExtractDynamic")
def _extract_dynamic(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    vector, index = writer.operand(instruction, 0), writer.operand(instruction, 1)
    if not isinstance(vector.type, VectorType) or vector.type.element != kind or not isinstance(index.type, Int):
        raise instruction.error(f"it cannot take a {kind.llvm} out of {vector.type.llvm} at a {index.type.llvm}")
    writer.define(instruction, f"extractelement {vector.typed}, {index.typed}")


@handles("OpVectorInsertDynamic")
def _insert_dynamic(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    vector = writer.same(instruction, 0, kind)
    part, index = writer.operand(instruction, 1), writer.operand(instruction, 2)
    if not isinstance(kind, VectorType) or part.type != kind.element or not isinstance(index.type, Int):
        raise instruction.error(f"it cannot put a {part.type.llvm} into {kind.llvm} at a {index.type.llvm}")
    writer.define(instruction, f"insertelement {kind.llvm} {vector}, {part.typed}, {index.typed}")


@handles(*UNDEFINED)
def _undefined(writer: FunctionWriter, instruction: Instruction) -> None:
    kind, text = writer.type(instruction), UNDEFINED[instruction.name]
    writer.define(instruction, f"select i1 true, {kind.llvm} {text}, {kind.llvm} {text}")


@handles("OpFreezeKHR")
def _freeze(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    writer.define(instruction, f"freeze {kind.llvm} {writer.same(instruction, 0, kind)}")
