"""Reads LLVM IR as text, as LLVM prints it."""

from __future__ import annotations

from passes.frontends.llvm.reader.instructions import (
    OPCODES,
    Access,
    Callee,
    Indices,
    Instruction,
    Labels,
    Predicate,
    Source,
    unquoted,
)
from passes.frontends.llvm.reader.metadata import Metadata
from passes.frontends.llvm.reader.module import Block, Function, Module, Parameter, Variable, read_module
from passes.frontends.llvm.reader.strings import string_at
from passes.frontends.llvm.reader.tokens import place
from passes.frontends.llvm.reader.types import PackedStructType
from passes.frontends.llvm.reader.values import (
    Constant,
    Expression,
    Global,
    Local,
    Undefined,
    Value,
    constant_value,
    elements_of,
)

__all__ = [
    "OPCODES",
    "Access",
    "Block",
    "Callee",
    "Constant",
    "Expression",
    "Function",
    "Global",
    "Indices",
    "Instruction",
    "Labels",
    "Local",
    "Metadata",
    "Module",
    "PackedStructType",
    "Parameter",
    "Predicate",
    "Source",
    "Undefined",
    "Value",
    "Variable",
    "constant_value",
    "elements_of",
    "place",
    "read_module",
    "string_at",
    "unquoted",
]
