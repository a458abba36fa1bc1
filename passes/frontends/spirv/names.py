"""Names of functions and variables in LLVM IR."""

from __future__ import annotations


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
