"""Memory: addresses, accesses and fences."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, StringAttr, SymbolRefAttr
from xdsl.dialects.llvm import ATOMIC_ORDERING_KEYWORDS, GEP_USE_SSA_VAL
from xdsl.ir import Attribute, Operation

from passes.frontends.llvm_dialect.writing.text import symbol
from passes.frontends.llvm_dialect.writing.types import type_text
from passes.frontends.llvm_dialect.writing.writer import MOST_ALIGNED, SHARED, FunctionWriter, is_value, writes
from xegpu.dialects.upstream.llvm import (
    AtomicRMWOp,
    GEPOp,
    no_wrap_flags,
)


def _number(op: Operation, name: str) -> int | None:
    found = op.properties.get(name)
    return found.value.data if isinstance(found, IntegerAttr) else None


def _elements(op: Operation) -> Attribute:
    return op.properties["elem_type"]


def _alignment(op: Operation) -> str:
    number = _number(op, "alignment")
    return f", align {number}" if number else ""


def _scope(op: Operation) -> str:
    scope = op.properties.get("syncscope")
    return f' syncscope("{scope.data}")' if isinstance(scope, StringAttr) and scope.data else ""


def _order(op: Operation, name: str = "ordering") -> str:
    number = _number(op, name)
    return f" {ATOMIC_ORDERING_KEYWORDS[number]}" if number else ""


@is_value("llvm.mlir.addressof")
def address(op: Operation) -> str:
    name = op.properties["global_name"]
    assert isinstance(name, SymbolRefAttr)
    return symbol(name.root_reference.data)


@writes("llvm.getelementptr")
def element_pointer(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, GEPOp)
    dynamic = iter(op.ssa_indices)
    indices = [
        writer.typed(next(dynamic)) if number == GEP_USE_SSA_VAL else f"i32 {number}"
        for number in map(int, op.rawConstantIndices.get_values())
    ]
    flags = "".join(f"{word} " for word in _NO_WRAP[no_wrap_flags(op)])
    text = f"getelementptr {flags}{type_text(_elements(op))}, {', '.join([writer.typed(op.ptr), *indices])}"
    writer.emit(op, text, result=op.results[0])


_BOTH = ["inbounds", "nuw"]
_NO_WRAP: Sequence[Sequence[str]] = ([], ["inbounds"], ["nusw"], ["inbounds"], ["nuw"], _BOTH, ["nusw", "nuw"], _BOTH)
"""The words for flags, by their bits: `inbounds` implies `nusw`."""


@writes("llvm.alloca")
def allocate(writer: FunctionWriter, op: Operation) -> None:
    count = writer.value(op.operands[0])
    if not count.removeprefix("-").isdigit():
        writer.refuse(op, "allocates memory of a size that is computed at run time, which is not supported")
    pointer = writer.type(op.results[0].type)
    if pointer == SHARED:
        alignment = _number(op, "alignment") or MOST_ALIGNED
        place = writer.share(f"[{count} x {type_text(_elements(op))}]", alignment)
        writer.emit(op, f"getelementptr i8, {SHARED} {place}, i32 0", result=op.results[0])
        return
    text = f"alloca {type_text(_elements(op))}, {writer.typed(op.operands[0])}{_alignment(op)}"
    space = pointer.removeprefix("ptr")
    writer.allocate(op, text + (f",{space}" if space else ""), op.results[0])


@writes("llvm.load")
def load(writer: FunctionWriter, op: Operation) -> None:
    type = writer.type(op.results[0].type)
    atomic = "atomic " if _order(op) else ""
    volatile = "volatile " if "volatile_" in op.properties else ""
    tail = f"{_scope(op)}{_order(op)}{_alignment(op)}" if atomic else _alignment(op)
    writer.emit(op, f"load {atomic}{volatile}{type}, {writer.typed(op.operands[0])}{tail}", result=op.results[0])


@writes("llvm.store")
def store(writer: FunctionWriter, op: Operation) -> None:
    atomic = "atomic " if _order(op) else ""
    volatile = "volatile " if "volatile_" in op.properties else ""
    tail = f"{_scope(op)}{_order(op)}{_alignment(op)}" if atomic else _alignment(op)
    writer.emit(op, f"store {atomic}{volatile}{writer.all_typed(op.operands)}{tail}")


@writes("llvm.atomicrmw")
def update(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, AtomicRMWOp)
    volatile = "volatile " if op.volatile_ is not None else ""
    operands = writer.all_typed(op.operands)
    text = f"atomicrmw {volatile}{op.kind.value.strip('_')} {operands}{_scope(op)}{_order(op)}{_alignment(op)}"
    writer.emit(op, text, result=op.results[0])


@writes("llvm.cmpxchg")
def exchange(writer: FunctionWriter, op: Operation) -> None:
    words = "".join(f"{word} " for word, name in (("weak", "weak"), ("volatile", "volatile_")) if name in op.properties)
    orders = f"{_order(op, 'success_ordering')}{_order(op, 'failure_ordering')}"
    text = f"cmpxchg {words}{writer.all_typed(op.operands)}{_scope(op)}{orders}{_alignment(op)}"
    writer.emit(op, text, result=op.results[0])


@writes("llvm.fence")
def fence(writer: FunctionWriter, op: Operation) -> None:
    writer.emit(op, f"fence{_scope(op)}{_order(op)}")
