"""Instructions to 128-bit words."""

from __future__ import annotations

from xegpu.isa.formats.form import check_form
from xegpu.isa.formats.layouts import (
    CHANNEL_OFFSETS,
    KIND_IMMEDIATE,
    KINDS,
    LAYOUTS,
    STRIDES,
    VERTICAL_STRIDES,
    WIDTHS,
    WORD_BYTES,
    Field,
    layout_name,
)
from xegpu.isa.model.instruction import EXECUTION_SIZES, IllegalInstruction, Instruction
from xegpu.isa.model.messages import ARRAY_LENGTHS, VECTOR_SIZES
from xegpu.isa.model.operands import (
    ADDRESS_WORDS,
    VXH,
    Immediate,
    Register,
    RegisterFile,
    SourceRegister,
)
from xegpu.isa.model.table import Extra, InstructionFormat

_KIND_CODES = {file: kind for kind, file in KINDS.items()}


class EncodeError(IllegalInstruction):
    """An instruction's fields do not fit the encoding."""


def encode(instruction: Instruction) -> bytes:
    """The instruction's one or two words.

    Raises `IllegalInstruction` when its form is wrong (`xegpu.isa.formats.form`), and its subclass `EncodeError` when a
    value does not fit its field.
    """
    check_form(instruction)
    spec = instruction.spec
    last = instruction.sources[-1] if instruction.sources else None
    immediate = last if isinstance(last, Immediate) else None
    word = _pack(LAYOUTS[layout_name(spec, immediate is not None)], _values(instruction))
    data = word.to_bytes(WORD_BYTES, "little")
    if immediate is not None and immediate.type.bits == 64:
        data += immediate.bits.to_bytes(WORD_BYTES, "little")
    return data


def _values(instruction: Instruction) -> dict[str, int]:
    spec = instruction.spec
    values = _control_values(instruction)
    match spec.format:
        case InstructionFormat.ALU:
            values |= _destination_values(instruction)
            for index, source in enumerate(instruction.sources):
                values |= _source_values(index, source, ternary=spec.sources == 3)
            values |= _extra_values(instruction)
        case InstructionFormat.DPAS:
            values |= _dpas_values(instruction)
        case InstructionFormat.MESSAGE:
            values |= _message_values(instruction)
        case InstructionFormat.IMAGE:
            values |= _image_values(instruction)
        case InstructionFormat.BARRIER:
            for source in instruction.sources:
                values |= _scalar_values(source)
        case InstructionFormat.FENCE:
            values |= _fence_values(instruction)
        case InstructionFormat.BRANCH:
            values["target"] = _signed("branch distance", instruction.target, 32)
        case InstructionFormat.GOTO:
            values["function"] = spec.function
            values["target"] = _signed("branch distance", instruction.target, 32)
            values["join"] = _signed("join distance", instruction.join, 32)
        case InstructionFormat.JOIN:
            values["join"] = _signed("join distance", instruction.join, 32)
        case InstructionFormat.CALL:
            values["target"] = _signed("branch distance", instruction.target, 32)
            values |= _register_values("dst.", instruction.returned)
        case InstructionFormat.INDIRECT_CALL:
            values |= _register_values("dst.", instruction.returned)
            values |= _register_values("address.", instruction.address)
        case InstructionFormat.RETURN:
            values |= _register_values("address.", instruction.address)
        case InstructionFormat.PLAIN:
            pass
    return values


def _pack(layout: dict[str, Field], values: dict[str, int]) -> int:
    word = 0
    for name, value in values.items():
        if name not in layout:
            raise EncodeError(f"takes no {name}")
        field = layout[name]
        if not 0 <= value < 1 << field.width:
            raise EncodeError(f"{name} = {value} does not fit {field.width} bits")
        word |= value << field.lsb
    return word


def _control_values(instruction: Instruction) -> dict[str, int]:
    spec, predicate, condition = instruction.spec, instruction.predicate, instruction.condition
    values = {
        "opcode": spec.opcode,
        "exec_size": _index(EXECUTION_SIZES, instruction.exec_size, "execution size"),
        "channel_offset": _index(CHANNEL_OFFSETS, instruction.channel_offset, "channel offset"),
        "no_mask": int(instruction.no_mask),
        "saturate": int(instruction.saturate),
    }
    flag = predicate.flag if predicate else condition.flag if condition else None
    if flag is not None:
        values |= {"flag": flag.number, "flag_half": flag.half}
    if predicate is not None:
        values |= {"predicate": predicate.combination.code, "inverted": int(predicate.inverted)}
    if condition is not None:
        values["condition"] = condition.condition.code
    return values


def _index(choices: tuple[int, ...], value: int, what: str) -> int:
    if value not in choices:
        raise EncodeError(f"{what} {value} is not one of {', '.join(map(str, choices))}")
    return choices.index(value)


def _signed(what: str, value: int, width: int) -> int:
    """Two's complement of `value` in `width` bits."""
    if not -(1 << (width - 1)) <= value < 1 << (width - 1):
        raise EncodeError(f"{what} {value} does not fit {width} bits")
    return value & ((1 << width) - 1)


def _destination_values(instruction: Instruction) -> dict[str, int]:
    destination = instruction.destination
    assert destination is not None
    return {
        "dst.file": destination.register.file.value,
        **_place("dst.", destination.register),
        "dst.type": destination.type.code,
        "dst.stride": _index(STRIDES, destination.stride, "destination stride"),
    }


def _place(prefix: str, register: Register) -> dict[str, int]:
    """Number and byte of a register; the two fields of an indirect one hold its word of a0 and, above, the constant."""
    number, byte = register.number, register.byte
    if register.file is RegisterFile.INDIRECT:
        if not 0 <= number < ADDRESS_WORDS:
            raise EncodeError(f"address register a0.{number}, expected a0.0 to a0.{ADDRESS_WORDS - 1}")
        byte, number = divmod(number | _signed("indirect offset", byte, 10) << 4, 1 << 8)
    return {prefix + "register": number, prefix + "byte": byte}


def _register_values(prefix: str, register: Register | None) -> dict[str, int]:
    """Number and byte of a general register."""
    assert register is not None
    return {prefix + "register": register.number, prefix + "byte": register.byte}


def _source_values(index: int, source: SourceRegister | Immediate, *, ternary: bool) -> dict[str, int]:
    prefix = f"src{index}."
    if isinstance(source, Immediate):
        if source.bits >> source.type.bits:
            raise EncodeError(f"immediate {source.bits:#x} is wider than {source.type.text}")
        if ternary and source.type.bits == 64:
            raise EncodeError("a 64-bit immediate does not fit a three-source instruction")
        values = {prefix + "kind": KIND_IMMEDIATE, prefix + "type": source.type.code}
        return values if source.type.bits == 64 else values | {prefix + "immediate": source.bits}
    values = {
        prefix + "kind": _KIND_CODES[source.register.file],
        prefix + "type": source.type.code,
        **_place(prefix, source.register),
    }
    values |= {prefix + name: 1 for name in ("negate", "absolute") if getattr(source, name)}
    region = source.region
    if ternary:
        if region.width != 1 or region.horizontal != 0:
            raise EncodeError(f"src{index}: a three-source instruction takes only linear regions")
        values[prefix + "stride"] = _index(STRIDES, region.vertical, "stride")
    else:
        strides = VERTICAL_STRIDES if region.vertical == VXH else VERTICAL_STRIDES[:-1]
        values[prefix + "vertical"] = _index(strides, region.vertical, "vertical stride")
        values[prefix + "width"] = _index(WIDTHS, region.width, "width")
        values[prefix + "horizontal"] = _index(STRIDES, region.horizontal, "horizontal stride")
    return values


def _extra_values(instruction: Instruction) -> dict[str, int]:
    """Fields of what an ALU instruction has beside its operands."""
    match instruction.spec.extra:
        case Extra.FUNCTION:
            return {"function": instruction.spec.function}
        case Extra.TABLE:
            return {"table": instruction.table}
        case Extra.CARRY:
            assert instruction.carry is not None
            return {"carry.register": instruction.carry.number, "carry.byte": instruction.carry.byte}
        case Extra.NONE:
            return {}


def _dpas_values(instruction: Instruction) -> dict[str, int]:
    destination = instruction.destination
    assert destination is not None
    values = {
        "dst.register": destination.register.number,
        "dst.byte": destination.register.byte,
        "dst.type": destination.type.code,
        "repeat": instruction.repeat - 1,
    }
    for index, source in enumerate(instruction.sources):
        assert isinstance(source, SourceRegister)
        if source.register.is_null:
            values |= {"src0.null": 1, "src0.type": source.type.code}
            continue
        values |= {
            f"src{index}.register": source.register.number,
            f"src{index}.byte": source.register.byte,
            f"src{index}.type": source.type.code,
        }
    return values


def _message_values(instruction: Instruction) -> dict[str, int]:
    message, returned, data = instruction.message, instruction.returned, instruction.data
    assert message is not None
    assert instruction.address is not None
    values = {
        "unit": message.unit.code,
        "function": instruction.spec.function,
        "data_size": message.data_size.code,
        "vector": _index(VECTOR_SIZES, message.vector, "vector size"),
        "transposed": int(message.transposed),
        "vnni": int(message.vnni),
        "cache": message.cache.code,
        "address_size": message.address_size.code,
        "model": message.model.code,
        "address.register": instruction.address.number,
        "offset": _signed("immediate offset", message.offset, 20),
    }
    values |= {"dst.null": 1} if returned is None else {"dst.register": returned.number}
    values |= {"data.null": 1} if data is None else {"data.register": data.number}
    if message.block is not None:
        values |= {
            "block.present": 1,
            "block.width": message.block.width - 1,
            "block.height": message.block.height - 1,
            "block.count": _index(ARRAY_LENGTHS, message.block.count, "array length"),
        }
    return values


def _image_values(instruction: Instruction) -> dict[str, int]:
    image, surface, sampler = instruction.image, instruction.surface, instruction.sampler
    returned, data = instruction.returned, instruction.data
    assert image is not None
    assert surface is not None
    assert instruction.address is not None
    values = {
        "unit": image.unit.code,
        "function": instruction.spec.function,
        "channels": image.channels,
        "coordinates": image.coordinates - 1,
        "cache": image.cache.code,
        "address.register": instruction.address.number,
        **_place("surface.", surface),
    }
    values |= {"dst.null": 1} if returned is None else {"dst.register": returned.number}
    values |= {"data.null": 1} if data is None else {"data.register": data.number}
    return values | ({"sampler.null": 1} if sampler is None else _place("sampler.", sampler))


def _scalar_values(source: SourceRegister | Immediate) -> dict[str, int]:
    """Fields of a source that is one element, whose region is not written down."""
    if isinstance(source, Immediate):
        return {"src0.kind": KIND_IMMEDIATE, "src0.type": source.type.code, "src0.immediate": source.bits}
    return {
        "src0.kind": _KIND_CODES[source.register.file],
        "src0.type": source.type.code,
        "src0.register": source.register.number,
        "src0.byte": source.register.byte,
    }


def _fence_values(instruction: Instruction) -> dict[str, int]:
    fence = instruction.fence
    assert fence is not None
    return {
        "unit": fence.unit.code,
        "function": instruction.spec.function,
        "flush": fence.flush.code,
        "scope": fence.scope.code,
    }
