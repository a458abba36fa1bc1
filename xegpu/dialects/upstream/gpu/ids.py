"""Ops that return the position of a thread in the grid.

xDSL's ops of these names have no custom assembly and no upper bounds; those of clusters are missing.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from typing import ClassVar, TypeVar

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.dialects.gpu import DimensionAttr, DimensionEnum
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

_INDEX = IndexType()
_Id = TypeVar("_Id", bound=IRDLOperation)


class IdOp(IRDLOperation):
    """An index that depends on the thread; `upper_bound` is exclusive."""

    result = result_def(IndexType)
    upper_bound = opt_prop_def(IntegerAttr.constr(_INDEX))

    traits = traits_def(Pure())

    def verify_(self) -> None:
        if self.upper_bound is not None and self.upper_bound.value.data < 1:
            raise VerifyException(f"expected upper_bound of at least 1, got {self.upper_bound.value.data}")


class DimensionIdOp(IdOp):
    """`gpu.thread_id x upper_bound 16`: one id for each of x, y, z."""

    dimension = prop_def(DimensionAttr)

    assembly_format: ClassVar[str] = "$dimension (`upper_bound` $upper_bound^)? attr-dict"

    def __init__(self, dimension: DimensionAttr | DimensionEnum, upper_bound: int | None = None):
        if isinstance(dimension, DimensionEnum):
            dimension = DimensionAttr(dimension)
        bound = None if upper_bound is None else IntegerAttr(upper_bound, _INDEX)
        super().__init__(result_types=[_INDEX], properties={"dimension": dimension, "upper_bound": bound})


class _LaneIdOp(IdOp):
    """`gpu.lane_id upper_bound 16`."""

    assembly_format: ClassVar[str] = "(`upper_bound` $upper_bound^)? attr-dict"


class _SubgroupIdOp(IdOp):
    """`gpu.subgroup_id upper_bound 8 : index`."""

    assembly_format: ClassVar[str] = "(`upper_bound` $upper_bound^)? attr-dict `:` type($result)"

    def __init__(self, upper_bound: int | None = None):
        bound = None if upper_bound is None else IntegerAttr(upper_bound, _INDEX)
        super().__init__(result_types=[_INDEX], properties={"upper_bound": bound})


def _id_op(base: type[_Id], mnemonic: str, arguments: str, result: str) -> type[_Id]:
    """The op `gpu.<mnemonic>`, which gives `result`; `arguments` are those of the example in its docstring."""
    fields = {
        "name": f"gpu.{mnemonic}",
        "__module__": __name__,
        "__doc__": f"`%r = gpu.{mnemonic} {arguments}`: {result}.",
    }
    return irdl_op_definition(type(f"{mnemonic.title().replace('_', '')}Op", (base,), fields))


BlockIdOp = _id_op(
    DimensionIdOp, "block_id", "x upper_bound 4", "the number of the work-group in a dimension, below the bound"
)
BlockDimOp = _id_op(DimensionIdOp, "block_dim", "x", "how many work-items a work-group has in a dimension")
GridDimOp = _id_op(DimensionIdOp, "grid_dim", "x", "how many work-groups there are in a dimension")
ThreadIdOp = _id_op(
    DimensionIdOp, "thread_id", "x upper_bound 16", "the number of the work-item in its work-group, in a dimension"
)
GlobalIdOp = _id_op(DimensionIdOp, "global_id", "x", "the number of the work-item in the whole grid, in a dimension")
ClusterIdOp = _id_op(
    DimensionIdOp, "cluster_id", "x", "the number of the cluster of work-groups in a dimension of the grid"
)
ClusterDimOp = _id_op(DimensionIdOp, "cluster_dim", "x", "how many clusters of work-groups there are in a dimension")
ClusterBlockIdOp = _id_op(
    DimensionIdOp, "cluster_block_id", "x", "the number of the work-group in its cluster, in a dimension"
)
ClusterDimBlocksOp = _id_op(
    DimensionIdOp, "cluster_dim_blocks", "x", "how many work-groups a cluster has in a dimension"
)
LaneIdOp = _id_op(_LaneIdOp, "lane_id", "upper_bound 16", "the number of the lane in its subgroup, below the bound")
SubgroupIdOp = _id_op(
    _SubgroupIdOp,
    "subgroup_id",
    "upper_bound 8 : index",
    "the number of the subgroup in its work-group, below the bound",
)
NumSubgroupsOp = _id_op(
    _SubgroupIdOp, "num_subgroups", "upper_bound 8 : index", "how many subgroups the work-group has"
)
SubgroupSizeOp = _id_op(_SubgroupIdOp, "subgroup_size", "upper_bound 32 : index", "how many lanes a subgroup has")
