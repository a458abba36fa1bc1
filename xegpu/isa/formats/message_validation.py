"""Rules that messages and fences must keep on a target."""

from __future__ import annotations

from collections.abc import Mapping

from xegpu.isa.model.instruction import IllegalInstruction, Instruction
from xegpu.isa.model.messages import (
    CACHE_CONTROLS,
    AddressModel,
    AddressSize,
    CacheControl,
    DataSize,
    Flush,
    MemoryScope,
    Message,
    Unit,
    data_bytes,
)
from xegpu.isa.model.rules import fail, in_file
from xegpu.isa.model.table import MemoryAccessKind, OpSpec
from xegpu.isa.model.types import DataType
from xegpu.targets import Block2D, BlockLimits, Target

GATHER_VECTORS = {
    DataSize.D32: (1, 2, 3, 4, 8),
    DataSize.D64: (1, 2, 3, 4, 8),
    DataSize.D8U32: (1,),
    DataSize.D16U32: (1,),
}
"""Element size of a gather or scatter to the vector sizes that it goes with."""

ATOMIC_DATA = (DataSize.D16U32, DataSize.D32, DataSize.D64)
"""Element sizes of atomics."""

_SLM_64 = frozenset({"atomic_icas"})
"""Atomics on 64 bits that shared local memory has."""

_UGM_ONLY = frozenset({"atomic_fadd", "atomic_fsub"})
"""Atomics that shared local memory lacks."""


def check_message(instruction: Instruction, target: Target, grf_count: int) -> None:
    """Raises `IllegalInstruction` unless the target has the message."""
    spec, message, address = instruction.spec, instruction.message, instruction.address
    assert message is not None
    assert address is not None
    _check_memory(instruction, message)
    _check_cache(instruction, message)
    if spec.block2d:
        _check_block2d(instruction, message, target)
    elif spec.access is MemoryAccessKind.ATOMIC:
        _check_atomic(instruction, message, target)
    elif message.vnni:
        fail(instruction, "only block-2D loads have the VNNI transform")
    elif message.transposed:
        if instruction.exec_size != 1 or message.data_size not in (DataSize.D32, DataSize.D64):
            fail(instruction, "a transposed message is SIMD1 with d32 or d64 elements")
    elif message.vector not in GATHER_VECTORS.get(message.data_size, ()):
        fail(instruction, f"no gather of {message.data_size.text}x{message.vector}")
    block = data_bytes(message, instruction.exec_size, target.grf_bytes, target.physical_simd_width)
    used = max(spec.sources, 1) * block
    if not spec.block2d and used > target.max_message_bytes:
        fail(instruction, f"{used} bytes of data, a message carries up to {target.max_message_bytes}")
    in_file(instruction, address, address_bytes(instruction, target), target, grf_count)
    if instruction.returned is not None:
        in_file(instruction, instruction.returned, block, target, grf_count)
    if instruction.data is not None:
        in_file(instruction, instruction.data, used, target, grf_count)


def address_bytes(instruction: Instruction, target: Target) -> int:
    """Register bytes of a message's address payload."""
    message = instruction.message
    if message is None:
        raise IllegalInstruction(f"{instruction.mnemonic}: not a message")
    if message.block is not None:
        return target.grf_bytes
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


def cache_text(cache: CacheControl, access: MemoryAccessKind) -> str:
    """The cache control's name: what writes and what only reads name the same codes differently."""
    return cache.store_text if access in (MemoryAccessKind.STORE, MemoryAccessKind.ATOMIC) else cache.load_text


def atomic_type(spec: OpSpec, unit: Unit, size: DataSize) -> DataType | None:
    """The type that an atomic works in; None if the unit does not have it for elements of that size."""
    if size not in ATOMIC_DATA:
        return None
    if unit is Unit.SLM:
        large = size is DataSize.D64 and spec.mnemonic in _SLM_64
        if spec.mnemonic in _UGM_ONLY or not (large or size is DataSize.D32):
            return None
    return spec.atomic_type(size.memory_bytes)


def _check_atomic(instruction: Instruction, message: Message, target: Target) -> None:
    if message.transposed or message.vnni or message.vector != 1 or message.model is not AddressModel.FLAT:
        fail(instruction, "an atomic has one element for each lane, at flat addresses")
    computed = atomic_type(instruction.spec, message.unit, message.data_size)
    if computed is None:
        fail(instruction, f"{message.unit.text} has no such atomic on {message.data_size.text}")
    if computed is DataType.DF and not target.has_fp64:
        fail(instruction, f"{target.name} has no double precision")


def check_fence(instruction: Instruction, target: Target, grf_count: int) -> None:
    """Raises `IllegalInstruction` unless the target has the fence."""
    fence = instruction.fence
    assert fence is not None
    if instruction.exec_size != 1:
        fail(instruction, f"execution size {instruction.exec_size}, expected 1")
    if fence.unit not in (Unit.UGM, Unit.SLM):
        fail(instruction, f"{fence.unit.text} holds no memory")
    if fence.unit is Unit.SLM and (fence.flush, fence.scope) != (Flush.NONE, MemoryScope.GROUP):
        fail(instruction, "slm is fenced by none.group only")


def _check_block2d(instruction: Instruction, message: Message, target: Target) -> None:
    limits, shape = target.block2d, message.block
    if limits is None or shape is None:
        fail(instruction, f"{target.name} has no block-2D messages")
        return
    if instruction.exec_size != 1:
        fail(instruction, f"execution size {instruction.exec_size}, expected 1")
    if (message.address_size, message.model, message.offset) != (AddressSize.A64, AddressModel.FLAT, 0):
        fail(instruction, "takes a flat a64 payload without an immediate offset")
    size = message.data_size.memory_bytes
    rule = _block_rules(limits, instruction.spec.access, message).get(size)
    bad_row = shape.width * size % limits.row_bytes_multiple != 0
    widened = message.data_size.memory_bytes != message.data_size.register_bytes
    if rule is None or bad_row or widened or not rule.allows(shape.width, shape.height, shape.count):
        kind = "VNNI " if message.vnni else "transposed " if message.transposed else ""
        fail(instruction, f"no {kind}block of {shape.width}x{shape.height}x{shape.count} {message.data_size.text}")


def _block_rules(limits: Block2D, access: MemoryAccessKind | None, message: Message) -> Mapping[int, BlockLimits]:
    """Element size to limits, for what a block-2D message does; empty when no message does that."""
    match access, message.transposed, message.vnni:
        case MemoryAccessKind.STORE, False, False:
            return limits.store
        case MemoryAccessKind.LOAD | MemoryAccessKind.PREFETCH, False, False:
            return limits.load
        case MemoryAccessKind.LOAD, True, False:
            return limits.load_transposed
        case MemoryAccessKind.LOAD, False, True:
            return limits.load_vnni
    return {}
