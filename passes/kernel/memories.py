"""The memories that a kernel reaches, and the types that name them."""

from __future__ import annotations

from enum import Enum

from xdsl.dialects.builtin import IntAttr, MemRefType, UnrankedMemRefType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.gpu import AddressSpace
from xegpu.dialects.xegpu import memory_space_number
from xegpu.isa.model import AddressModel, AddressSize, DataType, Unit, integer


class MessageMemory(Enum):
    """Memory that messages reach: the unit, the width of addresses, and what they are relative to."""

    GLOBAL = (Unit.UGM, AddressSize.A64, AddressModel.FLAT)
    SHARED = (Unit.SLM, AddressSize.A32, AddressModel.FLAT)
    PRIVATE = (Unit.UGM, AddressSize.A32, AddressModel.SCRATCH)
    """The thread's scratch space. In work-item mode neighbouring elements are those of neighbouring lanes."""

    def __init__(self, unit: Unit, address_size: AddressSize, model: AddressModel):
        self.unit = unit
        self.address_size = address_size
        self.model = model

    @property
    def address_type(self) -> DataType:
        """The type of an address in a register."""
        return integer(8 * self.address_size.size, signed=False)


PRIVATE, GLOBAL, CONSTANT, SHARED, GENERIC = range(5)
"""The numbers of address spaces in LLVM IR for SPIR."""
_MEMORIES = {
    PRIVATE: MessageMemory.PRIVATE,
    GLOBAL: MessageMemory.GLOBAL,
    CONSTANT: MessageMemory.GLOBAL,
    SHARED: MessageMemory.SHARED,
}
_CROSS_WORKGROUP = 1
"""The number of global memory in OpenCL's numbering, which SPIR-V and `xevm` have."""
_SPACES = {
    AddressSpace.GLOBAL.number: MessageMemory.GLOBAL,
    _CROSS_WORKGROUP: MessageMemory.GLOBAL,
    AddressSpace.WORKGROUP.number: MessageMemory.SHARED,
    AddressSpace.PRIVATE.number: MessageMemory.PRIVATE,
}


def space_number(type: Attribute) -> int:
    """Returns the number of the address space of a pointer type."""
    return type.addr_space.data if isinstance(type, LLVMPointerType) and isinstance(type.addr_space, IntAttr) else 0


def memory_of(type: Attribute) -> MessageMemory | None:
    """Returns the memory that a pointer type names; None for generic pointers and unknown spaces."""
    return _MEMORIES.get(space_number(type))


def memory_space(type: MemRefType[Attribute] | UnrankedMemRefType[Attribute]) -> MessageMemory | None:
    """The memory that a memref's type names; None for one that kernels do not have."""
    try:
        return _SPACES.get(memory_space_number(type.memory_space))
    except VerifyException:
        return None
