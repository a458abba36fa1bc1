"""`xe-select-code`: selects the instructions that kernels are made of."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from xegpu.dialects.xe import compiled_kernels, kernels_of

CODES = VIRTUAL, NATIVE = "virtual", "native"
"""The kinds of code."""


@dataclass(frozen=True)
class XeSelectCodePass(ModulePass):
    """Selects the code of allocated kernels: that of the virtual ISA, or that of the hardware.

    Kernels that become `native` must leave the last registers free (`xe-allocate-registers{reserved=...}`). Those with
    instructions that there is no native code for are refused.
    """

    name = "xe-select-code"

    code: str = VIRTUAL
    """The code: `virtual` or `native`."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.code not in CODES:
            raise PassFailedException(f"expected code={'|'.join(CODES)}, got code={self.code}")
        for kernel in kernels_of(op):
            kernel.native = UnitAttr() if self.code == NATIVE else None
        if self.code == NATIVE:
            compiled_kernels(op)
