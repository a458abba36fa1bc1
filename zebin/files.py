"""Files in memory without a copy of them."""

from __future__ import annotations

import mmap
import os
from os import PathLike
from pathlib import Path
from stat import S_ISREG


def map_file(path: str | PathLike[str]) -> memoryview:
    """The bytes of a file, mapped, so that only what is looked at is ever read; of a pipe or device, what it gives.

    The mapping lives as long as anything refers to it, and the file must not be cut short before: whoever writes to a
    path while its old contents are in use replaces the file. Raises `OSError` when the file cannot be read.
    """
    with Path(path).open("rb") as file:
        status = os.fstat(file.fileno())
        if S_ISREG(status.st_mode) and status.st_size:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return memoryview(file.read())
