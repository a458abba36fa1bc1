"""Predicates on loads of 2-D blocks."""

from __future__ import annotations

from xegpu.dialects.xegpu import LoadNdOp, element_bits
from xegpu.targets import Block2D, BlockLimits


def is_whole_matrix_load(load: LoadNdOp) -> bool:
    """Returns whether a load returns one 2-D block for the whole subgroup, element by element as it lies in memory."""
    desc = load.desc
    return (
        desc.get_num_dims() == 2
        and desc.array_length == 1
        and desc.lane_map is None
        and not load.is_packed
        and not load.is_transposed
    )


def load_limits(load: LoadNdOp, messages: Block2D) -> BlockLimits | None:
    """Returns the limits of the messages that load blocks in the form of `load`; None if there are none."""
    bits = element_bits(load.desc.element_type)
    if load.is_transposed:
        table = messages.load_transposed
    else:
        table = messages.load_vnni if load.is_packed and bits < 32 else messages.load
    return table.get(bits // 8)


def is_one_message(load: LoadNdOp, count: int, messages: Block2D) -> bool:
    """Returns whether one message can load `count` neighbouring blocks of the size of the one that `load` loads."""
    (rows, columns), limits = load.desc.tile, load_limits(load, messages)
    size = count * rows * columns * element_bits(load.desc.element_type) // 8
    return limits is not None and limits.allows(columns, rows, count) and size <= messages.max_load_bytes
