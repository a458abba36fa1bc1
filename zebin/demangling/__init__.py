"""C++ names as their sources have them.

A name in a file may be made so that demangling it takes any amount of time and memory, and the library that does it has
no limits. A process that has some does it, with the C++ library of the system; names stay as they are where there is
none, and from the first one on that takes too much.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

_SECONDS = 10
_LONGEST = 1 << 16
_MANGLED = "_Z"
_OF_TYPES = "typeinfo name for "
"""Precedes the names of types, by which SYCL calls its kernels."""


def demangled(names: Iterable[str]) -> Mapping[str, str]:
    """Returns the readable forms of those names that have one, by name."""
    known = [name for name in dict.fromkeys(names) if name.startswith(_MANGLED) and name.isprintable()]
    known = [name for name in known if len(name) < _LONGEST]
    if not known:
        return {}
    command = [sys.executable, "-I", "-S", str(Path(__file__).with_name("child.py"))]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with process:
        try:
            output, _ = process.communicate("\n".join(known).encode(), _SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
    texts = output.decode(errors="replace").split("\n")[:-1]
    pairs = zip(known, texts, strict=False)
    return {name: text.removeprefix(_OF_TYPES) for name, text in pairs if text and text.isprintable()}
