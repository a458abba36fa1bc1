"""Ops that access memory element by element, each at its own address."""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from xegpu.diagnostics import about
from xegpu.dialects.xegpu import CacheHints
from xegpu.dialects.xegpu.atomic_kind import AtomicKind
from xegpu.dialects.xegpu.attributes import READ_HINTS, WRITE_HINTS
from xegpu.dialects.xetile import rules
from xegpu.dialects.xetile.atomic_kind import AtomicKindName
from xegpu.dialects.xetile.operation import NO_HINTS, HintedOperation, TileOperation, hint_properties
from xegpu.dialects.xetile.types import TileType, tile_type


@irdl_op_definition
class LoadOp(HintedOperation):
    """Loads the elements of a scattered tile that `mask` names; others read as `padding`, zero where not given.

    `%v = xetile.load %t, %m : !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>, vector<4x16xi1> ->
    vector<4x16xf32>`
    """

    name = "xetile.load"
    tile = operand_def(TileType)
    mask = operand_def()
    padding = opt_prop_def()
    value = result_def()

    traits = traits_def(MemoryReadEffect())
    assembly_format = "$tile `,` $mask attr-dict `:` type($tile) `,` type($mask) `->` type($value)"

    def __init__(
        self,
        tile: SSAValue | Operation,
        mask: SSAValue | Operation,
        *,
        padding: Attribute | None = None,
        hints: CacheHints = NO_HINTS,
    ):
        type_ = tile_type(SSAValue.get(tile))
        super().__init__(
            operands=[tile, mask],
            result_types=[VectorType(type_.element_type, type_.get_shape())],
            properties={**hint_properties(hints), "padding": padding},
        )

    def verify_(self) -> None:
        with about(tile=self.tile, mask=self.mask):
            tile = tile_type(self.tile)
            rules.scattered_tile(tile)
            value = rules.vector("value", self.value.type)
            rules.same_elements_and_shape(value=value, tile=tile)
            rules.same_shape(value=value, mask=rules.mask(self.mask.type))
        rules.padding(self.padding, tile.element_type)
        rules.cache_hints(self.hint_attributes, READ_HINTS)


@irdl_op_definition
class StoreOp(HintedOperation):
    """Stores the elements of a scattered tile that `mask` names.

    `xetile.store %v, %t, %m : vector<4x16xf32>, !xetile.tile<4x16xf32, #xetile.tile_attr<scattered = true>>,
    vector<4x16xi1>`
    """

    name = "xetile.store"
    value = operand_def()
    tile = operand_def(TileType)
    mask = operand_def()

    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$value `,` $tile `,` $mask attr-dict `:` type($value) `,` type($tile) `,` type($mask)"

    def __init__(
        self,
        value: SSAValue | Operation,
        tile: SSAValue | Operation,
        mask: SSAValue | Operation,
        hints: CacheHints = NO_HINTS,
    ):
        super().__init__(operands=[value, tile, mask], properties=hint_properties(hints))

    def verify_(self) -> None:
        with about(tile=self.tile, value=self.value, mask=self.mask):
            tile = tile_type(self.tile)
            rules.scattered_tile(tile)
            value = rules.vector("value", self.value.type)
            rules.same_elements_and_shape(value=value, tile=tile)
            rules.same_shape(value=value, mask=rules.mask(self.mask.type))
        rules.cache_hints(self.hint_attributes, WRITE_HINTS)


@irdl_op_definition
class AtomicRMWOp(TileOperation):
    """Combines each element of a tile, block or scattered, with one of `value`, atomically; returns what was there.

    `%old = xetile.atomic_rmw addf %v, %t : vector<8x16xf32>, !xetile.tile<8x16xf32> -> vector<8x16xf32>`
    """

    name = "xetile.atomic_rmw"
    kind = prop_def(IntegerAttr[I64])
    value = operand_def()
    tile = operand_def(TileType)
    result = result_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    custom_directives = (AtomicKindName,)
    assembly_format = (
        "custom<AtomicKindName>($kind) $value `,` $tile attr-dict `:` type($value) `,` type($tile) `->` type($result)"
    )

    def __init__(self, kind: AtomicKind, value: SSAValue | Operation, tile: SSAValue | Operation):
        super().__init__(
            operands=[value, tile],
            result_types=[SSAValue.get(value).type],
            properties={"kind": kind.attribute},
        )

    @property
    def atomic_kind(self) -> AtomicKind:
        return AtomicKind(self.kind.value.data)

    def verify_(self) -> None:
        with about(tile=self.tile, value=self.value):
            tile = tile_type(self.tile)
            rules.static_shape(tile)
            value = rules.matrix("value", self.value.type)
            result = rules.matrix("result", self.result.type)
            rules.same_elements_and_shape(value=value, tile=tile, result=result)
        rules.atomic_kind(self.kind, tile.element_type)
