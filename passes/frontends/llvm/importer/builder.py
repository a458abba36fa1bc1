"""Builds the body of a kernel: operations at the end of a block, constants once in the entry block."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NoReturn

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    I32,
    AnyFloat,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    UnitAttr,
    UnknownLoc,
    VectorType,
)
from xdsl.dialects.llvm import GEP_USE_SSA_VAL, LLVMArrayType, LLVMPointerType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.type import get_element_type_or_self

from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.arith import IndexCastOp, IndexCastUIOp
from xegpu.dialects.upstream.llvm import (
    GEPOp,
    ZeroOp,
)

i8 = IntegerType(8)
i32: I32 = IntegerType(32)
i64 = IntegerType(64)
_INDEX = IndexType()
_LARGEST_INDEX = (1 << 31) - 1
MOST_BITS = 64
"""The largest width of integers that kernels compute with."""


def is_float(type: Attribute) -> bool:
    """Returns whether a type is, or consists of, floats."""
    return isinstance(get_element_type_or_self(type), AnyFloat)


class Builder:
    """Appends operations to `block`; all of them get the current `location`."""

    def __init__(self, entry: Block):
        self.entry = entry
        self.block = entry
        self.location: LocationAttr = UnknownLoc()
        self._constants: dict[tuple[Attribute, object], SSAValue] = {}

    def error(self, message: str) -> NoReturn:
        """Ends the import with an error at the current place."""
        raise CompileError(self.location, message)

    def insert(self, op: Operation) -> None:
        """Appends an operation."""
        op.location = self.location
        self.block.add_op(op)

    def add(self, op: Operation) -> SSAValue:
        """Appends an operation, and returns its first result."""
        self.insert(op)
        return op.results[0]

    def check(self, op: Operation) -> None:
        """Appends an operation whose sizes come from the kernel; an error says what is wrong with them."""
        try:
            op.verify()
        except VerifyException as error:
            self.error(str(error))
        self.insert(op)

    def verified(self, op: Operation) -> SSAValue:
        """Does the same, and returns the first result."""
        self.check(op)
        return op.results[0]

    # Constants

    def constant(self, type: Attribute, value: int | float | Sequence[int] | Sequence[float]) -> SSAValue:
        """Returns a number, the same in all elements of a vector, or a vector of numbers."""
        key = (type, repr(value))
        if key not in self._constants:
            properties = {"value": self._attribute(type, value)}
            self._constants[key] = self._at_start(ConstantOp.create(result_types=[type], properties=properties))
        return self._constants[key]

    def zero(self, type: Attribute) -> SSAValue:
        """Returns the null pointer, or 0 of another type."""
        if not isinstance(type, LLVMPointerType):
            return self.constant(type, 0)
        if (type, None) not in self._constants:
            self._constants[type, None] = self._at_start(ZeroOp.create(result_types=[type]))
        return self._constants[type, None]

    def i32(self, value: int) -> SSAValue:
        """Returns a number of 32 bits."""
        return self.constant(i32, value)

    def i64(self, value: int) -> SSAValue:
        """Returns a number of 64 bits."""
        return self.constant(i64, value)

    def _at_start(self, op: Operation) -> SSAValue:
        first = self.entry.first_op
        op.location = self.location
        if first is None:
            self.entry.add_op(op)
        else:
            self.entry.insert_op_before(op, first)
        return op.results[0]

    def _attribute(
        self, type: Attribute, value: int | float | Sequence[int] | Sequence[float]
    ) -> IntegerAttr | FloatAttr | DenseIntOrFPElementsAttr:
        if isinstance(type, VectorType):
            element = type.get_element_type()
            many = list(value) if isinstance(value, Sequence) else [value] * type.element_count()
            self._check(element)
            if isinstance(element, IntegerType):
                bits = element.width.data
                return DenseIntOrFPElementsAttr.from_list(type, [wrapped(int(v), bits) for v in many])
            return DenseIntOrFPElementsAttr.from_list(type, [float(v) for v in many])
        assert not isinstance(value, Sequence)
        self._check(type)
        if isinstance(type, IntegerType):
            return IntegerAttr(wrapped(int(value), type.width.data), type)
        assert isinstance(type, AnyFloat)
        return FloatAttr(float(value), type)

    def _check(self, type: Attribute) -> None:
        if isinstance(type, IntegerType) and type.width.data > MOST_BITS:
            self.error(f"computes with {type}: kernels have integers of at most {MOST_BITS} bits")
        if not isinstance(type, IntegerType | AnyFloat):
            self.error(f"has a constant of type {type}, which is not supported in a kernel")

    # Addresses

    def index(self, value: SSAValue, *, signed: bool = False) -> SSAValue:
        """Returns an integer as an index."""
        return self.add(IndexCastOp(value, _INDEX) if signed else IndexCastUIOp(value, _INDEX))

    def from_index(self, value: SSAValue, type: Attribute) -> SSAValue:
        """Returns an index as an integer."""
        return self.add(IndexCastOp(value, type))

    def offset(self, pointer: SSAValue, distance: int) -> SSAValue:
        """Returns a pointer to a number of bytes behind another."""
        if not distance:
            return pointer
        if -_LARGEST_INDEX <= distance <= _LARGEST_INDEX:
            return self._element(pointer, i8, distance)
        return self.element(pointer, self.i64(distance), 1)

    def element(self, pointer: SSAValue, index: SSAValue, size: int, *, inbounds: bool = False) -> SSAValue:
        """Returns a pointer to an element of an array of elements of `size` bytes.

        It is to the object that `pointer` is to, or behind its end, if it is `inbounds`.
        """
        type = IntegerType(8 * size) if size in (1, 2, 4, 8) else LLVMArrayType(IntAttr(size), i8)
        return self._element(pointer, type, index, inbounds=inbounds)

    def _element(
        self, pointer: SSAValue, type: Attribute, index: int | SSAValue, *, inbounds: bool = False
    ) -> SSAValue:
        constant, dynamic = ([index], []) if isinstance(index, int) else ([GEP_USE_SSA_VAL], [index])
        if not isinstance(pointer.type, LLVMPointerType):
            self.error(f"counts from a value of type {pointer.type}: expected a pointer")
        properties = {"rawConstantIndices": _numbers(*constant), "elem_type": type, "noWrapFlags": _NO_FLAGS}
        if inbounds:
            properties["inbounds"] = UnitAttr()
        return self.add(GEPOp.create(operands=[pointer, *dynamic], result_types=[pointer.type], properties=properties))


_NO_FLAGS = IntegerAttr(0, 32)


@cache
def _numbers(*numbers: int) -> DenseArrayBase[I32]:
    return DenseArrayBase.from_list(i32, numbers)


def wrapped(value: int, bits: int) -> int:
    """Returns a number modulo 2^bits as MLIR writes it: signed, except for a bit."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if bits > 1 and value >> bits - 1 else value
