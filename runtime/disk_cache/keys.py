"""Keys of entries: hashes of everything that an entry depends on, the code that made it included."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache


def entry_key(kind: str, *inputs: bytes | str) -> str:
    """Returns a key that another kind, or any other sequence of inputs, does not have."""
    digest = hashlib.sha256()
    for part in inputs:
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return f"{kind}{digest.hexdigest()}"


@cache
def files_identity(*folders: str) -> bytes:
    """Returns what a change of Python, or of any file in the folders, changes.

    The name, the size and the time of change of each file are looked at once per process, which takes some 10
    microseconds a file.
    """
    digest = hashlib.sha256(sys.version.encode())
    for folder in folders:
        for fact in _files(folder):
            digest.update(fact.encode(errors="surrogatepass"))
    return digest.digest()


def _files(folder: str) -> Iterator[str]:
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _files(entry.path)
        elif not entry.name.endswith(".pyc"):
            facts = entry.stat()
            yield f"{entry.path} {facts.st_size} {facts.st_mtime_ns};"
