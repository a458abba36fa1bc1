"""Names of functions and variables in LLVM IR, and the addresses of functions."""

from __future__ import annotations

import hashlib

_CODE = 0xF << 60
"""The addresses of functions begin with these bits, which those of data do not have."""


def function_address(symbol: str) -> int:
    """Returns the number that stands for a function where its address is taken: calls inline what they may reach."""
    return _CODE | int.from_bytes(hashlib.sha256(symbol.encode()).digest()[:8], "big") >> 4


def quoted(symbol: str) -> str:
    """Returns a name as LLVM IR writes global names."""
    if (
        symbol.isascii()
        and symbol.replace("_", "a").replace(".", "a").replace("$", "a").isalnum()
        and not symbol[0].isdigit()
    ):
        return f"@{symbol}"
    return (
        '@"' + "".join(chr(b) if 32 <= b < 127 and b not in (34, 92) else f"\\{b:02X}" for b in symbol.encode()) + '"'
    )
