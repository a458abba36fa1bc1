"""Messages of native code: from packed descriptors to named fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import (
    CACHE_CONTROLS,
    VECTOR_SIZES,
    AddressModel,
    AddressSize,
    CacheControl,
    DataSize,
    FenceFields,
    Flush,
    MemoryScope,
    Message,
    Unit,
)
from xegpu.isa.model.operands import CONTIGUOUS, SCALAR, Destination, Immediate, Register, SourceRegister, grf
from xegpu.isa.model.table import BY_MNEMONIC, BY_OPCODE, MESSAGE_OPCODE, MemoryAccessKind, OpSpec
from xegpu.isa.model.types import DataType
from xegpu.isa.native.encoding import codes
from xegpu.isa.native.encoding.instruction import NativeInstruction
from xegpu.isa.native.lowering import operands
from xegpu.isa.native.lowering.context import LoweringContext, UnsupportedInstruction

_ADDRESS_SIZES = {size.code: size for size in AddressSize}
_DATA_SIZES = {size.code: size for size in DataSize}
_CACHES = {cache.code: cache for cache in CacheControl}
_MODELS = {model.code: model for model in AddressModel}
_FLUSHES = {flush.code: flush for flush in Flush}
_SCOPES = {scope.code: scope for scope in MemoryScope}
_UNITS = {"ugm": Unit.UGM, "ugml": Unit.UGM, "slm": Unit.SLM, "tgm": Unit.TYPED}

_SLM_ADDRESS = 0x0FFFFFFF
"""The bits of an address of shared local memory; those above mark it as a pointer."""

_FENCE = 0x1F
_SIGNAL_BARRIER = 4
_BARRIER_BYTE = 8
"""The byte of the payload of a barrier message that says which barrier, and for how many threads."""


def _bits(descriptor: int, high: int, low: int) -> int:
    return descriptor >> low & ((1 << high - low + 1) - 1)


def lower_send(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns what stands for a message."""
    if instruction["desc.indirect"]:
        raise UnsupportedInstruction("messages with a descriptor in a register are not supported")
    unit = codes.UNITS[instruction["unit"]]
    lowering = _LOWERINGS.get(unit)
    if lowering is None:
        raise UnsupportedInstruction(f"messages to '{unit}' are not supported")
    return lowering(instruction, context)


def _gateway(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    if instruction["eot"]:
        return (Instruction(BY_MNEMONIC["eot"], no_mask=True),)
    if _bits(instruction["desc"], 2, 0) != _SIGNAL_BARRIER:
        raise UnsupportedInstruction(f"gateway messages {instruction['desc']:#x} are not supported")
    payload = SourceRegister(grf(instruction["src0.reg"], _BARRIER_BYTE), DataType.UD, SCALAR)
    return (Instruction(BY_MNEMONIC["nbarrier.signal"], no_mask=True, sources=(payload,)),)


def _memory(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns a message to the load and store unit."""
    descriptor = instruction["desc"]
    unit = _UNITS[codes.UNITS[instruction["unit"]]]
    function = _bits(descriptor, 5, 0)
    if function == _FENCE:
        flush, scope = _FLUSHES.get(_bits(descriptor, 14, 12)), _SCOPES.get(_bits(descriptor, 11, 9))
        if flush is None or scope is None:
            raise UnsupportedInstruction(f"fences {descriptor:#x} are not supported")
        return (Instruction(BY_MNEMONIC["fence"], no_mask=True, fence=FenceFields(unit, flush, scope)),)
    spec = BY_OPCODE.get((MESSAGE_OPCODE, function))
    if spec is None or spec.access is None or spec.block2d or unit is Unit.TYPED:
        name = spec.mnemonic if spec else f"operation {function:#x}"
        raise UnsupportedInstruction(f"{name} messages to '{unit.text}' are not supported")
    access = spec.access
    if access is MemoryAccessKind.LOAD and _is_null(instruction, "dst"):
        spec, access = BY_MNEMONIC["prefetch"], MemoryAccessKind.PREFETCH
    address_size, data_size = _ADDRESS_SIZES.get(_bits(descriptor, 8, 7)), _DATA_SIZES.get(_bits(descriptor, 11, 9))
    model = _MODELS.get(_bits(descriptor, 30, 29))
    if address_size is None or data_size is None:
        raise UnsupportedInstruction(f"messages with descriptor {descriptor:#x} are not supported")
    if model is None:
        raise UnsupportedInstruction("messages to surfaces of the binding table are not supported")
    cache = _CACHES[_bits(descriptor, 19, 17)]
    message = Message(
        unit,
        data_size,
        VECTOR_SIZES[_bits(descriptor, 14, 12)],
        bool(_bits(descriptor, 15, 15)),
        cache=cache if cache in CACHE_CONTROLS[access.value] else CacheControl.DEFAULT,
        address_size=address_size,
        model=model,
        aligned=access is MemoryAccessKind.ATOMIC,
    )
    address, data = grf(instruction["src0.reg"]), _data(instruction, message, context)
    return _addressed(instruction, spec, message, address, data, context)


def _addressed(
    instruction: NativeInstruction,
    spec: OpSpec,
    message: Message,
    address: Register,
    data: Register,
    context: LoweringContext,
) -> tuple[Instruction, ...]:
    """Returns an access, behind the removal of tags from addresses of shared local memory."""
    if message.unit is not Unit.SLM:
        return (_access(instruction, spec, message, address, data),)
    lanes = 1 if message.transposed else operands.exec_size(instruction)
    pointer = SourceRegister(address, DataType.UD, SCALAR if lanes == 1 else CONTIGUOUS)
    untagged = Instruction(
        BY_MNEMONIC["and"],
        lanes,
        no_mask=True,
        destination=Destination(context.temporary(), DataType.UD),
        sources=(pointer, Immediate(DataType.UD, _SLM_ADDRESS)),
    )
    return untagged, _access(instruction, spec, message, context.temporary(), data)


def _is_null(instruction: NativeInstruction, name: str) -> bool:
    return not instruction[f"{name}.file"]


def _data(instruction: NativeInstruction, message: Message, context: LoweringContext) -> Register:
    """Returns the first data register: that of the second part of the payload, or that behind the addresses."""
    if not _is_null(instruction, "src1"):
        return grf(instruction["src1.reg"])
    lanes = 1 if message.transposed else operands.exec_size(instruction)
    return grf(instruction["src0.reg"] + -(-lanes * message.address_size.size // context.grf_bytes))


def _access(
    instruction: NativeInstruction, spec: OpSpec, message: Message, address: Register, data: Register
) -> Instruction:
    returns = spec.access in (MemoryAccessKind.LOAD, MemoryAccessKind.ATOMIC) and not _is_null(instruction, "dst")
    return Instruction(
        spec,
        operands.exec_size(instruction),
        operands.channel_offset(instruction),
        bool(instruction["no_mask"]),
        operands.predicate(instruction),
        message=message,
        returned=grf(instruction["dst.reg"]) if returns else None,
        address=address,
        data=data if spec.sources else None,
    )


# Legacy data ports ---------------------------------------------------------------------------------------------------

_ATOMIC, _A64_ATOMIC = 0x02, 0x12
_LOCAL_SURFACE = 0xFE
"""The number of the surface that is shared local memory."""

_LEGACY_ATOMICS: Mapping[int, str] = {
    1: "and",
    2: "or",
    3: "xor",
    4: "store",
    5: "iinc",
    6: "idec",
    7: "iadd",
    8: "isub",
    10: "smax",
    11: "smin",
    12: "umax",
    13: "umin",
    14: "icas",
}
"""The atomics of the legacy data ports, by operation."""

_SCRATCH_UNIT = 32
"""The bytes in which blocks of scratch space are counted."""


def _scratch_block(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns a load or store of a block of scratch space, with its offset in a register."""
    descriptor = instruction["desc"]
    if not _bits(descriptor, 18, 18):
        raise UnsupportedInstruction(f"messages {descriptor:#x} to 'dc0' are not supported")
    is_store = bool(_bits(descriptor, 17, 17))
    words = _SCRATCH_UNIT // 4 << _bits(descriptor, 13, 12)
    message = Message(
        Unit.UGM, DataSize.D32, words, True, address_size=AddressSize.A32, model=AddressModel.SCRATCH, aligned=False
    )
    offset = Instruction(
        BY_MNEMONIC["mov"],
        no_mask=True,
        destination=Destination(context.temporary(), DataType.UD),
        sources=(Immediate(DataType.UD, _bits(descriptor, 11, 0) * _SCRATCH_UNIT),),
    )
    access = Instruction(
        BY_MNEMONIC["store" if is_store else "load"],
        no_mask=True,
        message=message,
        returned=None if is_store else grf(instruction["dst.reg"]),
        address=context.temporary(),
        data=grf(instruction["src1.reg"]) if is_store else None,
    )
    return offset, access


def _legacy_atomic(instruction: NativeInstruction, context: LoweringContext) -> tuple[Instruction, ...]:
    """Returns an atomic at 64-bit addresses, or in shared local memory."""
    descriptor = instruction["desc"]
    name, kind = _LEGACY_ATOMICS.get(_bits(descriptor, 11, 8)), _bits(descriptor, 18, 14)
    is_local = kind == _ATOMIC and _bits(descriptor, 7, 0) == _LOCAL_SURFACE
    if name is None or not (is_local or kind == _A64_ATOMIC):
        raise UnsupportedInstruction(f"messages {descriptor:#x} to 'dc1' are not supported")
    spec = BY_MNEMONIC[f"atomic_{name}"]
    if is_local:
        message = Message(Unit.SLM, DataSize.D32, address_size=AddressSize.A32)
    else:
        message = Message(Unit.UGM, DataSize.D64 if _bits(descriptor, 12, 12) else DataSize.D32)
    data = _data(instruction, message, context)
    return _addressed(instruction, spec, message, grf(instruction["src0.reg"]), data, context)


_LOWERINGS: Mapping[str, Callable[[NativeInstruction, LoweringContext], tuple[Instruction, ...]]] = {
    "gtwy": _gateway,
    **dict.fromkeys(_UNITS, _memory),
    "dc0": _scratch_block,
    "dc1": _legacy_atomic,
}
