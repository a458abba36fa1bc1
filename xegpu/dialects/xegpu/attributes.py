"""Attributes of the XeGPU dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import I64, BoolAttr, IntegerAttr, NoneAttr, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.str_enum import StrEnum

from xegpu.dialects.fields import BOOL_FIELD, FieldsAttr, FieldSyntax, print_any
from xegpu.dialects.upstream.enums import InAngleBrackets

MAX_I64 = (1 << 63) - 1

NO_CHECKS_IN_ONE_DIMENSION = "boundary_check must be false for 1D tensor, got true"

CHUNK_SIZES = (1, 2, 3, 4, 8, 16, 32, 64, 128, 256)


class CacheHint(StrEnum):
    """The policy of a cache level for an access; it never changes values."""

    CACHED = "cached"
    UNCACHED = "uncached"
    STREAMING = "streaming"
    READ_INVALIDATE = "read_invalidate"
    WRITE_BACK = "write_back"
    WRITE_THROUGH = "write_through"


READ_HINTS = frozenset({CacheHint.CACHED, CacheHint.UNCACHED, CacheHint.STREAMING, CacheHint.READ_INVALIDATE})
WRITE_HINTS = frozenset(
    {CacheHint.CACHED, CacheHint.UNCACHED, CacheHint.STREAMING, CacheHint.WRITE_BACK, CacheHint.WRITE_THROUGH}
)


class MemorySpace(StrEnum):
    """The memory that the base tensor of a descriptor is in."""

    GLOBAL = "global"
    SLM = "slm"

    @property
    def number(self) -> int:
        """The memory space of a memref with the same meaning."""
        return 3 if self is MemorySpace.SLM else 0


class FenceScope(StrEnum):
    """The threads for which a fence orders accesses."""

    WORKGROUP = "workgroup"
    GPU = "gpu"


@irdl_attr_definition
class CacheHintAttr(InAngleBrackets[CacheHint], EnumAttribute[CacheHint]):
    """`#xegpu.cache_hint<cached>`: how a level of the caches treats an access."""

    name = "xegpu.cache_hint"


@irdl_attr_definition
class MemorySpaceAttr(EnumAttribute[MemorySpace], SpacedOpaqueSyntaxAttribute):
    """`#xegpu<memory_space slm>`: the memory that a tile is in; `slm` is that of the work-group."""

    name = "xegpu.memory_space"


@irdl_attr_definition
class FenceScopeAttr(EnumAttribute[FenceScope], SpacedOpaqueSyntaxAttribute):
    """`#xegpu<fence_scope gpu>`: for whom a fence orders accesses."""

    name = "xegpu.fence_scope"


def _parse_memory_space(parser: AttrParser) -> Attribute:
    return MemorySpaceAttr(MemorySpaceAttr.parse_parameter(parser))


def _print_memory_space(printer: Printer, value: Attribute) -> None:
    assert isinstance(value, MemorySpaceAttr)
    printer.print_string(value.data.value)


def _parse_i64(parser: AttrParser) -> Attribute:
    position = parser.pos
    attribute = parser.parse_attribute()
    if not isa(attribute, IntegerAttr) or not -MAX_I64 - 1 <= attribute.value.data <= MAX_I64:
        parser.raise_error(f"expected a 64-bit integer attribute, got {attribute}", position, parser.pos)
    return IntegerAttr(attribute.value.data, i64)


MEMORY_SPACE_FIELD = FieldSyntax(_parse_memory_space, _print_memory_space, NoneAttr())
I64_FIELD = FieldSyntax(_parse_i64, print_any, NoneAttr())
"""An integer of any type, kept as i64."""


@irdl_attr_definition
class BlockTensorDescAttr(FieldsAttr):
    """`#xegpu.block_tdesc_attr<memory_space = slm, array_length = 2 : i64, boundary_check = false>`.

    Says that a descriptor denotes `array_length` dense blocks side by side. Absent fields mean global memory, one
    block, and checked bounds. The RFC, that is with an `sg_map` or `tdesc_attr`, knows no checks in one dimension:
    there `boundary_check = true` is an error. Elsewhere the bounds of a block of one dimension are those of the memory
    as a whole, from its first to its last element, so that it may go on from a row to the next, or be moved there.
    Offsets of rows must be inside, as those of planes are for blocks of two dimensions.
    """

    name = "xegpu.block_tdesc_attr"
    memory_space: MemorySpaceAttr | NoneAttr
    array_length: IntegerAttr[I64] | NoneAttr
    boundary_check: BoolAttr | NoneAttr

    FIELDS: ClassVar = {"memory_space": MEMORY_SPACE_FIELD, "array_length": I64_FIELD, "boundary_check": BOOL_FIELD}

    def __init__(
        self,
        memory_space: MemorySpace | None = None,
        array_length: int | None = None,
        boundary_check: bool | None = None,
    ):
        super().__init__(
            NoneAttr() if memory_space is None else MemorySpaceAttr(memory_space),
            NoneAttr() if array_length is None else IntegerAttr(array_length, i64),
            NoneAttr() if boundary_check is None else BoolAttr.from_bool(boundary_check),
        )

    def with_default_checks(self) -> BlockTensorDescAttr:
        """Returns the same attribute without a word on `boundary_check`."""
        return BlockTensorDescAttr.new([self.memory_space, self.array_length, NoneAttr()])

    def verify(self) -> None:
        if not isinstance(self.array_length, NoneAttr) and self.array_length.value.data < 1:
            raise VerifyException(f"expected array_length of at least 1, got {self.array_length.value.data}")


@irdl_attr_definition
class ScatterTensorDescAttr(FieldsAttr):
    """`#xegpu.scatter_tdesc_attr<memory_space = slm, chunk_size = 4 : i64>`.

    Says that a descriptor denotes one address a lane, and `chunk_size` consecutive elements at each. Absent fields mean
    global memory and one element.
    """

    name = "xegpu.scatter_tdesc_attr"
    memory_space: MemorySpaceAttr | NoneAttr
    chunk_size: IntegerAttr[I64] | NoneAttr

    FIELDS: ClassVar = {"memory_space": MEMORY_SPACE_FIELD, "chunk_size": I64_FIELD}

    def __init__(self, memory_space: MemorySpace | None = None, chunk_size: int | None = None):
        super().__init__(
            NoneAttr() if memory_space is None else MemorySpaceAttr(memory_space),
            NoneAttr() if chunk_size is None else IntegerAttr(chunk_size, i64),
        )

    def verify(self) -> None:
        if isinstance(self.chunk_size, NoneAttr):
            return
        if (size := self.chunk_size.value.data) not in CHUNK_SIZES:
            raise VerifyException(f"invalid chunk size {size}, expected one of {', '.join(map(str, CHUNK_SIZES))}")


@irdl_attr_definition
class RangeAttr(ParametrizedAttribute):
    """`#xegpu.range<[2, 10]>`: the numbers from 2 up to, but not including, 10.

    As `sg_id_range` of an `scf.if`, it names the subgroups that execute the branch; inside, layouts count them from 0.
    """

    name = "xegpu.range"
    start: IntegerAttr
    end: IntegerAttr

    def __init__(self, start: int, end: int):
        super().__init__(IntegerAttr(start, i64), IntegerAttr(end, i64))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            position = parser.pos
            limits = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_attribute)
            if len(limits) != 2 or not all(isa(limit, IntegerAttr) for limit in limits):
                parser.raise_error(
                    f"expected two integers, got {[str(limit) for limit in limits]}", position, parser.pos
                )
        return limits

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets(), printer.delimited("[", "]"):
            printer.print_list((self.start, self.end), printer.print_attribute)

    def verify(self) -> None:
        start, end = self.start.value.data, self.end.value.data
        if end <= start:
            raise VerifyException(f"'end' : {end} must be greater than 'start' : {start}")
