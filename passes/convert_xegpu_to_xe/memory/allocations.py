"""Lowers allocations: the address of a kernel's memory is fixed at compile time, or by the launch."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.memref import DeallocOp, GetGlobalOp
from xdsl.ir import Operation
from xdsl.utils.hints import isa

from passes.convert_xegpu_to_xe.lowering.forms import MemRefForm, argument_form
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, MemRef, UniformConstant
from passes.kernel.memories import MessageMemory
from passes.kernel.register_types import memory_type
from passes.kernel.resources import ALLOCATIONS
from passes.kernel.simt import PrintfBufferOp
from xegpu.dialects.upstream.gpu import DynamicSharedMemoryOp
from xegpu.dialects.xe import SymbolAddressOp, referenced_variable
from xegpu.isa.model import DataType


@lowers(*ALLOCATIONS)
def allocate(lowering: KernelLowering, op: Operation) -> None:
    result = op.results[0]
    if isinstance(op, GetGlobalOp) and result not in lowering.resources.places:
        lowering.values[result] = _variable(lowering, op)
    else:
        lowering.values[result] = lowering.allocated(result)


def _variable(lowering: KernelLowering, op: GetGlobalOp) -> MemRef:
    """Returns a variable of the module, whose address the loader sets."""
    name = op.name_.root_reference.data
    if referenced_variable(op, op.name_) is None:
        lowering.refuse(op, f"of '@{name}', which has no value in global memory, is not supported in a kernel")
    address = SymbolAddressOp(name, lowering.emit.register_type(MessageMemory.GLOBAL.address_type.size))
    lowering.emit.add(address)
    base = Elements(address.result, MessageMemory.GLOBAL.address_type, 1)
    type = op.memref.type
    assert isa(type, MemRefType)
    form = MemRefForm.of(type)
    assert form is not None
    return form.at(base)


@lowers(DeallocOp)
def deallocate(lowering: KernelLowering, op: DeallocOp) -> None:
    """Memory of a kernel lives as long as its work-group; memory of the caller is not the kernel's to free."""
    owner = op.operands[0].owner
    if not isinstance(owner, ALLOCATIONS):
        lowering.refuse(op, "of memory that this kernel has not allocated is not supported")


@lowers(DynamicSharedMemoryOp)
def dynamic_shared_memory(lowering: KernelLowering, op: DynamicSharedMemoryOp) -> None:
    slots = lowering.signature.dynamic_memory
    assert slots is not None
    lowering.values[op.results[0]] = argument_form(op.results[0].type).from_payload(lowering.payload, slots)


@lowers(PrintfBufferOp)
def printf_buffer(lowering: KernelLowering, op: PrintfBufferOp) -> None:
    """The size is not needed: the kernel compares with the size that the buffer itself holds."""
    type = op.results[0].type
    assert isa(type, MemRefType)
    element = memory_type(type.element_type)
    assert element is not None
    address = lowering.payload.scalar(lowering.signature.implicit_offset("printf_buffer"), DataType.UQ)
    size, one = UniformConstant(DataType.UQ, 0), UniformConstant(DataType.UQ, 1)
    lowering.values[op.results[0]] = MemRef(address, (size,), (one,), element)
