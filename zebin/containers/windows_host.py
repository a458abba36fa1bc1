"""Programs, libraries and object files of Windows."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from zebin.containers.host_memory import SHORT_NAME, HostSection, ProgramMemory, text_at

_NEW_HEADER_AT = 0x3C
"""The offset in a program of the offset of the signature that precedes the header of object files."""
_SIGNATURE = b"PE\0\0"
_HEADER = struct.Struct("<HHIIIHH")
_SYMBOL_BYTES = 18
_PE64 = 0x20B
_IMAGE_BASE_AT = 24
_SECTION = struct.Struct("<8sIIII12xI")
_HAS_CODE, _EXECUTE, _HAS_NO_BYTES = 1 << 5, 1 << 29, 1 << 7


def pe_memory(data: memoryview) -> ProgramMemory:
    """Returns what a file of Windows holds. Its words are addresses for the base that the file prefers."""
    return ProgramMemory(data, _sections(data), lambda _: ())


def _sections(data: memoryview) -> Iterator[HostSection]:
    at = 0
    if bytes(data[:2]) == b"MZ":
        at = int.from_bytes(data[_NEW_HEADER_AT : _NEW_HEADER_AT + 4], "little")
        if data[at : at + len(_SIGNATURE)] != _SIGNATURE:
            return
        at += len(_SIGNATURE)
    if at + _HEADER.size > len(data):
        return
    _, count, _, symbols_at, symbols, optional_bytes, _ = _HEADER.unpack_from(data, at)
    at += _HEADER.size
    optional = data[at : at + optional_bytes]
    base = None
    if len(optional) >= _IMAGE_BASE_AT + 8 and int.from_bytes(optional[:2], "little") == _PE64:
        base = int.from_bytes(optional[_IMAGE_BASE_AT : _IMAGE_BASE_AT + 8], "little")
    at += optional_bytes
    names_at = symbols_at + symbols * _SYMBOL_BYTES if symbols_at else 0
    for place in range(at, min(at + count * _SECTION.size, len(data) - _SECTION.size + 1), _SECTION.size):
        field, memory_size, address, size, offset, flags = _SECTION.unpack_from(data, place)
        if flags & _HAS_NO_BYTES or offset + size > len(data):
            continue
        name = field.rstrip(b"\0").decode(errors="replace")
        if names_at and name[:1] == "/" and name[1:].isdecimal() and len(name) <= SHORT_NAME:
            name = text_at(data, names_at + int(name[1:]))
        is_data = not flags & (_HAS_CODE | _EXECUTE)
        # Sections of programs are padded; those of object files have no size in memory.
        used = size if base is None else min(size, memory_size)
        yield HostSection(name, (base or 0) + address, offset, used, base is not None, is_data)
