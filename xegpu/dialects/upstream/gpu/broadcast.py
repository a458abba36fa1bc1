"""`gpu.subgroup_broadcast`: the value of one lane for all.

xDSL does not have it.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, VectorType, i32
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Operation, SpacedOpaqueSyntaxAttribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.str_enum import StrEnum

from xegpu.dialects.upstream.directives import SameType


class Broadcast(StrEnum):
    """The lane whose value is broadcast: the first active one, or a given one."""

    FIRST_ACTIVE_LANE = "first_active_lane"
    SPECIFIC_LANE = "specific_lane"


@irdl_attr_definition
class BroadcastAttr(EnumAttribute[Broadcast], SpacedOpaqueSyntaxAttribute):
    """`#gpu<broadcast first_active_lane>`: which lane gives its value."""

    name = "gpu.broadcast"


@irdl_op_definition
class SubgroupBroadcastOp(IRDLOperation):
    """Every lane of the subgroup gets the value of one.

    `%r = gpu.subgroup_broadcast %x, first_active_lane : f32`

    `%r = gpu.subgroup_broadcast %x, specific_lane %i : f32`
    """

    name = "gpu.subgroup_broadcast"
    source = operand_def()
    lane = opt_operand_def(i32)
    result = result_def()
    broadcast_type = prop_def(BroadcastAttr)

    traits = traits_def(Pure())
    custom_directives = (SameType,)
    assembly_format = (
        "$source `,` $broadcast_type ($lane^)? attr-dict `:` custom<SameType>(type($source), type($result))"
    )

    def __init__(self, source: SSAValue | Operation, lane: SSAValue | Operation | None = None):
        """The value of `lane`, which is the same in all lanes, or of the first active one where none is given."""
        kind = Broadcast.FIRST_ACTIVE_LANE if lane is None else Broadcast.SPECIFIC_LANE
        super().__init__(
            operands=[source, lane],
            result_types=[SSAValue.get(source).type],
            properties={"broadcast_type": BroadcastAttr(kind)},
        )

    def verify_(self) -> None:
        type_ = self.source.type
        element = type_.element_type if isa(type_, VectorType) else type_
        if not isinstance(element, IntegerType | IndexType | AnyFloat):
            raise VerifyException(f"expected integers or floats, got {type_}")
        if self.result.type != type_:
            raise VerifyException(f"expected a result of type {type_}, got {self.result.type}")
        if (self.lane is not None) != (self.broadcast_type.data is Broadcast.SPECIFIC_LANE):
            given = "one" if self.lane is not None else "none"
            raise VerifyException(
                f"a lane must be given for specific_lane only: {self.broadcast_type.data} has {given}"
            )
