"""The system's virtual memory: address ranges, and files mapped to given addresses."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


_ANYWHERE_PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000
"""Reserves no swap space: 0x4000 is Linux's MAP_NORESERVE, which Python's `mmap` lacks before 3.13."""

_FIXED = 0x10

_NO_ACCESS = 0

_READ_WRITE = mmap.PROT_READ | mmap.PROT_WRITE

_FAILED = ctypes.c_void_p(-1).value

_libc = ctypes.CDLL(None, use_errno=True)

_libc.mmap.restype = ctypes.c_void_p

_libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)

_libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)

_libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)


def _map(address: int | None, size: int, access: int, flags: int, fd: int = -1, offset: int = 0) -> int:
    found = _libc.mmap(address, size, access, flags, fd, offset)
    if found is None or found == _FAILED:
        raise MemoryError(f"{size} bytes of addresses: {os.strerror(ctypes.get_errno())}")
    return int(found)


def reserve(size: int, alignment: int, wish: int | None = None) -> int:
    """Returns the first of `size` addresses without memory: `wish` if they are free there. Raises `MemoryError`."""
    if wish is not None:
        found = _map(wish, size, _NO_ACCESS, _ANYWHERE_PRIVATE)
        if found == wish or found % alignment == 0:
            return found
        release(found, size)
    found = _map(None, size + alignment, _NO_ACCESS, _ANYWHERE_PRIVATE)
    start = -(-found // alignment) * alignment
    if start > found:
        release(found, start - found)
    release(start + size, found + alignment - start)
    return start


def map_file(fd: int, offset: int, size: int, address: int | None = None) -> int:
    """Maps part of a file, at `address` in place of what is there, or anywhere, and returns the address.

    Raises:
        MemoryError: The system refuses.
    """
    fixed = 0 if address is None else _FIXED
    return _map(address, size, _READ_WRITE, mmap.MAP_SHARED | fixed, fd, offset)


_POPULATE_READ, _POPULATE_WRITE = 22, 23


def is_accessible(address: int, size: int, *, writes: bool = False) -> bool:
    """Returns whether the process can read bytes at an address, or write them. Asking changes nothing.

    Linux can tell since version 5.14, as it does when it makes the pages ready for what follows. Older systems, which
    do not know the question, have a list of all pages.
    """
    begin = address - address % mmap.PAGESIZE
    end = -(-(address + size) // mmap.PAGESIZE) * mmap.PAGESIZE
    if sys.platform != "linux" or end > 1 << 63:
        return False
    if _libc.madvise(begin, end - begin, _POPULATE_WRITE if writes else _POPULATE_READ) == 0:
        return True
    return ctypes.get_errno() == errno.EINVAL and is_listed(begin, end, "w" if writes else "r")


def is_listed(begin: int, end: int, permission: str) -> bool:
    """Returns whether the system's list of the process's pages has all from `begin` to `end` with a permission."""
    for first, last, permissions in _listed():
        if first <= begin < last and permission in permissions:
            begin = last
        if begin >= end:
            return True
    return False


def _listed() -> Iterator[tuple[int, int, str]]:
    """Yields the process's pages that lie side by side: where they begin and end, and their permissions."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
        for line in file:
            addresses, permissions, *_ = line.split(maxsplit=2)
            first, last = (int(number, 16) for number in addresses.split("-"))
            yield first, last, permissions


def readable_pages(address: int) -> range | None:
    """Returns the addresses of the pages around one that the process can read; None if it cannot read that one."""
    for first, last, permissions in _listed() if sys.platform == "linux" else ():
        if first <= address < last and "r" in permissions:
            return range(first, last)
    return None


def bytes_at(address: int, size: int) -> NDArray[np.uint8]:
    """Returns bytes of memory in place. The caller must ensure that they are mapped."""
    return np.frombuffer(memoryview((ctypes.c_ubyte * size).from_address(address)), np.uint8)


def clear(address: int, size: int) -> None:
    """Unmaps addresses, which stay reserved."""
    _map(address, size, _NO_ACCESS, _ANYWHERE_PRIVATE | _FIXED)


def release(address: int, size: int) -> None:
    """Frees addresses, with what is mapped there."""
    if size:
        _libc.munmap(address, size)
