"""Arithmetic, comparisons and casts, of the llvm dialect and of `arith`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import IntegerAttr, IntegerType, UnitAttr
from xdsl.dialects.utils import BitEnumAttribute
from xdsl.ir import Attribute, Operation
from xdsl.utils.type import get_element_type_or_self

from passes.frontends.llvm_dialect.writing.constants import constant_text
from passes.frontends.llvm_dialect.writing.types import INDEX_BITS
from passes.frontends.llvm_dialect.writing.writer import FunctionWriter, is_value, writes

_BINARY: Mapping[str, str] = {
    **{f"llvm.{name}": name for name in ("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "and", "or", "xor")},
    **{f"llvm.{name}": name for name in ("shl", "lshr", "ashr", "fadd", "fsub", "fmul", "fdiv", "frem")},
    **{f"arith.{name}i": name for name in ("add", "sub", "mul", "and", "or", "xor")},
    **{f"arith.{name}f": f"f{name}" for name in ("add", "sub", "mul", "div", "rem")},
    "arith.divsi": "sdiv",
    "arith.divui": "udiv",
    "arith.remsi": "srem",
    "arith.remui": "urem",
    "arith.shli": "shl",
    "arith.shrsi": "ashr",
    "arith.shrui": "lshr",
}
_UNARY: Mapping[str, str] = {"llvm.fneg": "fneg", "llvm.freeze": "freeze", "arith.negf": "fneg"}
_CALLED: Mapping[str, str] = {
    "arith.maxsi": "smax",
    "arith.maxui": "umax",
    "arith.minsi": "smin",
    "arith.minui": "umin",
    "arith.maximumf": "maximum",
    "arith.maxnumf": "maxnum",
    "arith.minimumf": "minimum",
    "arith.minnumf": "minnum",
}
"""Operations that are intrinsics."""
_CASTS: Mapping[str, str] = {
    **{f"llvm.{name}": name for name in ("trunc", "zext", "sext", "fptrunc", "fpext", "fptosi", "fptoui")},
    **{f"llvm.{name}": name for name in ("sitofp", "uitofp", "bitcast", "ptrtoint", "inttoptr", "addrspacecast")},
    **{f"arith.{name}": name for name in ("fptosi", "fptoui", "sitofp", "uitofp", "bitcast")},
    "llvm.ptrtoaddr": "ptrtoint",
    "arith.extsi": "sext",
    "arith.extui": "zext",
    "arith.extf": "fpext",
    "arith.trunci": "trunc",
    "arith.truncf": "fptrunc",
    "vector.bitcast": "bitcast",
}
_INTEGERS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_REALS = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
_COMPARISONS: Mapping[str, tuple[str, Sequence[str]]] = {
    "llvm.icmp": ("icmp", _INTEGERS),
    "llvm.fcmp": ("fcmp", _REALS),
    "arith.cmpi": ("icmp", _INTEGERS),
    "arith.cmpf": ("fcmp", _REALS),
}
_FLAGS: Mapping[str, str] = {"isExact": "exact", "isDisjoint": "disjoint", "nonNeg": "nneg"}


def flags(op: Operation) -> str:
    """Returns the flags of an instruction, each with a space behind it."""
    words = [_FLAGS[name] for name in _FLAGS if isinstance(op.properties.get(name), UnitAttr)]
    for name in ("overflowFlags", "fastmathFlags", "fastmath"):
        given = op.properties.get(name)
        if isinstance(given, BitEnumAttribute):
            words += sorted(str(flag.value) for flag in given.data)
    return "".join(f"{word} " for word in words if word != "none")


@is_value("llvm.mlir.constant", "arith.constant")
def constant(op: Operation) -> str:
    return constant_text(op.properties["value"], op.results[0].type)


@is_value("llvm.mlir.zero")
def zero(op: Operation) -> str:
    return "zeroinitializer"


@is_value("llvm.mlir.undef")
def undefined(op: Operation) -> str:
    return "undef"


@is_value("llvm.mlir.poison", "ub.poison")
def poison(op: Operation) -> str:
    return "poison"


@writes(*_BINARY)
def binary(writer: FunctionWriter, op: Operation) -> None:
    a, b = op.operands
    text = f"{_BINARY[op.name]} {flags(op)}{writer.typed(a)}, {writer.value(b)}"
    writer.emit(op, text, result=op.results[0])


@writes(*_UNARY)
def unary(writer: FunctionWriter, op: Operation) -> None:
    writer.emit(op, f"{_UNARY[op.name]} {flags(op)}{writer.typed(op.operands[0])}", result=op.results[0])


@writes(*_CALLED)
def called(writer: FunctionWriter, op: Operation) -> None:
    result = writer.type(op.results[0].type)
    call = f"call {flags(op)}{result} @llvm.{_CALLED[op.name]}({writer.all_typed(op.operands)})"
    writer.emit(op, call, result=op.results[0])


@writes(*_COMPARISONS)
def compare(writer: FunctionWriter, op: Operation) -> None:
    opcode, predicates = _COMPARISONS[op.name]
    number = op.properties["predicate"]
    assert isinstance(number, IntegerAttr)
    a, b = op.operands
    text = f"{opcode} {flags(op)}{predicates[number.value.data]} {writer.typed(a)}, {writer.value(b)}"
    writer.emit(op, text, result=op.results[0])


@writes(*_CASTS)
def cast(writer: FunctionWriter, op: Operation) -> None:
    _cast(writer, op, f"{_CASTS[op.name]} {flags(op)}")


def _cast(writer: FunctionWriter, op: Operation, opcode: str) -> None:
    text = f"{opcode.rstrip()} {writer.typed(op.operands[0])} to {writer.type(op.results[0].type)}"
    writer.emit(op, text, result=op.results[0])


def _bits(type: Attribute) -> int:
    element = get_element_type_or_self(type)
    return element.width.data if isinstance(element, IntegerType) else INDEX_BITS


@writes("arith.index_cast", "arith.index_castui")
def index_cast(writer: FunctionWriter, op: Operation) -> None:
    before, after = _bits(op.operands[0].type), _bits(op.results[0].type)
    if before == after:
        _cast(writer, op, "bitcast")
    elif before > after:
        _cast(writer, op, "trunc")
    else:
        _cast(writer, op, "zext" if op.name.endswith("ui") else "sext")


@writes("llvm.select", "arith.select")
def select(writer: FunctionWriter, op: Operation) -> None:
    writer.emit(op, f"select {flags(op)}{writer.all_typed(op.operands)}", result=op.results[0])
