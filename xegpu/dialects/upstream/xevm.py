"""The target attribute of the xevm dialect, which modules of kernels carry; operations are not supported.

xDSL has no such dialect.

https://mlir.llvm.org/docs/Dialects/XeVMDialect/
"""

from __future__ import annotations

import re

from xdsl.ir import Dialect
from xdsl.irdl import irdl_attr_definition

from xegpu.dialects.upstream.opaque import OpaqueTextAttr


@irdl_attr_definition
class XevmTargetAttr(OpaqueTextAttr):
    """The GPU and the options that a module is compiled for. Its text is kept; only the chip is interpreted.

    `#xevm.target<O = 3, chip = "pvc">`
    """

    name = "xevm.target"

    @property
    def chip(self) -> str | None:
        """The name of the GPU, or None if the attribute has none."""
        found = re.search(r'\bchip\s*=\s*"([^"]*)"', self.body.data)
        return found[1] if found else None


XeVM = Dialect("xevm", [], [XevmTargetAttr])

__all__ = ["XeVM", "XevmTargetAttr"]
