"""Ops that tell a thread where it is."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.dialects.gpu import DimensionAttr, DimensionEnum
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

_INDEX = IndexType()


class _IdOp(IRDLOperation):
    """An index that depends on the thread; `upper_bound` is exclusive."""

    result = result_def(IndexType)
    upper_bound = opt_prop_def(IntegerAttr.constr(_INDEX))

    traits = traits_def(Pure())

    def verify_(self) -> None:
        if self.upper_bound is not None and self.upper_bound.value.data < 1:
            raise VerifyException(f"expected upper_bound of at least 1, got {self.upper_bound.value.data}")


class _DimensionIdOp(_IdOp):
    """`gpu.thread_id x upper_bound 16`: one id for each of x, y, z."""

    dimension = prop_def(DimensionAttr)

    assembly_format: ClassVar[str] = "$dimension (`upper_bound` $upper_bound^)? attr-dict"

    def __init__(self, dimension: DimensionAttr | DimensionEnum, upper_bound: int | None = None):
        if isinstance(dimension, DimensionEnum):
            dimension = DimensionAttr(dimension)
        bound = None if upper_bound is None else IntegerAttr(upper_bound, _INDEX)
        super().__init__(result_types=[_INDEX], properties={"dimension": dimension, "upper_bound": bound})


class _SubgroupIdOp(_IdOp):
    """`gpu.subgroup_id upper_bound 8 : index`."""

    assembly_format: ClassVar[str] = "(`upper_bound` $upper_bound^)? attr-dict `:` type($result)"

    def __init__(self, upper_bound: int | None = None):
        bound = None if upper_bound is None else IntegerAttr(upper_bound, _INDEX)
        super().__init__(result_types=[_INDEX], properties={"upper_bound": bound})


@irdl_op_definition
class BlockIdOp(_DimensionIdOp):
    """`%r = gpu.block_id x upper_bound 4`: the number of the work-group in a dimension, below the bound."""

    name = "gpu.block_id"


@irdl_op_definition
class BlockDimOp(_DimensionIdOp):
    """`%r = gpu.block_dim x`: how many work-items a work-group has in a dimension."""

    name = "gpu.block_dim"


@irdl_op_definition
class GridDimOp(_DimensionIdOp):
    """`%r = gpu.grid_dim x`: how many work-groups there are in a dimension."""

    name = "gpu.grid_dim"


@irdl_op_definition
class ThreadIdOp(_DimensionIdOp):
    """`%r = gpu.thread_id x upper_bound 16`: the number of the work-item in its work-group, in a dimension."""

    name = "gpu.thread_id"


@irdl_op_definition
class GlobalIdOp(_DimensionIdOp):
    """`%r = gpu.global_id x`: the number of the work-item in the whole grid, in a dimension."""

    name = "gpu.global_id"


@irdl_op_definition
class ClusterIdOp(_DimensionIdOp):
    """`%r = gpu.cluster_id x`: the number of the cluster of work-groups in a dimension of the grid."""

    name = "gpu.cluster_id"


@irdl_op_definition
class ClusterDimOp(_DimensionIdOp):
    """`%r = gpu.cluster_dim x`: how many clusters of work-groups there are in a dimension."""

    name = "gpu.cluster_dim"


@irdl_op_definition
class ClusterBlockIdOp(_DimensionIdOp):
    """`%r = gpu.cluster_block_id x`: the number of the work-group in its cluster, in a dimension."""

    name = "gpu.cluster_block_id"


@irdl_op_definition
class ClusterDimBlocksOp(_DimensionIdOp):
    """`%r = gpu.cluster_dim_blocks x`: how many work-groups a cluster has in a dimension."""

    name = "gpu.cluster_dim_blocks"


@irdl_op_definition
class LaneIdOp(_IdOp):
    """`%r = gpu.lane_id upper_bound 16`: the number of the lane in its subgroup, below the bound."""

    name = "gpu.lane_id"
    assembly_format = "(`upper_bound` $upper_bound^)? attr-dict"

    def __init__(self, upper_bound: int | None = None):
        bound = None if upper_bound is None else IntegerAttr(upper_bound, _INDEX)
        super().__init__(result_types=[_INDEX], properties={"upper_bound": bound})


@irdl_op_definition
class SubgroupIdOp(_SubgroupIdOp):
    """`%r = gpu.subgroup_id upper_bound 8 : index`: the number of the subgroup in its work-group, below the bound."""

    name = "gpu.subgroup_id"


@irdl_op_definition
class NumSubgroupsOp(_SubgroupIdOp):
    """`%r = gpu.num_subgroups upper_bound 8 : index`: how many subgroups the work-group has."""

    name = "gpu.num_subgroups"


@irdl_op_definition
class SubgroupSizeOp(_SubgroupIdOp):
    """`%r = gpu.subgroup_size upper_bound 32 : index`: how many lanes a subgroup has."""

    name = "gpu.subgroup_size"
