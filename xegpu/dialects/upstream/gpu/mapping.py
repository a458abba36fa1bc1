"""Attributes that say which part of a grid would execute an iteration of a parallel loop.

MLIR's transformations read them; kernels and host programs execute all iterations one after the other.
"""

from __future__ import annotations

from xdsl.irdl import irdl_attr_definition

from xegpu.mlir import OpaqueTextAttr


@irdl_attr_definition
class BlockMappingAttr(OpaqueTextAttr):
    """`#gpu.block<x>`: a work-group."""

    name = "gpu.block"


@irdl_attr_definition
class WarpgroupMappingAttr(OpaqueTextAttr):
    """`#gpu.warpgroup<x>`: four subgroups."""

    name = "gpu.warpgroup"


@irdl_attr_definition
class WarpMappingAttr(OpaqueTextAttr):
    """`#gpu.warp<x>`: a subgroup."""

    name = "gpu.warp"


@irdl_attr_definition
class ThreadMappingAttr(OpaqueTextAttr):
    """`#gpu.thread<x>`: a work-item."""

    name = "gpu.thread"


@irdl_attr_definition
class LaneMappingAttr(OpaqueTextAttr):
    """`#gpu.lane<linear_dim_0>`: a lane of a subgroup."""

    name = "gpu.lane"


MAPPINGS = (
    BlockMappingAttr,
    LaneMappingAttr,
    ThreadMappingAttr,
    WarpMappingAttr,
    WarpgroupMappingAttr,
)
