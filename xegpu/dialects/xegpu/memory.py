"""The memory space of a memref type."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, MemRefType, NoneAttr
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.gpu import AddressSpace, AddressSpaceAttr
from xegpu.dialects.upstream.spirv import StorageClassAttr
from xegpu.dialects.upstream.xevm import AddrSpaceAttr
from xegpu.dialects.xegpu.attributes import MemorySpaceAttr

_STORAGE_CLASSES = {
    "CrossWorkgroup": AddressSpace.GLOBAL,
    "StorageBuffer": AddressSpace.GLOBAL,
    "Workgroup": AddressSpace.WORKGROUP,
    "Function": AddressSpace.PRIVATE,
    "Private": AddressSpace.PRIVATE,
}


def memory_space_number(space: Attribute) -> int:
    """The number of a memref's memory space: 0 is global memory, 3 shared local memory.

    Raises `VerifyException` for an attribute that is no memory space of a GPU.
    """
    if isinstance(space, NoneAttr):
        return 0
    if isa(space, IntegerAttr):
        return space.value.data
    if isinstance(space, MemorySpaceAttr):
        return space.data.number
    if isinstance(space, AddressSpaceAttr | AddrSpaceAttr):
        return space.data.number
    if isinstance(space, StorageClassAttr) and space.storage_class in _STORAGE_CLASSES:
        return _STORAGE_CLASSES[space.storage_class].number
    raise VerifyException(f"expected an integer, #xegpu<memory_space ...> or #gpu.address_space<...>, got {space}")


def static_strides(memref: MemRefType) -> tuple[int, ...] | None:
    """Strides in elements where all are known from the type, else None."""
    known = [stride for stride in memref.get_strides() or () if stride is not None]
    return tuple(known) if len(known) == memref.get_num_dims() else None
