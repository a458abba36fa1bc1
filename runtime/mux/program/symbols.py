"""The names that a module in LLVM IR uses and does not define."""

from __future__ import annotations

import re

_DECLARATION = re.compile(r'^declare [^@\n]*@(?:"([^"]*)"|([\w.$-]+))\(', re.MULTILINE)
_VARIABLE = re.compile(r'^@(?:"([^"]*)"|([\w.$-]+)) = (?:[a-z_]+ )*?(?:external|extern_weak) ', re.MULTILINE)
_OF_COMPILER = re.compile(r"llvm\.|_Z|__mux_|printf$")
"""The starts of the names that the compiler knows; a builtin that it does not have is found in finalisation."""


def unresolved(text: str) -> list[str]:
    """Returns the functions and variables that a linked module needs and that nothing defines."""
    functions = [quoted or plain for quoted, plain in _DECLARATION.findall(text)]
    variables = [quoted or plain for quoted, plain in _VARIABLE.findall(text)]
    return sorted({name for name in functions if not _OF_COMPILER.match(name)} | set(variables))
