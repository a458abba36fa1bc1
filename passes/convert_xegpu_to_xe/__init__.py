"""`convert-xegpu-to-xe`: lowers `gpu.func` kernels to the virtual Xe ISA over SSA registers."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from passes.convert_xegpu_to_xe import (
    arithmetic,
    constants,
    control,
    gpu_ids,
    matrix,
    memory,
    scalar_access,
    vectors,
)
from passes.convert_xegpu_to_xe.lowering import HANDLERS, KernelLowering
from passes.convert_xegpu_to_xe.structured import to_blocks
from passes.target_option import target_of
from xegpu.dialects.upstream.gpu.kernel import FuncOp

_FAMILIES = (arithmetic, constants, control, gpu_ids, matrix, memory, scalar_access, vectors)
"""Modules that register lowerings."""


@dataclass(frozen=True)
class ConvertXegpuToXePass(ModulePass):
    """Replaces every kernel of every `gpu.module` by an `xe.kernel`; structured control flow becomes blocks first."""

    name = "convert-xegpu-to-xe"

    target: str = "pvc"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op, self.target)
        for function in [o for o in op.walk() if isinstance(o, FuncOp) and o.kernel is not None]:
            block = function.parent_block()
            assert block is not None
            to_blocks(function.body)
            block.insert_op_before(KernelLowering(function, target).run(), function)
            block.erase_op(function)


__all__ = ["HANDLERS", "ConvertXegpuToXePass", "KernelLowering"]
