"""Calls of functions and of intrinsics."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import IntegerAttr, IntegerType, SymbolRefAttr
from xdsl.dialects.llvm import CallIntrinsicOp
from xdsl.ir import Operation, SSAValue

from passes.frontends.llvm_dialect.rules.arithmetic import flags
from passes.frontends.llvm_dialect.writing.text import symbol
from passes.frontends.llvm_dialect.writing.types import type_text
from passes.frontends.llvm_dialect.writing.writer import FunctionWriter, is_value, writes, writes_family
from xegpu.dialects.upstream.llvm import CallOp

_INTRINSIC = "llvm.intr."
_IMMEDIATE: Mapping[str, str] = {
    "is_int_min_poison": "i1",
    "is_zero_poison": "i1",
    "isVolatile": "i1",
    "bit": "i32",
}
"""Properties that are the last arguments of an intrinsic."""
_DROPPED = frozenset(
    f"{_INTRINSIC}{name}"
    for name in (
        *("assume", "dbg.declare", "dbg.label", "dbg.value", "experimental.noalias.scope.decl", "fake.use"),
        *("invariant.end", "invariant.start", "lifetime.end", "lifetime.start", "prefetch", "var.annotation"),
    )
)
"""Intrinsics that tell what a compiler may do with it, but change nothing."""
_SAME = tuple(
    f"{_INTRINSIC}{name}"
    for name in (
        *("annotation", "expect", "expect.with.probability", "launder.invariant.group", "ptr.annotation", "ssa.copy"),
        *("strip.invariant.group", "arithmetic.fence"),
    )
)
"""Intrinsics whose result is their first operand."""


@writes("llvm.call", "func.call")
def call(writer: FunctionWriter, op: Operation) -> None:
    name = op.properties.get("callee")
    if not isinstance(name, SymbolRefAttr):
        writer.refuse(op, "calls a function that only the running kernel knows, which is not supported in a kernel")
    if len(op.results) > 1:
        writer.refuse(op, "takes several results of a function of a kernel, which is not supported")
    variadic = op.callee_type if isinstance(op, CallOp) else None
    result = writer.type(op.results[0].type) if op.results else "void"
    type = result if variadic is None else type_text(variadic)
    target = symbol(name.root_reference.data)
    text = f"call {flags(op)}spir_func {type} {target}({writer.all_typed(op.operands)})"
    writer.emit(op, text, result=op.results[0] if op.results else None)


@writes("llvm.inline_asm")
def inline_assembly(writer: FunctionWriter, op: Operation) -> None:
    writer.refuse(op, "is inline assembly, which is not supported in a kernel")


@writes("llvm.call_intrinsic")
def call_intrinsic(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, CallIntrinsicOp)
    result = writer.type(op.results[0].type) if op.results else "void"
    text = f"call {flags(op)}{result} {symbol(op.intrin.data)}({writer.all_typed(op.args)})"
    writer.emit(op, text, result=op.results[0] if op.results else None)


@is_value(*_SAME)
def same(op: Operation) -> SSAValue:
    return op.operands[0]


@writes_family(_INTRINSIC)
def intrinsic(writer: FunctionWriter, op: Operation) -> None:
    """Writes an operation that stands for an intrinsic; properties are its last arguments."""
    if op.name in _DROPPED:
        return
    immediate = [f"{type} {_number(op, name)}" for name, type in _IMMEDIATE.items() if name in op.properties]
    arguments = ", ".join([*map(writer.typed, op.operands), *immediate])
    result = writer.type(op.results[0].type) if op.results else "void"
    call = f"call {flags(op)}{result} @llvm.{op.name.removeprefix(_INTRINSIC)}({arguments})"
    writer.emit(op, call, result=op.results[0] if op.results else None)


def _number(op: Operation, name: str) -> str:
    found = op.properties[name]
    assert isinstance(found, IntegerAttr)
    if found.type == IntegerType(1):
        return "true" if found.value.data else "false"
    return str(found.value.data)
