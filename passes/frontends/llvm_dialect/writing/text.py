"""Names and strings as LLVM IR writes them."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[A-Za-z._$-][\w.$-]*", re.ASCII)


def quoted(name: str) -> str:
    """Returns a name in quotes."""
    return '"' + escaped(name.encode()) + '"'


def escaped(data: bytes) -> str:
    """Returns bytes as a string without its quotes."""
    return "".join(chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\;' else f"\\{byte:02X}" for byte in data)


def symbol(name: str) -> str:
    """Returns the name of a function or variable."""
    return f"@{name}" if _PLAIN.fullmatch(name) else f"@{quoted(name)}"
