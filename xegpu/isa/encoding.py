"""The 128-bit instruction words: one table of fields per format, packing and unpacking.

Every field of every format is named here with its lowest bit and its width; bits that no field claims are reserved and
must be zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn, TypeVar

from xegpu.isa.instruction import EXECUTION_SIZES, ConditionModifier, Instruction, Predicate
from xegpu.isa.messages import (
    ARRAY_LENGTHS,
    VECTOR_SIZES,
    AddressModel,
    AddressSize,
    Block,
    CacheControl,
    DataSize,
    Message,
    Unit,
)
from xegpu.isa.operands import (
    NULL,
    Destination,
    Flag,
    Immediate,
    Region,
    Register,
    RegisterFile,
    Source,
)
from xegpu.isa.table import BY_OPCODE, Condition, Format, OpSpec
from xegpu.isa.types import BY_CODE

WORD_BYTES = 16

T = TypeVar("T")


class DecodeError(ValueError):
    """Bytes are no legal instruction; `offset` is the byte offset in the decoded block."""

    def __init__(self, offset: int, reason: str):
        super().__init__(f"illegal instruction at offset {offset:#x}: {reason}")
        self.offset = offset
        self.reason = reason


class EncodeError(ValueError):
    """An instruction's fields do not fit the encoding."""


@dataclass(frozen=True)
class Field:
    """Bits `lsb` to `lsb + width - 1` of the word."""

    lsb: int
    width: int


def _fields(start: int, *parts: tuple[str, int]) -> dict[str, Field]:
    """Consecutive fields from bit `start` on."""
    fields: dict[str, Field] = {}
    for name, width in parts:
        fields[name] = Field(start, width)
        start += width
    return fields


_CONTROL = _fields(
    0,
    ("opcode", 8),
    ("exec_size", 3),
    ("channel_offset", 3),
    ("no_mask", 1),
    ("predicated", 1),
    ("inverted", 1),
    ("flag", 2),
    ("flag_half", 1),
    ("condition", 4),
    ("saturate", 1),
)
_DESTINATION = _fields(26, ("dst.file", 1), ("dst.register", 8), ("dst.byte", 6), ("dst.type", 5), ("dst.stride", 2))


def _full_source(index: int, start: int) -> dict[str, Field]:
    names = [("kind", 2), ("type", 5), ("register", 8), ("byte", 6), ("negate", 1), ("absolute", 1)]
    names += [("vertical", 3), ("width", 3), ("horizontal", 2)]
    return _fields(start, *((f"src{index}.{name}", width) for name, width in names))


def _short_source(index: int, start: int) -> dict[str, Field]:
    names = [("kind", 2), ("type", 5), ("register", 8), ("byte", 6), ("negate", 1), ("absolute", 1), ("stride", 2)]
    return _fields(start, *((f"src{index}.{name}", width) for name, width in names))


def _immediate(index: int, start: int, lsb: int, width: int) -> dict[str, Field]:
    kind = _fields(start, (f"src{index}.kind", 2), (f"src{index}.type", 5))
    return kind | {f"src{index}.immediate": Field(lsb, width)}


_SOURCE0, _SOURCE1, _TERNARY = 48, 79, (48, 73, 98)

LAYOUTS: dict[str, dict[str, Field]] = {
    "alu1": _CONTROL | _DESTINATION | _full_source(0, _SOURCE0),
    "alu1-immediate": _CONTROL | _DESTINATION | _immediate(0, _SOURCE0, 96, 32),
    "alu2": _CONTROL | _DESTINATION | _full_source(0, _SOURCE0) | _full_source(1, _SOURCE1),
    "alu2-immediate": _CONTROL | _DESTINATION | _full_source(0, _SOURCE0) | _immediate(1, _SOURCE1, 96, 32),
    "alu3": _CONTROL
    | _DESTINATION
    | _short_source(0, _TERNARY[0])
    | _short_source(1, _TERNARY[1])
    | _short_source(2, _TERNARY[2]),
    "alu3-immediate": _CONTROL
    | _DESTINATION
    | _short_source(0, _TERNARY[0])
    | _short_source(1, _TERNARY[1])
    | _immediate(2, _TERNARY[2], 105, 16),
    "dpas": _CONTROL
    | _fields(
        26,
        ("dst.register", 8),
        ("dst.byte", 6),
        ("dst.type", 5),
        ("src0.null", 1),
        ("src0.register", 8),
        ("src0.byte", 6),
        ("src0.type", 5),
        ("src1.register", 8),
        ("src1.byte", 6),
        ("src1.type", 5),
        ("src2.register", 8),
        ("src2.byte", 6),
        ("src2.type", 5),
        ("repeat", 3),
    ),
    "message": _CONTROL
    | _fields(
        26,
        ("unit", 4),
        ("function", 6),
        ("data_size", 3),
        ("vector", 3),
        ("transposed", 1),
        ("vnni", 1),
        ("cache", 3),
        ("address_size", 2),
        ("model", 2),
        ("dst.null", 1),
        ("dst.register", 8),
        ("address.register", 8),
        ("data.null", 1),
        ("data.register", 8),
        ("offset", 20),
        ("block.present", 1),
        ("block.width", 6),
        ("block.height", 5),
        ("block.count", 2),
    ),
    "branch": _CONTROL | {"target": Field(64, 32)},
    "plain": _CONTROL,
}
"""Format to fields. Immediate forms replace the fields of the last source."""

_KIND_REGISTER, _KIND_IMMEDIATE, _KIND_WIDE_IMMEDIATE = 0, 1, 2
_STRIDES = (0, 1, 2, 4)
_VERTICAL = (0, 1, 2, 4, 8, 16, 32)
_WIDTHS = (1, 2, 4, 8, 16)

_SIZE_CODES = {size: code for code, size in enumerate(EXECUTION_SIZES)}
_CONDITIONS = {c.code: c for c in Condition}
_UNITS = {u.code: u for u in Unit}
_DATA_SIZES = {d.code: d for d in DataSize}
_CACHES = {c.code: c for c in CacheControl}
_ADDRESS_SIZES = {a.code: a for a in AddressSize}
_MODELS = {m.code: m for m in AddressModel}


def _layout_name(spec: OpSpec, immediate: bool) -> str:
    if spec.format is Format.ALU:
        return f"alu{spec.sources}-immediate" if immediate else f"alu{spec.sources}"
    return str(spec.format.value)


# Encoding ------------------------------------------------------------------------------------------------------------


def encode(instruction: Instruction) -> bytes:
    """The instruction's one or two words. Raises `EncodeError` when a value has no place in them."""
    spec = instruction.spec
    last = instruction.sources[-1] if instruction.sources else None
    values = _control_values(instruction)
    match spec.format:
        case Format.ALU:
            values |= _destination_values(instruction.destination)
            for index, source in enumerate(instruction.sources):
                values |= _source_values(index, source, ternary=spec.sources == 3, last=source is last)
        case Format.DPAS:
            values |= _dpas_values(instruction)
        case Format.MESSAGE:
            values |= _message_values(instruction)
        case Format.BRANCH:
            values["target"] = instruction.target & 0xFFFFFFFF
        case Format.PLAIN:
            pass
    word = _pack(LAYOUTS[_layout_name(spec, isinstance(last, Immediate))], values)
    data = word.to_bytes(WORD_BYTES, "little")
    if isinstance(last, Immediate) and last.type.bits == 64:
        data += last.bits.to_bytes(WORD_BYTES, "little")
    return data


def _pack(layout: dict[str, Field], values: dict[str, int]) -> int:
    word = 0
    for name, value in values.items():
        field = layout[name]
        if not 0 <= value < 1 << field.width:
            raise EncodeError(f"{name} = {value} does not fit {field.width} bits")
        word |= value << field.lsb
    return word


def _control_values(instruction: Instruction) -> dict[str, int]:
    spec, predicate, condition = instruction.spec, instruction.predicate, instruction.condition
    if instruction.exec_size not in _SIZE_CODES:
        raise EncodeError(f"execution size {instruction.exec_size} is not one of {EXECUTION_SIZES}")
    values = {
        "opcode": spec.opcode,
        "exec_size": _SIZE_CODES[instruction.exec_size],
        "channel_offset": _index((0, 4, 8, 12, 16, 20, 24, 28), instruction.channel_offset, "channel offset"),
        "no_mask": int(instruction.no_mask),
        "saturate": int(instruction.saturate),
    }
    flag = predicate.flag if predicate else condition.flag if condition else None
    if predicate and condition and condition.flag not in (None, predicate.flag):
        raise EncodeError("predicate and condition modifier must name the same flag")
    if flag is not None:
        values |= {"flag": flag.number, "flag_half": flag.half}
    if predicate is not None:
        values |= {"predicated": 1, "inverted": int(predicate.inverted)}
    if condition is not None:
        values["condition"] = condition.condition.code
    return values


def _index(choices: tuple[int, ...], value: int, what: str) -> int:
    if value not in choices:
        raise EncodeError(f"{what} {value} is not one of {', '.join(map(str, choices))}")
    return choices.index(value)


def _destination_values(destination: Destination | None) -> dict[str, int]:
    if destination is None:
        raise EncodeError("an ALU instruction needs a destination (null if unused)")
    return {
        "dst.file": destination.register.file.value,
        "dst.register": destination.register.number,
        "dst.byte": destination.register.byte,
        "dst.type": destination.type.code,
        "dst.stride": _index(_STRIDES, destination.stride, "destination stride"),
    }


def _source_values(index: int, source: Source | Immediate, *, ternary: bool, last: bool) -> dict[str, int]:
    prefix = f"src{index}."
    if isinstance(source, Immediate):
        if not last:
            raise EncodeError(f"src{index} cannot be an immediate: only the last source can")
        if source.type.bits == 64:
            if ternary:
                raise EncodeError("a 64-bit immediate does not fit a three-source instruction")
            return {prefix + "kind": _KIND_WIDE_IMMEDIATE, prefix + "type": source.type.code}
        return {
            prefix + "kind": _KIND_IMMEDIATE,
            prefix + "type": source.type.code,
            prefix + "immediate": source.bits,
        }
    if source.register.file is not RegisterFile.GRF:
        raise EncodeError(f"src{index} must be a general register")
    values = {
        prefix + "kind": _KIND_REGISTER,
        prefix + "type": source.type.code,
        prefix + "register": source.register.number,
        prefix + "byte": source.register.byte,
        prefix + "negate": int(source.negate),
        prefix + "absolute": int(source.absolute),
    }
    region = source.region
    if ternary:
        if region.width != 1 or region.horizontal != 0:
            raise EncodeError(f"src{index}: a three-source instruction takes only linear regions")
        values[prefix + "stride"] = _index(_STRIDES, region.vertical, "stride")
    else:
        values[prefix + "vertical"] = _index(_VERTICAL, region.vertical, "vertical stride")
        values[prefix + "width"] = _index(_WIDTHS, region.width, "width")
        values[prefix + "horizontal"] = _index(_STRIDES, region.horizontal, "horizontal stride")
    return values


def _dpas_values(instruction: Instruction) -> dict[str, int]:
    if instruction.destination is None or len(instruction.sources) != 3:
        raise EncodeError("dpas needs a destination and three sources")
    values = {
        "dst.register": instruction.destination.register.number,
        "dst.byte": instruction.destination.register.byte,
        "dst.type": instruction.destination.type.code,
        "repeat": instruction.repeat - 1,
    }
    for index, source in enumerate(instruction.sources):
        if not isinstance(source, Source):
            raise EncodeError("dpas takes no immediates")
        if source.register.is_null:
            if index != 0:
                raise EncodeError(f"src{index} of dpas cannot be null")
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
    if message is None or instruction.address is None:
        raise EncodeError("a message needs its fields and an address register")
    if not -(1 << 19) <= message.offset < 1 << 19:
        raise EncodeError(f"immediate offset {message.offset} does not fit 20 bits")
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
        "offset": message.offset & 0xFFFFF,
    }
    for register in (instruction.address, data, returned):
        if register is not None and (register.byte or register.file is not RegisterFile.GRF):
            raise EncodeError("message registers start at a whole general register")
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


# Decoding ------------------------------------------------------------------------------------------------------------


class _Word:
    """The fields of one word; unknown values and reserved bits raise `DecodeError`."""

    def __init__(self, data: bytes, offset: int):
        self.value = int.from_bytes(data, "little")
        self.offset = offset
        self.layout = _CONTROL

    def fail(self, reason: str) -> NoReturn:
        raise DecodeError(self.offset, reason)

    def use(self, layout: dict[str, Field]) -> None:
        self.layout = layout
        reserved = (1 << 128) - 1
        for field in layout.values():
            reserved &= ~(((1 << field.width) - 1) << field.lsb)
        if self.value & reserved:
            self.fail(f"reserved bits are set: {self.value & reserved:#x}")

    def get(self, name: str) -> int:
        field = self.layout[name]
        return (self.value >> field.lsb) & ((1 << field.width) - 1)

    def bit(self, name: str) -> bool:
        return bool(self.get(name))

    def pick(self, name: str, choices: dict[int, T] | tuple[T, ...]) -> T:
        code = self.get(name)
        if isinstance(choices, tuple):
            if code < len(choices):
                return choices[code]
        elif code in choices:
            return choices[code]
        self.fail(f"{name} has no value {code}")


def decode(data: bytes, offset: int = 0) -> Instruction:
    """The instruction whose first word starts at `offset` of `data`; raises `DecodeError`."""
    first = data[offset : offset + WORD_BYTES]
    if len(first) < WORD_BYTES:
        raise DecodeError(offset, f"{len(first)} bytes are left, an instruction takes {WORD_BYTES}")
    word = _Word(first, offset)
    opcode = word.get("opcode")
    function = 0
    if opcode == 0x31:
        word.layout = LAYOUTS["message"]
        function = word.get("function")
    spec = BY_OPCODE.get((opcode, function))
    if spec is None:
        word.fail(f"unknown opcode {opcode:#04x}" + (f" function {function:#04x}" if function else ""))
    match spec.format:
        case Format.ALU:
            return _decode_alu(word, spec, data)
        case Format.DPAS:
            return _decode_dpas(word, spec)
        case Format.MESSAGE:
            return _decode_message(word, spec)
        case Format.BRANCH:
            word.use(LAYOUTS["branch"])
            target = word.get("target")
            return _with_control(word, spec, target=target - (1 << 32) if target >> 31 else target)
        case Format.PLAIN:
            word.use(LAYOUTS["plain"])
            return _with_control(word, spec)


def _with_control(
    word: _Word,
    spec: OpSpec,
    *,
    destination: Destination | None = None,
    sources: tuple[Source | Immediate, ...] = (),
    message: Message | None = None,
    returned: Register | None = None,
    address: Register | None = None,
    data: Register | None = None,
    repeat: int = 0,
    target: int = 0,
) -> Instruction:
    flag = Flag(word.get("flag"), word.get("flag_half"))
    predicate = Predicate(flag, word.bit("inverted")) if word.bit("predicated") else None
    condition = None
    if word.get("condition"):
        code = word.pick("condition", _CONDITIONS)
        condition = ConditionModifier(code, None if spec.mnemonic == "sel" else flag)
    named = predicate is not None or (condition is not None and condition.flag is not None)
    if not named and (flag != Flag(0, 0) or word.bit("inverted")):
        word.fail("a flag is named but not used")
    if (predicate and not spec.predicate) or (condition and not spec.condition):
        word.fail(f"{spec.mnemonic} takes no {'predicate' if predicate else 'condition modifier'}")
    if word.bit("saturate") and not spec.saturate:
        word.fail(f"{spec.mnemonic} cannot saturate")
    return Instruction(
        spec,
        word.pick("exec_size", EXECUTION_SIZES),
        word.get("channel_offset") * 4,
        word.bit("no_mask"),
        predicate,
        condition,
        word.bit("saturate"),
        destination,
        sources,
        message,
        returned,
        address,
        data,
        repeat,
        target,
    )


def _decode_alu(word: _Word, spec: OpSpec, data: bytes) -> Instruction:
    last = spec.sources - 1
    word.layout = LAYOUTS[f"alu{spec.sources}"]
    kind = word.get(f"src{last}.kind")
    word.use(LAYOUTS[_layout_name(spec, kind != _KIND_REGISTER)])
    sources: list[Source | Immediate] = [_decode_source(word, i, ternary=spec.sources == 3) for i in range(last)]
    if kind == _KIND_REGISTER:
        sources.append(_decode_source(word, last, ternary=spec.sources == 3))
    else:
        sources.append(_decode_immediate(word, last, kind, data))
    file = RegisterFile(word.get("dst.file"))
    register = Register(file, word.get("dst.register"), word.get("dst.byte"))
    if file is RegisterFile.ARF and register != NULL:
        word.fail(f"destination is not a known architecture register: {register.number:#x}")
    stride = word.pick("dst.stride", _STRIDES)
    if stride == 0:
        word.fail("destination stride 0")
    destination = Destination(register, word.pick("dst.type", BY_CODE), stride)
    return _with_control(word, spec, destination=destination, sources=tuple(sources))


def _decode_source(word: _Word, index: int, *, ternary: bool) -> Source:
    prefix = f"src{index}."
    if word.get(prefix + "kind") != _KIND_REGISTER:
        word.fail(f"src{index} cannot be an immediate: only the last source can")
    if ternary:
        region = Region(word.pick(prefix + "stride", _STRIDES), 1, 0)
    else:
        region = Region(
            word.pick(prefix + "vertical", _VERTICAL),
            word.pick(prefix + "width", _WIDTHS),
            word.pick(prefix + "horizontal", _STRIDES),
        )
    register = Register(RegisterFile.GRF, word.get(prefix + "register"), word.get(prefix + "byte"))
    data_type = word.pick(prefix + "type", BY_CODE)
    return Source(register, data_type, region, word.bit(prefix + "negate"), word.bit(prefix + "absolute"))


def _decode_immediate(word: _Word, index: int, kind: int, data: bytes) -> Immediate:
    prefix = f"src{index}."
    data_type = word.pick(prefix + "type", BY_CODE)
    wide = data_type.bits == 64
    if kind != (_KIND_WIDE_IMMEDIATE if wide else _KIND_IMMEDIATE):
        word.fail(f"src{index}: kind {kind} does not go with a {data_type.text} immediate")
    if not wide:
        bits = word.get(prefix + "immediate")
        if bits >> data_type.bits:
            word.fail(f"immediate {bits:#x} is wider than {data_type.text}")
        return Immediate(data_type, bits)
    start = word.offset + WORD_BYTES
    extension = data[start : start + WORD_BYTES]
    if len(extension) < WORD_BYTES or any(extension[8:]):
        word.fail("the word of the 64-bit immediate is missing or has reserved bits set")
    return Immediate(data_type, int.from_bytes(extension[:8], "little"))


def _decode_dpas(word: _Word, spec: OpSpec) -> Instruction:
    word.use(LAYOUTS["dpas"])

    def source(index: int) -> Source:
        prefix = f"src{index}."
        register = Register(RegisterFile.GRF, word.get(prefix + "register"), word.get(prefix + "byte"))
        return Source(register, word.pick(prefix + "type", BY_CODE))

    accumulator = source(0)
    if word.bit("src0.null"):
        if accumulator.register != Register(RegisterFile.GRF, 0):
            word.fail("a null src0 names a register")
        accumulator = Source(NULL, accumulator.type)
    register = Register(RegisterFile.GRF, word.get("dst.register"), word.get("dst.byte"))
    return _with_control(
        word,
        spec,
        destination=Destination(register, word.pick("dst.type", BY_CODE)),
        sources=(accumulator, source(1), source(2)),
        repeat=word.get("repeat") + 1,
    )


def _decode_message(word: _Word, spec: OpSpec) -> Instruction:
    word.use(LAYOUTS["message"])
    block = None
    if word.bit("block.present"):
        count = word.pick("block.count", ARRAY_LENGTHS)
        block = Block(word.get("block.width") + 1, word.get("block.height") + 1, count)
    elif word.get("block.width") or word.get("block.height") or word.get("block.count"):
        word.fail("a block shape is given but not marked present")
    offset = word.get("offset")
    message = Message(
        word.pick("unit", _UNITS),
        word.pick("data_size", _DATA_SIZES),
        word.pick("vector", VECTOR_SIZES),
        word.bit("transposed"),
        word.bit("vnni"),
        word.pick("cache", _CACHES),
        word.pick("address_size", _ADDRESS_SIZES),
        word.pick("model", _MODELS),
        offset - (1 << 20) if offset >> 19 else offset,
        block,
    )

    def register(name: str) -> Register | None:
        number = word.get(f"{name}.register")
        if not word.bit(f"{name}.null"):
            return Register(RegisterFile.GRF, number)
        if number:
            word.fail(f"a null {name} names a register")
        return None

    return _with_control(
        word,
        spec,
        message=message,
        returned=register("dst"),
        address=Register(RegisterFile.GRF, word.get("address.register")),
        data=register("data"),
    )
