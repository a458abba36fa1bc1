"""Gives ComputeMux's builtins definitions in modules that declare them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from passes.frontends.builtins import DATA_LAYOUT, TRIPLE
from passes.frontends.builtins.signatures import Signature
from passes.frontends.mux import copies, groups  # noqa: F401 - a module enters the writer of its chapter
from passes.frontends.mux.bodies import body_of
from passes.frontends.mux.degenerate import degenerate_body
from passes.frontends.mux.signatures import declared_builtins
from passes.frontends.mux.table import BUILTINS, PREFIX, BuiltinKind, find
from passes.frontends.optimisation import parsed

_DECLARATION = re.compile(rf"^declare [^@\n]*@({PREFIX}\w+)\([^\n]*\n", re.MULTILINE)


def with_definitions(text: str, kinds: Collection[BuiltinKind] = tuple(BuiltinKind)) -> str:
    """Returns a module with definitions in place of declarations of builtins of some kinds.

    Raises:
        IrError: The module is not valid.
    """
    module = parsed(text)
    functions, added = _defined(declared_builtins(module), kinds)
    present = {function.name for function in module.functions}
    lines = [line for name, line in added.items() if name not in present]
    kept = _DECLARATION.sub(lambda found: "" if found[1] in functions else found[0], str(module))
    return "\n".join([kept, *functions.values(), *lines, ""])


def builtins_module() -> str:
    """Returns a module in LLVM IR that defines every builtin of the table."""
    signatures = {row.name: Signature(row.result, row.parameters) for row in BUILTINS.values()}
    functions, added = _defined(signatures, tuple(BuiltinKind))
    head = [f'target datalayout = "{DATA_LAYOUT}"', f'target triple = "{TRIPLE}"']
    visible = [text.replace("internal ", "", 1) if name in BUILTINS else text for name, text in functions.items()]
    return "\n".join([*head, *visible, *added.values(), ""])


def _defined(
    signatures: Mapping[str, Signature], kinds: Collection[BuiltinKind]
) -> tuple[dict[str, str], dict[str, str]]:
    """Returns the definitions of builtins by their names, and what these need, by its names."""
    functions: dict[str, str] = {}
    added: dict[str, str] = {}
    for name, signature in signatures.items():
        row = find(name)
        if row is not None and row.kind not in kinds:
            continue
        if row is not None and row.kind is BuiltinKind.DMA:
            functions |= copies.definitions(row, signature.parameters, signature.result)
            added |= copies.declarations()
        elif (body := degenerate_body(name) if row is None else body_of(row)) is not None:
            functions[name] = body.text()
            added |= body.declared | body.variables
    return functions, added
