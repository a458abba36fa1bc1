"""The names that a module in LLVM IR uses and defines."""

from __future__ import annotations

import re

_DECLARATION = re.compile(r'^declare [^@\n]*@(?:"([^"]*)"|([\w.$-]+))\(', re.MULTILINE)
_DEFINITION = re.compile(r'^define [^@\n]*@(?:"([^"]*)"|([\w.$-]+))\(', re.MULTILINE)
_VARIABLE = re.compile(r'^@(?:"([^"]*)"|([\w.$-]+)) = (?:[a-z_]+ )*?(?:external|extern_weak) ', re.MULTILINE)
_OF_COMPILER = re.compile(r"llvm\.|_Z|__mux_|__to_|printf$")
"""The starts of the names that the compiler knows; a builtin that it does not have is found in finalisation."""


def declared(text: str) -> frozenset[str]:
    """Returns the functions that a module calls and does not define."""
    return frozenset(quoted or plain for quoted, plain in _DECLARATION.findall(text))


def defined(text: str) -> frozenset[str]:
    """Returns the functions that a module defines."""
    return frozenset(quoted or plain for quoted, plain in _DEFINITION.findall(text))


def unresolved(text: str) -> list[str]:
    """Returns the functions and variables that a linked module needs and that nothing defines."""
    variables = [quoted or plain for quoted, plain in _VARIABLE.findall(text)]
    return sorted({name for name in declared(text) if not _OF_COMPILER.match(name)} | set(variables))
