"""Today's disassembler of Intel as a library, which `scripts/peers` fetches with the compiler: libiga64."""

from __future__ import annotations

import ctypes
import re
from functools import cache

from tests.peer.generations import FETCHED
from xegpu.targets import XE_HPC, XE_HPG, Platform

_PLATFORMS = {XE_HPG: 0x1000002, XE_HPC: 0x1000004}
_NUMERIC_LABELS, _PRINT_OFFSETS, _PRINT_EXPRESSIONS = 1, 8, 0x80
_LINE = re.compile(r"/\* \[([0-9A-F]+)\] +\*/ (.*)")


class _ContextOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("platform", ctypes.c_uint32)]


class _TextOptions(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("size", "formatting", "unused", "unused_too", "decoder", "base")]


@cache
def _library() -> ctypes.CDLL | None:
    path = next(iter(sorted((FETCHED / "usr/lib").rglob("libiga64.so.2"))), None)
    if path is None:
        return None
    found = ctypes.CDLL(str(path))
    pointer = ctypes.c_void_p
    found.iga_context_create.argtypes = [pointer, pointer]
    found.iga_context_disassemble.argtypes = [pointer, pointer, pointer, ctypes.c_uint32, *[pointer] * 3]
    found.iga_context_release.argtypes = [pointer]
    return found


def is_there() -> bool:
    """Returns whether the library has been fetched."""
    return _library() is not None


def lines(platform: Platform, code: bytes) -> dict[int, str]:
    """Returns Intel's text of code, by offset. Raises `ValueError` if the library does not understand all of it."""
    library = _library()
    assert library is not None
    context, text = ctypes.c_void_p(), ctypes.c_char_p()
    options = _ContextOptions(ctypes.sizeof(_ContextOptions), _PLATFORMS[platform])
    if status := library.iga_context_create(ctypes.byref(options), ctypes.byref(context)):
        raise ValueError(f"libiga64 has no context for {platform.name}: {status}")
    form = _TextOptions(ctypes.sizeof(_TextOptions), _NUMERIC_LABELS | _PRINT_OFFSETS | _PRINT_EXPRESSIONS)
    status = library.iga_context_disassemble(
        context, ctypes.byref(form), code, len(code), None, None, ctypes.byref(text)
    )
    found = (text.value or b"").decode("latin1")
    library.iga_context_release(context)
    if status:
        raise ValueError(f"libiga64 does not understand the code: {status}")
    return {int(offset, 16): line for offset, line in _LINE.findall(found)}
