"""The op that makes tiles."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, DenseArrayBase, IndexType, MemRefType, i64
from xdsl.dialects.utils import get_dynamic_index_list, split_dynamic_index_list
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from xegpu.diagnostics import about
from xegpu.dialects.upstream.memref import memref_strides
from xegpu.dialects.xegpu.folding import MixedList, constant_index, replace, with_constants
from xegpu.dialects.xegpu.memory import memory_space_number
from xegpu.dialects.xegpu.ops.descriptor_ops import ADDRESS_TYPES
from xegpu.dialects.xegpu.syntax import IndexList, integers, parse_index_list, print_index_list
from xegpu.dialects.xetile import rules
from xegpu.dialects.xetile.operation import TileOperation
from xegpu.dialects.xetile.types import TileType, is_element

LISTS = ("offsets", "sizes", "strides")


@irdl_op_definition
class InitTileOp(TileOperation, HasCanonicalizationPatternsInterface):
    """Makes a tile of `source`: the block that starts at `offsets`, or (scattered) the elements at `indices`.

    `%t = xetile.init_tile %p[%i, 16], [%h, %w], [%w, 1] : i64 -> !xetile.tile<32x64xf32>`

    Offsets, strides and indices count elements; a block lies in the plane of the innermost dimensions. A memref of
    static shape brings its own sizes and strides; one of dynamic shape and an address need lists of them.
    """

    name = "xetile.init_tile"
    source = operand_def()
    offsets = var_operand_def(IndexType)
    sizes = var_operand_def(IndexType)
    strides = var_operand_def(IndexType)
    indices = opt_operand_def()
    const_offsets = opt_prop_def(DenseArrayBase.constr(i64))
    const_sizes = opt_prop_def(DenseArrayBase.constr(i64))
    const_strides = opt_prop_def(DenseArrayBase.constr(i64))
    tile = result_def(TileType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def __init__(
        self,
        source: SSAValue | Operation,
        offsets: MixedList | None,
        result_type: TileType,
        sizes: MixedList | None = None,
        strides: MixedList | None = None,
        indices: SSAValue | Operation | None = None,
    ):
        properties: dict[str, Attribute] = {}
        dynamic: list[list[SSAValue]] = []
        for name, values in zip(LISTS, (offsets, sizes, strides), strict=True):
            static, values_of_list = split_dynamic_index_list(values or (), DYNAMIC_INDEX)
            dynamic.append(values_of_list)
            if values is not None:
                properties[f"const_{name}"] = DenseArrayBase.from_list(i64, static)
        super().__init__(operands=[source, *dynamic, indices], result_types=[result_type], properties=properties)

    @property
    def mixed_offsets(self) -> list[SSAValue | int] | None:
        """Offsets, outermost first, or None: the tile is scattered."""
        return _mixed(self.const_offsets, self.offsets)

    @property
    def mixed_sizes(self) -> list[SSAValue | int] | None:
        """The explicit sizes, or None: the memref's own."""
        return _mixed(self.const_sizes, self.sizes)

    @property
    def mixed_strides(self) -> list[SSAValue | int] | None:
        """The explicit strides, or None: the memref's own."""
        return _mixed(self.const_strides, self.strides)

    @property
    def start(self) -> list[SSAValue | int]:
        """The position of the tile: offsets of a block, outermost first, or indices of a scattered tile."""
        offsets = self.mixed_offsets
        return [value for value in (self.indices,) if value is not None] if offsets is None else offsets

    def starting_at(self, start: MixedList) -> InitTileOp:
        """Returns the op that makes the same tile at another position; `start` has the form of the property."""
        if self.indices is None:
            moved = InitTileOp(self.source, start, self.tile.type, self.mixed_sizes, self.mixed_strides)
        else:
            (indices,) = start
            assert not isinstance(indices, int)
            moved = InitTileOp(self.source, None, self.tile.type, indices=indices)
        moved.attributes.update(self.attributes)
        return moved

    @property
    def _lists(self) -> list[tuple[str, DenseArrayBase[I64] | None, Sequence[SSAValue]]]:
        """Each list: name, positions, and the values at these."""
        return [
            ("offsets", self.const_offsets, self.offsets),
            ("sizes", self.const_sizes, self.sizes),
            ("strides", self.const_strides, self.strides),
        ]

    # Text

    @classmethod
    def parse(cls, parser: Parser) -> InitTileOp:
        source = parser.parse_unresolved_operand()
        lists: dict[str, IndexList] = {}
        indices = None
        if parser.parse_optional_punctuation(",") is not None:
            indices = parser.parse_unresolved_operand()
        else:
            lists["offsets"] = parse_index_list(parser)
        if parser.parse_optional_punctuation(",") is not None:
            lists["sizes"] = parse_index_list(parser)
            parser.parse_punctuation(",", " between sizes and strides")
            lists["strides"] = parse_index_list(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        resolved_indices: list[SSAValue] = []
        if indices is not None:
            parser.parse_punctuation(",", " before the type of the indices")
            resolved_indices.append(parser.resolve_operand(indices, parser.parse_type()))
        parser.parse_punctuation("->")
        dynamic = [lists[name].dynamic if name in lists else [] for name in LISTS]
        return cls.build(
            operands=[parser.resolve_operand(source, source_type), *dynamic, resolved_indices],
            result_types=[parser.parse_type()],
            properties={f"const_{name}": entry.static for name, entry in lists.items()},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        if self.const_offsets is not None:
            print_index_list(printer, self.const_offsets, self.offsets)
        if self.indices is not None:
            printer.print_string(", ")
            printer.print_ssa_value(self.indices)
        for static, dynamic in ((self.const_sizes, self.sizes), (self.const_strides, self.strides)):
            if static is not None:
                printer.print_string(", ")
                print_index_list(printer, static, dynamic)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        if self.indices is not None:
            printer.print_string(", ")
            printer.print_attribute(self.indices.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.tile.type)

    # Verification

    def verify_(self) -> None:
        with about(source=self.source):
            self._verify_source()

    def _verify_source(self) -> None:
        tile = self.tile.type
        source = self.source.type if isa(self.source.type, MemRefType) else None
        if not (self.source.type in ADDRESS_TYPES if source is None else is_element(source.element_type)):
            raise VerifyException(
                f"operand #0 must be a memref of scalars or one of ui64, ui32, i64, i32, but got {self.source.type}"
            )
        rules.static_shape(tile)
        for name, static, dynamic in self._lists:
            self._verify_list(name, static, dynamic)
        source_space = memory_space_number(source.memory_space) if source else 0
        if source_space != tile.memory_space:
            raise VerifyException(
                "memory space of the tile doesn't match with the source. "
                f"Source has {source_space}, tile has {tile.memory_space}"
            )
        if self.indices is not None:
            self._verify_scattered(source, tile, self.indices)
        else:
            self._verify_block(source, tile)
        if source and source.element_type != tile.element_type:
            raise VerifyException(
                "expected the tile to have the element type of the source. "
                f"Source has {source.element_type}, tile has {tile.element_type}"
            )

    def _verify_list(self, name: str, static: DenseArrayBase[I64] | None, dynamic: Sequence[SSAValue]) -> None:
        """There are as many values as dynamic entries for them."""
        expected = 0 if static is None else integers(static).count(DYNAMIC_INDEX)
        if expected != len(dynamic):
            raise VerifyException(f"expected {expected} values in the {name}, got {len(dynamic)}")

    def _verify_scattered(self, source: MemRefType | None, tile: TileType, indices: SSAValue) -> None:
        if source is None or source.get_num_dims() > 1:
            raise VerifyException(f"Expecting a 0-D or 1-D memref as source. Got {self.source.type}")
        if not tile.is_scattered:
            raise VerifyException(f"Expecting a scattered TileType. Got {tile}")
        given = [name for name, static, _ in self._lists if static is not None]
        if given:
            raise VerifyException(f"indices take the place of offsets, sizes and strides, got {', '.join(given)} too")
        rules.same_shape(indices=rules.index_vector("indices", indices.type), tile=tile)

    def _verify_block(self, source: MemRefType | None, tile: TileType) -> None:
        if tile.is_scattered:
            raise VerifyException(f"Expecting indices for a scattered TileType. Got {tile}")
        if source and source.get_num_dims() < 2:
            raise VerifyException(f"a block tile needs a source of rank 2 or more, got {source}")
        if source and source.has_static_shape():
            strides = self._verify_static_source(source)
        else:
            strides = self._verify_dynamic_source(source, tile)
        place, order = (-2, "column") if tile.is_column_major else (-1, "row")
        if strides[place] not in (1, None):
            which = "last but one" if tile.is_column_major else "last"
            raise VerifyException(
                f"memref operand is expected to have a {order}-major layout: expected the {which} stride to be 1, got "
                f"{strides[place]}"
            )

    def _verify_static_source(self, source: MemRefType) -> Sequence[int | None]:
        """A memref of static shape has all in its type; returns its strides."""
        if self.const_sizes is not None or self.const_strides is not None:
            raise VerifyException(
                f"dynamic sizes are not allowed with a static shaped memref as source. The source is {source}"
            )
        rank = source.get_num_dims()
        if (offsets := _length(self.const_offsets)) != rank:
            raise VerifyException(f"expected {rank} offsets for {source}, got {offsets}")
        layout = memref_strides(source)
        if layout is None:
            raise VerifyException(f"expected a valid affine map in the layout, got {source}")
        strides, _ = layout
        if None in strides:
            raise VerifyException(
                f"expected static strides in a memref of static shape, got {source}: cast it to a dynamic memref and "
                "give sizes and strides"
            )
        return strides

    def _verify_dynamic_source(self, source: MemRefType | None, tile: TileType) -> Sequence[int | None]:
        """An address or a memref of dynamic shape needs lists of equal length; returns the strides."""
        offsets, sizes, strides = (_length(static) for _, static, _ in self._lists)
        if source is None and not (sizes and strides):
            raise VerifyException(
                f"dynamic shape and strides must not be empty for an address, got {sizes} sizes and {strides} strides"
            )
        if not offsets == sizes == strides or offsets < tile.get_num_dims():
            raise VerifyException(
                "memref with a dynamic shape or raw address is used as source but dynamic shape argument missing or it "
                f"is not of valid rank: got {offsets} offsets, {sizes} sizes and {strides} strides for a tile of rank "
                f"{tile.get_num_dims()}"
            )
        if source and offsets != source.get_num_dims():
            raise VerifyException(f"expected {source.get_num_dims()} offsets for {source}, got {offsets}")
        for size in self.mixed_sizes or ():
            if isinstance(size, int) and size < 0:
                raise VerifyException(f"expected sizes to be non-negative, but got {size}")
        # A constant counts as known, wherever it stands.
        return [constant_index(stride) for stride in self.mixed_strides or ()]

    # Simplification

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return (ConstantsOfInit(),)


class ConstantsOfInit(RewritePattern):
    """Constant offsets, sizes and strides move to the static lists."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: InitTileOp, rewriter: PatternRewriter) -> None:
        offsets, sizes, strides = op.mixed_offsets, op.mixed_sizes, op.mixed_strides
        if offsets is None:
            return
        folded_offsets = with_constants(offsets)
        # What breaks a rule only when it runs stays as it is.
        folded_sizes = sizes if sizes is None else with_constants(sizes, lambda size: size >= 0)
        folded_strides = strides if strides is None else with_constants(strides)
        if (folded_offsets, folded_sizes, folded_strides) != (offsets, sizes, strides):
            folded = InitTileOp(op.source, folded_offsets, op.tile.type, folded_sizes, folded_strides)
            replace(op, folded, rewriter)


def _mixed(static: DenseArrayBase[I64] | None, dynamic: Sequence[SSAValue]) -> list[SSAValue | int] | None:
    return None if static is None else get_dynamic_index_list(integers(static), dynamic, DYNAMIC_INDEX)


def _length(static: DenseArrayBase[I64] | None) -> int:
    return 0 if static is None else len(static)
