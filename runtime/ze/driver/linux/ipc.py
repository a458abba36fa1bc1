"""Handles by which processes share memory and event pools (specification: Inter-Process Communication).

Processes share an anonymous file. A handle begins with the number of its descriptor in the exporting process, so that
programs can send the descriptor itself to another process and replace the number by that of the descriptor there; if
they do not, the importer opens the file of the exporting process, which must be one of the same user.
"""

from __future__ import annotations

import os
import stat
import struct

from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.on_demand import dataclass

IPC_HANDLE_BYTES = 64

MEMORY = b"XMEM"

EVENT_POOL = b"XEVT"

_TOKEN = struct.Struct("<i4sIIQQQQ16x")

assert _TOKEN.size == IPC_HANDLE_BYTES


def new_file(name: str, size: int) -> int:
    """Returns an anonymous file of `size` zero bytes, which take no room before they are written.

    Raises:
        ZeError: `OUT_OF_HOST_MEMORY`, or `UNSUPPORTED_FEATURE` if the system has no such files.
    """
    if not hasattr(os, "memfd_create"):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "this system has no anonymous files to share")
    fd = None
    try:
        fd = os.memfd_create(name, os.MFD_CLOEXEC)
        os.ftruncate(fd, size)
    except OSError as error:
        if fd is not None:
            os.close(fd)
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, f"no file of {size} bytes: {error}") from error
    return fd


@dataclass(frozen=True)
class Shared:
    """The contents of a handle, for an open file: `size` bytes from `offset` on are shared, and a number for their
    kind.
    """

    fd: int
    offset: int
    size: int
    detail: int


def export(kind: bytes, shared: Shared) -> bytes:
    """Returns the handle for a file of a kind."""
    inode = os.fstat(shared.fd).st_ino
    return _TOKEN.pack(shared.fd, kind, os.getpid(), 0, inode, shared.offset, shared.size, shared.detail)


def is_handle(kind: bytes, handle: bytes) -> bool:
    """Returns whether these bytes look like a handle of a kind."""
    return len(handle) == IPC_HANDLE_BYTES and _TOKEN.unpack(handle)[1] == kind


def open_handle(kind: bytes, handle: bytes) -> Shared:
    """Opens the file of a handle.

    Raises:
        ZeError: `INVALID_ARGUMENT` for bytes that are not a handle, or whose file is gone.
    """
    if not is_handle(kind, handle):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{handle[:16]!r}... is not an IPC handle of this kind"
        )
    fd, _, process, _, inode, offset, size, detail = _TOKEN.unpack(handle)
    for path in (f"/proc/self/fd/{fd}", f"/proc/{process}/fd/{fd}"):
        opened = _open_if(path, inode)
        if opened is None:
            continue
        if offset + size <= os.fstat(opened).st_size:
            return Shared(opened, offset, size, detail)
        os.close(opened)
    raise ZeError(
        ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
        f"process {process} does not, or no longer, share the file of the IPC handle",
    )


def _open_if(path: str, inode: int) -> int | None:
    """Returns the regular file at a path if it is the one with this inode number, else None."""
    try:
        found = os.stat(path)
        if found.st_ino != inode or not stat.S_ISREG(found.st_mode):
            return None
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None
    if os.fstat(fd).st_ino == inode:
        return fd
    os.close(fd)
    return None
