"""The file of a card: opened, checked, and replaced by memory of this process where it cannot be trusted."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from runtime.card.directory import NoRuntimeDirectory, runtime_directory
from runtime.card.locking import CardBusy, locked
from runtime.private_files import is_private

_LAYOUT = 2
"""The number of the layout, which is part of the file's name."""

_MAGIC = b"XeCARD\0\2"

_BLOCK_BYTES = 512
"""The unit in which the system counts the blocks of a file."""


class DamagedCard(OSError):
    """The file of a card holds what this module has not written."""


def open_card(name: str, size: int, is_sound: Callable[[int], bool]) -> tuple[int, bool]:
    """Returns an open file of `size` bytes, which begins with eight of this module, and whether other processes see it.

    A new file is zero behind them. All of its blocks are there, as a process that writes to a page without one dies.
    `is_sound` looks at the rest of a file.
    """
    try:
        path = runtime_directory() / f"card-{_LAYOUT}-{name}"
    except NoRuntimeDirectory:
        return _private(size), False
    try:
        return _shared(path, size, is_sound), True
    except (CardBusy, OSError) as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        keep_to_itself(f"{path}: {reason}")
        return _private(size), False


@cache
def keep_to_itself(reason: str) -> None:
    """Says on standard error, once for each reason, why other processes do not see what this one does to a card."""
    print(f"xegpu: the state of the simulated card is that of this process alone: {reason}", file=sys.stderr)


def _private(size: int) -> int:
    descriptor = os.memfd_create("card")
    os.truncate(descriptor, size)
    return descriptor


def _shared(path: Path, size: int, is_sound: Callable[[int], bool]) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o600)
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or not is_private(facts):
            raise DamagedCard("not a file that the user alone can write")
        if not _is_whole(descriptor, size):
            with locked(descriptor):
                _make(descriptor, size)
        if not is_sound(descriptor):
            raise DamagedCard("damaged where counts of processes are; remove the file")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _is_whole(descriptor: int, size: int) -> bool:
    facts = os.fstat(descriptor)
    has_blocks = facts.st_size == size and facts.st_blocks * _BLOCK_BYTES >= size
    return has_blocks and os.pread(descriptor, len(_MAGIC), 0) == _MAGIC


def _make(descriptor: int, size: int) -> None:
    """Gives an empty file its blocks, then its first bytes, unless another process has done so or has died before.

    Raises:
        DamagedCard: The file is not empty.
        OSError: There is no room for it.
    """
    found = os.fstat(descriptor).st_size
    head = os.pread(descriptor, len(_MAGIC), 0)
    if found not in (0, size) or head not in (b"", bytes(len(_MAGIC)), _MAGIC):
        raise DamagedCard(f"damaged, {found} bytes that begin with {head!r}; remove the file")
    try:
        os.posix_fallocate(descriptor, 0, size)
    except OSError:
        if not found:
            os.truncate(descriptor, 0)
        raise
    os.pwrite(descriptor, _MAGIC, 0)
