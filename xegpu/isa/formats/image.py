"""Messages to images: reads, writes and samples of texels through surface and sampler states."""

from __future__ import annotations

from dataclasses import replace

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
from xegpu.isa.formats.parts.operands import (
    optional_values,
    read_general,
    read_optional,
    register_fields,
    register_values,
)
from xegpu.isa.formats.parts.rules import aligned, fail, in_file
from xegpu.isa.formats.parts.spans import Footprint, Span, byte_of
from xegpu.isa.formats.parts.word import CONTROL, FIRST_OWN_BIT, Word, consecutive
from xegpu.isa.formats.spec import FormatSpec, Syntax, define
from xegpu.isa.model.costs import InstructionCost, Pipe
from xegpu.isa.model.image_messages import (
    CHANNELS,
    COORDINATES,
    ELEMENT_BYTES,
    ImageMessage,
    channel_bytes,
    channel_text,
)
from xegpu.isa.model.instruction import IllegalInstruction, Instruction
from xegpu.isa.model.messages import CACHE_CONTROLS, CacheControl, DataSize, Unit
from xegpu.isa.model.operands import Register, RegisterFile, grf
from xegpu.isa.model.table import SAMPLER_OPCODE, InstructionFormat, OpSpec
from xegpu.isa.model.traffic import traffic
from xegpu.isa.model.types import DataType
from xegpu.isa.notation.reader import NAME, Reading, element_register, register_number
from xegpu.isa.notation.writer import format_register
from xegpu.targets import Target

HANDLE_BYTES = 8
"""Bytes of the address of a surface state or a sampler state."""

_COORDINATES = {"sample_lz": (1, 2, 3), "sample_l": (4,)}
"""Numbers of coordinates of the instructions that do not take any."""


def image_of(instruction: Instruction) -> ImageMessage:
    """Returns the fields of an image message."""
    if instruction.image is None:
        raise IllegalInstruction(f"{instruction.mnemonic}: no image message")
    return instruction.image


def image_unit(spec: OpSpec) -> Unit:
    """Returns the shared function that an image message goes to."""
    return Unit.SAMPLER if spec.opcode == SAMPLER_OPCODE else Unit.TYPED


def coordinate_counts(spec: OpSpec) -> tuple[int, ...]:
    """Returns the numbers of coordinates that an image message may carry."""
    return _COORDINATES.get(spec.mnemonic, tuple(range(1, len(COORDINATES) + 1)))


# Encoding ------------------------------------------------------------------------------------------------------------

_LAYOUT = CONTROL | consecutive(
    FIRST_OWN_BIT,
    ("unit", 4),
    ("function", 6),
    ("channels", 4),
    ("coordinates", 2),
    ("cache", 3),
    ("dst.null", 1),
    ("dst.register", 8),
    ("address.register", 8),
    ("data.null", 1),
    ("data.register", 8),
    *register_fields("surface"),
    ("sampler.null", 1),
    *register_fields("sampler"),
)


def _encode(instruction: Instruction) -> dict[str, int]:
    image, sampler = image_of(instruction), instruction.sampler
    assert instruction.address is not None
    values = {
        "unit": image.unit.code,
        "function": instruction.spec.function,
        "channels": image.channels,
        "coordinates": image.coordinates - 1,
        "cache": image.cache.code,
        "address.register": instruction.address.number,
        **register_values("surface.", instruction.surface),
    }
    values |= optional_values("dst.", instruction.returned)
    values |= optional_values("data.", instruction.data)
    return values | ({"sampler.null": 1} if sampler is None else register_values("sampler.", sampler))


def _decode(word: Word, spec: OpSpec) -> Instruction:
    word.use(_LAYOUT)
    image = ImageMessage(
        word.pick("unit", UNIT_CODES),
        word.get("channels"),
        word.get("coordinates") + 1,
        word.pick("cache", CACHE_CODES),
    )
    return Instruction(
        spec,
        *word.control(spec),
        returned=read_optional(word, "dst"),
        address=read_general(word, "address"),
        data=read_optional(word, "data"),
        image=image,
        surface=read_general(word, "surface"),
        sampler=read_optional(word, "sampler"),
    )


# Text ----------------------------------------------------------------------------------------------------------------


def _parse(reading: Reading, instruction: Instruction) -> Instruction:
    """Reads `.tgm.d32.xyzw.uv`, then `r20 bss[r4.2][r10]` and the other operands of the message."""
    spec, scanner = instruction.spec, reading.scanner
    image = _parse_qualifiers(reading, spec)
    counts = [NOT_WRITTEN, NOT_WRITTEN, NOT_WRITTEN]
    returned = sampler = data = None
    if not spec.sources:
        returned, counts[0] = parse_payload(reading)
    surface = _parse_handle(reading, "bss")
    scanner.expect("[")
    address = grf(register_number(scanner, reading.context))
    counts[1] = parse_count(scanner)
    scanner.expect("]")
    if spec.sampler:
        sampler = _parse_handle(reading, "sampler")
    if spec.sources:
        data, counts[2] = parse_payload(reading)
    instruction = replace(
        instruction,
        image=image,
        returned=returned,
        surface=surface,
        address=address,
        sampler=sampler,
        data=data,
    )
    check_counts(scanner, counts, _register_counts(instruction, reading.context.grf_bytes))
    return instruction


def _parse_qualifiers(reading: Reading, spec: OpSpec) -> ImageMessage:
    """Reads `.unit.d32.components.coordinates` and the levels of a cache control."""
    if len(reading.qualifiers) not in (4, 6):
        example = f"{spec.mnemonic}.{image_unit(spec).text}.d32.xyzw.{COORDINATES[coordinate_counts(spec)[-1] - 1]}"
        reading.fail(f"expected unit, size, components and coordinates such as {example}")
    unit, size, components, coordinates, *levels = reading.qualifiers
    masks = [mask for mask in range(1, 1 << len(CHANNELS)) if components == channel_text(mask)]
    if unit not in UNITS or size != DataSize.D32.text or not masks or coordinates not in COORDINATES:
        reading.fail(f"no message '.{unit}.{size}.{components}.{coordinates}'")
    cache = parse_cache(reading, spec, levels)
    return ImageMessage(UNITS[unit], masks[0], COORDINATES.index(coordinates) + 1, cache)


def _parse_handle(reading: Reading, name: str) -> Register:
    """Reads `bss[r4.2]`: the register, counted in qwords, that holds the address of a state."""
    scanner = reading.scanner
    column = scanner.column
    found = scanner.expect_match(NAME, f"a state such as {name}[r4.2]").group()
    if found != name:
        scanner.fail(f"expected {name}[...], found '{found}'", column)
    scanner.expect("[")
    register = element_register(scanner, reading.context, DataType.UQ)
    scanner.expect("]")
    return register


def _format_qualifiers(instruction: Instruction) -> str:
    image = image_of(instruction)
    assert instruction.spec.access is not None
    parts = [image.unit.text, DataSize.D32.text, image.shape]
    if image.cache.code:
        parts.append(cache_text(image.cache, instruction.spec.access))
    return "." + ".".join(parts)


def _format_operands(instruction: Instruction, label: str | None, grf_bytes: int | None) -> list[str]:
    surface, address = instruction.surface, instruction.address
    assert surface is not None
    assert address is not None
    returned = coordinates = data = ""
    if grf_bytes is not None:
        returned, coordinates, data = (f":{n}" for n in _register_counts(instruction, grf_bytes))
    parts = [f"r{instruction.returned.number}{returned}"] if instruction.returned is not None else []
    parts.append(f"bss[{format_register(surface, DataType.UQ)}][r{address.number}{coordinates}]")
    if instruction.sampler is not None:
        parts.append(f"sampler[{format_register(instruction.sampler, DataType.UQ)}]")
    if instruction.data is not None:
        parts.append(f"r{instruction.data.number}{data}")
    return parts


def _register_counts(instruction: Instruction, grf_bytes: int) -> tuple[int, int, int]:
    """Returns the numbers of registers that an image message returns, of its coordinates, and of its data."""
    image = image_of(instruction)
    block = channel_bytes(instruction.exec_size, grf_bytes, grf_bytes // ELEMENT_BYTES) // grf_bytes
    components = len(image.components) * block
    stores = instruction.spec.sources > 0
    return 0 if stores else components, image.coordinates * block, components if stores else 0


# Rules ---------------------------------------------------------------------------------------------------------------


def _check_form(instruction: Instruction) -> None:
    spec, image = instruction.spec, instruction.image
    if image is None or instruction.address is None or instruction.surface is None:
        fail(instruction, "needs message fields, a surface and coordinates")
    for what, register, expected in (
        ("data", instruction.data, spec.sources > 0),
        ("register to return to", instruction.returned, not spec.sources),
        ("sampler", instruction.sampler, spec.sampler),
    ):
        if (register is not None) != expected:
            fail(instruction, f"needs a {what}" if expected else f"takes no {what}")
    check_whole_registers(instruction)
    for register in (instruction.surface, instruction.sampler):
        if register is not None and register.file is not RegisterFile.GRF:
            fail(instruction, "a handle is a qword of a general register")
    if not 0 < image.channels < 1 << len(CHANNELS):
        fail(instruction, f"channel mask {image.channels:#x}, expected at least one of {CHANNELS}")
    _check_fields(instruction, image)


def _check_fields(instruction: Instruction, image: ImageMessage) -> None:
    spec = instruction.spec
    counts = coordinate_counts(spec)
    if image.coordinates not in counts:
        expected = " or ".join(COORDINATES[count - 1] for count in counts)
        fail(instruction, f"{image.coordinates} coordinates, expected {expected}")
    if image.unit is not image_unit(spec):
        fail(instruction, f"is a message to {image_unit(spec).text}, not {image.unit.text}")
    assert spec.access is not None
    cached = image.unit is not Unit.SAMPLER
    if image.cache is not CacheControl.DEFAULT and not (cached and image.cache in CACHE_CONTROLS[spec.access.value]):
        fail(instruction, "no such cache control for this message")


def _validate(instruction: Instruction, target: Target, grf_count: int) -> None:
    image, size = image_of(instruction), instruction.exec_size
    block = channel_bytes(size, target.platform.grf_bytes, target.platform.physical_simd_width)
    used = len(image.components) * block
    if used > target.platform.max_message_bytes:
        fail(instruction, f"{used} bytes of data, a message carries up to {target.platform.max_message_bytes}")
    operands: tuple[tuple[Register | None, int], ...] = (
        (instruction.address, image.coordinates * block),
        (instruction.data, used),
        (instruction.returned, used),
        (instruction.surface, HANDLE_BYTES),
        (instruction.sampler, HANDLE_BYTES),
    )
    for register, span in operands:
        if register is not None:
            in_file(instruction, register, span, target, grf_count)
            aligned(instruction, register, min(span, HANDLE_BYTES))


# Registers and cycles ------------------------------------------------------------------------------------------------


def _footprint(instruction: Instruction, target: Target, grf_count: int) -> Footprint:
    handles = [register for register in (instruction.surface, instruction.sampler) if register is not None]
    reads = [Span(byte_of(register, target), HANDLE_BYTES, HANDLE_BYTES) for register in handles]
    coordinates, data, returned = image_spans(instruction, target)
    return Footprint((*reads, *coordinates, *data), returned)


def image_spans(
    instruction: Instruction, target: Target
) -> tuple[tuple[Span, ...], tuple[Span, ...], tuple[Span, ...]]:
    """Returns the coordinates, the data and the returned components of an image message, a span for each."""
    image, channels = image_of(instruction), instruction.exec_size
    block = channel_bytes(channels, target.platform.grf_bytes, target.platform.physical_simd_width)

    def blocks(register: Register | None, count: int) -> tuple[Span, ...]:
        if register is None:
            return ()
        start = byte_of(register, target)
        return tuple(Span(start + n * block, channels * ELEMENT_BYTES, ELEMENT_BYTES) for n in range(count))

    components = len(image.components)
    return (
        blocks(instruction.address, image.coordinates),
        blocks(instruction.data, components),
        blocks(instruction.returned, components),
    )


def _cost(instruction: Instruction, target: Target) -> InstructionCost:
    moved, timing = traffic(instruction), target.timing
    if moved is None:
        return InstructionCost(Pipe.SEND)
    is_sample = image_of(instruction).unit is Unit.SAMPLER
    return message_cost(moved, timing, load_latency=timing.sampler_latency if is_sample else None)


# Documentation -------------------------------------------------------------------------------------------------------


def _syntax(spec: OpSpec) -> Syntax:
    sampler = ("sampler[rT.S]",) if spec.sampler else ()
    image = ("bss[rS.S][rA]", *sampler)
    return Syntax(".UNIT.d32.CHANNELS.COORDINATES", "(ES|Moff)", (*image, "src") if spec.sources else ("dst", *image))


define(
    FormatSpec(
        format=InstructionFormat.IMAGE,
        fields=frozenset({"image", "returned", "address", "data", "surface", "sampler"}),
        layouts={"image": _LAYOUT},
        encode=_encode,
        decode=_decode,
        parse=_parse,
        format_qualifiers=_format_qualifiers,
        format_operands=_format_operands,
        check_form=_check_form,
        validate=_validate,
        footprint=_footprint,
        by_channel=True,
        cost=_cost,
        syntax=_syntax,
        section="Images",
    )
)
