"""Lowers what gives a kernel memory of its own: it has its place since the kernel was compiled, or since the launch."""

from __future__ import annotations

from xdsl.ir import Operation

from passes.convert_xegpu_to_xe.lowering import KernelLowering, lowers
from passes.convert_xegpu_to_xe.resources import ALLOCATIONS, DYNAMIC_MEMORY


@lowers(*ALLOCATIONS)
def allocate(lowering: KernelLowering, op: Operation) -> None:
    lowering.values[op.results[0]] = lowering.allocated(op.results[0])


@lowers("memref.dealloc")
def deallocate(lowering: KernelLowering, op: Operation) -> None:
    """Memory of a kernel lives as long as its work-group; what callers passed is not the kernel's to free."""
    owner = op.operands[0].owner
    if not isinstance(owner, Operation) or owner.name not in ALLOCATIONS:
        lowering.refuse(op, "of memory that this kernel has not allocated is not supported")


@lowers(DYNAMIC_MEMORY)
def dynamic_shared_memory(lowering: KernelLowering, op: Operation) -> None:
    slots = lowering.signature.dynamic_memory
    assert slots is not None
    lowering.values[op.results[0]] = lowering.argument_value(op.results[0].type, slots.first, slots.parts)
