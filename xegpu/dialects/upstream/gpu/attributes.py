"""Attributes of the gpu dialect that xDSL lacks.

xDSL has none of them.

https://mlir.llvm.org/docs/Dialects/GPU/
"""

from __future__ import annotations

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from xegpu.dialects.upstream.enums import InAngleBrackets
from xegpu.mlir import OpaqueTextAttr


class AddressSpace(StrEnum):
    """Memory that a gpu.func can name; `number` is its usual number as a memory space."""

    GLOBAL = "global"
    WORKGROUP = "workgroup"
    PRIVATE = "private"

    @property
    def number(self) -> int:
        return _NUMBERS[self]


_NUMBERS = {AddressSpace.GLOBAL: 0, AddressSpace.WORKGROUP: 3, AddressSpace.PRIVATE: 5}


@irdl_attr_definition
class AddressSpaceAttr(InAngleBrackets[AddressSpace], EnumAttribute[AddressSpace]):
    """`#gpu.address_space<workgroup>`: the memory that a buffer is in, for memory spaces of memref types."""

    name = "gpu.address_space"


class Reduction(StrEnum):
    """The operation that combines the values of several lanes."""

    ADD = "add"
    MUL = "mul"
    MINUI = "minui"
    MINSI = "minsi"
    MINNUMF = "minnumf"
    MAXUI = "maxui"
    MAXSI = "maxsi"
    MAXNUMF = "maxnumf"
    AND = "and"
    OR = "or"
    XOR = "xor"
    MINIMUMF = "minimumf"
    MAXIMUMF = "maximumf"


@irdl_attr_definition
class ReductionAttr(EnumAttribute[Reduction], SpacedOpaqueSyntaxAttribute):
    """`#gpu<all_reduce_op add>`: how the values of several lanes become one."""

    name = "gpu.all_reduce_op"


class ShuffleMode(StrEnum):
    """The rule for the lane that a value comes from: a distance up or down, xor with a number, or a lane number."""

    XOR = "xor"
    UP = "up"
    DOWN = "down"
    IDX = "idx"


@irdl_attr_definition
class ShuffleModeAttr(EnumAttribute[ShuffleMode], SpacedOpaqueSyntaxAttribute):
    """`#gpu<shuffle_mode xor>`: the rule for the lane that a value comes from.

    This is a distance up or down, xor with a number, or the number of a lane.
    """

    name = "gpu.shuffle_mode"


def _mapping(mnemonic: str, example: str, part: str) -> type[OpaqueTextAttr]:
    """The attribute `gpu.<mnemonic>`: a part of a grid that would execute an iteration of a parallel loop.

    MLIR's transformations read it; kernels and host programs execute all iterations one after the other.
    """
    members = {
        "name": f"gpu.{mnemonic}",
        "__module__": __name__,
        "__doc__": f"`#gpu.{mnemonic}<{example}>`: {part}.",
    }
    return irdl_attr_definition(type(f"{mnemonic.capitalize()}MappingAttr", (OpaqueTextAttr,), members))


MAPPINGS = (
    _mapping("block", "x", "a work-group"),
    _mapping("lane", "linear_dim_0", "a lane of a subgroup"),
    _mapping("thread", "x", "a work-item"),
    _mapping("warp", "x", "a subgroup"),
    _mapping("warpgroup", "x", "four subgroups"),
)
