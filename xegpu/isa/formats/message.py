"""Messages to memory: loads, stores, prefetches and atomics; block-2D messages have rules of their own (`block2d`)."""

from __future__ import annotations

import re
from dataclasses import replace

from xegpu.isa.formats.parts.atomics import check_atomic
from xegpu.isa.formats.parts.block2d import BLOCK_PAYLOAD, check_block2d
from xegpu.isa.formats.parts.messages import (
    CACHE_CODES,
    NOT_WRITTEN,
    UNIT_CODES,
    UNITS,
    cache_text,
    check_counts,
    check_whole_registers,
    message_cost,
    parse_cache,
    parse_count,
    parse_payload,
)
from xegpu.isa.formats.parts.operands import optional_values, read_general, read_optional
from xegpu.isa.formats.parts.rules import fail, in_file
from xegpu.isa.formats.parts.spans import Footprint, Span, byte_of
from xegpu.isa.formats.parts.word import CONTROL, FIRST_OWN_BIT, Word, consecutive, index, twos_complement
from xegpu.isa.formats.spec import FormatSpec, Syntax, define
from xegpu.isa.model.costs import InstructionCost, Pipe
from xegpu.isa.model.instruction import IllegalInstruction, Instruction
from xegpu.isa.model.messages import (
    ARRAY_LENGTHS,
    CACHE_CONTROLS,
    VECTOR_SIZES,
    AddressModel,
    AddressSize,
    BlockShape,
    CacheControl,
    DataSize,
    Message,
    Unit,
    block_bytes,
    data_bytes,
)
from xegpu.isa.model.operands import Register, grf
from xegpu.isa.model.table import InstructionFormat, MemoryAccessKind, OpSpec
from xegpu.isa.model.traffic import traffic
from xegpu.isa.notation.reader import NAME, NULL_WORD, Reading, register_number
from xegpu.targets import Target

_DATA_SIZES = {size.text: size for size in DataSize}
_DATA_SIZE_CODES = {size.code: size for size in DataSize}
_ADDRESS_SIZES = {size.text: size for size in AddressSize}
_ADDRESS_SIZE_CODES = {size.code: size for size in AddressSize}
_MODELS = {model.text: model for model in AddressModel}
_MODEL_CODES = {model.code: model for model in AddressModel}


def message_of(instruction: Instruction) -> Message:
    """Returns the fields of a message."""
    if instruction.message is None:
        raise IllegalInstruction(f"{instruction.mnemonic}: not a message")
    return instruction.message


# Encoding ------------------------------------------------------------------------------------------------------------

_OFFSET_BITS = 20
_LAYOUT = CONTROL | consecutive(
    FIRST_OWN_BIT,
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
    ("offset", _OFFSET_BITS),
    ("block.present", 1),
    ("block.width", 6),
    ("block.height", 5),
    ("block.count", 2),
)


def _encode(instruction: Instruction) -> dict[str, int]:
    message = message_of(instruction)
    assert instruction.address is not None
    values = {
        "unit": message.unit.code,
        "function": instruction.spec.function,
        "data_size": message.data_size.code,
        "vector": index(VECTOR_SIZES, message.vector, "vector size"),
        "transposed": int(message.transposed),
        "vnni": int(message.vnni),
        "cache": message.cache.code,
        "address_size": message.address_size.code,
        "model": message.model.code,
        "address.register": instruction.address.number,
        "offset": twos_complement("immediate offset", message.offset, _OFFSET_BITS),
    }
    values |= optional_values("dst.", instruction.returned)
    values |= optional_values("data.", instruction.data)
    if message.block is not None:
        values |= {
            "block.present": 1,
            "block.width": message.block.width - 1,
            "block.height": message.block.height - 1,
            "block.count": index(ARRAY_LENGTHS, message.block.count, "array length"),
        }
    return values


def _decode(word: Word, spec: OpSpec) -> Instruction:
    word.use(_LAYOUT)
    return Instruction(
        spec,
        *word.control(spec),
        message=word.once("block", _read_message, _MESSAGE_FIELDS),
        returned=read_optional(word, "dst"),
        address=read_general(word, "address"),
        data=read_optional(word, "data"),
    )


def _read_message(word: Word, name: str) -> Message:
    block = None
    if word.bit("block.present"):
        count = word.pick("block.count", ARRAY_LENGTHS)
        block = BlockShape(word.get("block.width") + 1, word.get("block.height") + 1, count)
    elif word.get("block.width") or word.get("block.height") or word.get("block.count"):
        word.fail("a block shape is given but not marked present")
    return Message(
        word.pick("unit", UNIT_CODES),
        word.pick("data_size", _DATA_SIZE_CODES),
        word.pick("vector", VECTOR_SIZES),
        word.bit("transposed"),
        word.bit("vnni"),
        word.pick("cache", CACHE_CODES),
        word.pick("address_size", _ADDRESS_SIZE_CODES),
        word.pick("model", _MODEL_CODES),
        word.signed("offset"),
        block,
    )


_MESSAGE_FIELDS = (
    "unit",
    "data_size",
    "vector",
    "transposed",
    "vnni",
    "cache",
    "address_size",
    "model",
    "offset",
)
"""The fields of a `Message`, besides those of its block."""


# Text ----------------------------------------------------------------------------------------------------------------

_OFFSET = re.compile(r"([+-])\s*(0[xX][0-9a-fA-F]+|\d+)(?!\w)")
_SHAPE = re.compile(r"({})(?:x(\d+))?(t?)(v?)".format("|".join(sorted(_DATA_SIZES, reverse=True))))
_BLOCK = re.compile(r"([1-9]\d*)x([1-9]\d*)x([1-9]\d*)(?!\w)")


def _parse(reading: Reading, instruction: Instruction) -> Instruction:
    spec, scanner = instruction.spec, reading.scanner
    message = _parse_qualifiers(reading, spec)
    counts = [NOT_WRITTEN, NOT_WRITTEN, NOT_WRITTEN]
    returned = data = None
    may_return = spec.access is MemoryAccessKind.ATOMIC and scanner.match(NULL_WORD) is None
    if spec.access is MemoryAccessKind.LOAD or may_return:
        returned, counts[0] = parse_payload(reading)
    message, address = _parse_address(reading, message)
    counts[1] = parse_count(scanner)
    if spec.sources:
        data, counts[2] = parse_payload(reading)
    if spec.block2d:
        match = scanner.expect_match(_BLOCK, "a block shape such as 16x8x1")
        message = replace(message, block=BlockShape(int(match[1]), int(match[2]), int(match[3])))
    instruction = replace(instruction, message=message, returned=returned, address=address, data=data)
    check_counts(scanner, counts, register_counts(instruction, reading.context.grf_bytes))
    return instruction


def _parse_qualifiers(reading: Reading, spec: OpSpec) -> Message:
    """Reads `.unit.shape.address` and, after them, the two levels of a cache control."""
    if len(reading.qualifiers) not in (3, 5):
        reading.fail(f"expected unit, data and address size such as {spec.mnemonic}.ugm.d32.a64")
    unit, shape, address_size, *levels = reading.qualifiers
    match = _SHAPE.fullmatch(shape)
    if unit not in UNITS or match is None or address_size not in _ADDRESS_SIZES:
        reading.fail(f"no message '.{unit}.{shape}.{address_size}'")
    size, vector, transposed, vnni = match.groups()
    return Message(
        UNITS[unit],
        _DATA_SIZES[size],
        int(vector or 1),
        bool(transposed),
        bool(vnni),
        parse_cache(reading, spec, levels),
        _ADDRESS_SIZES[address_size],
    )


def _parse_address(reading: Reading, message: Message) -> tuple[Message, Register]:
    """Reads `flat[r4+0x40]`."""
    scanner = reading.scanner
    column = scanner.column
    model = scanner.expect_match(NAME, "an address such as flat[r4]").group()
    if model not in _MODELS:
        scanner.fail(f"unknown address model '{model}', expected one of {', '.join(_MODELS)}", column)
    scanner.expect("[")
    register = grf(register_number(scanner, reading.context))
    match = scanner.match(_OFFSET)
    scanner.expect("]")
    offset = int(match[1] + match[2], 16 if match[2][:2] in ("0x", "0X") else 10) if match else 0
    return replace(message, model=_MODELS[model], offset=offset), register


def _format_qualifiers(instruction: Instruction) -> str:
    message = message_of(instruction)
    shape = message.data_size.text
    if message.block is None and (message.vector > 1 or message.transposed):
        shape += f"x{message.vector}"
    shape += ("t" if message.transposed else "") + ("v" if message.vnni else "")
    parts = [message.unit.text, shape, message.address_size.text]
    if message.cache.code:
        assert instruction.spec.access is not None
        parts.append(cache_text(message.cache, instruction.spec.access))
    return "." + ".".join(parts)


def _format_operands(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    message, address = message_of(instruction), instruction.address
    assert address is not None
    returned = addressed = data = ""
    if grf_bytes is not None:
        returned, addressed, data = (f":{n}" for n in register_counts(instruction, grf_bytes))
    offset = f"{'-' if message.offset < 0 else '+'}{abs(message.offset):#x}" if message.offset else ""
    parts = [f"{message.model.text}[r{address.number}{offset}]{addressed}"]
    if instruction.returned is not None:
        parts.insert(0, f"r{instruction.returned.number}{returned}")
    elif instruction.spec.access is MemoryAccessKind.ATOMIC:
        parts.insert(0, "null")
    if instruction.data is not None:
        parts.append(f"r{instruction.data.number}{data}")
    if message.block is not None:
        parts.append(f"{message.block.width}x{message.block.height}x{message.block.count}")
    return parts


def register_counts(instruction: Instruction, grf_bytes: int) -> tuple[int, int, int]:
    """Returns the numbers of registers that a message returns, of its address payload, and of its data."""
    message = message_of(instruction)
    dwords = grf_bytes // 4
    data = data_bytes(message, instruction.exec_size, grf_bytes, dwords)
    addressed = 1 if message.transposed or message.block else instruction.exec_size
    addresses = -(-addressed * message.address_size.size // grf_bytes)
    return data // grf_bytes, addresses, instruction.spec.sources * data // grf_bytes


# Rules ---------------------------------------------------------------------------------------------------------------

GATHER_VECTORS = {
    DataSize.D32: (1, 2, 3, 4, 8),
    DataSize.D64: (1, 2, 3, 4, 8),
    DataSize.D8U32: (1,),
    DataSize.D16U32: (1,),
}
"""The vector sizes of gathers and scatters, by the size of their elements."""


def _check_form(instruction: Instruction) -> None:
    spec, message = instruction.spec, instruction.message
    if message is None or instruction.address is None:
        fail(instruction, "needs message fields and an address register")
    if (instruction.data is not None) != (spec.sources > 0):
        fail(instruction, "needs data" if spec.sources else "takes no data")
    loads = spec.access is MemoryAccessKind.LOAD
    if spec.access is not MemoryAccessKind.ATOMIC and (instruction.returned is not None) != loads:
        fail(instruction, "needs a register to return to" if loads else "returns nothing")
    if (message.block is not None) != spec.block2d:
        fail(instruction, "a block shape belongs to block-2D messages, and only to them")
    if message.block is not None and message.vector != 1:
        fail(instruction, "a block-2D message has vector size 1")
    check_whole_registers(instruction)


def check_message(instruction: Instruction, target: Target, grf_count: int) -> None:
    """Raises `IllegalInstruction` unless a target has the message, whose form is right."""
    spec, message, address = instruction.spec, message_of(instruction), instruction.address
    assert address is not None
    _check_memory(instruction, message)
    _check_cache(instruction, message)
    if spec.block2d:
        check_block2d(instruction, message, target)
    elif spec.access is MemoryAccessKind.ATOMIC:
        check_atomic(instruction, message, target)
    elif message.vnni:
        fail(instruction, "only block-2D loads have the VNNI transform")
    elif message.transposed:
        if instruction.exec_size != 1 or message.data_size not in (DataSize.D32, DataSize.D64):
            fail(instruction, "a transposed message is SIMD1 with d32 or d64 elements")
    elif message.vector not in GATHER_VECTORS.get(message.data_size, ()):
        fail(instruction, f"no gather of {message.data_size.text}x{message.vector}")
    block = data_bytes(message, instruction.exec_size, target.platform.grf_bytes, target.platform.physical_simd_width)
    used = max(spec.sources, 1) * block
    if not spec.block2d and used > target.platform.max_message_bytes:
        fail(instruction, f"{used} bytes of data, a message carries up to {target.platform.max_message_bytes}")
    in_file(instruction, address, address_bytes(instruction, target), target, grf_count)
    if instruction.returned is not None:
        in_file(instruction, instruction.returned, block, target, grf_count)
    if instruction.data is not None:
        in_file(instruction, instruction.data, used, target, grf_count)


def address_bytes(instruction: Instruction, target: Target) -> int:
    """Returns the register bytes of the address payload of a message."""
    message = message_of(instruction)
    if message.block is not None:
        return target.platform.grf_bytes
    return (1 if message.transposed else instruction.exec_size) * message.address_size.size


def _check_memory(instruction: Instruction, message: Message) -> None:
    if message.unit is Unit.UGM:
        return
    if message.unit is not Unit.SLM:
        fail(instruction, f"{message.unit.text} holds no memory")
    if instruction.spec.access is MemoryAccessKind.PREFETCH or instruction.spec.block2d:
        fail(instruction, "is a message to ugm")
    if (message.address_size, message.model) != (AddressSize.A32, AddressModel.FLAT):
        fail(instruction, "slm takes flat a32 addresses")


def _check_cache(instruction: Instruction, message: Message) -> None:
    access = instruction.spec.access
    assert access is not None
    if message.unit is Unit.SLM and message.cache is not CacheControl.DEFAULT:
        fail(instruction, "slm has no cache controls")
    if message.cache not in CACHE_CONTROLS[access.value]:
        fail(instruction, f"cache control {cache_text(message.cache, access)} is not for this message")


# Registers and cycles ------------------------------------------------------------------------------------------------


def _footprint(instruction: Instruction, target: Target, grf_count: int) -> Footprint:
    message, address = instruction.message, instruction.address
    if message is None or address is None or instruction.spec.access is MemoryAccessKind.PREFETCH:
        return Footprint()
    start = byte_of(address, target)
    if message.block is not None:
        fields = [Span(start + offset, size, size) for offset, size in BLOCK_PAYLOAD]
    else:
        unit = message.address_size.size
        fields = [Span(start, (1 if message.transposed else instruction.exec_size) * unit, unit)]
    data, returned = (
        payload_spans(instruction, message, register, target) for register in (instruction.data, instruction.returned)
    )
    return Footprint((*fields, *data), returned)


def data_spans(instruction: Instruction, message: Message, target: Target) -> tuple[Span, ...]:
    """Returns the data of a load or store: one span for each vector element of a gather, else one span."""
    return payload_spans(instruction, message, instruction.returned or instruction.data, target)


def payload_spans(
    instruction: Instruction, message: Message, register: Register | None, target: Target
) -> tuple[Span, ...]:
    """Returns the data of a message that begins at a register.

    That is one span for each element or operand of the channels, and one span in all for blocks.
    """
    if register is None:
        return ()
    start, unit = byte_of(register, target), message.data_size.register_bytes
    if message.block is not None:
        return (Span(start, message.block.count * block_bytes(message, target.platform.grf_bytes), unit),)
    if message.transposed:
        return (Span(start, message.vector * unit, unit),)
    whole = data_bytes(message, instruction.exec_size, target.platform.grf_bytes, target.platform.physical_simd_width)
    block = whole // message.vector
    count = message.vector
    if instruction.spec.access is MemoryAccessKind.ATOMIC and register is instruction.data:
        count = instruction.spec.sources
    return tuple(Span(start + v * block, instruction.exec_size * unit, unit) for v in range(count))


def _cost(instruction: Instruction, target: Target) -> InstructionCost:
    moved = traffic(instruction)
    return InstructionCost(Pipe.SEND) if moved is None else message_cost(moved, target.timing)


# Documentation -------------------------------------------------------------------------------------------------------


def _syntax(spec: OpSpec) -> Syntax:
    returned = ("dst",) if spec.access in (MemoryAccessKind.LOAD, MemoryAccessKind.ATOMIC) else ()
    data = ("src",) if spec.sources else ()
    operands = ("flat[rA]", *data, "WxHxL") if spec.block2d else ("MODEL[rA[+offset]]", *data)
    channels = "(1|Moff)" if spec.block2d else "(ES|Moff)"
    return Syntax(".UNIT.SHAPE.aN[.L1.L3]", channels, (*returned, *operands))


define(
    FormatSpec(
        format=InstructionFormat.MESSAGE,
        fields=frozenset({"message", "returned", "address", "data"}),
        layouts={"message": _LAYOUT},
        encode=_encode,
        decode=_decode,
        parse=_parse,
        format_qualifiers=_format_qualifiers,
        format_operands=_format_operands,
        check_form=_check_form,
        validate=check_message,
        footprint=_footprint,
        by_channel=True,
        cost=_cost,
        syntax=_syntax,
        section="Messages",
    )
)
