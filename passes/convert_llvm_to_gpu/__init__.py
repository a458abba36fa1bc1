"""`convert-llvm-to-gpu`: kernels in the llvm dialect, through LLVM IR, as `gpu.func`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.dialects.llvm import GlobalOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.convert_scf_to_cf import ForLowering, IfLowering, SwitchLowering

from passes.convert_llvm_to_gpu.launches import pass_parts
from passes.convert_xegpu_to_xe import LOWERINGS
from passes.frontends.llvm import import_module, read_kernels
from passes.frontends.llvm_dialect import AnyFunction, has_type, is_kernel, write_module
from xegpu.diagnostics import location_of
from xegpu.dialects.upstream import gpu
from xegpu.dialects.upstream.func import FuncOp as HostFuncOp
from xegpu.dialects.upstream.llvm import FuncOp

_LLVM, _XEVM = "llvm.", "xevm."
_FUNCTIONS = FuncOp | HostFuncOp | gpu.FuncOp


@dataclass(frozen=True)
class ConvertLlvmToGpuPass(ModulePass):
    """Replaces each kernel that is an `llvm.func`, or that computes in the llvm dialect, by one that can be compiled.

    The front end of LLVM IR inlines its calls and reads its builtins. Launches with buffers pass the parts of their
    descriptors to the kernels, as upstream's calling convention has them.
    """

    name = "convert-llvm-to-gpu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for holder in [inner for inner in op.walk() if isinstance(inner, gpu.ModuleOp)]:
            kernels = [inner for inner in holder.body.ops if isinstance(inner, _FUNCTIONS) and _is_taken(inner)]
            if kernels:
                lowered = {kernel.sym_name.data for kernel in kernels if isinstance(kernel, FuncOp)}
                _replace(holder, kernels)
                pass_parts(op, holder, lowered)


def _is_taken(op: AnyFunction) -> bool:
    """Returns whether a function is a kernel with what only LLVM IR's front end reads."""
    if not is_kernel(op):
        return False
    if isinstance(op, FuncOp):
        return True
    operations = list(op.body.walk())
    if any(inner.name.startswith(_LLVM) and inner not in LOWERINGS for inner in operations):
        return True
    return any(inner.name.startswith(_XEVM) for inner in operations) and all(map(_has_form, operations))


def _has_form(op: Operation) -> bool:
    """Returns whether LLVM IR has types for the values of an operation, whose addresses it knows how to simplify."""
    values = [*op.results, *(argument for region in op.regions for block in region.blocks for argument in block.args)]
    return all(has_type(value.type) for value in values)


def _replace(holder: gpu.ModuleOp, kernels: Sequence[AnyFunction]) -> None:
    others = [op for op in holder.body.ops if op not in kernels and isinstance(op, FuncOp | HostFuncOp | GlobalOp)]
    for function in (*kernels, *(op for op in others if isinstance(op, FuncOp | HostFuncOp))):
        _to_blocks(function)
    written = write_module(kernels, others)
    place = location_of(kernels[0])
    module = read_kernels(written.text, place.file if place is not None else "<kernel>")
    module.operations = written.operations
    before = InsertPoint.before(kernels[0])
    imported = [
        op
        for inner in import_module(module, written.requirements).ops
        if isinstance(inner, gpu.ModuleOp)
        for op in inner.body.ops
    ]
    known = {kernel.sym_name.data: kernel for kernel in kernels}
    for op in imported:
        op.detach()
        Rewriter.insert_op(op, before)
        if isinstance(op, gpu.FuncOp):
            _complete(op, known[op.sym_name.data])
    for old in (*kernels, *_unused(others, imported)):
        Rewriter.erase_op(old)


def _to_blocks(function: AnyFunction) -> None:
    patterns = GreedyRewritePatternApplier([SwitchLowering(), IfLowering(), ForLowering()])
    PatternRewriteWalker(patterns).rewrite_region(function.body)


def _complete(kernel: gpu.FuncOp, source: AnyFunction) -> None:
    """Gives a kernel what LLVM IR does not tell of its source: the types of buffers, and names."""
    for before, after in zip(source.body.blocks[0].args, kernel.body.blocks[0].args, strict=True):
        after.name_hint = before.name_hint
    if isinstance(source, FuncOp):
        return
    for before, after in zip(source.body.blocks[0].args, list(kernel.body.blocks[0].args), strict=True):
        if before.type.name in ("memref", "unranked_memref"):
            Rewriter.replace_value_with_new_type(after, before.type)
    inputs = [argument.type for argument in kernel.body.blocks[0].args]
    kernel.function_type = FunctionType.from_lists(inputs, [])
    for name, value in source.attributes.items():
        kernel.attributes.setdefault(name, value)


def _unused(others: Sequence[Operation], imported: Sequence[Operation]) -> list[Operation]:
    """Returns the functions and variables that no kernel of the module needs any longer."""
    again = {op.sym_name.data for op in imported if isinstance(op, GlobalOp)}
    found: list[Operation] = [op for op in others if isinstance(op, FuncOp)]
    return [*found, *(op for op in others if isinstance(op, GlobalOp) and op.sym_name.data in again)]
