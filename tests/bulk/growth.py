"""The memory of this process, without what malloc keeps for later.

Threads that come and go allocate in arenas of their own, whose free parts malloc seldom gives back: the resident size
grows by megabytes while every byte that was allocated is free again. What is counted here does not.
"""

from __future__ import annotations

import ctypes

import psutil

_FIELDS = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"


class _Mallinfo2(ctypes.Structure):
    """Holds what glibc tells of its heap, in bytes (`man mallinfo2`)."""

    _fields_ = [(name, ctypes.c_size_t) for name in _FIELDS.split()]


def used_bytes() -> int:
    """Returns the resident bytes of this process except those that are free in the arenas of malloc."""
    resident = psutil.Process().memory_info().rss
    mallinfo2 = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if mallinfo2 is None:  # no glibc, or one before 2.33
        return resident
    mallinfo2.restype = _Mallinfo2
    return resident - int(mallinfo2().fordblks)
