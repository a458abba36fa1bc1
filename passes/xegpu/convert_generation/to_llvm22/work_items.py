"""Kernels whose threads are subgroups, launched with work-items instead, as LLVM 22 launches all kernels."""

from __future__ import annotations

from xdsl.dialects.arith import ConstantOp, MuliOp, RemUIOp
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, IntegerType, ModuleOp, VectorType, i32
from xdsl.dialects.gpu import DimensionEnum
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from passes.kernel.dimensions import dimension_index
from passes.kernel.mode import entry_point_subgroup_size, kernel_lanes
from passes.support.op_builder import OpBuilder
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.arith import DivUIOp
from xegpu.dialects.upstream.gpu import (
    AllReduceOp,
    BallotOp,
    BlockDimOp,
    BlockIdOp,
    FuncOp,
    GlobalIdOp,
    LaneIdOp,
    LaunchFuncOp,
    ModuleOp as GpuModuleOp,
    PrintfOp,
    RotateOp,
    ShuffleOp,
    SubgroupBroadcastOp,
    SubgroupIdOp,
    SubgroupReduceOp,
    ThreadIdOp,
)
from xegpu.dialects.upstream.memref import AtomicRMWOp, GenericAtomicRMWOp
from xegpu.dialects.upstream.spirv import EntryPointABIAttr
from xegpu.dialects.upstream.vector import PrintOp
from xegpu.dialects.xegpu import LLVM22_LANES, is_of_llvm22
from xegpu.targets import Target

_SUBGROUP_MODE = "VectorComputeFunctionINTEL"
_SIZES = ("known_block_size", "gpu.known_block_size", "gpu.work_group_size_hint")
_OF_EACH = frozenset(
    {
        *(AllReduceOp, BallotOp, LaneIdOp, PrintfOp, RotateOp, ShuffleOp, SubgroupBroadcastOp, SubgroupReduceOp),
        *(AtomicRMWOp, GenericAtomicRMWOp, PrintOp),
    }
)
"""Operations whose effect or result depends on the number of work-items that execute them."""
_DIMENSIONS = (DimensionEnum.X, DimensionEnum.Y, DimensionEnum.Z)


def count_work_items(module: ModuleOp, target: Target) -> None:
    """States the subgroup size of all kernels that use XeGPU or vectors, and launches them with as many work-items.

    In kernels whose threads are subgroups, ids of threads become numbers of subgroups.

    Raises:
        CompileError: For a kernel with other subgroups than LLVM 22 assumes, or one with operations that each
            work-item would repeat.

    """
    counted: set[tuple[str, str]] = set()
    for holder in [op for op in module.walk() if isinstance(op, GpuModuleOp)]:
        for function in [op for op in holder.walk() if isinstance(op, FuncOp)]:
            if is_of_llvm22(function) or not _has_values_of_subgroups(function):
                continue
            lanes = kernel_lanes(function, target)
            if lanes not in (1, LLVM22_LANES):
                raise CompileError(
                    function, f"has subgroups of {lanes} work-items, in LLVM 22 they have {LLVM22_LANES}"
                )
            if lanes == 1:
                counted.add((holder.sym_name.data, function.sym_name.data))
                _renumber(function)
            if entry_point_subgroup_size(function) != LLVM22_LANES:
                function.attributes["spirv.entry_point_abi"] = EntryPointABIAttr(subgroup_size=LLVM22_LANES)
    for launch in [op for op in module.walk() if isinstance(op, LaunchFuncOp)]:
        names = "".join(name.data for name in launch.kernel.nested_references)
        if (launch.kernel.root_reference.data, names) in counted:
            _widen(launch)


def _has_values_of_subgroups(function: FuncOp) -> bool:
    """Returns whether a kernel has operations of XeGPU or vectors."""
    operations = [op for op in function.walk() if op is not function]
    return any(
        op.name.startswith("xegpu.") or any(isa(v.type, VectorType) for v in (*op.operands, *op.results))
        for op in operations
    )


def _renumber(function: FuncOp) -> None:
    """Expresses ids and sizes in threads, which were subgroups, by the subgroups of work-items."""
    for attributes in (function.properties, function.attributes):
        attributes.pop(_SUBGROUP_MODE, None)
        for name in _SIZES:
            if isa(size := attributes.get(name), DenseArrayBase[IntegerType]):
                x, *others = size.get_values()
                attributes[name] = DenseArrayBase.from_list(i32, [x * LLVM22_LANES, *others])
    for op in list(function.walk()):
        if type(op) in _OF_EACH:
            raise CompileError(
                op,
                f"has no counterpart in LLVM 22: each of the {LLVM22_LANES} work-items of a subgroup would execute it",
            )
        match op:
            case ThreadIdOp():
                replacement = _thread(OpBuilder(op), dimension_index(op))
            case BlockDimOp() if dimension_index(op) == 0:
                replacement = _size(OpBuilder(op), 0)
            case GlobalIdOp():
                replacement = _position(OpBuilder(op), dimension_index(op))
            case _:
                continue
        replacement.name_hint = op.results[0].name_hint
        op.results[0].replace_all_uses_with(replacement)
        Rewriter.erase_op(op)


def _size(builder: OpBuilder, dimension: int) -> SSAValue:
    """Returns the number of subgroups of a work-group along a dimension."""
    items = builder.add(BlockDimOp(_DIMENSIONS[dimension]))
    return items if dimension else builder.value(builder.quotient(items, LLVM22_LANES))


def _thread(builder: OpBuilder, dimension: int) -> SSAValue:
    """Returns the position of a subgroup in its work-group along a dimension: subgroups are numbered from x on."""
    number = builder.add(SubgroupIdOp())
    for outer in range(dimension):
        number = builder.add(DivUIOp(number, _size(builder, outer)))
    return number if dimension == 2 else builder.add(RemUIOp(number, _size(builder, dimension)))


def _position(builder: OpBuilder, dimension: int) -> SSAValue:
    """Returns the position of a subgroup in the grid along a dimension."""
    group = builder.add(BlockIdOp(_DIMENSIONS[dimension]))
    start = builder.times(group, _size(builder, dimension))
    return builder.value(builder.plus(start, _thread(builder, dimension)))


def _widen(launch: LaunchFuncOp) -> None:
    """Launches a kernel with a work-item for each lane of the subgroups that it was launched with."""
    size = launch.block_size_x
    builder = OpBuilder(launch)
    lanes = builder.add(ConstantOp(_number(size.type)))
    grid = (launch.grid_size_x, launch.grid_size_y, launch.grid_size_z)
    launch.operands[len(launch.async_dependencies) + len(grid)] = builder.add(MuliOp(size, lanes))


def _number(type_: Attribute) -> IntegerAttr:
    assert isinstance(type_, IntegerType | IndexType)
    return IntegerAttr(LLVM22_LANES, type_)
