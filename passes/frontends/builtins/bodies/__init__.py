"""Bodies of builtins in LLVM IR: definitions of those that a module declares and LLVM can express."""

from __future__ import annotations

import re

from passes.frontends.builtins.bodies import (
    bitfields as bitfields,
    floats as floats,
    gamma as gamma,
    halves as halves,
    integers as integers,
    memory,
    remainders as remainders,
    roots as roots,
    trigonometry as trigonometry,
    workitems as workitems,
)
from passes.frontends.builtins.bodies.body import (
    SCALAR_WRITERS,
    WRITERS as WRITERS,
    Body,
    BodyError as BodyError,
    Writer,
    llvm,
)
from passes.frontends.builtins.mangling import Scalar, Vector
from passes.frontends.builtins.signatures import declared_signature
from passes.frontends.builtins.table import Callee, Lowering, resolve

_DECLARATION = re.compile(r'^declare [^@\n]*@("?)([\w.$]+)\1\([^\n]*$', re.MULTILINE)


def define(text: str) -> str:
    """Returns a module with the bodies of the builtins that it declares.

    Raises:
        BodyError: A builtin is declared with types for which it does not exist.
    """
    declared = {found[2]: found[0] for found in _DECLARATION.finditer(text)}
    present = set(declared) | set(re.findall(r'^define [^@\n]*@"?([\w.$]+)', text, re.MULTILINE))
    added: list[str] = []
    written: set[str] = set()
    variables: dict[str, str] = {}
    pending = dict(declared)
    while pending:
        symbol, declaration = pending.popitem()
        body = _body(symbol, declaration)
        if body is None:
            if symbol not in declared:
                added.append(declaration)
            continue
        written.add(symbol)
        added.append(body.text())
        variables |= body.variables
        for other, line in body.declared.items():
            if other not in present:
                present.add(other)
                pending[other] = line
    kept = _DECLARATION.sub(lambda found: "" if found[2] in written else found[0], text)
    return "\n".join([kept, *variables.values(), *added, ""])


def _body(symbol: str, declaration: str) -> Body | None:
    """Returns the body of a builtin, or `None` if others give it its meaning."""
    callee = resolve(symbol)
    if callee is None:
        return None
    writer = _writer(callee)
    if writer is None:
        return None
    signature = declared_signature(declaration)
    expected = tuple(llvm(kind) for kind in callee.arguments)
    if signature is None or signature.parameters != expected:
        declared = declaration.strip() if signature is None else f"({', '.join(signature.parameters)})"
        raise BodyError(f"{symbol} takes ({', '.join(expected)}), and it is declared with {declared}")
    body = Body(symbol, callee, signature.result)
    writer(body)
    return body


def _writer(callee: Callee) -> Writer | None:
    """Returns a function that writes the body of a builtin; vector forms of scalar functions call the scalar ones."""
    row = callee.builtin
    if row.lowering is Lowering.BODY:
        return WRITERS[row.name]
    if row.lowering is Lowering.DEVICE:
        return None
    if any(isinstance(kind, Vector) for kind in callee.arguments):
        return memory.scalarised
    first = callee.arguments[0]
    return SCALAR_WRITERS.get((row.name, first.code)) if isinstance(first, Scalar) else None
