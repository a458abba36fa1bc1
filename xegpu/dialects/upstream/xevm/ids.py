"""Operations of the xevm dialect that return the position of a lane in its subgroup, work-group and grid."""

from __future__ import annotations

from typing import TypeVar

from xdsl.dialects.builtin import IntegerType, i32, i64
from xdsl.dialects.gpu import DimensionAttr, DimensionEnum
from xdsl.irdl import IRDLOperation, irdl_op_definition, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException


class _IdOp(IRDLOperation):
    """A number of 32 or 64 bits that depends on the lane."""

    res = result_def(IntegerType)

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($res)"

    def verify_(self) -> None:
        if self.res.type not in (i32, i64):
            raise VerifyException(
                f"result #0 must be 32-bit signless integer or 64-bit signless integer, but got {self.res.type}"
            )


class DimensionIdOp(_IdOp):
    """A number that each of the three dimensions has."""

    @property
    def dimension(self) -> DimensionAttr:
        """The dimension, which is the end of the operation's name."""
        return DimensionAttr(DimensionEnum(self.name.rpartition(".")[2]))


_Id = TypeVar("_Id", bound=IRDLOperation)


def _id_op(base: type[_Id], mnemonic: str, result: str) -> type[_Id]:
    """The op `xevm.<mnemonic>`, which gives `result`."""
    fields = {
        "name": f"xevm.{mnemonic}",
        "__module__": __name__,
        "__doc__": f"`%r = xevm.{mnemonic} : i32`: {result}.",
    }
    title = mnemonic.title().replace("_", "").replace(".", "")
    return irdl_op_definition(type(f"{title}Op", (base,), fields))


def _id_ops(mnemonic: str, result: str) -> tuple[type[DimensionIdOp], ...]:
    """The ops `xevm.<mnemonic>.x`, `.y` and `.z`, which give `result` in a dimension."""
    return tuple(
        _id_op(DimensionIdOp, f"{mnemonic}.{d.value}", f"{result} in dimension {d.value}") for d in DimensionEnum
    )


LaneIdOp = _id_op(_IdOp, "lane_id", "the number of a lane in its subgroup")
SubgroupIdOp = _id_op(_IdOp, "subgroup_id", "the number of a subgroup in its work-group")
SubgroupSizeOp = _id_op(_IdOp, "subgroup_size", "the number of lanes of a subgroup")
LOCAL_ID_OPS = _id_ops("local_id", "the number of a work-item in its work-group")
LOCAL_SIZE_OPS = _id_ops("local_size", "how many work-items a work-group has")
GROUP_ID_OPS = _id_ops("group_id", "the number of the work-group in the grid")
GROUP_COUNT_OPS = _id_ops("group_count", "how many work-groups the grid has")
