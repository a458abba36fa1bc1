"""Rules of block-2D messages, which load, store or prefetch blocks of a 2-D surface."""

from __future__ import annotations

from collections.abc import Mapping

from xegpu.isa.formats.parts.rules import fail, one_channel
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.messages import AddressModel, AddressSize, Message
from xegpu.isa.model.table import MemoryAccessKind
from xegpu.targets import Block2D, BlockLimits, Target

BLOCK_PAYLOAD = ((0, 8), (8, 4), (12, 4), (16, 4), (20, 4), (24, 4), (28, 4))
"""Offset and size, in bytes, of the fields of the address payload: base, width, height, pitch, x, y and block shape."""


def check_block2d(instruction: Instruction, message: Message, target: Target) -> None:
    """Raises `IllegalInstruction` unless a target has the block-2D message."""
    limits, shape = target.platform.block2d, message.block
    if limits is None or shape is None:
        fail(instruction, f"{target.name} has no block-2D messages")
    one_channel(instruction)
    if (message.address_size, message.model, message.offset) != (AddressSize.A64, AddressModel.FLAT, 0):
        fail(instruction, "takes a flat a64 payload without an immediate offset")
    size = message.data_size.memory_bytes
    rule = _limits(limits, instruction.spec.access, message).get(size)
    bad_row = shape.width * size % limits.row_bytes_multiple != 0
    widened = message.data_size.memory_bytes != message.data_size.register_bytes
    if rule is None or bad_row or widened or not rule.allows(shape.width, shape.height, shape.count):
        kind = "VNNI " if message.vnni else "transposed " if message.transposed else ""
        fail(instruction, f"no {kind}block of {shape.width}x{shape.height}x{shape.count} {message.data_size.text}")


def _limits(limits: Block2D, access: MemoryAccessKind | None, message: Message) -> Mapping[int, BlockLimits]:
    """Returns the limits by element size in bytes for what a message does; none if no message does that."""
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
