"""`xe-split-register-blocks`: splits the register blocks of kernels that do not fit the register file."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from passes.xe.allocate_registers.pressure import exceeds_file
from passes.xe.split_register_blocks.pieces import partition
from passes.xe.split_register_blocks.rewrite import Splitter
from xegpu.dialects.xe import kernel_target, kernels_of


@dataclass(frozen=True)
class XeSplitRegisterBlocksPass(ModulePass):
    """Splits each block of several registers into the pieces that single instructions access.

    A value can then be larger than the register file: each piece is allocated and spilled on its own. An operand that
    overlaps several pieces is put together by moves. Kernels whose values fit the file together stay unchanged.
    """

    name = "xe-split-register-blocks"

    grf_count: int = 0
    """The number of registers of the kernel; 0 stands for the largest register mode."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in kernels_of(op):
            target = kernel_target(kernel)
            if not kernel.is_allocated and exceeds_file(kernel, self.grf_count):
                Splitter(target, partition(kernel.body, target)).run(kernel.body)
