"""The driver supplies this when it links a binary: numbers behind symbols, fields of relocations, variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from zebin.elf.constants import STRINGS, RelocationType
from zebin.ze_info.vocabulary import ArgType

if TYPE_CHECKING:
    from zebin.elf.model import Symbol


class DriverNumber(Enum):
    """A number that the driver alone knows, and that it writes into code."""

    IMPLICIT_ARGUMENTS = "the bytes of implicit arguments in front of the cross-thread payload"
    PER_THREAD_PAYLOAD = "the bytes of the cross-thread payload in memory, which the per-thread payload follows"
    SURFACE_STATE = "the bytes of the state of a surface"
    TILE = "the number of the tile"


SURFACE_STATE_BYTES = 64

SYMBOLS: Mapping[str, DriverNumber] = {
    "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0": DriverNumber.IMPLICIT_ARGUMENTS,
    "__INTEL_PER_THREAD_OFF": DriverNumber.PER_THREAD_PAYLOAD,
    "__INTEL_SURFACE_STATE_SIZE": DriverNumber.SURFACE_STATE,
    "__SubDeviceID": DriverNumber.TILE,
}
"""The numbers by the undefined symbols that stand for them."""


class RelocatedPart(NamedTuple):
    """The field that a relocation of a type changes.

    Attributes:
        width: Its bytes.
        shift: The first bit of the value that it receives.
        in_code: Drivers know the type in code.
        in_data: Drivers know the type in variables.
        number: What it receives whatever its symbol is; None: the address or number of the symbol.
    """

    width: int
    shift: int = 0
    in_code: bool = True
    in_data: bool = True
    number: DriverNumber | None = None


RELOCATIONS: Mapping[int, RelocatedPart] = {
    RelocationType.NONE: RelocatedPart(0, in_code=False, in_data=False),
    RelocationType.SYM_ADDR: RelocatedPart(8),
    RelocationType.SYM_ADDR_32: RelocatedPart(4),
    RelocationType.SYM_ADDR_32_HI: RelocatedPart(4, 32, in_data=False),
    RelocationType.PER_THREAD_PAYLOAD_OFFSET_32: RelocatedPart(
        4, in_data=False, number=DriverNumber.PER_THREAD_PAYLOAD
    ),
    RelocationType.GLOBAL_IMM_32: RelocatedPart(4, in_code=False, in_data=False),
    RelocationType.SEND: RelocatedPart(0, in_code=False, in_data=False),
    RelocationType.SYM_ADDR_16: RelocatedPart(2, in_data=False),
}


def number_of(type: int, symbol: Symbol) -> DriverNumber | None:
    """Returns the number that a relocation receives; None if it receives an address."""
    part = RELOCATIONS.get(type)
    if part is not None and part.number is not None:
        return part.number
    return None if symbol.section_index else SYMBOLS.get(symbol.name)


class ModuleBuffer(NamedTuple):
    """The memory of a module's variables: sections that follow each other, and the payload that has its address."""

    sections: Sequence[str]
    label: str
    writable: bool
    base: ArgType


BUFFERS: Sequence[ModuleBuffer] = (
    ModuleBuffer((".data.const", ".bss.const", STRINGS), "constants", writable=False, base=ArgType.CONST_BASE),
    ModuleBuffer((".data.global", ".bss.global"), "variables", writable=True, base=ArgType.GLOBAL_BASE),
)
