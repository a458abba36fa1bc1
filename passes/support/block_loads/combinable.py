"""Which loads of blocks are one message."""

from __future__ import annotations

from xegpu.dialects.xegpu import LoadNdOp, element_bits
from xegpu.targets import Block2D, BlockLimits


def load_limits(load: LoadNdOp, messages: Block2D) -> BlockLimits | None:
    """The limits of the messages that load blocks in this form, None if there are none."""
    bits = element_bits(load.desc.element_type)
    if load.is_transposed:
        table = messages.load_transposed
    else:
        table = messages.load_vnni if load.is_packed and bits < 32 else messages.load
    return table.get(bits // 8)


def is_one_message(load: LoadNdOp, count: int, messages: Block2D) -> bool:
    """Whether one message may bring `count` such blocks side by side."""
    (rows, columns), limits = load.desc.tile, load_limits(load, messages)
    size = count * rows * columns * element_bits(load.desc.element_type) // 8
    return limits is not None and limits.allows(columns, rows, count) and size <= messages.max_load_bytes
