"""The directory in which the processes of one user share state that outlives each of them."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from runtime.private_files import NotPrivate, private_directory

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
        return private_directory(path)
    except NotPrivate as error:
        raise NoRuntimeDirectory(str(error)) from error
    except OSError as error:
        raise NoRuntimeDirectory(f"{path} cannot be made: {error.strerror}") from error
