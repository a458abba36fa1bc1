"""Messages with packed descriptors (`llvm.genx.raw.send2`), which are those of Intel's hardware."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr
from xdsl.dialects.vector import ShuffleOp
from xdsl.ir import Block, SSAValue

from passes.convert_xegpu_to_xe.lowering.intrinsics import IntrinsicCall, lowers_intrinsic
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number
from passes.convert_xegpu_to_xe.vector_compute import access, blocks
from passes.convert_xegpu_to_xe.vector_compute.lsc import atomic_spec
from passes.kernel.memories import MessageMemory
from passes.kernel.register_types import element_count
from passes.support.control_flow import branch_operands
from passes.support.normal_forms import integers
from xegpu.dialects.upstream.vector import FromElementsOp, InsertOp
from xegpu.dialects.xe import Read, barrier_op
from xegpu.isa.model import (
    BY_OPCODE,
    MESSAGE_OPCODE,
    SCALAR,
    VECTOR_SIZES,
    BlockShape,
    CacheControl,
    DataSize,
    DataType,
    MemoryAccessKind,
    Unit,
)

_SIZES = {size.code: size for size in DataSize}
_CACHES = {cache.code: cache for cache in CacheControl}
_SPACES = {Unit.UGM.code: MessageMemory.GLOBAL, Unit.SLM.code: MessageMemory.SHARED}
_SIGNAL_BARRIER = 4
_BARRIER_DWORD, _SHAPE_DWORD = 2, 7
"""The dwords of payloads that name a barrier, and that have the shape of a block."""
_FLAT = 0


def _bits(word: int, high: int, low: int) -> int:
    return word >> low & (1 << high - low + 1) - 1


def _send(call: IntrinsicCall, unit: int, data: int | None, old: int | None) -> Number | None:
    """Sends a message to a unit, whose number is argument `unit`; behind it come the descriptors and the payload."""
    code, descriptor, payload = call.constant(unit), call.constant(unit + 2), unit + 3
    if code == Unit.GATEWAY.code and _bits(descriptor, 2, 0) == _SIGNAL_BARRIER:
        _signal(call, payload)
        return None
    spec = BY_OPCODE.get((MESSAGE_OPCODE, _bits(descriptor, 5, 0)))
    space, size = _SPACES.get(code), _SIZES.get(_bits(descriptor, 11, 9))
    if spec is None or spec.access is None or space is None or size is None or _bits(descriptor, 30, 29) != _FLAT:
        call.refuse(f"sends {descriptor:#x} to unit {code}, which is not supported")
    cache = _CACHES[_bits(descriptor, 19, 17)]
    kind = spec.access
    if kind is MemoryAccessKind.LOAD and call.op.ress is None:
        kind = MemoryAccessKind.PREFETCH
    if spec.block2d:
        return _block(call, payload, data, kind, size, cache, descriptor)
    found = access.LaneAccess(
        call,
        payload,
        space,
        size.memory_bytes,
        VECTOR_SIZES[_bits(descriptor, 14, 12)],
        bool(_bits(descriptor, 15, 15)),
        mask=2,
        cache=cache,
        stated_lanes=1 << call.constant(1),
    )
    match kind:
        case MemoryAccessKind.LOAD:
            return access.load(found, old)
        case MemoryAccessKind.PREFETCH:
            access.prefetch(found)
        case MemoryAccessKind.STORE if data is not None:
            access.store(found, data)
        case MemoryAccessKind.ATOMIC if spec.sources == (0 if data is None else 1):
            return access.update(found, atomic_spec(call, _bits(descriptor, 5, 0)), [] if data is None else [data])
        case _:
            call.refuse(f"sends {spec.mnemonic} without or with too much data, which is not supported")
    return None


def _signal(call: IntrinsicCall, payload: int) -> None:
    """Signals a named barrier; which of them the payload names is known to the running kernel."""
    resources = call.lowering.resources
    if not resources.barrier_count:
        resources.need_barriers(max(call.emit.target.platform.barrier_counts))
    word = call.elements(payload)
    place = Read(DataType.UD, word.offset + _BARRIER_DWORD * DataType.UD.size, SCALAR)
    call.emit.add(barrier_op("nbarrier.signal")((word.register, place)))


def _block(
    call: IntrinsicCall,
    payload: int,
    data: int | None,
    kind: MemoryAccessKind,
    size: DataSize,
    cache: CacheControl,
    descriptor: int,
) -> Elements | None:
    """Moves a block of a plane; its shape is a constant that the kernel puts into the payload."""
    words = set(_elements_at(call.argument(payload), _SHAPE_DWORD, set()))
    if len(words) != 1 or None in words:
        call.refuse("moves a block of a shape that is computed at run time: dword 7 of its payload must be constant")
    (word,) = (each for each in words if each is not None)
    shape = BlockShape(_bits(word, 7, 0) + 1, _bits(word, 15, 8) + 1, _bits(word, 19, 16) + 1)
    message = blocks.message_of(
        call,
        size,
        shape,
        cache,
        kind.value,
        vnni=bool(_bits(descriptor, 7, 7)),
        transposed=bool(_bits(descriptor, 15, 15)),
    )
    block = blocks.PlaneAccess(call, message, blocks.payload_of(call, call.elements(payload), shape), 2)
    match kind:
        case MemoryAccessKind.LOAD:
            return blocks.load(block)
        case MemoryAccessKind.STORE if data is not None:
            blocks.store(block, data)
        case _:
            blocks.prefetch(block)
    return None


def _elements_at(vector: SSAValue, index: int, seen: set[SSAValue]) -> Iterator[int | None]:
    """Yields the numbers that an element of a vector may be; None for one that is computed."""
    if vector in seen:
        return
    seen.add(vector)
    match vector.owner:
        case Block() as block:
            passed = [
                value
                for branch in (each.last_op for each in block.predecessors())
                if branch is not None
                for argument, value in branch_operands(branch)
                if argument is vector
            ]
            if not passed:
                yield None
            for value in passed:
                yield from _elements_at(value, index, seen)
        case ConstantOp() as op if isinstance(op.value, DenseIntOrFPElementsAttr):
            yield int(tuple(op.value.get_values())[index]) & 0xFFFFFFFF
        case InsertOp() as op if not op.dynamic_position:
            if integers(op, "static_position") == [index]:
                yield _number(op.source)
            else:
                yield from _elements_at(op.dest, index, seen)
        case ShuffleOp() as op:
            place, first = integers(op, "mask")[index], element_count(op.v1.type)
            yield from _elements_at(op.v1 if place < first else op.v2, place if place < first else place - first, seen)
        case FromElementsOp() as op:
            yield _number(op.operands[index])
        case _:
            yield None


def _number(value: SSAValue) -> int | None:
    owner = value.owner
    if isinstance(owner, ConstantOp) and isinstance(owner.value, IntegerAttr):
        return int(owner.value.value.data) & 0xFFFFFFFF
    return None


@lowers_intrinsic("llvm.genx.raw.send2")
def send(call: IntrinsicCall) -> Number | None:
    return _send(call, 5, None, 9)


@lowers_intrinsic("llvm.genx.raw.send2.noresult")
def send_without_result(call: IntrinsicCall) -> Number | None:
    return _send(call, 4, None, None)


@lowers_intrinsic("llvm.genx.raw.sends2")
def send_data(call: IntrinsicCall) -> Number | None:
    return _send(call, 6, 10, 11)


@lowers_intrinsic("llvm.genx.raw.sends2.noresult")
def send_data_without_result(call: IntrinsicCall) -> Number | None:
    return _send(call, 5, 9, None)
