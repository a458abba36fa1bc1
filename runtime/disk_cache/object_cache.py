"""Compiled code kept on disk, so that later processes need not compile it again.

An entry is an object file of machine code or a ZEBIN, under a key made of everything that it depends on. For a module
of LLVM IR, that is the text of the IR, the CPU, and the versions of the compiler: a change of the engine changes the IR
or does not matter.

XEGPU_CACHE_DIR is the directory; if empty, nothing is kept. Default: xegpu-toolkit/jit in the user's cache directory.

XEGPU_CACHE_MB is the limit in MiB, 256 by default; the least recently used entries are removed first. 0 keeps nothing.

Entries are machine code that will be executed: the directory and its files belong to the user alone, others are not
read.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from runtime.private_files import UNFINISHED, open_private, write_private

DIRECTORY_VARIABLE, SIZE_VARIABLE = "XEGPU_CACHE_DIR", "XEGPU_CACHE_MB"

DEFAULT_MEGABYTES = 256

_MAGIC = b"XeJIT\0\0\1"
_DIGEST_BYTES = hashlib.sha256().digest_size
_SUFFIX = ".xejit"

_FORGOTTEN_SECONDS = 3600
"""Age in seconds of an unfinished file from which on its writer must have died."""

_SHARE_WRITTEN = 16
"""The size of the directory is checked whenever this fraction of the limit was written."""

_SHARE_FREED = 8
"""Fraction of the limit that is free after a check, so that the next one removes little."""


class ObjectCache:
    """Object files in a directory, up to `limit` bytes (approximately, when several processes write at the same time).

    Safe for use by several processes and threads. No method raises: an entry that cannot be read is missing, and one
    that cannot be written is not kept.
    """

    def __init__(self, directory: Path, limit: int):
        self._directory = directory
        self._limit = limit
        self._unseen = limit  # bytes written since the directory was looked at; at first, nobody knows

    def load(self, key: str) -> bytes | None:
        """Returns the bytes stored under an alphanumeric key; None if there are none that can be trusted."""
        path = self._path(key)
        try:
            if (file := open_private(path)) is None:
                return None
            with file:
                data = file.read()
            if not _is_intact(data):
                return None
            os.utime(path)  # used just now
        except OSError:
            return None
        return data[len(_MAGIC) + _DIGEST_BYTES :]

    def store(self, key: str, data: bytes) -> None:
        """Stores bytes under a key; readers see all of them or nothing."""
        content = _MAGIC + hashlib.sha256(data).digest() + data
        if len(content) > self._limit:
            return
        with suppress(OSError):
            write_private(self._path(key), content)
            self._unseen += len(content)
            if self._unseen > self._limit // _SHARE_WRITTEN:
                self._make_room()
                self._unseen = 0

    def _path(self, key: str) -> Path:
        return self._directory / (key + _SUFFIX)

    def _make_room(self) -> None:
        """Removes the least recently used entries, and files of writers that died."""
        entries: list[tuple[float, int, str]] = []
        for entry in os.scandir(self._directory):
            with suppress(OSError):  # another process may have removed it
                facts = entry.stat(follow_symlinks=False)
                if entry.name.endswith(_SUFFIX):
                    entries.append((facts.st_mtime, facts.st_size, entry.path))
                elif entry.name.endswith(UNFINISHED) and facts.st_mtime < time.time() - _FORGOTTEN_SECONDS:
                    os.unlink(entry.path)
        used = sum(size for _, size, _ in entries)
        if used <= self._limit:
            return
        wanted = self._limit - self._limit // _SHARE_FREED
        for _, size, path in sorted(entries):
            if used <= wanted:
                break
            with suppress(OSError):
                os.unlink(path)
            used -= size


def _is_intact(content: bytes) -> bool:
    """Returns whether a file was written by this module and not changed since."""
    start = len(_MAGIC) + _DIGEST_BYTES
    return content[: len(_MAGIC)] == _MAGIC and content[len(_MAGIC) : start] == hashlib.sha256(content[start:]).digest()


def cache_from_environment(environment: Mapping[str, str]) -> ObjectCache | None:
    """Returns the cache that environment variables ask for, None if nothing is to be kept.

    A size that is not a number counts as 0: a process that only wants to compile does not fail because of it.
    """
    size = environment.get(SIZE_VARIABLE, str(DEFAULT_MEGABYTES))
    limit = int(size) << 20 if size.isascii() and size.isdigit() else 0
    directory = environment.get(DIRECTORY_VARIABLE)
    if directory is None:
        try:
            base = environment.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        except RuntimeError:  # a user without a home
            return None
        directory = str(Path(base, "xegpu-toolkit", "jit"))
    if not directory or not limit or not os.path.isabs(os.path.expanduser(directory)):
        return None
    return ObjectCache(Path(directory).expanduser(), limit)


@cache
def default_cache() -> ObjectCache | None:
    """Returns the cache of this process."""
    return cache_from_environment(os.environ)
