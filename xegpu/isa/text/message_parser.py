"""Reads messages: to memory, to images, and fences."""

from __future__ import annotations

import re
from dataclasses import replace

from xegpu.isa.formats.image_validation import coordinate_counts, image_register_counts, image_unit
from xegpu.isa.formats.message_validation import cache_text
from xegpu.isa.model.image_messages import (
    CHANNELS,
    COORDINATES,
    ImageMessage,
    channel_text,
)
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import (
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
from xegpu.isa.model.operands import Register, grf
from xegpu.isa.model.table import MemoryAccessKind, OpSpec
from xegpu.isa.model.types import DataType
from xegpu.isa.text.disassembler import register_counts
from xegpu.isa.text.operand_parser import (
    NAME,
    OperandContext,
    element_register,
    register_number,
)
from xegpu.isa.text.scanner import Scanner

_NULL = re.compile(r"null\b")
_INTEGER = re.compile(r"\d+")
_OFFSET = re.compile(r"([+-])\s*(0[xX][0-9a-fA-F]+|\d+)(?!\w)")
_SHAPE = re.compile(r"({})(?:x(\d+))?(t?)(v?)".format("|".join(sorted((d.text for d in DataSize), reverse=True))))
_BLOCK = re.compile(r"([1-9]\d*)x([1-9]\d*)x([1-9]\d*)(?!\w)")
_UNITS = {u.text: u for u in Unit}
_DATA_SIZES = {d.text: d for d in DataSize}
_ADDRESS_SIZES = {a.text: a for a in AddressSize}
_MODELS = {m.text: m for m in AddressModel}
_FLUSHES = {f.text: f for f in Flush}
_SCOPES = {s.text: s for s in MemoryScope}


def parse_message(
    scanner: Scanner, context: OperandContext, instruction: Instruction, qualifiers: list[str], column: int
) -> Instruction:
    """A load, store, prefetch or atomic: `instruction` with what follows its name, `.ugm.d32.a64`, and its operands."""
    spec = instruction.spec
    message = _message_fields(scanner, spec, qualifiers, column)
    counts: list[tuple[int | None, int]] = [(None, 0), (None, 0), (None, 0)]
    returned = data = None
    if spec.access is MemoryAccessKind.LOAD or (
        spec.access is MemoryAccessKind.ATOMIC and scanner.match(_NULL) is None
    ):
        returned = grf(register_number(scanner, context))
        counts[0] = _count(scanner)
    message, address = _address(scanner, context, message)
    counts[1] = _count(scanner)
    if spec.sources:
        data = grf(register_number(scanner, context))
        counts[2] = _count(scanner)
    if spec.block2d:
        match = scanner.expect_match(_BLOCK, "a block shape such as 16x8x1")
        message = replace(message, block=BlockShape(int(match[1]), int(match[2]), int(match[3])))
    instruction = replace(instruction, message=message, returned=returned, address=address, data=data)
    _check_counts(scanner, counts, register_counts(instruction, context.grf_bytes))
    return instruction


def _check_counts(scanner: Scanner, counts: list[tuple[int | None, int]], needed: tuple[int, int, int]) -> None:
    """Compares numbers of registers that are written with those that a message uses."""
    for (written, place), used in zip(counts, needed, strict=True):
        if written not in (None, used):
            scanner.fail(f"the message uses {used} registers here, not {written}", place)


def _message_fields(scanner: Scanner, spec: OpSpec, qualifiers: list[str], column: int) -> Message:
    """`.unit.shape.address` and, after them, the two levels of a cache control."""
    if len(qualifiers) not in (3, 5):
        scanner.fail(f"expected unit, data and address size such as {spec.mnemonic}.ugm.d32.a64", column)
    unit, shape, address_size, *levels = qualifiers
    match = _SHAPE.fullmatch(shape)
    if unit not in _UNITS or match is None or address_size not in _ADDRESS_SIZES:
        scanner.fail(f"no message '.{unit}.{shape}.{address_size}'", column)
    size, vector, transposed, vnni = match.groups()
    message = Message(
        _UNITS[unit],
        _DATA_SIZES[size],
        int(vector or 1),
        bool(transposed),
        bool(vnni),
        address_size=_ADDRESS_SIZES[address_size],
    )
    return replace(message, cache=_cache(scanner, spec, levels, column))


def _cache(scanner: Scanner, spec: OpSpec, levels: list[str], column: int) -> CacheControl:
    """The cache control with these two levels, the default one for none."""
    if not levels:
        return CacheControl.DEFAULT
    access = spec.access
    assert access is not None
    chosen = next((cache for cache in CacheControl if cache_text(cache, access) == ".".join(levels)), None)
    if chosen is None:
        scanner.fail(f"no cache control '{'.'.join(levels)}' for {spec.mnemonic}", column)
    return chosen


def _address(scanner: Scanner, context: OperandContext, message: Message) -> tuple[Message, Register]:
    """`flat[r4+0x40]`."""
    column = scanner.column
    model = scanner.expect_match(NAME, "an address such as flat[r4]").group()
    if model not in _MODELS:
        scanner.fail(f"unknown address model '{model}', expected one of {', '.join(_MODELS)}", column)
    scanner.expect("[")
    register = grf(register_number(scanner, context))
    match = scanner.match(_OFFSET)
    scanner.expect("]")
    offset = int(match[1] + match[2], 16 if match[2][:2] in ("0x", "0X") else 10) if match else 0
    return replace(message, model=_MODELS[model], offset=offset), register


def _count(scanner: Scanner) -> tuple[int | None, int]:
    """`:2`, the number of registers, if it is written; and where."""
    if not scanner.accept(":"):
        return None, scanner.column
    column = scanner.column
    return int(scanner.expect_match(_INTEGER, "a number of registers").group()), column


def parse_image(
    scanner: Scanner, context: OperandContext, instruction: Instruction, qualifiers: list[str], column: int
) -> Instruction:
    """`.tgm.d32.xyzw.uv`, then `r20 bss[r4.2][r10]` and what else the message has."""
    spec = instruction.spec
    image = _image_fields(scanner, spec, qualifiers, column)
    counts: list[tuple[int | None, int]] = [(None, 0), (None, 0), (None, 0)]
    returned = sampler = data = None
    if not spec.sources:
        returned = grf(register_number(scanner, context))
        counts[0] = _count(scanner)
    surface = _handle(scanner, context, "bss")
    scanner.expect("[")
    address = grf(register_number(scanner, context))
    counts[1] = _count(scanner)
    scanner.expect("]")
    if spec.sampler:
        sampler = _handle(scanner, context, "sampler")
    if spec.sources:
        data = grf(register_number(scanner, context))
        counts[2] = _count(scanner)
    instruction = replace(
        instruction,
        image=image,
        returned=returned,
        surface=surface,
        address=address,
        sampler=sampler,
        data=data,
    )
    _check_counts(scanner, counts, image_register_counts(instruction, context.grf_bytes))
    return instruction


def _image_fields(scanner: Scanner, spec: OpSpec, qualifiers: list[str], column: int) -> ImageMessage:
    """`.unit.d32.components.coordinates` and the levels of a cache control."""
    if len(qualifiers) not in (4, 6):
        example = f"{spec.mnemonic}.{image_unit(spec).text}.d32.xyzw.{COORDINATES[coordinate_counts(spec)[-1] - 1]}"
        scanner.fail(f"expected unit, size, components and coordinates such as {example}", column)
    unit, size, components, coordinates, *levels = qualifiers
    masks = [mask for mask in range(1, 1 << len(CHANNELS)) if components == channel_text(mask)]
    if unit not in _UNITS or size != DataSize.D32.text or not masks or coordinates not in COORDINATES:
        scanner.fail(f"no message '.{unit}.{size}.{components}.{coordinates}'", column)
    cache = _cache(scanner, spec, levels, column)
    return ImageMessage(_UNITS[unit], masks[0], COORDINATES.index(coordinates) + 1, cache)


def _handle(scanner: Scanner, context: OperandContext, name: str) -> Register:
    """`bss[r4.2]`: the register, counted in qwords, that holds the address of a state."""
    column = scanner.column
    found = scanner.expect_match(NAME, f"a state such as {name}[r4.2]").group()
    if found != name:
        scanner.fail(f"expected {name}[...], found '{found}'", column)
    scanner.expect("[")
    register = element_register(scanner, context, DataType.UQ)
    scanner.expect("]")
    return register


def parse_fence(
    scanner: Scanner, context: OperandContext, instruction: Instruction, qualifiers: list[str], column: int
) -> Instruction:
    """`.unit.flush.scope`."""
    if len(qualifiers) != 3:
        scanner.fail("expected unit, flush and scope such as fence.ugm.none.gpu", column)
    unit, flush, scope = qualifiers
    if unit not in _UNITS or flush not in _FLUSHES or scope not in _SCOPES:
        scanner.fail(f"no fence '.{'.'.join(qualifiers)}'", column)
    fence = FenceFields(_UNITS[unit], _FLUSHES[flush], _SCOPES[scope])
    return replace(instruction, fence=fence)
