"""The implicit arguments, which a driver lays in memory for code that is compiled apart from its kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from zebin.ze_info.vocabulary import ArgType

PAYLOAD_SURFACE = 255
"""The number of the surface in which code finds them, at the start of the payload in memory."""

_ALIGNMENT = 64

SIZE, VERSION, SIMD_WIDTH, LOCAL_ID_TABLE, SCRATCH = "size", "version", "simd_width", "local_id_table", "scratch"


class ImplicitLayout(NamedTuple):
    """A version of the structure: its bytes, and by what they hold the offsets and formats of `struct` of its fields.

    Fields that payloads have as well are called as these. Addresses, and sizes in work-items, are quadwords.
    """

    size: int
    fields: Mapping[str, tuple[int, str]]

    @property
    def room(self) -> int:
        """The bytes that it takes in front of what follows in memory."""
        return -(-self.size // _ALIGNMENT) * _ALIGNMENT


_COMMON: Mapping[str, tuple[int, str]] = {
    SIZE: (0, "B"),
    VERSION: (1, "B"),
    ArgType.WORK_DIMENSIONS: (2, "B"),
    ArgType.LOCAL_SIZE: (4, "3I"),
    ArgType.GLOBAL_SIZE: (16, "3Q"),
    ArgType.PRINTF_BUFFER: (40, "Q"),
    ArgType.GLOBAL_ID_OFFSET: (48, "3Q"),
    LOCAL_ID_TABLE: (72, "Q"),
    ArgType.GROUP_COUNT: (80, "3I"),
    ArgType.RT_GLOBAL_BUFFER: (96, "Q"),
    ArgType.ASSERT_BUFFER: (104, "Q"),
}

_FIRST: Mapping[str, tuple[int, str]] = {**_COMMON, SIMD_WIDTH: (3, "B")}

IMPLICIT_LAYOUTS: Mapping[int, ImplicitLayout] = {
    0: ImplicitLayout(112, _FIRST),
    1: ImplicitLayout(
        140,
        {**_FIRST, SCRATCH: (112, "Q"), ArgType.SYNC_BUFFER: (120, "Q"), ArgType.ENQUEUED_LOCAL_SIZE: (128, "3I")},
    ),
    2: ImplicitLayout(156, {**_COMMON, ArgType.SYNC_BUFFER: (112, "Q"), ArgType.ENQUEUED_LOCAL_SIZE: (120, "3I")}),
}
"""The layouts by the version that the note INDIRECT_ACCESS_BUFFER_MAJOR_VERSION states; 0 without a note."""


def implicit_layout(version: int) -> ImplicitLayout | None:
    """Returns the layout of a version; None for one that this driver does not know."""
    return IMPLICIT_LAYOUTS.get(version)
