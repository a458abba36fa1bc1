"""ZEBINs on disk, under keys made of everything that they depend on: sources, options, and the compiler itself.

Nothing of the compiler is imported: that takes longer than all else.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from runtime.disk_cache.keys import entry_key, files_identity
from runtime.disk_cache.object_cache import default_cache

_COMPILER = ("xegpu", "passes", "zebin", "runtime.mux", "xdsl", "llvmlite")
"""The packages whose files decide what a source is compiled to."""


def find_binary(*inputs: bytes | str) -> bytes | None:
    """Returns what was kept for the inputs of a compilation; None if there is nothing."""
    kept = default_cache()
    return None if kept is None else kept.load(_key(inputs))


def keep_binary(binary: bytes, *inputs: bytes | str) -> None:
    """Keeps the result of a compilation for its inputs, from which it must follow."""
    kept = default_cache()
    if kept is not None:
        kept.store(_key(inputs), binary)


def _key(inputs: tuple[bytes | str, ...]) -> str:
    return entry_key("zebin", _compiler(), *inputs)


@cache
def _compiler() -> bytes:
    """Returns the identity of this compiler, which a change of any of its files changes."""
    found = filter(None, map(find_spec, _COMPILER))
    return files_identity(*(folder for spec in found for folder in spec.submodule_search_locations or ()))
