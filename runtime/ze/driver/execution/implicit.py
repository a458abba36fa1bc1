"""The implicit arguments of a launch: a structure, and the local ids of all threads behind it."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING

from runtime import simulator
from runtime.ze.driver.modules.payload import LAUNCH_NUMBERS, Geometry
from xegpu.on_demand import dataclass, imports_on_demand
from zebin import contract

with imports_on_demand(globals()):  # most launches have none
    import numpy as np

if TYPE_CHECKING:
    from runtime.simulator import Dispatch, KernelDescription
    from zebin.contract import ImplicitLayout

_LEAST_LANES = 16
"""The work-items of a row of local ids, if it is not that of a single one."""


@dataclass(frozen=True)
class ImplicitArguments:
    """The contents of the memory but for the addresses in it."""

    layout: ImplicitLayout
    numbers: Mapping[str, tuple[int, ...]]
    local_ids: bytes

    @property
    def size(self) -> int:
        """The bytes of the memory."""
        return self.layout.room + len(self.local_ids)

    def at(self, address: int, addresses: Mapping[str, int]) -> bytes:
        """Returns the bytes of the memory at an address; `addresses` of other memory are in it, by what it is for."""
        data = bytearray(self.layout.room)
        values = dict(self.numbers)
        values |= {word: (value,) for word, value in addresses.items()}
        values[contract.LOCAL_ID_TABLE] = (address + self.layout.room,)
        for word, (offset, form) in self.layout.fields.items():
            if word in values:
                struct.pack_into(f"<{form}", data, offset, *values[word])
        return bytes(data) + self.local_ids


def implicit_arguments(kernel: KernelDescription, dispatch: Dispatch) -> ImplicitArguments:
    """Returns the implicit arguments of a launch."""
    layout = contract.IMPLICIT_LAYOUTS[kernel.implicit_version]
    simd_size = kernel.facts.simd_size
    geometry = Geometry(dispatch.local_size, dispatch.group_count, dispatch.global_offset)
    numbers = {word: values(geometry) for word, values in LAUNCH_NUMBERS.items()}
    numbers |= {
        contract.SIZE: (layout.size,),
        contract.VERSION: (kernel.implicit_version,),
        contract.SIMD_WIDTH: (simd_size,),
    }
    ids = simulator.local_ids(simd_size, dispatch.local_size, kernel.facts.walk_order)
    padding = max(_LEAST_LANES - simd_size, 0) if simd_size > 1 else 0
    return ImplicitArguments(layout, numbers, np.pad(ids, ((0, 0), (0, 0), (0, padding))).astype("<u2").tobytes())
