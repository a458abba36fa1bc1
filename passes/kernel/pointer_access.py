"""Finds whether a kernel reads or writes what an argument points to."""

from __future__ import annotations

from xdsl.ir import SSAValue

from passes.kernel.address_sources import READERS
from passes.support.control_flow import branch_operands

_WRITERS = frozenset(
    {
        *("memref.store", "xegpu.store", "xegpu.store_nd"),
        *(f"vector.{name}" for name in ("compressstore", "maskedstore", "scatter", "store", "transfer_write")),
    }
)
_FOLLOWED = frozenset(
    {
        *(f"memref.{name}" for name in ("cast", "collapse_shape", "distinct_objects", "expand_shape")),
        "memref.memory_space_cast",
        *(f"memref.{name}" for name in ("reinterpret_cast", "subview", "transpose", "view")),
        *("llvm.addrspacecast", "llvm.getelementptr", "arith.select"),
        *(f"xegpu.{name}" for name in ("create_nd_tdesc", "update_nd_offset", "create_tdesc", "update_offset")),
    }
)


def pointer_access(argument: SSAValue) -> str:
    """Returns `readonly`, `writeonly` or `readwrite` for the accesses through a pointer that can be followed."""
    reads = writes = False
    seen: set[SSAValue] = set()
    pending = [argument]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for use in value.uses:
            op = use.operation
            if op.name in READERS:
                reads = True
            elif (op.name == "llvm.store" and use.index == 1) or op.name in _WRITERS:
                writes = True
            elif op.name in ("cf.br", "cf.cond_br"):
                pending += [argument for argument, operand in branch_operands(op) if operand is value]
            elif op.name in _FOLLOWED:
                pending += op.results
            elif op.name not in ("memref.dim", "memref.rank"):
                reads = writes = True
    if reads and not writes:
        return "readonly"
    return "writeonly" if writes and not reads else "readwrite"
