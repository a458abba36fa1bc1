"""The mode of a kernel: how many work-items share a hardware thread (docs/architecture.md, Kernel modes)."""

from __future__ import annotations

from xdsl.dialects.builtin import IntAttr, VectorType
from xdsl.ir import Operation

from passes.support.control_flow import operations_in
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import (
    CHOSEN_SUBGROUP_SIZE,
    BallotOp,
    FuncOp,
    LaneIdOp,
    RotateOp,
    ShuffleOp,
    SubgroupBroadcastOp,
    SubgroupIdOp,
    SubgroupReduceOp,
)
from xegpu.dialects.upstream.spirv import EntryPointABIAttr
from xegpu.dialects.xegpu import ConvertLayoutOp, DpasOp, TensorDescType
from xegpu.targets import Target

_SUBGROUP_OPERATIONS = frozenset({BallotOp, LaneIdOp, RotateOp, ShuffleOp, SubgroupBroadcastOp, SubgroupReduceOp})
"""Operations whose result depends on the work-items of a subgroup or on the lane in it."""


def kernel_lanes(function: Operation, target: Target) -> int:
    """Returns how many work-items share a hardware thread: 1 in subgroup mode (docs/architecture.md, Kernel modes)."""
    attributes = function.attributes | function.properties
    if "VectorComputeFunctionINTEL" in attributes:
        return 1
    if (wanted := entry_point_subgroup_size(function)) is not None:
        if wanted not in target.platform.subgroup_sizes:
            sizes = ", ".join(map(str, target.platform.subgroup_sizes))
            raise CompileError(function, f"subgroup size {wanted} is not one of {target.name}'s: {sizes}")
        return wanted
    operations = operations_in(function)[1:]
    if any(_is_mapped(op) for op in operations):
        return target.platform.subgroup_size
    vectors = any(isinstance(v.type, VectorType) for op in operations for v in (*op.operands, *op.results))
    if vectors or any(op.name.startswith("xegpu.") for op in operations):
        return 1
    return target.platform.subgroup_size


def entry_point_subgroup_size(function: Operation) -> int | None:
    """Returns the subgroup size that a kernel asks for, if any."""
    attribute = (function.attributes | function.properties).get("spirv.entry_point_abi")
    if not isinstance(attribute, EntryPointABIAttr) or not isinstance(attribute.subgroup_size, IntAttr):
        return None
    return attribute.subgroup_size.data


def required_subgroup_size(function: FuncOp) -> int:
    """Returns the subgroup size that the program asks for; 0 if a front end has chosen it, or nobody."""
    is_chosen = CHOSEN_SUBGROUP_SIZE in function.attributes
    return 0 if is_chosen else entry_point_subgroup_size(function) or 0


def has_ordered_subgroups(function: FuncOp, lanes: int) -> bool:
    """Returns whether a kernel numbers its subgroups, or lets work-items of a subgroup work together."""
    for op in operations_in(function):
        kind = type(op)
        if kind is SubgroupIdOp or (lanes > 1 and (kind in _SUBGROUP_OPERATIONS or _is_mapped(op))):
            return True
    return False


def _is_mapped(op: Operation) -> bool:
    """Returns whether lanes share a tile or matrix of this operation."""
    if type(op) is ConvertLayoutOp or (type(op) is DpasOp and op.lane_maps is not None):
        return True
    for value in (*op.operands, *op.results):
        kind = value.type
        if type(kind) is TensorDescType and kind.lane_map is not None:
            return True
    return False
