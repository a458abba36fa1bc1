"""The index dialect: arithmetic on `index` alone, whose width is that of an address. xDSL has none of it.

https://mlir.llvm.org/docs/Dialects/IndexOps/
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, Signedness, i1
from xdsl.dialects.utils import EnumAttribute
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Dialect, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Commutative, ConstantLike, NoMemoryEffect, OpTrait, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

_INDEX = IndexType()


class CmpPredicate(StrEnum):
    EQ = "eq"
    NE = "ne"
    SLT = "slt"
    SLE = "sle"
    SGT = "sgt"
    SGE = "sge"
    ULT = "ult"
    ULE = "ule"
    UGT = "ugt"
    UGE = "uge"


@irdl_attr_definition
class PredicateAttr(EnumAttribute[CmpPredicate], SpacedOpaqueSyntaxAttribute):
    """`#index<cmp_predicate slt>`: the comparison; `s` for signed numbers, `u` for unsigned ones."""

    name = "index.cmp_predicate"


class BinaryOp(IRDLOperation, ABC):
    """An operation of two operands, such as `%c = index.add %a, %b`."""

    lhs = operand_def(IndexType)
    rhs = operand_def(IndexType)
    result = result_def(IndexType)

    assembly_format: ClassVar[str] = "$lhs `,` $rhs attr-dict"


_PURE = (Pure(),)
_COMMUTATIVE = (Pure(), Commutative())
_PARTIAL = (NoMemoryEffect(),)
"""Some operands have no result: these ops may be removed, but not run where they would not have been."""


def _binary_op(mnemonic: str, traits: Sequence[OpTrait], result: str) -> type[IRDLOperation]:
    """The op `index.<mnemonic>`, which gives `result`."""
    fields = {
        "name": f"index.{mnemonic}",
        "__module__": __name__,
        "traits": traits_def(*traits),
        "__doc__": f"`%r = index.{mnemonic} %a, %b`: {result}.",
    }
    return irdl_op_definition(type(f"{mnemonic.capitalize()}Op", (BinaryOp,), fields))


BINARY_OPS = (
    _binary_op("add", _COMMUTATIVE, "the sum, modulo the width"),
    _binary_op("sub", _PURE, "the difference, modulo the width"),
    _binary_op("mul", _COMMUTATIVE, "the product, modulo the width"),
    _binary_op("divs", _PARTIAL, "signed division, rounded to zero"),
    _binary_op("divu", _PARTIAL, "unsigned division, rounded down"),
    _binary_op("ceildivs", _PARTIAL, "signed division, rounded up"),
    _binary_op("ceildivu", _PARTIAL, "unsigned division, rounded up"),
    _binary_op("floordivs", _PARTIAL, "signed division, rounded down"),
    _binary_op("rems", _PARTIAL, "the remainder of signed division, with the sign of the dividend"),
    _binary_op("remu", _PARTIAL, "the remainder of unsigned division"),
    _binary_op("maxs", _COMMUTATIVE, "the larger one of two signed numbers"),
    _binary_op("maxu", _COMMUTATIVE, "the larger one of two unsigned numbers"),
    _binary_op("mins", _COMMUTATIVE, "the smaller one of two signed numbers"),
    _binary_op("minu", _COMMUTATIVE, "the smaller one of two unsigned numbers"),
    _binary_op("shl", _PURE, "shift to the left"),
    _binary_op("shrs", _PURE, "arithmetic right shift, which shifts in copies of the sign"),
    _binary_op("shru", _PURE, "logical right shift, which shifts in zeros"),
    _binary_op("and", _COMMUTATIVE, "bitwise and"),
    _binary_op("or", _COMMUTATIVE, "bitwise or"),
    _binary_op("xor", _COMMUTATIVE, "bitwise exclusive or"),
)


@irdl_op_definition
class CmpOp(IRDLOperation):
    """`%r = index.cmp slt(%a, %b)`: whether the predicate holds; `s` compares as signed, `u` as unsigned numbers."""

    name = "index.cmp"
    lhs = operand_def(IndexType)
    rhs = operand_def(IndexType)
    predicate = prop_def(PredicateAttr, prop_name="pred")
    result = result_def(i1)

    traits = traits_def(Pure())
    assembly_format = "$pred `` `(` $lhs `,` $rhs `)` attr-dict"


class _IndexConversionOp(IRDLOperation, ABC):
    """`%i = index.casts %a : index to i32`."""

    input = operand_def()
    output = result_def()

    traits = traits_def(Pure())
    assembly_format: ClassVar[str] = "$input attr-dict `:` type($input) `to` type($output)"

    def verify_(self) -> None:
        pair = (self.input.type, self.output.type)
        if not any(a == _INDEX and _is_signless(b) for a, b in (pair, pair[::-1])):
            raise VerifyException(
                f"operand type '{pair[0]}' and result type '{pair[1]}' are cast incompatible: expected index and "
                "an integer"
            )


@irdl_op_definition
class CastSOp(_IndexConversionOp):
    """`%r = index.casts %a : index to i32`: between index and integers, sign-extending where the result is wider."""

    name = "index.casts"


@irdl_op_definition
class CastUOp(_IndexConversionOp):
    """`%r = index.castu %x : i32 to index`: between index and integers, zero-extending where the result is wider."""

    name = "index.castu"


def _is_signless(value: Attribute) -> bool:
    return isinstance(value, IntegerType) and value.signedness.data is Signedness.SIGNLESS


@irdl_op_definition
class ConstantOp(IRDLOperation, HasFolderInterface):
    """`%r = index.constant -42`: a number."""

    name = "index.constant"
    value = prop_def(IntegerAttr.constr(_INDEX))
    result = result_def(IndexType)

    traits = traits_def(Pure(), ConstantLike())
    assembly_format = "attr-dict $value"

    def fold(self) -> tuple[Attribute]:
        return (self.value,)


@irdl_op_definition
class BoolConstantOp(IRDLOperation, HasFolderInterface):
    """`%r = index.bool.constant true`: an i1."""

    name = "index.bool.constant"
    value = prop_def(IntegerAttr.constr(i1))
    result = result_def(i1)

    traits = traits_def(Pure(), ConstantLike())
    assembly_format = "attr-dict $value"

    def fold(self) -> tuple[Attribute]:
        return (self.value,)


@irdl_op_definition
class SizeOfOp(IRDLOperation):
    """`%r = index.sizeof`: the number of bits of an index."""

    name = "index.sizeof"
    result = result_def(IndexType)

    traits = traits_def(Pure())
    assembly_format = "attr-dict"


Index = Dialect("index", [*BINARY_OPS, CmpOp, CastSOp, CastUOp, ConstantOp, BoolConstantOp, SizeOfOp], [PredicateAttr])
