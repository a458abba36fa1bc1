"""Addresses of a module's variables, which are not known before the module is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, IntegerType, MemRefType, NoneAttr, SymbolRefAttr
from xdsl.dialects.llvm import GlobalOp as LLVMGlobalOp
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.traits import Pure, SymbolTable
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu.attributes import AddressSpace
from xegpu.dialects.upstream.llvm import initial_value
from xegpu.dialects.upstream.memref import GlobalOp
from xegpu.dialects.xe.ops.types import GRFType, register_bytes
from xegpu.dialects.xegpu.memory import memory_space_number
from xegpu.dialects.xegpu.types import element_bits, is_scalar
from xegpu.isa.code import SymbolReference, Variable

ADDRESS_BYTES = 8
_LLVM_SPACES = (1, 2)
"""The address spaces of global and constant memory in LLVM IR for SPIR."""
_LOCAL_LINKAGES = ("internal", "private")
VARIABLE_ALIGNMENT = 64
"""Variables start at multiples of this, for blocks of any size to be read from them."""


@irdl_op_definition
class SymbolAddressOp(IRDLOperation):
    """The address of a `memref.global` of the module: a `mov` whose immediate is filled in when the module is loaded.

    `%a = xe.symbol_address @table : !xe.grf<8, 8>`
    """

    name = "xe.symbol_address"

    symbol = prop_def(SymbolRefAttr)
    result = result_def(GRFType)
    traits = traits_def(Pure())
    assembly_format = "$symbol attr-dict `:` type($result)"

    def __init__(self, symbol: str, result: GRFType):
        super().__init__(properties={"symbol": SymbolRefAttr(symbol)}, result_types=[result])

    def verify_(self) -> None:
        if register_bytes(self.result.type) != ADDRESS_BYTES:
            raise VerifyException(f"an address in {register_bytes(self.result.type)} bytes, expected {ADDRESS_BYTES}")
        if len(self.symbol.nested_references):
            raise VerifyException(f"{self.symbol} is nested, expected a variable of the module")


def variable_of(op: GlobalOp) -> Variable | None:
    """Returns the initial bytes of a variable; None for a value that a module cannot hold.

    That is one of another memory than the global one, only declared, or of a type that does not lie in memory densely.
    """
    value = _initial_bytes(op)
    if value is None or not _is_global(op.type):
        return None
    alignment = VARIABLE_ALIGNMENT if op.alignment is None else max(op.alignment.value.data, VARIABLE_ALIGNMENT)
    visibility = "public" if op.sym_visibility is None else op.sym_visibility.data
    return Variable(op.sym_name.data, value, alignment, op.constant is not None, visibility == "public")


def llvm_variable_of(op: LLVMGlobalOp) -> Variable | None:
    """Returns the initial bytes of a variable of the llvm dialect, as `variable_of` does.

    Raises:
        VerifyException: If the variable's region computes what a loader cannot.
    """
    value = initial_value(op)
    if value is None or op.addr_space.value.data not in _LLVM_SPACES:
        return None
    alignment = VARIABLE_ALIGNMENT if op.alignment is None else max(op.alignment.value.data, VARIABLE_ALIGNMENT)
    is_public = op.linkage.linkage.data not in _LOCAL_LINKAGES
    references = tuple(SymbolReference(offset, symbol) for offset, symbol in sorted(value.addresses.items()))
    return Variable(op.sym_name.data, value.data, alignment, op.constant is not None, is_public, references)


def variables_of(module: Operation) -> Iterator[Variable]:
    """The variables of a `gpu.module` that it can hold, in order; `referenced_variable` refuses the use of others."""
    for op in module.regions[0].block.ops:
        with suppress(VerifyException):
            if (variable := _variable(op)) is not None:
                yield variable


def _variable(op: Operation | None) -> Variable | None:
    match op:
        case GlobalOp():
            return variable_of(op)
        case LLVMGlobalOp():
            return llvm_variable_of(op)
        case _:
            return None


def referenced_variable(op: Operation, symbol: str | SymbolRefAttr) -> Variable | None:
    """Returns the variable of the module around `op` that `symbol` names; None if the module cannot hold it.

    Raises:
        CompileError: If its initial value cannot be computed by a loader.
    """
    found = SymbolTable.lookup_symbol(op, symbol)
    try:
        return _variable(found)
    except VerifyException as error:
        assert found is not None
        raise CompileError(found, str(error)) from None


def imports_variable(op: Operation, symbol: str | SymbolRefAttr) -> bool:
    """Returns whether the module around `op` declares a variable in global memory that another module defines."""
    found = SymbolTable.lookup_symbol(op, symbol)
    if not isinstance(found, LLVMGlobalOp) or found.value is not None or found.body.blocks:
        return False
    return found.addr_space.value.data in _LLVM_SPACES and found.linkage.linkage.data == "external"


def _is_global(type: MemRefType[Attribute]) -> bool:
    try:
        return memory_space_number(type.memory_space) == AddressSpace.GLOBAL.number
    except VerifyException:
        return False


def _initial_bytes(op: GlobalOp) -> bytes | None:
    """The contents, zeros where they are not specified; None where they are unknown or have gaps."""
    element, value = op.type.element_type, op.initial_value
    is_dense = isinstance(op.type.layout, NoneAttr) and op.type.has_static_shape()
    if value is None or not is_dense or not (is_scalar(element) or isinstance(element, IndexType)):
        return None
    if not isa(value, DenseIntOrFPElementsAttr):
        return bytes(op.type.element_count() * _element_bytes(element))
    data = value.data.data
    if element == IntegerType(1):
        return bytes(byte & 1 for byte in data)
    return bytes(data)


def _element_bytes(element: Attribute) -> int:
    return 8 if isinstance(element, IndexType) else max(element_bits(element) // 8, 1)
