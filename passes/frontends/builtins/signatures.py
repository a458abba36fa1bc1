"""Signatures of functions in LLVM IR, as LLVM reads them: types without attributes."""

from __future__ import annotations

from dataclasses import dataclass

import llvmlite.binding as llvm


@dataclass(frozen=True)
class Signature:
    """The types of a function in LLVM IR."""

    result: str
    parameters: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.result} ({', '.join(self.parameters)})"


def signature_of(function: llvm.ValueRef) -> Signature:
    """Returns the types of a function. Structures are shown by their names, without what they consist of."""
    type = function.global_value_type
    result, *parameters = (str(each).partition(" = ")[0] for each in type.elements)
    return Signature(result, (*parameters, "...") if type.is_function_vararg else tuple(parameters))


def declared_signature(declaration: str) -> Signature | None:
    """Returns the types in a declaration that stands alone; None if it is not valid without others."""
    try:
        (function,) = llvm.parse_assembly(declaration).functions
    except RuntimeError:
        return None
    return signature_of(function)
