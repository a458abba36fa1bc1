"""The index dialect."""

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


class Predicate(StrEnum):
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
class PredicateAttr(EnumAttribute[Predicate], SpacedOpaqueSyntaxAttribute):
    """`#index<cmp_predicate slt>`."""

    name = "index.cmp_predicate"


class _BinaryOp(IRDLOperation, ABC):
    """`%c = index.add %a, %b`."""

    lhs = operand_def(IndexType)
    rhs = operand_def(IndexType)
    result = result_def(IndexType)

    traits = traits_def(Pure())
    assembly_format: ClassVar[str] = "$lhs `,` $rhs attr-dict"

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation):
        super().__init__(operands=[lhs, rhs], result_types=[_INDEX])


@irdl_op_definition
class AddOp(_BinaryOp):
    name = "index.add"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class SubOp(_BinaryOp):
    name = "index.sub"


@irdl_op_definition
class MulOp(_BinaryOp):
    name = "index.mul"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class DivSOp(_BinaryOp):
    name = "index.divs"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class DivUOp(_BinaryOp):
    name = "index.divu"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class CeilDivSOp(_BinaryOp):
    name = "index.ceildivs"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class CeilDivUOp(_BinaryOp):
    name = "index.ceildivu"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class FloorDivSOp(_BinaryOp):
    name = "index.floordivs"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class RemSOp(_BinaryOp):
    name = "index.rems"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class RemUOp(_BinaryOp):
    name = "index.remu"
    traits = traits_def(NoMemoryEffect())


@irdl_op_definition
class MaxSOp(_BinaryOp):
    name = "index.maxs"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class MaxUOp(_BinaryOp):
    name = "index.maxu"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class MinSOp(_BinaryOp):
    name = "index.mins"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class MinUOp(_BinaryOp):
    name = "index.minu"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class ShlOp(_BinaryOp):
    name = "index.shl"


@irdl_op_definition
class ShrSOp(_BinaryOp):
    name = "index.shrs"


@irdl_op_definition
class ShrUOp(_BinaryOp):
    name = "index.shru"


@irdl_op_definition
class AndOp(_BinaryOp):
    name = "index.and"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class OrOp(_BinaryOp):
    name = "index.or"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class XOrOp(_BinaryOp):
    name = "index.xor"
    traits = traits_def(Pure(), Commutative())


@irdl_op_definition
class CmpOp(IRDLOperation):
    """`%c = index.cmp slt(%a, %b)`."""

    name = "index.cmp"
    lhs = operand_def(IndexType)
    rhs = operand_def(IndexType)
    predicate = prop_def(PredicateAttr, prop_name="pred")
    result = result_def(i1)

    traits = traits_def(Pure())
    assembly_format = "$pred `` `(` $lhs `,` $rhs `)` attr-dict"

    def __init__(self, lhs: SSAValue | Operation, rhs: SSAValue | Operation, predicate: Predicate):
        super().__init__(operands=[lhs, rhs], result_types=[i1], properties={"pred": PredicateAttr(predicate)})


class _CastOp(IRDLOperation, ABC):
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
class CastSOp(_CastOp):
    name = "index.casts"


@irdl_op_definition
class CastUOp(_CastOp):
    name = "index.castu"


def _is_signless(value: Attribute) -> bool:
    return isinstance(value, IntegerType) and value.signedness.data is Signedness.SIGNLESS


@irdl_op_definition
class ConstantOp(IRDLOperation, HasFolderInterface):
    """`%c = index.constant 42`."""

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
    """`%t = index.bool.constant true`."""

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
    """`%bits = index.sizeof`: the number of bits of an index."""

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
