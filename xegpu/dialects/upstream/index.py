"""The index dialect: arithmetic on `index` alone, whose width is that of an address."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, IntegerType, Signedness, i1
from xdsl.dialects.utils import EnumAttribute
from xdsl.interfaces import HasFolderInterface
from xdsl.ir import Attribute, Dialect, Operation, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Commutative, ConstantLike, NoMemoryEffect, Pure
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
    """`#index<cmp_predicate slt>`: what is compared; `s` for signed numbers, `u` for unsigned ones."""

    name = "index.cmp_predicate"


class _BinaryOp(IRDLOperation, ABC):
    """`%c = index.add %a, %b`."""

    lhs = operand_def(IndexType)
    rhs = operand_def(IndexType)
    result = result_def(IndexType)

    assembly_format: ClassVar[str] = "$lhs `,` $rhs attr-dict"

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation):
        super().__init__(operands=[lhs, rhs], result_types=[_INDEX])


@irdl_op_definition
class AddOp(_BinaryOp):
    """`%r = index.add %a, %b`: the sum, modulo the width."""

    name = "index.add"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class SubOp(_BinaryOp):
    """`%r = index.sub %a, %b`: the difference, modulo the width."""

    name = "index.sub"
    traits = traits_def(Pure())


@irdl_op_definition
class MulOp(_BinaryOp):
    """`%r = index.mul %a, %b`: the product, modulo the width."""

    name = "index.mul"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class DivSOp(_BinaryOp):
    """`%r = index.divs %a, %b`: signed division, rounded to zero."""

    name = "index.divs"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class DivUOp(_BinaryOp):
    """`%r = index.divu %a, %b`: unsigned division, rounded down."""

    name = "index.divu"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class CeilDivSOp(_BinaryOp):
    """`%r = index.ceildivs %a, %b`: signed division, rounded up."""

    name = "index.ceildivs"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class CeilDivUOp(_BinaryOp):
    """`%r = index.ceildivu %a, %b`: unsigned division, rounded up."""

    name = "index.ceildivu"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class FloorDivSOp(_BinaryOp):
    """`%r = index.floordivs %a, %b`: signed division, rounded down."""

    name = "index.floordivs"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class RemSOp(_BinaryOp):
    """`%r = index.rems %a, %b`: the remainder of signed division, with the sign of the dividend."""

    name = "index.rems"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class RemUOp(_BinaryOp):
    """`%r = index.remu %a, %b`: the remainder of unsigned division."""

    name = "index.remu"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class MaxSOp(_BinaryOp):
    """`%r = index.maxs %a, %b`: the larger one of two signed numbers."""

    name = "index.maxs"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class MaxUOp(_BinaryOp):
    """`%r = index.maxu %a, %b`: the larger one of two unsigned numbers."""

    name = "index.maxu"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class MinSOp(_BinaryOp):
    """`%r = index.mins %a, %b`: the smaller one of two signed numbers."""

    name = "index.mins"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class MinUOp(_BinaryOp):
    """`%r = index.minu %a, %b`: the smaller one of two unsigned numbers."""

    name = "index.minu"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class ShlOp(_BinaryOp):
    """`%r = index.shl %a, %b`: shift to the left."""

    name = "index.shl"
    traits = traits_def(Pure())


@irdl_op_definition
class ShrSOp(_BinaryOp):
    """`%r = index.shrs %a, %b`: shift to the right, copies of the sign come in."""

    name = "index.shrs"
    traits = traits_def(Pure())


@irdl_op_definition
class ShrUOp(_BinaryOp):
    """`%r = index.shru %a, %b`: shift to the right, zeros come in."""

    name = "index.shru"
    traits = traits_def(Pure())


@irdl_op_definition
class AndOp(_BinaryOp):
    """`%r = index.and %a, %b`: bitwise and."""

    name = "index.and"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class OrOp(_BinaryOp):
    """`%r = index.or %a, %b`: bitwise or."""

    name = "index.or"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class XOrOp(_BinaryOp):
    """`%r = index.xor %a, %b`: bitwise exclusive or."""

    name = "index.xor"
    traits = traits_def(Pure(), Commutative())


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

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation, predicate: CmpPredicate):
        super().__init__(operands=[lhs, rhs], result_types=[i1], properties={"pred": PredicateAttr(predicate)})


class _IndexConversionOp(IRDLOperation, ABC):
    """`%i = index.casts %a : index to i32`."""

    input = operand_def()
    output = result_def()

    traits = traits_def(Pure())
    assembly_format: ClassVar[str] = "$input attr-dict `:` type($input) `to` type($output)"

    def __init__(self, value: SSAValue | Operation, result_type: Attribute):
        super().__init__(operands=[value], result_types=[result_type])

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

    def __init__(self, value: int):
        super().__init__(result_types=[_INDEX], properties={"value": IntegerAttr(value, _INDEX)})

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

    def __init__(self, value: bool):
        super().__init__(result_types=[i1], properties={"value": BoolAttr.from_bool(value)})

    def fold(self) -> tuple[Attribute]:
        return (self.value,)


@irdl_op_definition
class SizeOfOp(IRDLOperation):
    """`%r = index.sizeof`: the number of bits of an index."""

    name = "index.sizeof"
    result = result_def(IndexType)

    traits = traits_def(Pure())
    assembly_format = "attr-dict"

    def __init__(self) -> None:
        super().__init__(result_types=[_INDEX])


BINARY_OPS = (
    AddOp,
    SubOp,
    MulOp,
    DivSOp,
    DivUOp,
    CeilDivSOp,
    CeilDivUOp,
    FloorDivSOp,
    RemSOp,
    RemUOp,
    MaxSOp,
    MaxUOp,
    MinSOp,
    MinUOp,
    ShlOp,
    ShrSOp,
    ShrUOp,
    AndOp,
    OrOp,
    XOrOp,
)

Index = Dialect("index", [*BINARY_OPS, CmpOp, CastSOp, CastUOp, ConstantOp, BoolConstantOp, SizeOfOp], [PredicateAttr])
