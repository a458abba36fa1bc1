"""ZEBINs kept on disk, under keys made of everything that they depend on: sources, options, and the compiler itself."""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import passes
import xegpu
import zebin
from runtime.llvm import default_cache
from xegpu.diagnostics import Diagnostic, handling, report

_PACKAGES = (xegpu, passes, zebin)
_LIBRARIES = ("xdsl", "llvmlite")


def cached(compile: Callable[[], bytes], *inputs: bytes | str) -> bytes:
    """Returns the result of `compile` for inputs: from disk if it was kept there, or else from a call.

    A compilation that fails or warns is not kept, so that every one like it says the same.
    """
    kept = default_cache()
    if kept is None:
        return compile()
    key = _key(inputs)
    if (found := kept.load(key)) is not None:
        return found
    said: list[Diagnostic] = []
    try:
        with handling(said.append):
            binary = compile()
    finally:
        for diagnostic in said:
            report(diagnostic)
    if not said:
        kept.store(key, binary)
    return binary


def _key(inputs: tuple[bytes | str, ...]) -> str:
    digest = hashlib.sha256(_compiler())
    for part in inputs:
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return f"zebin{digest.hexdigest()}"


@cache
def _compiler() -> bytes:
    """Returns the identity of this compiler, which a change of any of its files changes."""
    digest = hashlib.sha256(platform.python_version().encode())
    for library in _LIBRARIES:
        digest.update(f"{library} {importlib.metadata.version(library)} ".encode())
    for fact in _files():
        digest.update(fact.encode(errors="surrogatepass"))
    return digest.digest()


def _files() -> Iterator[str]:
    """Yields the name, size and time of change of each file of the compiler."""
    folders = [Path(root) for package in _PACKAGES for root in package.__path__]
    for folder in (*folders, Path(__file__).parent):
        for path in sorted(folder.rglob("*")):
            if path.suffix != ".pyc" and path.is_file():
                facts = path.stat()
                yield f"{path} {facts.st_size} {facts.st_mtime_ns};"
