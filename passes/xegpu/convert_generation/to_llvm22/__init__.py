"""Kernels in the form of the RFC, rewritten in the form of LLVM 22."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from passes.kernel.scope import kernel_operations
from passes.support.attribute_conversion import AttributeConversion, rename_properties
from passes.support.webs.descriptors import descriptor_webs
from passes.xegpu.convert_generation.to_llvm22.accesses import Accesses
from passes.xegpu.convert_generation.to_llvm22.layouts import layout_of
from passes.xegpu.convert_generation.to_llvm22.work_items import count_work_items
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp, LaunchOp
from xegpu.dialects.xegpu import CollectOp, CompileHintOp, DistributeOp, DpasOp, is_of_llvm22
from xegpu.dialects.xegpu.ops import LAYOUTS, SG_MAPS
from xegpu.targets import Target

_WITHOUT_COUNTERPART: Mapping[type[Operation], str] = {
    CollectOp: "it exchanges the fragments of lanes, which LLVM 22 leaves to layouts and to gpu.shuffle",
    DistributeOp: "it takes fragments of lanes by a list, which LLVM 22 leaves to layouts",
    CompileHintOp: "it is a hint to the scheduler, which can be removed",
}


def convert_to_llvm22(module: ModuleOp, target: Target) -> None:
    """Rewrites the kernels of a module that are not in this form. Raises `CompileError` for what it cannot express."""
    for op in module.walk():
        _check(op)
    older = [op for op in module.walk() if isinstance(op, FuncOp) and not is_of_llvm22(op)]
    count_work_items(module, target)
    for function in older:
        Accesses(descriptor_webs(function), target).run(function.body)
    operations = list(kernel_operations(module))
    AttributeConversion(layout_of).convert_operations(operations)
    for op in operations:
        if isinstance(op, DpasOp):
            rename_properties(op, tuple(zip(SG_MAPS, LAYOUTS, strict=True)))


def _check(op: Operation) -> None:
    if isinstance(op, LaunchOp):
        raise CompileError(op, "holds a kernel: run gpu-kernel-outlining before")
    if (reason := _WITHOUT_COUNTERPART.get(type(op))) is not None:
        raise CompileError(op, f"has no counterpart in LLVM 22: {reason}")
    if op.name.startswith("xetile."):
        raise CompileError(op, "has no counterpart in LLVM 22: run the passes down to XeGPU before")
