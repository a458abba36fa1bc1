"""Ops that load, store and prefetch dense blocks."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, result_def, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from xegpu.diagnostics import about
from xegpu.dialects.xegpu import CacheHints
from xegpu.dialects.xegpu.attributes import READ_HINTS, WRITE_HINTS
from xegpu.dialects.xetile import rules
from xegpu.dialects.xetile.obsolete import NoLocality
from xegpu.dialects.xetile.operation import NO_HINTS, HintedOperation, hint_properties
from xegpu.dialects.xetile.types import TileType, tile_type


@irdl_op_definition
class LoadTileOp(HintedOperation):
    """Loads a block; elements outside the base tensor read as `padding`, which is zero where it is not given.

    `%v = xetile.load_tile %t {padding = 1.000000e+00 : f32} : !xetile.tile<32x64xf16> -> vector<32x64xf16>`
    """

    name = "xetile.load_tile"
    source = operand_def(TileType)
    padding = opt_prop_def()
    value = result_def()

    traits = traits_def(MemoryReadEffect())
    assembly_format = "$source attr-dict `:` type($source) `->` type($value)"

    def __init__(self, source: SSAValue | Operation, *, padding: Attribute | None = None, hints: CacheHints = NO_HINTS):
        tile = tile_type(SSAValue.get(source))
        super().__init__(
            operands=[source],
            result_types=[VectorType(tile.element_type, tile.get_shape())],
            properties={**hint_properties(hints), "padding": padding},
        )

    def verify_(self) -> None:
        rules.without(self, "transpose")
        with about(source=self.source):
            tile = tile_type(self.source)
            rules.block_tile(tile)
            value = rules.matrix("value", self.value.type)
            rules.same_elements_and_shape(source=tile, value=value)
        rules.padding(self.padding, tile.element_type)
        rules.cache_hints(self.hint_attributes, READ_HINTS)


@irdl_op_definition
class StoreTileOp(HintedOperation):
    """Stores a block; elements outside the base tensor are dropped.

    `xetile.store_tile %v, %t : vector<32x64xf16>, !xetile.tile<32x64xf16>`
    """

    name = "xetile.store_tile"
    value = operand_def()
    tile = operand_def(TileType)

    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$value `,` $tile attr-dict `:` type($value) `,` type($tile)"

    def __init__(self, value: SSAValue | Operation, tile: SSAValue | Operation, hints: CacheHints = NO_HINTS):
        super().__init__(operands=[value, tile], properties=hint_properties(hints))

    def verify_(self) -> None:
        with about(tile=self.tile, value=self.value):
            tile = tile_type(self.tile)
            rules.block_tile(tile)
            value = rules.matrix("value", self.value.type)
            rules.same_elements_and_shape(value=value, tile=tile)
            rules.spread_evenly("the wg_map of the tile", tile.wg_map, tile.get_shape())
        rules.cache_hints(self.hint_attributes, WRITE_HINTS)


@irdl_op_definition
class PrefetchTileOp(HintedOperation):
    """Brings a block to the caches; parts outside the base tensor are ignored.

    `xetile.prefetch_tile %t {l1_hint = #xetile.cache_hint<cached>} : !xetile.tile<32x64xf16>`
    """

    name = "xetile.prefetch_tile"
    tile = operand_def(TileType)

    custom_directives = (NoLocality,)
    assembly_format = "$tile custom<NoLocality>() attr-dict `:` type($tile)"

    def __init__(self, tile: SSAValue | Operation, hints: CacheHints = NO_HINTS):
        super().__init__(operands=[tile], properties=hint_properties(hints))

    def verify_(self) -> None:
        rules.without(self, "locality")
        with about(tile=self.tile):
            rules.static_shape(tile_type(self.tile))
        rules.cache_hints(self.hint_attributes, READ_HINTS)
