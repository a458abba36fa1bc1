"""Waiting for another process to change a word of shared memory (Linux: futex(2)).

The system call's numbers are those of the kernel's tables for each architecture; others poll.
"""

from __future__ import annotations

import ctypes
import mmap
import platform
import sys
import time

_SYSTEM_CALLS = {"x86_64": 202, "aarch64": 98, "riscv64": 98}

_WAIT, _WAKE = 0, 1

_EVERYONE = (1 << 31) - 1

_POLL_SECONDS = 0.001

_number = _SYSTEM_CALLS.get(platform.machine()) if sys.platform == "linux" else None

_libc = ctypes.CDLL(None, use_errno=True) if _number is not None else None


class _TimeSpec(ctypes.Structure):
    _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))


def wait_for_change(pages: mmap.mmap, value: int, seconds: float) -> None:
    """Returns when the first 32-bit word of `pages` may differ from `value`, at the latest after `seconds`.

    Without the system call, the word is read once a millisecond.
    """
    word = ctypes.c_uint32.from_buffer(pages)
    if _libc is None:
        deadline = time.monotonic() + seconds
        while word.value == value and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
        return
    limit = _TimeSpec(int(seconds), int(seconds % 1 * 1e9))
    _libc.syscall(_number, ctypes.byref(word), _WAIT, ctypes.c_uint32(value), ctypes.byref(limit), None, 0)


def wake(pages: mmap.mmap) -> None:
    """Wakes all threads, in all processes, that wait in `wait_for_change` for these pages."""
    if _libc is not None:
        word = ctypes.c_uint32.from_buffer(pages)
        _libc.syscall(_number, ctypes.byref(word), _WAKE, _EVERYONE, None, None, 0)
