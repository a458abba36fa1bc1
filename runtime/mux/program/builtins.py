"""The functions that a target lends to its modules."""

from __future__ import annotations

from functools import cache

from passes.frontends.ir import link
from passes.frontends.mux import builtins_module
from runtime.mux.program.symbols import declared, defined

_own = cache(builtins_module)


class Builtins:
    """A module in LLVM IR whose functions others may call.

    The compiler gives its own builtins definitions as passes, so that their module is not linked.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._names = frozenset() if "@__mux_" in text and text == _own() else defined(text)

    def linked(self, text: str) -> str:
        """Returns a module with the builtins, if it calls any. Raises `IrError` for one whose functions they repeat."""
        return link([text], [self._text]) if self._names & declared(text) else text
