"""Scattered tiles: one descriptor for each group of elements that one access per lane covers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from passes.convert_xetile_to_xegpu.forms import Parts, TileForm, check_access_count, lane_descriptor, refuse
from passes.convert_xetile_to_xegpu.padding import padded
from passes.convert_xetile_to_xegpu.pieces import all_lanes, flat, joined, piece
from passes.support.op_builder import OpBuilder
from passes.support.vectors.lane_stretches import stretches
from xegpu.dialects import xetile
from xegpu.dialects.upstream.vector import vector_type
from xegpu.dialects.xegpu import AtomicRMWOp, CreateDescOp, LoadOp, PrefetchOp, StoreOp, UpdateOffsetOp
from xegpu.dialects.xetile import InitTileOp, PrefetchTileOp, UpdateTileOffsetOp


class ScatteredForm(TileForm):
    """The form of scattered tiles: descriptors of consecutive elements, in row-major order."""

    @property
    def stretches(self) -> list[tuple[int, int]]:
        return list(stretches(self.tile.element_count(), self.target.platform.physical_simd_width))

    @property
    def types(self) -> Sequence[Attribute]:
        return [lane_descriptor(self.tile, lanes) for _, lanes in self.stretches]

    def init(self, builder: OpBuilder, op: InitTileOp) -> Parts:
        assert op.indices is not None
        check_access_count(op, len(self.stretches))
        return [
            builder.add(CreateDescOp(op.source, offsets, lane_descriptor(self.tile, lanes)))
            for (_, lanes), offsets in zip(self.stretches, self._pieces(builder, op.indices), strict=True)
        ]

    def update(self, builder: OpBuilder, op: UpdateTileOffsetOp, parts: Parts) -> Parts:
        assert op.indices is not None
        moves = self._pieces(builder, op.indices)
        return [builder.add(UpdateOffsetOp(desc, move)) for desc, move in zip(parts, moves, strict=True)]

    def access(self, builder: OpBuilder, op: Operation, parts: Parts) -> Sequence[SSAValue]:
        match op:
            case xetile.LoadOp():
                return (self._load(builder, op, parts),)
            case xetile.StoreOp():
                values, masks = self._pieces(builder, op.value), self._pieces(builder, op.mask)
                for desc, value, mask in zip(parts, values, masks, strict=True):
                    builder.insert(StoreOp(value, desc, mask, hints=op.hints))
            case PrefetchTileOp():
                for desc in parts:
                    builder.insert(PrefetchOp(desc, op.hints))
            case xetile.AtomicRMWOp():
                return (self._update(builder, op, parts),)
            case _:
                refuse(op, self.tile)
        return ()

    def _pieces(self, builder: OpBuilder, value: SSAValue) -> list[SSAValue]:
        elements = flat(builder, value)
        return [piece(builder, elements, start, lanes) for start, lanes in self.stretches]

    def _joined(self, builder: OpBuilder, values: Sequence[SSAValue], type: VectorType) -> SSAValue:
        starts = (start for start, _ in self.stretches)
        return joined(builder, list(zip(starts, values, strict=True)), type)

    def _load(self, builder: OpBuilder, op: xetile.LoadOp, parts: Parts) -> SSAValue:
        type = vector_type(op.value)
        loaded = [
            builder.add(LoadOp(desc, mask, VectorType(type.element_type, [lanes]), hints=op.hints))
            for desc, mask, (_, lanes) in zip(parts, self._pieces(builder, op.mask), self.stretches, strict=True)
        ]
        return padded(builder, op.mask, self._joined(builder, loaded, type), op.padding)

    def _update(self, builder: OpBuilder, op: xetile.AtomicRMWOp, parts: Parts) -> SSAValue:
        old = [
            builder.add(AtomicRMWOp(op.atomic_kind, desc, all_lanes(builder, lanes), value))
            for desc, value, (_, lanes) in zip(parts, self._pieces(builder, op.value), self.stretches, strict=True)
        ]
        return self._joined(builder, old, vector_type(op.result))
