"""The permission of the operating system to use tile registers (AMX)."""

from __future__ import annotations

import ctypes
import sys

_ARCH_PRCTL = 158
"""The number of the system call on x86-64."""

_REQUEST_PERMISSION, _TILE_DATA = 0x1023, 18
"""`ARCH_REQ_XCOMP_PERM`, and the state of the CPU that it is asked for (Linux, Documentation/arch/x86/xstate.rst)."""


def tiles_permitted() -> bool:
    """Asks for the permission to use tile registers, for all threads of this process; returns whether it is granted.

    Linux refuses it if a thread has a stack for signals that is too small for the larger frames. Other systems are not
    asked, and count as refusing.
    """
    if not sys.platform.startswith("linux"):
        return False
    words = map(ctypes.c_long, (_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA))
    return int(ctypes.CDLL(None).syscall(*words)) == 0
