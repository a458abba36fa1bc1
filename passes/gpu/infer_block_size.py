"""`gpu-infer-block-size`: states the work-group size of kernels whose launches all have the same constant one."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp, SymbolRefAttr, i32
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import ConstantLike
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.gpu import FuncOp, LaunchFuncOp, ModuleOp as GpuModuleOp
from xegpu.dialects.xegpu import is_of_llvm22

_IDS = frozenset({"gpu.thread_id", "gpu.global_id"})
Size = tuple[int, int, int]


@dataclass(frozen=True)
class GpuInferBlockSizePass(ModulePass):
    """Gives kernels the attribute `known_block_size` that their launches in this module imply.

    It tells which arithmetic on `gpu.thread_id` has one result for a whole subgroup, and how many subgroups share the
    values of a work-group, so only kernels need it that use XeGPU with ids of work-items or in the form of LLVM 22. A
    kernel that states a size, that is launched with different sizes or with sizes that
    are computed at run time, or that nothing in the module launches, stays as it is.
    """

    name = "gpu-infer-block-size"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        launches: dict[tuple[str, str], set[Size | None]] = defaultdict(set)
        for launch in op.walk():
            if isinstance(launch, LaunchFuncOp):
                launches[_names(launch.kernel)].add(_block_size(launch))
        for module in [inner for inner in op.walk() if isinstance(inner, GpuModuleOp)] if launches else ():
            for kernel in [inner for inner in module.walk() if isinstance(inner, FuncOp)]:
                sizes = launches.get((module.sym_name.data, kernel.sym_name.data), set())
                if len(sizes) == 1 and (size := next(iter(sizes))) and kernel.block_size is None and _needs(kernel):
                    kernel.known_block_size = DenseArrayBase.from_list(i32, size)


def _names(symbol: SymbolRefAttr) -> tuple[str, str]:
    """Returns the names of the module and the kernel that a launch refers to."""
    return symbol.root_reference.data, "".join(name.data for name in symbol.nested_references)


def _block_size(launch: LaunchFuncOp) -> Size | None:
    x, y, z = map(_constant, (launch.block_size_x, launch.block_size_y, launch.block_size_z))
    return None if x is None or y is None or z is None else (x, y, z)


def _constant(value: SSAValue) -> int | None:
    attribute = ConstantLike.get_constant_value(value)
    is_size = isa(attribute, IntegerAttr) and 0 < attribute.value.data < 1 << 31
    return attribute.value.data if is_size and isa(attribute, IntegerAttr) else None


def _needs(kernel: FuncOp) -> bool:
    names = {op.name for op in kernel.walk()}
    return is_of_llvm22(kernel) or (not _IDS.isdisjoint(names) and any(name.startswith("xegpu.") for name in names))
