"""128-bit words to instructions."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn, TypeVar

from xegpu.isa.formats.form import check_form
from xegpu.isa.formats.layouts import (
    CONTROL,
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
from xegpu.isa.model.image_messages import ImageMessage
from xegpu.isa.model.instruction import (
    EXECUTION_SIZES,
    Combination,
    ConditionModifier,
    IllegalInstruction,
    Instruction,
    Predicate,
)
from xegpu.isa.model.messages import (
    ARRAY_LENGTHS,
    VECTOR_SIZES,
    AddressModel,
    AddressSize,
    BlockShape,
    CacheControl,
    DataSize,
    FenceFields,
    Flush,
    MemoryScope,
    Message,
    Unit,
)
from xegpu.isa.model.operands import (
    ADDRESS_WORDS,
    ARCHITECTURE,
    NULL,
    SCALAR,
    Destination,
    Flag,
    Immediate,
    Region,
    Register,
    RegisterFile,
    SourceRegister,
)
from xegpu.isa.model.table import (
    BY_OPCODE,
    GOTO_OPCODE,
    MATH_OPCODE,
    MESSAGE_OPCODE,
    SAMPLER_OPCODE,
    Condition,
    Extra,
    InstructionFormat,
    OpSpec,
)
from xegpu.isa.model.types import BY_CODE

T = TypeVar("T")

_FUNCTIONS = {MESSAGE_OPCODE: "message", SAMPLER_OPCODE: "image", MATH_OPCODE: "function", GOTO_OPCODE: "goto"}
"""Opcodes that instructions share, and a layout that has the field that tells them apart."""

_COMBINATIONS = {c.code: c for c in Combination}
_CONDITIONS = {c.code: c for c in Condition}
_FILES = {f.value: f for f in RegisterFile}
_UNITS = {u.code: u for u in Unit}
_DATA_SIZES = {d.code: d for d in DataSize}
_CACHES = {c.code: c for c in CacheControl}
_ADDRESS_SIZES = {a.code: a for a in AddressSize}
_MODELS = {m.code: m for m in AddressModel}
_FLUSHES = {f.code: f for f in Flush}
_SCOPES = {s.code: s for s in MemoryScope}


class DecodeError(ValueError):
    """Bytes are no legal instruction; `offset` is the byte offset in the decoded block."""

    def __init__(self, offset: int, reason: str):
        super().__init__(f"illegal instruction at offset {offset:#x}: {reason}")
        self.offset = offset
        self.reason = reason


class _Word:
    """The fields of one word; unknown values and reserved bits raise `DecodeError`."""

    def __init__(self, data: bytes, offset: int):
        self.value = int.from_bytes(data, "little")
        self.offset = offset
        self.layout = CONTROL

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
    if opcode in _FUNCTIONS:
        word.layout = LAYOUTS[_FUNCTIONS[opcode]]
        function = word.get("function")
    spec = BY_OPCODE.get((opcode, function))
    if spec is None:
        word.fail(f"unknown opcode {opcode:#04x}" + (f" function {function:#04x}" if function else ""))
    instruction = _decode_as(word, spec, data)
    try:
        check_form(instruction)
    except IllegalInstruction as error:
        raise DecodeError(offset, str(error)) from None
    return instruction


def _decode_as(word: _Word, spec: OpSpec, data: bytes) -> Instruction:
    match spec.format:
        case InstructionFormat.ALU:
            return _decode_alu(word, spec, data)
        case InstructionFormat.DPAS:
            return _decode_dpas(word, spec)
        case InstructionFormat.MESSAGE:
            return _decode_message(word, spec)
        case InstructionFormat.IMAGE:
            return _decode_image(word, spec)
        case InstructionFormat.BARRIER:
            return _decode_barrier(word, spec, data)
        case InstructionFormat.FENCE:
            word.use(LAYOUTS["fence"])
            fence = FenceFields(word.pick("unit", _UNITS), word.pick("flush", _FLUSHES), word.pick("scope", _SCOPES))
            return replace(_with_control(word, spec), fence=fence)
        case InstructionFormat.BRANCH:
            word.use(LAYOUTS["branch"])
            return _with_control(word, spec, target=_signed(word.get("target"), 32))
        case (
            InstructionFormat.GOTO
            | InstructionFormat.JOIN
            | InstructionFormat.CALL
            | InstructionFormat.INDIRECT_CALL
            | InstructionFormat.RETURN
        ):
            return _decode_flow(word, spec)
        case InstructionFormat.PLAIN:
            word.use(LAYOUTS["plain"])
            return _with_control(word, spec)


def _signed(bits: int, width: int) -> int:
    """The number that `width` bits of two's complement stand for."""
    return bits - (1 << width) if bits >> (width - 1) else bits


def _with_control(
    word: _Word,
    spec: OpSpec,
    *,
    destination: Destination | None = None,
    sources: tuple[SourceRegister | Immediate, ...] = (),
    message: Message | None = None,
    returned: Register | None = None,
    address: Register | None = None,
    data: Register | None = None,
    repeat: int = 0,
    target: int = 0,
    table: int = 0,
    carry: Register | None = None,
) -> Instruction:
    flag = Flag(word.get("flag"), word.get("flag_half"))
    predicate = None
    if word.get("predicate"):
        predicate = Predicate(flag, word.bit("inverted"), word.pick("predicate", _COMBINATIONS))
    condition = None
    if word.get("condition"):
        code = word.pick("condition", _CONDITIONS)
        condition = ConditionModifier(code, None if spec.selects else flag)
    named = predicate is not None or (condition is not None and condition.flag is not None)
    if not named and flag != Flag(0, 0):
        word.fail("a flag is named but not used")
    if predicate is None and word.bit("inverted"):
        word.fail("an inversion without a predicate")
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
        table,
        carry,
    )


def _decode_alu(word: _Word, spec: OpSpec, data: bytes) -> Instruction:
    last = spec.sources - 1
    word.layout = LAYOUTS[layout_name(spec, False)]
    immediate = word.get(f"src{last}.kind") == KIND_IMMEDIATE
    layout = layout_name(spec, immediate)
    if layout not in LAYOUTS:
        word.fail(f"{spec.mnemonic} takes no immediates")
    word.use(LAYOUTS[layout])
    sources: list[SourceRegister | Immediate] = [
        _decode_source(word, i, ternary=spec.sources == 3) for i in range(last)
    ]
    if immediate:
        sources.append(_decode_immediate(word, last, data))
    else:
        sources.append(_decode_source(word, last, ternary=spec.sources == 3))
    file = word.pick("dst.file", _FILES)
    register = _register(word, "dst.", file)
    stride = word.pick("dst.stride", STRIDES)
    if stride == 0:
        word.fail("destination stride 0")
    destination = Destination(register, word.pick("dst.type", BY_CODE), stride)
    carry = None
    if spec.extra is Extra.CARRY:
        carry = Register(RegisterFile.GRF, word.get("carry.register"), word.get("carry.byte"))
    table = word.get("table") if spec.extra is Extra.TABLE else 0
    return _with_control(word, spec, destination=destination, sources=tuple(sources), table=table, carry=carry)


def _register(word: _Word, prefix: str, file: RegisterFile) -> Register:
    """A register of any file; the fields of an indirect one hold its word of a0 and, above, the constant."""
    number, byte = word.get(prefix + "register"), word.get(prefix + "byte")
    if file is RegisterFile.INDIRECT:
        return Register(file, number % ADDRESS_WORDS, _signed((number | byte << 8) >> 4, 10))
    register = Register(file, number, byte)
    if file is RegisterFile.ARF and register != NULL:
        if number not in ARCHITECTURE:
            word.fail(f"{prefix}register is no known architecture register: {number:#x}")
        if byte >= ARCHITECTURE[number].size:
            word.fail(f"{prefix}byte is outside of {ARCHITECTURE[number].text}: {byte}")
    return register


def _decode_source(word: _Word, index: int, *, ternary: bool) -> SourceRegister:
    prefix = f"src{index}."
    kind = word.get(prefix + "kind")
    if kind == KIND_IMMEDIATE:
        word.fail(f"src{index} cannot be an immediate: only the last source can")
    if ternary:
        region = Region(word.pick(prefix + "stride", STRIDES), 1, 0)
    else:
        region = Region(
            word.pick(prefix + "vertical", VERTICAL_STRIDES),
            word.pick(prefix + "width", WIDTHS),
            word.pick(prefix + "horizontal", STRIDES),
        )
    register = _register(word, prefix, word.pick(prefix + "kind", KINDS))
    data_type = word.pick(prefix + "type", BY_CODE)
    negate, absolute = (prefix + name in word.layout and word.bit(prefix + name) for name in ("negate", "absolute"))
    return SourceRegister(register, data_type, region, negate, absolute)


def _decode_immediate(word: _Word, index: int, data: bytes) -> Immediate:
    prefix = f"src{index}."
    data_type = word.pick(prefix + "type", BY_CODE)
    bits = word.get(prefix + "immediate")
    if word.layout[prefix + "immediate"].width < 32 and data_type.bits == 64:
        word.fail("a 64-bit immediate does not fit a three-source instruction")
    if data_type.bits < 64:
        if bits >> data_type.bits:
            word.fail(f"immediate {bits:#x} is wider than {data_type.text}")
        return Immediate(data_type, bits)
    if bits:
        word.fail("an immediate of 64 bits is in the following word, but this one has bits of it")
    start = word.offset + WORD_BYTES
    extension = data[start : start + WORD_BYTES]
    if len(extension) < WORD_BYTES or any(extension[8:]):
        word.fail("the word of the 64-bit immediate is missing or has reserved bits set")
    return Immediate(data_type, int.from_bytes(extension[:8], "little"))


def _decode_dpas(word: _Word, spec: OpSpec) -> Instruction:
    word.use(LAYOUTS["dpas"])

    def source(index: int) -> SourceRegister:
        prefix = f"src{index}."
        register = Register(RegisterFile.GRF, word.get(prefix + "register"), word.get(prefix + "byte"))
        return SourceRegister(register, word.pick(prefix + "type", BY_CODE))

    accumulator = source(0)
    if word.bit("src0.null"):
        if accumulator.register != Register(RegisterFile.GRF, 0):
            word.fail("a null src0 names a register")
        accumulator = SourceRegister(NULL, accumulator.type)
    register = Register(RegisterFile.GRF, word.get("dst.register"), word.get("dst.byte"))
    return _with_control(
        word,
        spec,
        destination=Destination(register, word.pick("dst.type", BY_CODE)),
        sources=(accumulator, source(1), source(2)),
        repeat=word.get("repeat") + 1,
    )


def _decode_flow(word: _Word, spec: OpSpec) -> Instruction:
    word.use(LAYOUTS[spec.format.value])
    instruction = _with_control(word, spec)

    def register(name: str) -> Register:
        return Register(RegisterFile.GRF, word.get(f"{name}.register"), word.get(f"{name}.byte"))

    match spec.format:
        case InstructionFormat.GOTO:
            return replace(instruction, target=_signed(word.get("target"), 32), join=_signed(word.get("join"), 32))
        case InstructionFormat.JOIN:
            return replace(instruction, join=_signed(word.get("join"), 32))
        case InstructionFormat.CALL:
            return replace(instruction, target=_signed(word.get("target"), 32), returned=register("dst"))
        case InstructionFormat.INDIRECT_CALL:
            return replace(instruction, returned=register("dst"), address=register("address"))
        case _:
            return replace(instruction, address=register("address"))


def _decode_barrier(word: _Word, spec: OpSpec, data: bytes) -> Instruction:
    if not spec.sources:
        word.use(LAYOUTS[layout_name(spec, False)])
        return _with_control(word, spec)
    word.layout = LAYOUTS[layout_name(spec, False)]
    immediate = word.get("src0.kind") == KIND_IMMEDIATE
    word.use(LAYOUTS[layout_name(spec, immediate)])
    if immediate:
        return _with_control(word, spec, sources=(_decode_immediate(word, 0, data),))
    register = _register(word, "src0.", word.pick("src0.kind", KINDS))
    return _with_control(word, spec, sources=(SourceRegister(register, word.pick("src0.type", BY_CODE), SCALAR),))


def _decode_message(word: _Word, spec: OpSpec) -> Instruction:
    word.use(LAYOUTS["message"])
    block = None
    if word.bit("block.present"):
        count = word.pick("block.count", ARRAY_LENGTHS)
        block = BlockShape(word.get("block.width") + 1, word.get("block.height") + 1, count)
    elif word.get("block.width") or word.get("block.height") or word.get("block.count"):
        word.fail("a block shape is given but not marked present")
    message = Message(
        word.pick("unit", _UNITS),
        word.pick("data_size", _DATA_SIZES),
        word.pick("vector", VECTOR_SIZES),
        word.bit("transposed"),
        word.bit("vnni"),
        word.pick("cache", _CACHES),
        word.pick("address_size", _ADDRESS_SIZES),
        word.pick("model", _MODELS),
        _signed(word.get("offset"), 20),
        block,
    )
    return _with_control(
        word,
        spec,
        message=message,
        returned=_optional(word, "dst"),
        address=Register(RegisterFile.GRF, word.get("address.register")),
        data=_optional(word, "data"),
    )


def _optional(word: _Word, name: str) -> Register | None:
    """A general register, or None if the word says that there is none."""
    byte = f"{name}.byte"
    register = Register(RegisterFile.GRF, word.get(f"{name}.register"), word.get(byte) if byte in word.layout else 0)
    if not word.bit(f"{name}.null"):
        return register
    if register.number or register.byte:
        word.fail(f"a null {name} names a register")
    return None


def _decode_image(word: _Word, spec: OpSpec) -> Instruction:
    word.use(LAYOUTS["image"])
    image = ImageMessage(
        word.pick("unit", _UNITS), word.get("channels"), word.get("coordinates") + 1, word.pick("cache", _CACHES)
    )
    instruction = _with_control(
        word,
        spec,
        returned=_optional(word, "dst"),
        address=Register(RegisterFile.GRF, word.get("address.register")),
        data=_optional(word, "data"),
    )
    surface = Register(RegisterFile.GRF, word.get("surface.register"), word.get("surface.byte"))
    return replace(instruction, image=image, surface=surface, sampler=_optional(word, "sampler"))
