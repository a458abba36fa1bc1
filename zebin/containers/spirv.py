"""The kernels of a SPIR-V module, which its entry points name."""

from __future__ import annotations

import struct
from collections.abc import Sequence

_LITTLE_ENDIAN = b"\x03\x02\x23\x07"
_HEADER_BYTES = 20
_ENTRY_POINT, _FUNCTION = 15, 54
_KERNEL_MODEL = 6


def spirv_kernels(data: memoryview) -> Sequence[str]:
    """Returns the names of the kernels, as far as the module can be read."""
    order = "<" if data[:4] == _LITTLE_ENDIAN else ">"
    names: list[str] = []
    at, head = _HEADER_BYTES, struct.Struct(f"{order}II")
    # Entry points precede functions.
    while at + head.size <= len(data):
        word, model = head.unpack_from(data, at)
        size, opcode = word >> 16 << 2, word & 0xFFFF
        if size == 0 or opcode == _FUNCTION:
            break
        if opcode == _ENTRY_POINT and model == _KERNEL_MODEL:
            literal = bytes(data[at + 12 : at + size])
            if order == ">":
                literal = b"".join(literal[word : word + 4][::-1] for word in range(0, len(literal), 4))
            names.append(literal.partition(b"\0")[0].decode(errors="replace"))
        at += size
    return names
