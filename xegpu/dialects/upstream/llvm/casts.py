"""Casts that xDSL lacks.

https://mlir.llvm.org/docs/Dialects/LLVM/
"""

from __future__ import annotations

from xdsl.dialects.llvm import LLVMPointerType
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure


@irdl_op_definition
class AddrSpaceCastOp(IRDLOperation):
    """`%q = llvm.addrspacecast %p : !llvm.ptr<3> to !llvm.ptr<4>`: the same place as a pointer to another space."""

    name = "llvm.addrspacecast"
    arg = operand_def(LLVMPointerType)
    res = result_def(LLVMPointerType)

    traits = traits_def(Pure())
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
