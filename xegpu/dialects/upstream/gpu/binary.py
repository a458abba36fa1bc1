"""`gpu.binary`: kernels that are compiled already.

xDSL does not have it.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolNameConstraint
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, irdl_attr_definition, irdl_op_definition, prop_def, traits_def
from xdsl.traits import SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from xegpu.mlir import OpaqueTextAttr


@irdl_attr_definition
class ObjectAttr(OpaqueTextAttr):
    """`#gpu.object<#target, "bytes">`: the code that a compiler made for a target."""

    name = "gpu.object"


@irdl_attr_definition
class SelectObjectAttr(OpaqueTextAttr):
    """`#gpu.select_object<0>`: which object of a binary is used, by its number or target; the first by default."""

    name = "gpu.select_object"


_FIRST = SelectObjectAttr(StringAttr(""))


@irdl_op_definition
class BinaryOp(IRDLOperation):
    """Kernels that are compiled already, for one target or several.

    `gpu.binary @kernels [#gpu.object<#nvvm.target, "bytes">]`
    """

    name = "gpu.binary"
    sym_name = prop_def(SymbolNameConstraint())
    offloading_handler = prop_def(Attribute, default_value=_FIRST, prop_name="offloadingHandler")
    objects = prop_def(ArrayAttr[ObjectAttr])

    traits = traits_def(SymbolOpInterface())
    assembly_format = "$sym_name (` ` `<` $offloadingHandler^ `>`)? attr-dict $objects"

    def verify_(self) -> None:
        if not len(self.objects):
            raise VerifyException("expects at least one object")
