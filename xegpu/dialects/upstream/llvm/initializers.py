"""The initial values of variables, which `llvm.mlir.global` has as an attribute or as a region that computes them.

https://mlir.llvm.org/docs/Dialects/LLVM/#llvmmlirglobal-llvmglobalop
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
)
from xdsl.dialects.llvm import (
    AddressOfOp,
    BitcastOp,
    ConstantOp,
    GlobalOp,
    InsertValueOp,
    IntToPtrOp,
    LLVMPointerType,
    PtrToIntOp,
    ReturnOp,
    UndefOp,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.upstream.llvm.layout import POINTER_BYTES, part_of, pointer_terms, size_of
from xegpu.dialects.upstream.llvm.pointers import (
    AddrSpaceCastOp,
    GEPOp,
)
from xegpu.dialects.upstream.llvm.values import PoisonOp, ZeroOp


@dataclass(frozen=True)
class InitialValue:
    """The bytes of a value; `addresses` has the offsets of eight bytes each to which a symbol's address is added."""

    data: bytes
    addresses: Mapping[int, str] = field(default_factory=dict)


def initial_value(op: GlobalOp) -> InitialValue | None:
    """Returns the initial value of a variable; None if it is only declared, or of a type without a size.

    Raises:
        VerifyException: If it has two values, or one that a loader cannot compute.
    """
    if op.body.blocks and op.value is not None:
        raise VerifyException("has both an initial value and a region that computes one")
    size = size_of(op.global_type)
    found = _returned(op) if op.body.blocks else None if op.value is None else _attribute(op.value)
    if op.body.blocks and (found is None or len(found.data) != size):
        raise VerifyException(f"has a region that computes no constant of type {op.global_type} for a loader")
    if size is None or found is None or len(found.data) > size:
        return None
    return InitialValue(found.data.ljust(size, b"\0"), found.addresses)


def check_address(op: AddressOfOp) -> None:
    """Raises `VerifyException` for an address that is not of a variable of the module, or of one in another space."""
    name = op.global_name
    variable = SymbolTable.lookup_symbol(op, name)
    if not isinstance(variable, GlobalOp):
        raise VerifyException(f"refers to {name}, which is no 'llvm.mlir.global' of the module")
    pointer, space = op.result.type, variable.addr_space.value.data
    assert isinstance(pointer, LLVMPointerType)
    number = pointer.addr_space.data if isinstance(pointer.addr_space, IntAttr) else 0
    if number != space:
        raise VerifyException(f"points to address space {number}, but {name} lies in space {space}")


def _attribute(value: Attribute) -> InitialValue | None:
    match value:
        case DenseIntOrFPElementsAttr():
            return InitialValue(bytes(value.data.data))
        case StringAttr(data=text):
            return InitialValue(text.encode("latin-1"))
        case IntegerAttr(type=IntegerType()) | FloatAttr():
            single = DenseIntOrFPElementsAttr.from_list(TensorType(value.type, [1]), [value.value.data])
            return InitialValue(bytes(single.data.data))
        case _:
            return None


def _returned(op: GlobalOp) -> InitialValue | None:
    known: dict[SSAValue, InitialValue] = {}
    for inner in op.body.block.ops:
        if isinstance(inner, ReturnOp):
            return None if inner.arg is None else known.get(inner.arg)
        found = _result(inner, known)
        if found is None or len(inner.results) != 1:
            return None
        known[inner.results[0]] = found
    return None


def _result(op: Operation, known: Mapping[SSAValue, InitialValue]) -> InitialValue | None:
    if any(operand not in known for operand in op.operands):
        return None
    match op:
        case ZeroOp() | UndefOp() | PoisonOp():
            size = size_of(op.results[0].type)
            return None if size is None else InitialValue(bytes(size))
        case ConstantOp():
            return _attribute(op.value)
        case AddressOfOp():
            check_address(op)
            return InitialValue(bytes(POINTER_BYTES), {0: op.global_name.root_reference.data})
        case AddrSpaceCastOp() | BitcastOp() | IntToPtrOp() | PtrToIntOp():
            same = size_of(op.operands[0].type) == size_of(op.results[0].type)
            return known[op.operands[0]] if same else None
        case GEPOp():
            return _moved(op, known[op.ptr])
        case InsertValueOp():
            return _inserted(op, known[op.container], known[op.value])
        case _:
            return None


def _moved(op: GEPOp, pointer: InitialValue) -> InitialValue | None:
    distance = int.from_bytes(pointer.data, "little")
    try:
        for index, step in pointer_terms(op):
            if not isinstance(index, int):
                return None
            distance += index * step
    except VerifyException:
        return None
    return InitialValue((distance % (1 << 8 * POINTER_BYTES)).to_bytes(POINTER_BYTES, "little"), pointer.addresses)


def _inserted(op: InsertValueOp, container: InitialValue, value: InitialValue) -> InitialValue | None:
    type, offset = op.container.type, 0
    for index in op.position.iter_values():
        part = part_of(type, index)
        if part is None:
            return None
        type, offset = part[0], offset + part[1]
    end = offset + len(value.data)
    if end > len(container.data):
        return None
    addresses = {at: symbol for at, symbol in container.addresses.items() if not offset <= at < end}
    addresses |= {offset + at: symbol for at, symbol in value.addresses.items()}
    return InitialValue(container.data[:offset] + value.data + container.data[end:], addresses)
