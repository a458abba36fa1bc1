"""Messages of native code: from packed descriptors to named fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import (
    CACHE_CONTROLS,
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
from xegpu.isa.model.operands import SCALAR, SourceRegister, grf
from xegpu.isa.model.table import BY_MNEMONIC, BY_OPCODE, MESSAGE_OPCODE, MemoryAccessKind, OpSpec
from xegpu.isa.model.types import DataType
from xegpu.isa.native.encoding import codes
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.lowering import operands
from xegpu.isa.native.lowering.accesses import (
    bits,
    in_bindless_surface,
    in_surface,
    is_null,
    memory_access,
    payload_behind,
    untagged,
)
from xegpu.isa.native.lowering.context import LoweringContext, UnsupportedInstruction
from xegpu.isa.native.lowering.images import has_header, lower_sampler
from xegpu.isa.native.lowering.ports import lower_port
from xegpu.isa.native.scoreboard.footprint import ADDRESSES, place

_ADDRESS_SIZES = {size.code: size for size in AddressSize}
_DATA_SIZES = {size.code: size for size in DataSize}
_CACHES = {cache.code: cache for cache in CacheControl}
_MODELS = {model.code: model for model in AddressModel}
_FLUSHES = {flush.code: flush for flush in Flush}
_SCOPES = {scope.code: scope for scope in MemoryScope}
_FENCED = {Unit.UGM: Unit.UGM, Unit.TYPED: Unit.UGM, Unit.SLM: Unit.SLM}
"""The memory that a fence of a unit orders: texels are in global memory."""
_UNITS = {"ugm": Unit.UGM, "ugml": Unit.UGM, "slm": Unit.SLM, "tgm": Unit.TYPED}

_BINDLESS, _NUMBERED = 1, 3
"""The address models of surfaces that are named by their offset among all, and by their number in the binding table."""

_NUMBER_BIT = 24
"""The bit of the extended descriptor at which that number begins."""

_FENCE = 0x1F
_SIGNAL_BARRIER = 4
_SHAPE_BYTE = 28
"""The byte of a payload that has the shape of a block."""

_BARRIER_BYTE = 8
"""The byte of the payload of a barrier message that says which barrier, and for how many threads."""


def needs_words(instruction: NativeInstruction) -> bool:
    """Returns whether the meaning of a message depends on a constant in a register: descriptor, or shape of a block."""
    if instruction.opcode.form is not NativeForm.SEND:
        return False
    spec = BY_OPCODE.get((MESSAGE_OPCODE, bits(instruction["desc"], 5, 0)))
    has_blocks = codes.UNITS[instruction["unit"]] in _UNITS and spec is not None and spec.block2d
    return has_blocks or has_header(instruction) or bool(instruction["desc.indirect"])


def lower_send(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns what stands for a message."""
    if instruction["desc.indirect"]:
        instruction = _described(instruction, context)
    unit = codes.UNITS[instruction["unit"]]
    lowering = _LOWERINGS.get(unit)
    if lowering is None:
        raise UnsupportedInstruction(f"messages to '{unit}' are not supported")
    return lowering(instruction, context)


def _described(instruction: NativeInstruction, context: LoweringContext) -> NativeInstruction:
    """Returns a message with the descriptor that code has put into `a0`."""
    descriptor = context.words.get(place(instruction.platform, False, ADDRESSES))
    if descriptor is None:
        raise UnsupportedInstruction("the descriptor of the message is not a constant")
    return replace(instruction, fields={**instruction.fields, "desc.indirect": 0, "desc": descriptor})


def _gateway(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    if instruction["eot"]:
        return (Instruction(BY_MNEMONIC["eot"], no_mask=True),)
    if bits(instruction["desc"], 2, 0) != _SIGNAL_BARRIER:
        raise UnsupportedInstruction(f"gateway messages {instruction['desc']:#x} are not supported")
    payload = SourceRegister(grf(instruction["src0.reg"], _BARRIER_BYTE), DataType.UD, SCALAR)
    return (Instruction(BY_MNEMONIC["nbarrier.signal"], no_mask=True, sources=(payload,)),)


def _memory(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns a message to the load and store unit."""
    descriptor = instruction["desc"]
    unit = _UNITS[codes.UNITS[instruction["unit"]]]
    function = bits(descriptor, 5, 0)
    if function == _FENCE:
        # Caches are not modelled, so that every way to empty them does the same.
        flush, scope = _FLUSHES.get(bits(descriptor, 14, 12), Flush.NONE), _SCOPES.get(bits(descriptor, 11, 9))
        if scope is None:
            raise UnsupportedInstruction(f"fences {descriptor:#x} are not supported")
        return (Instruction(BY_MNEMONIC["fence"], no_mask=True, fence=FenceFields(_FENCED[unit], flush, scope)),)
    spec = BY_OPCODE.get((MESSAGE_OPCODE, function))
    if spec is None or spec.access is None or unit is Unit.TYPED:
        name = spec.mnemonic if spec else f"operation {function:#x}"
        raise UnsupportedInstruction(f"{name} messages to '{unit.text}' are not supported")
    if spec.block2d:
        return (_block(instruction, spec, context),)
    access = spec.access
    if access is MemoryAccessKind.LOAD and is_null(instruction, "dst"):
        spec, access = BY_MNEMONIC["prefetch"], MemoryAccessKind.PREFETCH
    address_size, data_size = _ADDRESS_SIZES.get(bits(descriptor, 8, 7)), _DATA_SIZES.get(bits(descriptor, 11, 9))
    kind = bits(descriptor, 30, 29)
    if address_size is None or data_size is None:
        raise UnsupportedInstruction(f"messages with descriptor {descriptor:#x} are not supported")
    is_indirect = bool(instruction["ex_desc.indirect"])
    if (kind == _BINDLESS and not is_indirect) or (kind == _NUMBERED and is_indirect):
        raise UnsupportedInstruction("messages to this kind of surface are not supported")
    cache = _CACHES[bits(descriptor, 19, 17)]
    has_cache = unit is not Unit.SLM and cache in CACHE_CONTROLS[access.value]  # elsewhere hardware ignores the field
    message = Message(
        unit,
        data_size,
        VECTOR_SIZES[bits(descriptor, 14, 12)],
        bool(bits(descriptor, 15, 15)),
        cache=cache if has_cache else CacheControl.DEFAULT,
        address_size=address_size if kind in _MODELS else AddressSize.A64,
        model=_MODELS.get(kind, AddressModel.FLAT),
        aligned=access is MemoryAccessKind.ATOMIC,
    )
    lanes = 1 if message.transposed else operands.exec_size(instruction)
    data = payload_behind(instruction, -(-lanes * address_size.size // context.grf_bytes))
    address = grf(instruction["src0.reg"])
    if kind == _BINDLESS:
        base = in_bindless_surface(instruction, message, address, context)
    elif kind == _NUMBERED:
        base = in_surface(instruction, message, address, instruction["ex_desc"] >> _NUMBER_BIT, context)
    elif unit is Unit.SLM:
        base = untagged(instruction, message, address, context.temporary())
    else:
        return (memory_access(instruction, spec, message, address, data),)
    return base, memory_access(instruction, spec, message, context.temporary(), data)


def _block(instruction: NativeInstruction, spec: OpSpec, context: LoweringContext) -> Instruction:
    """Returns a message with blocks, whose shape is in the payload.

    The message takes it from the constant that code has written there, which both engines check.
    """
    descriptor, register = instruction["desc"], instruction["src0.reg"]
    shape = context.words.get(place(instruction.platform, True, register, _SHAPE_BYTE))
    size = _DATA_SIZES.get(bits(descriptor, 11, 9))
    if shape is None or size is None:
        raise UnsupportedInstruction(f"{spec.mnemonic} messages with a shape that is computed are not supported")
    if spec.access is MemoryAccessKind.LOAD and is_null(instruction, "dst"):
        spec = BY_MNEMONIC["prefetch_block2d"]
    assert spec.access is not None
    cache = _CACHES[bits(descriptor, 19, 17)]
    message = Message(
        Unit.UGM,
        size,
        transposed=bool(bits(descriptor, 15, 15)),
        vnni=bool(bits(descriptor, 7, 7)),
        cache=cache if cache in CACHE_CONTROLS[spec.access.value] else CacheControl.DEFAULT,
        block=BlockShape(bits(shape, 7, 0) + 1, bits(shape, 15, 8) + 1, bits(shape, 19, 16) + 1),
    )
    return Instruction(
        spec,
        no_mask=True,
        predicate=operands.predicate(instruction),
        message=message,
        returned=grf(instruction["dst.reg"]) if spec.access is MemoryAccessKind.LOAD else None,
        address=grf(register),
        data=grf(instruction["src1.reg"]) if spec.sources else None,
    )


_LOWERINGS: Mapping[str, Callable[[NativeInstruction, LoweringContext], tuple[Instruction, ...]]] = {
    "gtwy": _gateway,
    **dict.fromkeys(_UNITS, _memory),
    "dc0": lower_port,
    "dc1": lower_port,
    "smpl": lower_sampler,
}
