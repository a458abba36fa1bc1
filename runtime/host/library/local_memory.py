"""Memory of work-groups that host code passes to kernels: buffers in memory space 3, of which only the size matters.

A kernel gets shared local memory of the size of each of these arguments. The host's own buffer is never accessed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from runtime.host.data.binding import array_type
from runtime.host.data.failures import DeviceUseError
from runtime.host.data.values import Array, Value
from xegpu.dialects.xegpu import MemorySpace, memory_space_number


def is_local(type: Attribute) -> bool:
    """Returns whether values of a type are memrefs in shared local memory."""
    if not isinstance(type, MemRefType | UnrankedMemRefType):
        return False
    try:
        return memory_space_number(type.memory_space) == MemorySpace.SLM.number
    except VerifyException:
        return False


def launch_values(types: Sequence[Attribute], values: Sequence[Value]) -> list[Value]:
    """Returns the arguments of a kernel for the operands of a launch.

    For memrefs in shared local memory this is their size in bytes, and the sizes and strides that their types leave
    open. Raises `DeviceUseError` for two views of one such buffer, as each would be memory of its own.
    """
    found: list[Value] = []
    local: list[tuple[int, Array]] = []
    for number, (type, value) in enumerate(zip(types, values, strict=True)):
        if not is_local(type):
            found.append(value)
            continue
        assert isinstance(type, MemRefType)
        assert isinstance(value, np.ndarray)
        for other, array in local:
            if value.size and np.may_share_memory(value, array):
                raise DeviceUseError(
                    f"passes arguments {other} and {number} in one buffer of shared local memory: pass the buffer, "
                    "and make views of it in the kernel"
                )
        local.append((number, value))
        found += _local_arguments(type, value)
    return found


def _local_arguments(type: MemRefType[Attribute], value: Array) -> list[int]:
    steps = [stride // value.itemsize for stride in value.strides]
    if value.size and min(steps, default=0) < 0:
        raise DeviceUseError(f"passes {type} with strides {steps}, expected none below 0 in shared local memory")
    reach = 1 + sum((size - 1) * step for size, step in zip(value.shape, steps, strict=True))
    form = array_type(type)
    if form is None:
        raise DeviceUseError(f"passes {type}, which kernels do not take in shared local memory")
    return [max(reach * value.itemsize if value.size else 0, 1), *form.hidden(value.shape, steps)]
