"""The directory in which the processes of one user share state that outlives each of them."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

VARIABLE = "XEGPU_RUNTIME_DIR"
"""The environment variable that names another directory."""


class NoRuntimeDirectory(OSError):
    """There is no directory that the user alone can write."""


def runtime_directory() -> Path:
    """Returns the directory, which is made if it is not there.

    It is `$XEGPU_RUNTIME_DIR`, else `xegpu` in `$XDG_RUNTIME_DIR`, which ends with the user's session, else
    `xegpu-<user>` in the directory for temporary files.

    Raises:
        NoRuntimeDirectory: It cannot be made, or others could write it.
    """
    chosen, session = os.environ.get(VARIABLE), os.environ.get("XDG_RUNTIME_DIR")
    if chosen:
        path = Path(chosen)
    elif session and os.access(session, os.W_OK):
        path = Path(session) / "xegpu"
    else:
        path = Path(tempfile.gettempdir()) / f"xegpu-{os.getuid()}"
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.lstat()
    except OSError as error:
        raise NoRuntimeDirectory(f"{path} cannot be made: {error.strerror}") from error
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise NoRuntimeDirectory(f"{path} is not a directory that user {os.getuid()} alone can write")
    return path
