"""`xegpu-infer-op-level`: determines who executes the operations of each kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp, VectorType, i64
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.hints import isa

from passes.kernel.mode import entry_point_subgroup_size
from passes.support.control_flow import operations_in
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp, ModuleOp as GpuModuleOp
from xegpu.dialects.upstream.spirv import EntryPointABIAttr
from xegpu.dialects.upstream.xevm import chips_of
from xegpu.dialects.xegpu import (
    LLVM22_LANES,
    DpasOp,
    LayoutAttr,
    LoadNdOp,
    PrefetchNdOp,
    SgMapAttr,
    SliceAttr,
    StoreNdOp,
    TensorDescType,
    is_of_llvm22,
)

_REQUIRED_SIZE = "intel_reqd_sub_group_size"
"""The attribute of a kernel that states the work-items of a subgroup."""


class OpLevel(Enum):
    """Whose values the operations of a kernel have."""

    WORKGROUP = "workgroup"
    SUBGROUP = "subgroup"
    LANE = "lane"


INFERRED = "auto"
OP_LEVELS: Mapping[str, OpLevel] = {**{level.value: level for level in OpLevel}, "workitem": OpLevel.LANE}
"""The levels by the names that users give them; LLVM has renamed one."""


@dataclass(frozen=True)
class XegpuInferOpLevelPass(ModulePass):
    """Gives kernels in the XeGPU of LLVM 22 the subgroup size that they are launched with.

    There the sizes of grids and work-groups count work-items at every level, whoever executes the operations of the
    kernel: a subgroup has `intel_reqd_sub_group_size` of them, or 16. The attribute `spirv.entry_point_abi` states it
    for the passes that follow. So do kernels in which no operation tells a generation, if their module is for the chip
    of an `#xevm.target`, which only LLVM 22 has. Kernels in the form of the RFC count as they say there, unless `level`
    is given or they have `intel_reqd_sub_group_size`.

    A kernel that computes with vectors and says nothing of itself is refused where each member of its work-groups would
    do the same.
    """

    name = "xegpu-infer-op-level"

    level: str = INFERRED
    """Whose values operations have: `workgroup`, `subgroup` or `lane` (once `workitem`) takes all kernels as LLVM 22
    does, and refuses those with values of another level; `auto` takes those that use what only LLVM 22 has."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.level != INFERRED and self.level not in OP_LEVELS:
            raise PassFailedException(f"expected level={'|'.join(OP_LEVELS)}|{INFERRED}, got level={self.level}")
        level = OP_LEVELS.get(self.level)
        for function in [o for o in operations_in(op) if isinstance(o, FuncOp)]:
            if level is not None:
                for inner in operations_in(function):
                    _check(inner, level)
                _state_offsets(function)
            attributes = function.attributes | function.properties
            if "spirv.entry_point_abi" in attributes or "VectorComputeFunctionINTEL" in attributes:
                continue
            if level is not None or _REQUIRED_SIZE in attributes or is_of_llvm22(function) or _is_for_xevm(function):
                size = lanes_per_subgroup(function)
                function.attributes["spirv.entry_point_abi"] = EntryPointABIAttr(subgroup_size=size)
            else:
                _check_members(function)


def lanes_per_subgroup(function: FuncOp) -> int:
    """Returns how many work-items of a launch make a subgroup, for a kernel in the XeGPU of LLVM 22."""
    attributes = function.attributes | function.properties
    if "VectorComputeFunctionINTEL" in attributes:
        return 1
    wanted = attributes.get(_REQUIRED_SIZE)
    stated = entry_point_subgroup_size(function)
    return stated or (wanted.value.data if isa(wanted, IntegerAttr) else LLVM22_LANES)


def _is_for_xevm(function: FuncOp) -> bool:
    """Returns whether a kernel is for a chip of XeVM, and does not have the maps or the tiles that XeVM has not."""
    holder = function.parent_op()
    if not isinstance(holder, GpuModuleOp) or not chips_of(holder.targets or ()):
        return False
    return not any(map(_is_older, operations_in(function)))


def _is_older(op: Operation) -> bool:
    """Returns whether an operation is one of tiles, or has an sg_map."""
    if op.name.startswith("xetile."):
        return True
    types = (value.type for value in (*op.operands, *op.results))
    maps = (type.map if isinstance(type, TensorDescType) else None for type in types)
    return any(isinstance(entry, SgMapAttr) for entry in (*maps, *op.properties.values(), *op.attributes.values()))


_MEMBERS = ("gpu.thread_id", "gpu.global_id", "gpu.subgroup_id", "gpu.lane_id")
"""The operations that tell the members of a work-group apart."""


def _tells_members(op: Operation) -> bool:
    """Returns whether an operation has a level of its own, or gives members of a work-group different values."""
    return op.name.startswith(("xegpu.", "xetile.")) or (op.name in _MEMBERS and bool(op.results[0].uses))


def _check_members(function: FuncOp) -> None:
    """Raises `CompileError` for vectors of nobody in particular, which all members of a work-group would compute."""
    members, operations = prod(function.block_size or ()), operations_in(function)[1:]
    if members == 1 or any(map(_tells_members, operations)):
        return
    for op in operations:
        if op.name != "arith.constant" and any(isa(value.type, VectorType) for value in op.results):
            raise CompileError(
                op,
                f"computes a vector {members} times, once for each member of a work-group, and nothing says who these "
                "are: expected gpu.module @m [#xevm.target<chip = ...>] or the option op-level if 16 work-items are a "
                "subgroup that computes it once, a work-group of 1, or VectorComputeFunctionINTEL if each shall do it",
            )


def _state_offsets(function: FuncOp) -> None:
    """Gives accesses of blocks offsets of zero, unless sg_maps make them those of the RFC: LLVM 22 has both forms."""
    accesses = [op for op in operations_in(function) if isinstance(op, LoadNdOp | StoreNdOp | PrefetchNdOp)]
    if not any(isinstance(access.desc.map, SgMapAttr) for access in accesses):
        for access in accesses:
            if access.const_offsets is None:
                access.const_offsets = DenseArrayBase.from_list(i64, [0] * access.desc.get_num_dims())


def _check(op: Operation, level: OpLevel) -> None:
    """Refuses an operation whose values are those of another level, where that is evident."""
    if level is OpLevel.WORKGROUP:
        return  # Values without a distribution over subgroups are the same for all of them.
    own = [*op.properties.values(), *op.attributes.values(), *(result.type for result in op.results)]
    if any(map(_is_for_subgroups, own)):
        raise CompileError(op, f"has a layout over subgroups, which belongs to level workgroup, not {level.value}")
    if (fragment := is_of_lane(op)) is not None and fragment is not (level is OpLevel.LANE):
        found = OpLevel.LANE if fragment else OpLevel.SUBGROUP
        raise CompileError(op, f"has values of level {found.value}, but the level of the kernel is {level.value}")


def _is_for_subgroups(attribute: Attribute) -> bool:
    if isinstance(attribute, TensorDescType):
        attribute = attribute.map
    root = attribute.root if isinstance(attribute, SliceAttr) else attribute
    return isinstance(root, LayoutAttr) and "sg_layout" in root.given


def is_of_lane(op: Operation) -> bool | None:
    """Returns whether an operation has a lane's part of a block or a matrix; None for other operations."""
    if isinstance(op, DpasOp):
        return op.is_of_lanes
    if not isinstance(op, LoadNdOp | StoreNdOp):
        return None
    value, desc = op.value.type, op.desc
    if not isa(value, VectorType) or desc.lane_map is not None:
        return None
    elements = desc.element_count() * desc.array_length
    return value.get_num_dims() == 1 and value.element_count() < elements
