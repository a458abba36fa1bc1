"""The process that demangles names, a line each; it is run as a file, and imports nothing of ours."""

from __future__ import annotations

import ctypes
import resource
import sys

_LIBRARIES = ("libstdc++.so.6", "libc++abi.so.1")
_MEMORY = 512 << 20
_SECONDS = 5
_LONGEST = 1 << 16
"""Characters of a readable name; one that is longer is less readable than what it stands for."""


def main() -> None:
    """Answers each line of standard input with its readable form, or an empty line."""
    library = next(filter(None, map(_loaded, _LIBRARIES)), None)
    if library is None:
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    demangle, free = library.__cxa_demangle, ctypes.CDLL(None).free
    demangle.restype, free.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
    for line in sys.stdin.buffer.read().split(b"\n"):
        status = ctypes.c_int()
        text = demangle(line, None, None, ctypes.byref(status))
        readable = b""
        if text and not status.value:
            readable = ctypes.string_at(text)
        free(text)
        sys.stdout.buffer.write((readable if len(readable) < _LONGEST else b"") + b"\n")
        sys.stdout.buffer.flush()


def _loaded(name: str) -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


if __name__ == "__main__":
    main()
