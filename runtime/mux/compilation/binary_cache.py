"""ZEBINs are compiled once: later compilations of the same sources find them on disk."""

from __future__ import annotations

from collections.abc import Callable

from runtime.disk_cache import find_binary, keep_binary
from xegpu.diagnostics import Diagnostic, handling, report


def cached(compile: Callable[[], bytes], *inputs: bytes | str) -> bytes:
    """Returns the result of `compile` for inputs: from disk if it was kept there, or else from a call.

    A compilation that fails or warns is not kept, so that every one like it says the same.
    """
    found = find_binary(*inputs)
    if found is not None:
        return found
    said: list[Diagnostic] = []
    try:
        with handling(said.append):
            binary = compile()
    finally:
        for diagnostic in said:
            report(diagnostic)
    if not said:
        keep_binary(binary, *inputs)
    return binary
