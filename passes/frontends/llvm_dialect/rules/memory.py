"""Memory: addresses, accesses and fences."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, StringAttr, SymbolRefAttr
from xdsl.dialects.llvm import ATOMIC_ORDERING_KEYWORDS, GEP_USE_SSA_VAL, GEPOp
from xdsl.ir import Attribute, Operation

from passes.frontends.llvm_dialect.writing.text import symbol
from passes.frontends.llvm_dialect.writing.types import type_text
from passes.frontends.llvm_dialect.writing.writer import FunctionWriter, is_value, writes
from xegpu.dialects.upstream.llvm import AtomicRMWOp


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
    flags = "inbounds " if op.inbounds is not None else _no_wrap(_number(op, "noWrapFlags") or 0)
    text = f"getelementptr {flags}{type_text(_elements(op))}, {', '.join([writer.typed(op.ptr), *indices])}"
    writer.emit(op, text, result=op.results[0])


def _no_wrap(bits: int) -> str:
    """Returns the flags of a pointer: `inbounds` is a bit of its own, with that of `nusw`."""
    words = {1: ["inbounds"], 2: ["nusw"], 3: ["inbounds"], 4: ["nuw"], 5: ["inbounds", "nuw"], 6: ["nusw", "nuw"]}
    return "".join(f"{word} " for word in words.get(bits, ["inbounds", "nuw"] if bits else []))


@writes("llvm.alloca")
def allocate(writer: FunctionWriter, op: Operation) -> None:
    count = writer.value(op.operands[0])
    if not count.removeprefix("-").isdigit():
        writer.refuse(op, "allocates memory of a size that is computed at run time, which is not supported")
    text = f"alloca {type_text(_elements(op))}, {writer.typed(op.operands[0])}{_alignment(op)}"
    space = writer.type(op.results[0].type).removeprefix("ptr")
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
