"""Checks that modules declare builtins of ComputeMux with the right signatures."""

from __future__ import annotations

import re
from collections.abc import Mapping

import llvmlite.binding as llvm

from passes.frontends.builtins.signatures import Signature, signature_of
from passes.frontends.mux.errors import MuxIrError, error
from passes.frontends.mux.table import EVENT, PREFIX, BuiltinKind, MuxBuiltin, find

_SCALABLE = re.compile(rf"{PREFIX}vec_group_\w+_nxv\d+[if]\d+")
_MEMORY = re.compile(r"ptr addrspace\([13]\)")


def declared_builtins(module: llvm.ModuleRef) -> dict[str, Signature]:
    """Returns the types of the functions that a module declares with the prefix of builtins, by their names."""
    return {
        function.name: signature_of(function)
        for function in module.functions
        if function.is_declaration and function.name.startswith(PREFIX)
    }


def check_signatures(declared: Mapping[str, Signature], source: str) -> None:
    """Checks declarations; `source` is the module as its author wrote it.

    Raises:
        MuxIrError: A builtin does not exist, has other types, or has events of another type than those before it.
    """
    event: str | None = None
    for name, signature in declared.items():
        row = find(name)
        if row is None:
            scalable = _SCALABLE.fullmatch(name) is not None
            why = "takes a scalable vector, which GPUs do not have" if scalable else "is no builtin of ComputeMux"
            raise _error(name, f", which {why}", source)
        if not _fits(row, signature):
            raise _error(name, f" as {signature}: expected {row.signature.replace(EVENT, 'event')}", source)
        if row.result == EVENT:
            event = event or signature.result
            if signature.result != event:
                raise _error(name, f" with events of type {signature.result}, others have {event}", source)


def _error(name: str, what: str, source: str) -> MuxIrError:
    return error(f"declares '{name}'{what}", source, rf'^ *declare [^\n]*@"?{re.escape(name)}"?\(')


def _fits(row: MuxBuiltin, signature: Signature) -> bool:
    """Returns whether types are those of a builtin. Events have any type, and copies go between any memories."""
    result, parameters = signature.result, signature.parameters
    if row.kind is not BuiltinKind.DMA or len(parameters) != len(row.parameters):
        return (result, parameters) == (row.result, row.parameters)
    if row.result != EVENT:
        return result == row.result and parameters[0] == row.parameters[0] and parameters[1].startswith("ptr")
    places, sizes, event = parameters[:2], parameters[2:-1], parameters[-1]
    return all(map(_MEMORY.fullmatch, places)) and sizes == row.parameters[2:-1] and event == result
