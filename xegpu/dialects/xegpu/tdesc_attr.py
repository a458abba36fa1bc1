"""The one attribute for descriptors of both kinds that LLVM 19 has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, BoolAttr, IntegerAttr, NoneAttr
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.fields import BOOL_FIELD, FieldsAttr
from xegpu.dialects.xegpu.attributes import (
    I64_FIELD,
    MEMORY_SPACE_FIELD,
    NO_CHECKS_IN_ONE_DIMENSION,
    BlockTensorDescAttr,
    MemorySpace,
    MemorySpaceAttr,
    ScatterTensorDescAttr,
)


@irdl_attr_definition
class TensorDescAttr(FieldsAttr):
    """`#xegpu.tdesc_attr<memory_scope = slm, array_length = 2 : i64, boundary_check = false, scattered = true>`.

    LLVM 19 writes it where later generations write `block_tdesc_attr` or, with `scattered = true`,
    `scatter_tdesc_attr`. A descriptor type that is read with it has the later attribute; the columns of a scattered 2D
    descriptor are its `chunk_size`.
    """

    name = "xegpu.tdesc_attr"
    memory_scope: MemorySpaceAttr | NoneAttr
    array_length: IntegerAttr[I64] | NoneAttr
    boundary_check: BoolAttr | NoneAttr
    scattered: BoolAttr | NoneAttr

    FIELDS: ClassVar = {
        "memory_scope": MEMORY_SPACE_FIELD,
        "array_length": I64_FIELD,
        "boundary_check": BOOL_FIELD,
        "scattered": BOOL_FIELD,
    }

    def encoding(self, shape: Sequence[int]) -> BlockTensorDescAttr | ScatterTensorDescAttr:
        """Returns the attribute that a descriptor of this shape gets in its stead.

        Raises `VerifyException` for what no scattered descriptor can be, several blocks or chunks of unknown size, and
        for checked bounds in one dimension.
        """
        space = None if isinstance(self.memory_scope, NoneAttr) else self.memory_scope.data
        length = None if isinstance(self.array_length, NoneAttr) else self.array_length.value.data
        if not isinstance(self.scattered, NoneAttr) and self.scattered.value.data:
            return _scattered(space, length, shape)
        check = None if isinstance(self.boundary_check, NoneAttr) else bool(self.boundary_check.value.data)
        if check and len(shape) == 1:
            raise VerifyException(NO_CHECKS_IN_ONE_DIMENSION)
        return BlockTensorDescAttr(space, length, check)


def _scattered(space: MemorySpace | None, array_length: int | None, shape: Sequence[int]) -> ScatterTensorDescAttr:
    if array_length not in (None, 1):
        raise VerifyException(f"a scattered descriptor has no blocks: expected array_length = 1, got {array_length}")
    chunk = shape[1] if len(shape) == 2 else None
    if chunk == DYNAMIC_INDEX:
        raise VerifyException("the columns of a scattered descriptor are its chunks: expected their number, got '?'")
    # Accesses of lanes are never checked against bounds: boundary_check says nothing about them.
    return ScatterTensorDescAttr(space, chunk)
