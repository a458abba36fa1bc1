"""Gives ComputeMux's builtins definitions in modules that declare them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import llvmlite.binding as llvm

from passes.frontends.builtins import DATA_LAYOUT, TRIPLE
from passes.frontends.mux import copies, groups  # noqa: F401 - a module enters the writer of its chapter
from passes.frontends.mux.bodies import body_of
from passes.frontends.mux.checks import check_barriers, check_functions, check_module
from passes.frontends.mux.degenerate import check_sub_groups, degenerate_body, with_degenerate_sub_groups
from passes.frontends.mux.errors import MuxError, error
from passes.frontends.mux.functions import functions_of
from passes.frontends.mux.kernels import entry_points, name_kernels, with_conventions
from passes.frontends.mux.table import BUILTINS, EVENT, PREFIX, BuiltinKind, MuxBuiltin, find
from passes.frontends.optimisation import parsed

_USES = re.compile(rf'@{PREFIX}|"mux-kernel"')

_DECLARATION = re.compile(rf"^declare [^@\n]*@({PREFIX}\w+)\([^\n]*\n", re.MULTILINE)


def uses_builtins(text: str) -> bool:
    """Returns whether a module in LLVM IR is one of ComputeMux: it names a builtin, or marks its kernels."""
    return _USES.search(text) is not None


def define_builtins(text: str) -> str:
    """Returns a module in LLVM IR whose builtins have definitions, and whose kernels have the convention of kernels.

    Raises:
        MuxError: A builtin does not exist, or has another signature; attributes or metadata are wrong.
        IrError: The module is not valid.
    """
    check_barriers(text)
    module = parsed(text)
    functions = functions_of(module, str(module))
    check_functions(functions, text)
    check_module(str(module), text)
    entries = entry_points(functions, text)
    check_sub_groups(functions, str(module), text)
    if entries is None:
        return _with_definitions(with_degenerate_sub_groups(str(module), functions), text)
    renamed = name_kernels(module, entries)
    marked = with_conventions(str(module), [kernel.name for kernel in renamed])
    return _with_definitions(with_degenerate_sub_groups(marked, renamed), text)


def _with_definitions(text: str, source: str) -> str:
    """Returns a module with definitions in place of declarations of builtins; `source` is what its author wrote."""
    module = parsed(text)
    declared = [f for f in module.functions if f.is_declaration and f.name.startswith(PREFIX)]
    functions, added = _defined({f.name: _types(f) for f in declared}, source)
    present = {f.name for f in module.functions}
    lines = [line for name, line in added.items() if name not in present]
    kept = _DECLARATION.sub(lambda found: "" if found[1] in functions else found[0], str(module))
    return "\n".join([kept, *functions.values(), *lines, ""])


def builtins_module() -> str:
    """Returns a module in LLVM IR that defines every builtin of the table."""
    signatures = {row.name: (row.result, list(row.parameters)) for row in BUILTINS.values()}
    functions, added = _defined(signatures, "")
    head = [f'target datalayout = "{DATA_LAYOUT}"', f'target triple = "{TRIPLE}"']
    visible = [text.replace("internal ", "", 1) if name in BUILTINS else text for name, text in functions.items()]
    return "\n".join([*head, *visible, *added.values(), ""])


_Signature = tuple[str, list[str]]
"""The types of a result and of parameters."""


def _types(function: llvm.ValueRef) -> _Signature:
    result, *parameters = (_short(str(type)) for type in function.global_value_type.elements)
    return result, parameters


def _short(type: str) -> str:
    """Returns the name of a type that LLVM shows with its definition."""
    return type.partition(" = ")[0]


def _defined(signatures: Mapping[str, _Signature], text: str) -> tuple[dict[str, str], dict[str, str]]:
    """Returns the definitions of builtins by their names, and the declarations of what these call."""
    functions: dict[str, str] = {}
    added: dict[str, str] = {}
    event: str | None = None
    for name, (result, parameters) in signatures.items():
        place = rf'^declare [^\n]*@"?{re.escape(name)}"?\('
        if (degenerate := degenerate_body(name)) is not None:
            body = degenerate
            functions[name] = body.text()
            added |= body.declared | body.variables
            continue
        row = find(name)
        if row is None:
            raise error(f"declares '{name}', which is no builtin of ComputeMux", text, place)
        if row.kind is not BuiltinKind.DMA:
            if (result, parameters) != (row.result, list(row.parameters)):
                raise error(_wrong(row, result, parameters), text, place)
            body = body_of(row)
            functions[name] = body.text()
            added |= body.declared
            continue
        if not _is_copy(row, result, parameters):
            raise error(_wrong(row, result, parameters), text, place)
        if row.base != "dma_wait":
            if event is not None and result != event:
                raise error(f"declares '{name}' with events of type {result}, others have {event}", text, place)
            event = result
        functions |= copies.definitions(row, parameters, result)
        added |= copies.declarations()
    return functions, added


def _wrong(row: MuxBuiltin, result: str, parameters: Sequence[str]) -> str:
    expected = row.signature.replace(EVENT, "event")
    return f"declares '{row.name}' as {result} ({', '.join(parameters)}): expected {expected}"


_MEMORY = re.compile(r"ptr addrspace\([13]\)")


def _is_copy(row: MuxBuiltin, result: str, parameters: Sequence[str]) -> bool:
    """Returns whether types are those of a builtin of DMA; events have any type, and copies go between any memories."""
    if len(parameters) != len(row.parameters):
        return False
    if row.base == "dma_wait":
        return result == "void" and parameters[0] == "i32" and parameters[1].startswith("ptr")
    *between, event = parameters
    places, sizes = between[:2], between[2:]
    return event == result and all(map(_MEMORY.fullmatch, places)) and sizes == list(row.parameters[2:-1])


__all__ = ["MuxError", "builtins_module", "define_builtins", "uses_builtins"]
