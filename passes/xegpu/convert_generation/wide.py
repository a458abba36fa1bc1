"""Accesses through descriptors of more addresses than a message has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects.arith import AddiOp
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from passes.support.op_builder import OpBuilder
from passes.support.vectors.constants import splat_constant
from passes.xegpu.convert_generation.gathers import MAX_BITS, gather_type, pieces
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.vector import ExtractStridedSliceOp, InsertStridedSliceOp, TransposeOp, vector_type
from xegpu.dialects.xegpu import (
    AtomicRMWOp,
    CreateDescOp,
    LoadOp,
    PrefetchOp,
    StoreOp,
    TensorDescType,
    UpdateOffsetOp,
    element_bits,
)
from xegpu.targets import Target

_LANE_COUNTS = (1, 2, 4, 8, 16, 32)
"""The numbers of addresses of a message."""


class _Addresses(NamedTuple):
    """A base, and an offset for each lane."""

    source: SSAValue
    offsets: SSAValue


def is_wide(desc: TensorDescType) -> bool:
    """Returns whether a descriptor of whole values covers more than a single message can access."""
    if not desc.is_scattered or desc.lane_map is not None:
        return False
    bits = desc.element_count() * element_bits(desc.element_type)
    return desc.get_shape()[0] not in _LANE_COUNTS or bits > MAX_BITS


def _addresses(builder: OpBuilder, op: Operation, desc: SSAValue) -> _Addresses:
    """Returns the base and offsets of a descriptor's creation, moved by its updates."""
    moves = []
    while isinstance(update := desc.owner, UpdateOffsetOp):
        moves.append(update.offsets)
        desc = update.tensor_desc
    create = desc.owner
    if not isinstance(create, CreateDescOp):
        raise CompileError(
            op,
            f"accesses {desc.type} through a descriptor that may be one or another: create it where the access is, or "
            f"with at most {_LANE_COUNTS[-1]} addresses and {MAX_BITS // 8} bytes",
        )
    offsets = create.offsets
    for move in reversed(moves):
        offsets = builder.add(AddiOp(offsets, move))
    return _Addresses(create.source, offsets)


@dataclass(frozen=True)
class WideLoad(RewritePattern):
    """Loads from the base of a descriptor instead."""

    target: Target

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoadOp, rewriter: PatternRewriter) -> None:
        if not op.has_descriptor or not is_wide(op.desc):
            return
        builder = OpBuilder(op)
        source, offsets = _addresses(builder, op, op.source)
        result = VectorType(op.desc.element_type, op.desc.get_shape())
        chunk = op.desc.chunk_size if op.desc.get_num_dims() > 1 else None
        load = LoadOp(source, op.mask, result, hints=op.hints, offsets=offsets, chunk_size=chunk)
        rewriter.replace(op, TransposeOp(builder.add(load), (1, 0)) if op.is_transposed else load)


@dataclass(frozen=True)
class WideStore(RewritePattern):
    """Stores from the base of a descriptor on instead."""

    target: Target

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: StoreOp, rewriter: PatternRewriter) -> None:
        if not op.has_descriptor or not is_wide(op.desc):
            return
        builder = OpBuilder(op)
        source, offsets = _addresses(builder, op, op.source)
        chunk = op.desc.chunk_size if op.desc.get_num_dims() > 1 else None
        value = builder.add(TransposeOp(op.value, (1, 0))) if op.is_transposed else op.value
        rewriter.replace(op, StoreOp(value, source, op.mask, hints=op.hints, offsets=offsets, chunk_size=chunk))


@dataclass(frozen=True)
class WidePrefetch(RewritePattern):
    """Prefetches through several descriptors."""

    target: Target

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PrefetchOp, rewriter: PatternRewriter) -> None:
        if not op.has_descriptor or not is_wide(op.desc):
            return
        builder = OpBuilder(op)
        for desc, _, _ in _narrow(builder, op, op.source, op.desc, self.target):
            builder.insert(PrefetchOp(desc, op.hints))
        rewriter.erase(op)


@dataclass(frozen=True)
class WideAtomic(RewritePattern):
    """Combines elements through several descriptors."""

    target: Target

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: AtomicRMWOp, rewriter: PatternRewriter) -> None:
        desc_type = op.tensor_desc.type
        if not isinstance(desc_type, TensorDescType) or not is_wide(desc_type):
            return
        builder = OpBuilder(op)
        result = builder.add(splat_constant(vector_type(op.result), 0))
        for desc, starts, sizes in _narrow(builder, op, op.tensor_desc, desc_type, self.target):
            mask = builder.add(ExtractStridedSliceOp(op.mask, starts[:1], sizes[:1]))
            value = builder.add(ExtractStridedSliceOp(op.value, starts, sizes))
            old = builder.add(AtomicRMWOp(op.atomic_kind, desc, mask, value))
            result = builder.add(InsertStridedSliceOp(old, result, starts))
        rewriter.replace(op, [], [result])


def _narrow(
    builder: OpBuilder, op: Operation, desc: SSAValue, type: TensorDescType, target: Target
) -> list[tuple[SSAValue, tuple[int, ...], tuple[int, ...]]]:
    """Splits a descriptor; returns the descriptors of the parts, and the parts of a value that they access."""
    source, offsets = _addresses(builder, op, desc)
    rank, element = type.get_num_dims(), type.element_type
    found = []
    for piece in pieces(type.get_shape()[0], type.chunk_size, element, target):
        lanes = builder.add(ExtractStridedSliceOp(offsets, (piece.lane,), (piece.lanes,)))
        if piece.start:
            lanes = builder.add(AddiOp(lanes, builder.add(splat_constant(vector_type(lanes), piece.start))))
        part = gather_type(source.type, piece.lanes, piece.length, element)
        narrow = builder.add(CreateDescOp(source, lanes, part))
        found.append((narrow, (piece.lane, piece.start)[:rank], (piece.lanes, piece.length)[:rank]))
    return found
