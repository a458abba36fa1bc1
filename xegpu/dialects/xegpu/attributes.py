"""Attributes of the XeGPU dialect."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import I64, ArrayAttr, BoolAttr, IntAttr, IntegerAttr, NoneAttr, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.str_enum import StrEnum

from xegpu.dialects.xegpu.distribution import LaneMap

MAX_I64 = (1 << 63) - 1
MAX_U32 = (1 << 32) - 1

CHUNK_SIZES = (1, 2, 3, 4, 8, 16, 32, 64, 128, 256)


class CacheHint(StrEnum):
    """What a cache level should do with an access; never changes values."""

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
    """Where the base tensor of a descriptor lives."""

    GLOBAL = "global"
    SLM = "slm"

    @property
    def number(self) -> int:
        """The memory space of a memref with the same meaning."""
        return 3 if self is MemorySpace.SLM else 0


class FenceScope(StrEnum):
    """Who must see the accesses that a fence orders."""

    WORKGROUP = "workgroup"
    GPU = "gpu"


@irdl_attr_definition
class CacheHintAttr(EnumAttribute[CacheHint]):
    """`#xegpu.cache_hint<cached>`."""

    name = "xegpu.cache_hint"

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> CacheHint:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)


@irdl_attr_definition
class MemorySpaceAttr(EnumAttribute[MemorySpace], SpacedOpaqueSyntaxAttribute):
    """`#xegpu<memory_space slm>`."""

    name = "xegpu.memory_space"


@irdl_attr_definition
class FenceScopeAttr(EnumAttribute[FenceScope], SpacedOpaqueSyntaxAttribute):
    """`#xegpu<fence_scope gpu>`."""

    name = "xegpu.fence_scope"


def _parse_memory_space(parser: AttrParser) -> Attribute:
    return MemorySpaceAttr(MemorySpaceAttr.parse_parameter(parser))


def _parse_i64(parser: AttrParser) -> Attribute:
    position = parser.pos
    attribute = parser.parse_attribute()
    if not (isa(attribute, IntegerAttr) and attribute.type == i64):
        parser.raise_error("expected a 64-bit integer attribute", position, parser.pos)
    return attribute


def _parse_bool(parser: AttrParser) -> Attribute:
    return BoolAttr.from_bool(parser.parse_boolean())


class _FieldsAttr(ParametrizedAttribute):
    """Prints and parses `<key = value, ...>`: keys are optional, in any order on input, in declared order on output.

    An absent field is `NoneAttr`; a default that is written out is kept, so that text round-trips.
    """

    FIELDS: ClassVar[Mapping[str, Callable[[AttrParser], Attribute]]]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        found: dict[str, Attribute] = {}

        def field() -> None:
            position = parser.pos
            key = parser.parse_identifier()
            if key not in cls.FIELDS:
                known = ", ".join(f"'{name}'" for name in cls.FIELDS)
                parser.raise_error(f"unknown field '{key}', expected one of {known}", position, parser.pos)
            if key in found:
                parser.raise_error(f"field '{key}' is given twice", position, parser.pos)
            parser.parse_punctuation("=")
            found[key] = cls.FIELDS[key](parser)

        parser.parse_comma_separated_list(parser.Delimiter.ANGLE, field)
        return [found.get(key, NoneAttr()) for key in cls.FIELDS]

    def print_parameters(self, printer: Printer) -> None:
        present = [
            (key, value)
            for key, value in zip(self.FIELDS, self.parameters, strict=True)
            if not isinstance(value, NoneAttr)
        ]

        def print_field(field: tuple[str, Attribute]) -> None:
            key, value = field
            printer.print_string(f"{key} = ")
            if isinstance(value, MemorySpaceAttr):
                printer.print_string(value.data.value)
            else:
                printer.print_attribute(value)

        with printer.in_angle_brackets():
            printer.print_list(present, print_field)


@irdl_attr_definition
class BlockTensorDescAttr(_FieldsAttr):
    """`#xegpu.block_tdesc_attr<memory_space = slm, array_length = 2 : i64, boundary_check = false>`.

    Says that a descriptor denotes `array_length` dense blocks side by side. Absent fields mean global memory, one
    block, and checked bounds.
    """

    name = "xegpu.block_tdesc_attr"
    memory_space: MemorySpaceAttr | NoneAttr
    array_length: IntegerAttr[I64] | NoneAttr
    boundary_check: BoolAttr | NoneAttr

    FIELDS: ClassVar = {"memory_space": _parse_memory_space, "array_length": _parse_i64, "boundary_check": _parse_bool}

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

    def verify(self) -> None:
        if not isinstance(self.array_length, NoneAttr) and self.array_length.value.data < 1:
            raise VerifyException(f"expected array_length of at least 1, got {self.array_length.value.data}")


@irdl_attr_definition
class ScatterTensorDescAttr(_FieldsAttr):
    """`#xegpu.scatter_tdesc_attr<memory_space = slm, chunk_size = 4 : i64>`.

    Says that a descriptor denotes one address a lane, and `chunk_size` consecutive elements at each. Absent fields mean
    global memory and one element.
    """

    name = "xegpu.scatter_tdesc_attr"
    memory_space: MemorySpaceAttr | NoneAttr
    chunk_size: IntegerAttr[I64] | NoneAttr

    FIELDS: ClassVar = {"memory_space": _parse_memory_space, "chunk_size": _parse_i64}

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
class SgMapAttr(ParametrizedAttribute):
    """`#xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>`: how the lanes of a subgroup share a tile."""

    name = "xegpu.sg_map"
    wi_layout: ArrayAttr[IntAttr]
    wi_data: ArrayAttr[IntAttr]

    def __init__(self, wi_layout: Sequence[int], wi_data: Sequence[int]):
        super().__init__(ArrayAttr(IntAttr(n) for n in wi_layout), ArrayAttr(IntAttr(n) for n in wi_data))

    @property
    def lane_map(self) -> LaneMap:
        (l0, l1), (d0, d1) = (entry.data for entry in self.wi_layout), (entry.data for entry in self.wi_data)
        return LaneMap((l0, l1), (d0, d1))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def number() -> IntAttr:
            position = parser.pos
            value = parser.parse_integer(allow_boolean=False)
            if not 0 <= value <= MAX_U32:
                parser.raise_error(f"expected an unsigned 32-bit integer, got {value}", position, parser.pos)
            return IntAttr(value)

        def field(name: str) -> ArrayAttr[IntAttr]:
            if parser.parse_optional_keyword(name) is None:
                parser.raise_error(f"unexpected field name. Expected {name}.")
            if parser.parse_optional_punctuation("=") is None:
                parser.raise_error("expected '=' sign.")
            return ArrayAttr(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, number))

        with parser.in_angle_brackets():
            wi_layout = field("wi_layout")
            parser.parse_punctuation(",")
            wi_data = field("wi_data")
        return [wi_layout, wi_data]

    def print_parameters(self, printer: Printer) -> None:
        wi_layout, wi_data = ([entry.data for entry in field] for field in (self.wi_layout, self.wi_data))
        printer.print_string(f"<wi_layout = {wi_layout}, wi_data = {wi_data}>")

    def verify(self) -> None:
        for name, field in (("wi_layout", self.wi_layout), ("wi_data", self.wi_data)):
            if len(field) != 2:
                raise VerifyException(f"expected {name} of size 2, got {len(field)} entries")
            if any(entry.data < 1 for entry in field):
                raise VerifyException(f"expected {name} entries of at least 1, got {[e.data for e in field]}")
