"""`gpu-kernel-outlining`: turns the bodies of `gpu.launch` into kernels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import I32, DenseArrayBase, IntegerAttr, ModuleOp, StringAttr, SymbolRefAttr, UnitAttr, i32
from xdsl.dialects.gpu import DimensionAttr, DimensionEnum
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolOpInterface

from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream.func import FuncOp as HostFuncOp
from xegpu.dialects.upstream.gpu import (
    CONTAINER,
    BlockDimOp,
    BlockIdOp,
    FuncOp,
    GridDimOp,
    LaunchFuncOp,
    LaunchOp,
    ModuleOp as GpuModuleOp,
    ReturnOp,
    TerminatorOp,
    ThreadIdOp,
)

_DIMENSIONS = (DimensionEnum.X, DimensionEnum.Y, DimensionEnum.Z)
_IDS = (BlockIdOp, ThreadIdOp, GridDimOp, BlockDimOp)
"""The meaning of the first arguments of a body, three of each kind."""


@dataclass(frozen=True)
class GpuKernelOutliningPass(ModulePass):
    """Replaces each `gpu.launch` by a `gpu.launch_func` of a kernel in a new `gpu.module`.

    Kernel and module are named after the function around the launch. Values from outside become kernel arguments,
    constants are cloned into the kernel.
    """

    name = "gpu-kernel-outlining"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        taken = {name.data for inner in op.ops if (name := _symbol(inner)) is not None}
        for launch in [inner for inner in op.walk() if isinstance(inner, LaunchOp)]:
            _outline(op, launch, _unused_name(launch, taken))


def _symbol(op: Operation) -> StringAttr | None:
    trait = op.get_trait(SymbolOpInterface)
    return None if trait is None else trait.get_sym_attr_name(op)


def _unused_name(launch: Operation, taken: set[str]) -> str:
    function: Operation | None = launch
    while function is not None and not isinstance(function, HostFuncOp):
        function = function.parent_op()
    base = f"{function.sym_name.data}_kernel" if function is not None else "kernel"
    name, number = base, 0
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    taken.add(name)
    return name


def _outline(module: ModuleOp, launch: LaunchOp, name: str) -> None:
    body = launch.detach_region(launch.body)
    _sink_constants(body)
    captured = list(dict.fromkeys(_captured(body)))
    shared = 0 if launch.workgroup_attributions is None else launch.workgroup_attributions.value.data
    _take_arguments(launch, body, captured)
    for end in [op for block in body.blocks if isinstance(op := block.last_op, TerminatorOp)]:
        _replace(end, ReturnOp())
    kernel = FuncOp(name, ([v.type for v in captured], []), body, kernel=True, workgroup_attributions=shared)
    kernel.known_grid_size = _known(launch.sizes[:3])
    kernel.known_block_size = _known(launch.sizes[3:])
    holder = GpuModuleOp(name, Region(Block([kernel])))
    inherit_location(launch, kernel)
    inherit_location(launch, holder)
    Rewriter.insert_op(holder, InsertPoint.at_end(module.body.block))
    call = LaunchFuncOp(
        SymbolRefAttr(name, [StringAttr(name)]),
        launch.sizes[:3],
        launch.sizes[3:],
        captured,
        dynamic_shared_memory_size=launch.dynamic_shared_memory_size,
        async_dependencies=launch.async_dependencies,
        is_async=launch.async_token is not None,
    )
    _replace(launch, call)
    module.attributes[CONTAINER] = UnitAttr()


def _known(sizes: Sequence[SSAValue]) -> DenseArrayBase[I32] | None:
    """Returns the sizes if all of them are constants."""
    numbers = [value.owner.value for value in sizes if isinstance(value.owner, ConstantOp)]
    known = [number.value.data for number in numbers if isinstance(number, IntegerAttr)]
    return DenseArrayBase.from_list(i32, known) if len(known) == len(sizes) and max(known) < 1 << 31 else None


def _replace(old: Operation, new: Operation) -> None:
    inherit_location(old, new)
    Rewriter.replace_op(old, new, list(new.results))


def _captured(body: Region) -> Iterator[SSAValue]:
    """Yields the host values that a body uses."""
    inside = {block for op in body.walk() for region in op.regions for block in region.blocks} | set(body.blocks)
    for op in body.walk():
        for operand in op.operands:
            owner = operand.owner if isinstance(operand.owner, Block) else operand.owner.parent_block()
            if owner not in inside:
                yield operand


def _sink_constants(body: Region) -> None:
    place = InsertPoint.at_start(body.blocks[0])
    for value in list(dict.fromkeys(_captured(body))):
        if isinstance(value.owner, ConstantOp):
            copy = value.owner.clone()
            inherit_location(value.owner, copy)
            Rewriter.insert_op(copy, place)
            value.replace_uses_with_if(copy.result, lambda use: _is_inside(use.operation, body))


def _is_inside(op: Operation, body: Region) -> bool:
    region = op.parent_region()
    while region is not None and region is not body:
        parent = region.parent_op()
        region = None if parent is None else parent.parent_region()
    return region is not None


def _take_arguments(launch: LaunchOp, body: Region, captured: list[SSAValue]) -> None:
    """Replaces ids by operations, and inserts arguments for captured values before those for memory."""
    entry = body.blocks[0]
    place = InsertPoint.at_start(entry)
    ids: list[BlockArgument] = list(entry.args[: 3 * len(_IDS)])
    for number, argument in enumerate(ids):
        op = _IDS[number // 3](DimensionAttr(_DIMENSIONS[number % 3]))
        inherit_location(launch, op)
        Rewriter.insert_op(op, place)
        argument.replace_all_uses_with(op.result)
        entry.erase_arg(argument)
    for number, value in enumerate(captured):
        inside = entry.insert_arg(value.type, number)
        value.replace_uses_with_if(inside, lambda use: _is_inside(use.operation, body))
