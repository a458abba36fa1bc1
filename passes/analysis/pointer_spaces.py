"""The memory that a pointer may point into.

The type of a pointer tells, unless it is a generic one. Bits 61 to 63 of a generic pointer are 1 for private memory and
2 for shared local memory; addresses of global memory have 0 or 7 there, and stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation, Region, SSAValue

from passes.analysis.dataflow import forward
from passes.kernel.memories import GENERIC, MessageMemory, memory_of, space_number
from passes.support.control_flow import operations_of, values_in
from xegpu.dialects.upstream.llvm import AddrSpaceCastOp

Spaces = frozenset[MessageMemory]

TAG_SHIFT = 61
TAGS = {MessageMemory.PRIVATE: 1, MessageMemory.SHARED: 2}
_ONLY_GLOBAL: Spaces = frozenset({MessageMemory.GLOBAL})
_UNTRACED = frozenset({"llvm.load", "llvm.inttoptr", "llvm.extractvalue", "llvm.atomicrmw"})
"""Operations whose results are pointers that come from memory, or from numbers."""


def generic_spaces(body: Region) -> Spaces:
    """Returns the memories into which a generic pointer from an unknown source may point.

    Pointers that another kernel or the host has made are to global memory; those that this kernel makes generic may
    come back from where it stores them.
    """
    casts = operations_of(body, AddrSpaceCastOp)
    spaces = {memory_of(op.arg.type) for op in casts if space_number(op.res.type) == GENERIC}
    return _ONLY_GLOBAL | {space for space in spaces if space is not None}


def pointer_spaces(body: Region) -> dict[SSAValue, Spaces]:
    """Returns the memories into which each generic pointer of a kernel may point."""
    if not any(map(_is_generic, values_in(body))):
        return {}
    unknown = generic_spaces(body)

    def transfer(op: Operation, facts: Mapping[SSAValue, Spaces]) -> Spaces | None:
        if not any(_is_generic(result) for result in op.results):
            return None
        if op.name in _UNTRACED:
            return unknown
        found: Spaces = frozenset()
        for operand in op.operands:
            if isinstance(operand.type, LLVMPointerType):
                memory = memory_of(operand.type)
                found |= facts.get(operand, frozenset()) if memory is None else {memory}
        return found or None

    return forward(body, transfer, lambda a, b: a | b, entry=unknown)


def _is_generic(value: SSAValue) -> bool:
    type = value.type
    return type.__class__ is LLVMPointerType and space_number(type) == GENERIC
