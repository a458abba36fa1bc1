"""Ops of device code that stand alone: printing, and memory whose size the launch gives.

xDSL has none of them.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloatConstr, IndexType, IntegerType, MemRefType, StringAttr, i8
from xdsl.irdl import AnyOf, IRDLOperation, base, irdl_op_definition, prop_def, result_def, traits_def, var_operand_def
from xdsl.traits import MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.gpu.attributes import AddressSpace, AddressSpaceAttr


@irdl_op_definition
class PrintfOp(IRDLOperation):
    r"""Writes text; the format is that of C's `printf`.

    `gpu.printf "thread %d\0A", %i : i32`
    """

    name = "gpu.printf"
    args = var_operand_def(AnyOf((base(IntegerType), base(IndexType), AnyFloatConstr)))
    format = prop_def(StringAttr)

    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$format attr-dict (`,` $args^ `:` type($args))?"


@irdl_op_definition
class DynamicSharedMemoryOp(IRDLOperation):
    """The memory of the work-group, as large as the launch says.

    `%r = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>`
    """

    name = "gpu.dynamic_shared_memory"
    memref = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($memref)"

    def verify_(self) -> None:
        memref = self.memref.type
        if memref.memory_space != AddressSpaceAttr(AddressSpace.WORKGROUP):
            raise VerifyException(
                f"address space must be {AddressSpaceAttr(AddressSpace.WORKGROUP)}, got {memref.memory_space}"
            )
        if memref.get_shape() != (DYNAMIC_INDEX,) or memref.element_type != i8:
            raise VerifyException(f"result must be a memref of i8 with one dynamic dimension, got {memref}")
