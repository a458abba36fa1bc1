"""Operations of the xevm dialect: messages, fences and matrix products of lanes."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import ClassVar, Self

from xdsl.dialects.builtin import BoolAttr, IntAttr, IntegerAttr, IntegerType, VectorType, i8, i16, i32, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.dialects.upstream.vector import vector_type
from xegpu.dialects.upstream.xevm import rules
from xegpu.dialects.upstream.xevm.attributes import (
    AddrSpace,
    AddrSpaceAttr,
    LoadCacheControlAttr,
    MemScopeAttr,
    MmaShapeAttr,
    MmaTypesAttr,
    StoreCacheControlAttr,
)


class _MessageOp(IRDLOperation):
    """Operands, the properties in `<{...}>`, other attributes, and types: `(!llvm.ptr<1>) -> f32`."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operands = (
            parser.parse_optional_undelimited_comma_separated_list(
                parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
            )
            or []
        )
        properties: Mapping[str, Attribute] = {}
        if parser.parse_optional_punctuation("<") is not None:
            properties = parser.parse_optional_attr_dict()
            parser.parse_punctuation(">")
        attributes = parser.parse_optional_attr_dict()
        known = cls.get_irdl_definition().properties
        inherent = {name: value for name, value in attributes.items() if name in known}
        position = parser.pos
        if not operands:
            return cls.create(properties={**properties, **inherent}, attributes=attributes)
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        has_result = parser.parse_optional_punctuation("->") is not None
        return cls.create(
            operands=parser.resolve_operands(operands, types, position),
            result_types=[parser.parse_type()] if has_result else [],
            properties={**properties, **inherent},
            attributes={name: value for name, value in attributes.items() if name not in known},
        )

    def print(self, printer: Printer) -> None:
        if self.operands:
            printer.print_string(" ")
            printer.print_list(self.operands, printer.print_ssa_value)
        if self.properties:
            printer.print_string(" <")
            printer.print_attr_dict(dict(sorted(self.properties.items())))
            printer.print_string(">")
        printer.print_op_attributes(self.attributes)
        if self.operands:
            printer.print_string(" : (")
            printer.print_list(self.operand_types, printer.print_attribute)
            printer.print_string(")")
        for result in self.results:
            printer.print_string(" -> ")
            printer.print_attribute(result.type)


_POINTER = LLVMPointerType


class _Block2dOp(_MessageOp):
    """A message about a block of a plane, whose sizes are in bytes but for the number of rows.

    `base_width`, `base_height` and `base_pitch` describe the plane, `x` counts elements and `y` rows.
    """

    ptr = operand_def(_POINTER)
    base_width = operand_def(i32)
    base_height = operand_def(i32)
    base_pitch = operand_def(i32)
    x = operand_def(i32)
    y = operand_def(i32)
    elem_size_in_bits = prop_def(IntegerAttr)
    tile_width = prop_def(IntegerAttr)
    tile_height = prop_def(IntegerAttr)

    @property
    def bits(self) -> int:
        """The size of an element."""
        return self.elem_size_in_bits.value.data

    @property
    def tile(self) -> tuple[int, int]:
        """The rows and columns of a block."""
        return (self.tile_height.value.data, self.tile_width.value.data)

    @property
    def blocks(self) -> int:
        """The number of blocks side by side."""
        return 1

    @property
    def part_bits(self) -> int:
        """The size of a lane's part of all blocks."""
        return prod(self.tile) * self.blocks * self.bits // rules.MESSAGE_LANES

    def _verify_block(self, limits: Mapping[int, rules.Limits]) -> None:
        if self.bits not in rules.ELEMENT_BITS:
            raise VerifyException(f"expecting 'elem_size_in_bits' to be 8, 16, or 32, got {self.bits}")
        limits[self.bits].check(*self.tile, self.blocks, self.bits)
        rules.check_plane(self.base_width, self.base_pitch)

    def _verify_part(self, what: str, type: VectorType) -> None:
        rules.check_size(what, type.element_count() * rules.element_bits(type.element_type), self.part_bits)


@irdl_op_definition
class BlockLoad2dOp(_Block2dOp):
    """Loads a lane's part of `v_blocks` blocks that lie side by side.

    `%v = xevm.blockload2d %p, %w, %h, %pitch, %x, %y <{elem_size_in_bits = 16 : i32, pack_register = false,
    tile_height = 8 : i32, tile_width = 16 : i32, transpose = false, v_blocks = 1 : i32}>
    : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>`
    """

    name = "xevm.blockload2d"
    v_blocks = prop_def(IntegerAttr)
    transpose = prop_def(BoolAttr)
    pack_register = prop_def(BoolAttr)
    cache_control = opt_prop_def(LoadCacheControlAttr)
    res = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())

    @property
    def blocks(self) -> int:
        return self.v_blocks.value.data

    @property
    def is_transposed(self) -> bool:
        """Returns whether a lane has a row instead of a column."""
        return bool(self.transpose.value.data)

    @property
    def is_packed(self) -> bool:
        """Returns whether neighbours in a column share a word."""
        return bool(self.pack_register.value.data)

    def verify_(self) -> None:
        if self.is_transposed and self.is_packed:
            raise VerifyException("transpose and pack_register are mutually exclusive")
        limits = rules.LOADS
        if self.is_packed:
            limits = rules.PACKED_LOADS
            if self.bits not in limits:
                raise VerifyException(f"pack_register is only supported for 8 and 16 bit elements, got {self.bits}")
        if self.is_transposed:
            limits = rules.TRANSPOSED_LOADS
            if self.bits not in limits:
                raise VerifyException(f"transpose is only supported for 32 bit elements, got {self.bits}")
        self._verify_block(limits)
        type = vector_type(self.res)
        self._verify_part("result", type)
        if (self.is_packed or self.bits == 32) and rules.element_bits(type.element_type) != 32:
            raise VerifyException(f"expecting result element type to be 32 bits, got {type}")


@irdl_op_definition
class BlockStore2dOp(_Block2dOp):
    """Stores a lane's part of a block.

    `xevm.blockstore2d %p, %w, %h, %pitch, %x, %y, %v <{elem_size_in_bits = 32 : i32, tile_height = 8 : i32,
    tile_width = 16 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi32>)`
    """

    name = "xevm.blockstore2d"
    ptr = operand_def(_POINTER)
    base_width = operand_def(i32)
    base_height = operand_def(i32)
    base_pitch = operand_def(i32)
    x = operand_def(i32)
    y = operand_def(i32)
    stored_val = operand_def(VectorType)
    cache_control = opt_prop_def(StoreCacheControlAttr)

    traits = traits_def(MemoryWriteEffect())

    def verify_(self) -> None:
        self._verify_block(rules.STORES)
        self._verify_part("store value", vector_type(self.stored_val))


@irdl_op_definition
class BlockPrefetch2dOp(_Block2dOp):
    """Prefetches blocks that lie side by side.

    `xevm.blockprefetch2d %p, %w, %h, %pitch, %x, %y <{elem_size_in_bits = 8 : i32, tile_height = 8 : i32,
    tile_width = 32 : i32, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)`
    """

    name = "xevm.blockprefetch2d"
    v_blocks = prop_def(IntegerAttr)
    cache_control = opt_prop_def(LoadCacheControlAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    @property
    def blocks(self) -> int:
        return self.v_blocks.value.data

    def verify_(self) -> None:
        self._verify_block(rules.PREFETCHES)


def _verify_integers(type: Attribute) -> None:
    element = type.element_type if isa(type, VectorType) and type.get_num_dims() == 1 else type
    if not isinstance(element, IntegerType) or element not in (i8, i16, i32, i64):
        raise VerifyException(f"expects integers of 8, 16, 32 or 64 bits, one or a vector of rank 1, got {type}")
    if isa(type, VectorType):
        rules.check_vector(type, is_of_bytes=element == i8)


@irdl_op_definition
class BlockLoadOp(_MessageOp):
    """Loads elements that the lanes of a subgroup share out: lane `l` gets the elements `l`, `l + 16`, ...

    `%v = xevm.blockload %p : (!llvm.ptr<1>) -> vector<2xi32>`
    """

    name = "xevm.blockload"
    ptr = operand_def(_POINTER)
    cache_control = opt_prop_def(LoadCacheControlAttr)
    res = result_def()

    traits = traits_def(MemoryReadEffect())

    def verify_(self) -> None:
        _verify_integers(self.res.type)


@irdl_op_definition
class BlockStoreOp(_MessageOp):
    """Stores elements of the lanes of a subgroup: those of lane `l` are the elements `l`, `l + 16`, ...

    `xevm.blockstore %p, %v : (!llvm.ptr<1>, i16)`
    """

    name = "xevm.blockstore"
    ptr = operand_def(_POINTER)
    val = operand_def()
    cache_control = opt_prop_def(StoreCacheControlAttr)

    traits = traits_def(MemoryWriteEffect())

    def verify_(self) -> None:
        _verify_integers(self.val.type)


_PREFETCHED = tuple(LLVMPointerType(IntAttr(space)) for space in (1, 4))
"""Pointers to global memory, and to any."""


@irdl_op_definition
class PrefetchOp(_MessageOp):
    """Prefetches the memory at a lane's pointer.

    `xevm.prefetch %p <{addrspace = #xevm.addr_space<global>}> : (!llvm.ptr<1>)`
    """

    name = "xevm.prefetch"
    ptr = operand_def(_POINTER)
    addrspace = opt_prop_def(AddrSpaceAttr)
    cache_control = opt_prop_def(LoadCacheControlAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def verify_(self) -> None:
        if self.ptr.type not in _PREFETCHED:
            raise VerifyException(
                "operand #0 must be LLVM pointer in address space 1 or LLVM pointer in address space 4, "
                f"but got {self.ptr.type}"
            )


@irdl_op_definition
class MemfenceOp(_MessageOp):
    """Orders earlier accesses before later ones, for all in the scope.

    `xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>`
    """

    name = "xevm.memfence"
    addrspace = prop_def(AddrSpaceAttr, default_value=AddrSpaceAttr(AddrSpace.GENERIC))
    scope = prop_def(MemScopeAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class MmaOp(IRDLOperation):
    """Multiplies the lanes' parts of two matrices, and adds a third one.

    `%d = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>}
    : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>`
    """

    name = "xevm.mma"
    a = operand_def(VectorType)
    b = operand_def(VectorType)
    c = opt_operand_def(VectorType)
    shape = prop_def(MmaShapeAttr)
    types = prop_def(MmaTypesAttr)
    d = result_def(VectorType)

    traits = traits_def(Pure())

    _FIELDS: ClassVar[Mapping[str, type[MmaShapeAttr] | type[MmaTypesAttr]]] = {
        "shape": MmaShapeAttr,
        "types": MmaTypesAttr,
    }

    @classmethod
    def parse(cls, parser: Parser) -> MmaOp:
        operands = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        fields: dict[str, Attribute] = {}

        def field() -> None:
            name = parser.parse_identifier()
            parser.parse_punctuation("=")
            is_short = name in cls._FIELDS and parser.lexer.input.at(parser.pos) == "<"
            fields[name] = _parameters(parser, cls._FIELDS[name]) if is_short else parser.parse_attribute()

        parser.parse_comma_separated_list(parser.Delimiter.BRACES, field)
        position = parser.pos
        parser.parse_punctuation(":")
        type = parser.parse_function_type()
        return cls.create(
            operands=parser.resolve_operands(operands, type.inputs.data, position),
            result_types=type.outputs.data,
            properties={name: value for name, value in fields.items() if name in cls._FIELDS},
            attributes={name: value for name, value in fields.items() if name not in cls._FIELDS},
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" {shape = ")
        self.shape.print_parameters(printer)
        printer.print_string(", types = ")
        self.types.print_parameters(printer)
        for name, value in self.attributes.items():
            printer.print_string(f", {name} = ")
            printer.print_attribute(value)
        printer.print_string("} : ")
        printer.print_operation_type(self)

    def verify_(self) -> None:
        if self.c is not None and self.c.type != self.d.type:
            raise VerifyException(f"type of C operand must match result type, got {self.c.type} and {self.d.type}")


def _parameters(parser: Parser, attribute: type[MmaShapeAttr] | type[MmaTypesAttr]) -> Attribute:
    return attribute.new(attribute.parse_parameters(parser))
