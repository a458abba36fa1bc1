"""Loads of blocks that could come in another form."""

from __future__ import annotations

from xegpu.dialects.xegpu import LoadNdOp


def is_plain(load: LoadNdOp) -> bool:
    """Whether a load brings one whole block of two dimensions as it is in memory, and lanes have no say in it."""
    desc = load.desc
    return (
        desc.get_num_dims() == 2
        and desc.array_length == 1
        and desc.lane_map is None
        and not load.is_packed
        and not load.is_transposed
    )
