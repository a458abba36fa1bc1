"""The target attribute of the xevm dialect, which modules of kernels carry; operations are not supported.

xDSL has no such dialect.

https://mlir.llvm.org/docs/Dialects/XeVMDialect/
"""

from __future__ import annotations

from xdsl.ir import Dialect
from xdsl.irdl import irdl_attr_definition

from xegpu.dialects.upstream.opaque import OpaqueTextAttr


@irdl_attr_definition
class XevmTargetAttr(OpaqueTextAttr):
    """The GPU and the options that a module is compiled for. Its text is kept and not interpreted.

    `#xevm.target<O = 3, chip = "pvc">`
    """

    name = "xevm.target"


XeVM = Dialect("xevm", [], [XevmTargetAttr])

__all__ = ["XeVM", "XevmTargetAttr"]
