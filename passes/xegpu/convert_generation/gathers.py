"""Accesses of one address per element."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects.arith import AddiOp, MuliOp
from xdsl.dialects.builtin import IndexType, MemRefType, VectorType, i8
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.utils.hints import isa

from passes.support.op_builder import OpBuilder
from passes.support.vectors.constants import splat_constant
from xegpu.dialects.upstream.vector import (
    ExtractStridedSliceOp,
    InsertStridedSliceOp,
    ShapeCastOp,
    TransposeOp,
    vector_type,
)
from xegpu.dialects.xegpu import (
    CreateDescOp,
    LoadOp,
    MemorySpace,
    PrefetchOp,
    ScatterTensorDescAttr,
    SgMapAttr,
    StoreOp,
    TensorDescType,
    element_bits,
    memory_space_number,
    packing_factor,
)
from xegpu.targets import Target

MAX_BITS = 512 * 8
"""The bits that an access through a descriptor may have."""
_CHUNKS = (64, 32, 16, 8, 4, 3, 2)


class _GatherPiece(NamedTuple):
    """The part of an access that one descriptor handles.

    Attributes:
        lane: The first element.
        lanes: The number of elements.
        start: The first element of their chunks.
        length: The number of elements of each chunk.

    """

    lane: int
    lanes: int
    start: int
    length: int


def chunk_parts(chunk: int, element: Attribute) -> Iterator[tuple[int, int]]:
    """Yields the start and the length of the parts of a chunk that messages can access."""
    bits, start = element_bits(element), 0
    while start < chunk:
        # A lane's elements fill whole 32-bit words, unless it has one only.
        lengths = (n for n in _CHUNKS if n <= chunk - start and n % packing_factor(element) == 0 and n * bits <= 512)
        length = next(lengths, 1)
        yield start, length
        start += length


def pieces(count: int, chunk: int, element: Attribute, target: Target) -> Iterator[_GatherPiece]:
    """Yields the pieces of an access of `count` chunks, which have as many lanes as gathers of the GPU."""
    for start, length in chunk_parts(chunk, element):
        lane = 0
        while lane < count:
            room = min(target.platform.gather_lanes, count - lane, MAX_BITS // (length * element_bits(element)))
            lanes = 1 << room.bit_length() - 1
            yield _GatherPiece(lane, lanes, start, length)
            lane += lanes


class _ElementAccess:
    """An access from a base, as one of a list of elements."""

    def __init__(self, op: LoadOp | StoreOp, value: Attribute):
        assert isa(value, VectorType) and op.offsets is not None
        self.builder, self._op = OpBuilder(op), op
        self.element = value.element_type
        self.chunk = op.chunk(value)
        self.count = value.element_count() // self.chunk
        self._offsets = self.cast(op.offsets, (self.count,))
        self._mask = self.cast(op.mask, (self.count,))

    @property
    def flat_shape(self) -> tuple[int, ...]:
        """The shape of the value with its chunks in one list."""
        return (self.count,) if self.chunk == 1 else (self.count, self.chunk)

    def pieces(self, target: Target) -> Iterator[_GatherPiece]:
        return pieces(self.count, self.chunk, self.element, target)

    def cast(self, value: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        """Returns the elements of a value in another shape."""
        type_ = VectorType(vector_type(value).element_type, shape)
        return value if value.type == type_ else self.builder.add(ShapeCastOp(value, type_))

    def slice(self, value: SSAValue, offsets: tuple[int, ...], sizes: tuple[int, ...]) -> SSAValue:
        """Returns a part of a value."""
        if vector_type(value).get_shape() == sizes:
            return value
        return self.builder.add(ExtractStridedSliceOp(value, offsets, sizes))

    def descriptor(self, piece: _GatherPiece) -> SSAValue:
        """Returns the descriptor of a piece."""
        offsets = self.slice(self._offsets, (piece.lane,), (piece.lanes,))
        if piece.start:
            shift = self.builder.add(splat_constant(VectorType(IndexType(), [piece.lanes]), piece.start))
            offsets = self.builder.add(AddiOp(offsets, shift))
        desc = gather_type(self._op.source.type, piece.lanes, piece.length, self.element)
        return self.builder.add(CreateDescOp(self._op.source, offsets, desc))

    def mask(self, piece: _GatherPiece) -> SSAValue:
        return self.slice(self._mask, (piece.lane,), (piece.lanes,))


def gather_type(
    source: Attribute, lanes: int, chunk: int, element: Attribute, lane_map: SgMapAttr | None = None
) -> TensorDescType:
    """Returns the type of a descriptor of `chunk` elements per lane of a base."""
    is_shared = isa(source, MemRefType) and memory_space_number(source.memory_space) == MemorySpace.SLM.number
    encoding = ScatterTensorDescAttr(MemorySpace.SLM if is_shared else None, None if chunk == 1 else chunk)
    return TensorDescType([lanes] if chunk == 1 else [lanes, chunk], element, encoding, lane_map)


def _is_of_elements(op: LoadOp | StoreOp) -> bool:
    """Returns whether an access has a base, and several elements."""
    return not op.has_descriptor and isa(op.mask.type, VectorType) and op.mask.type.element_count() > 1


@dataclass(frozen=True)
class GatherLoad(RewritePattern):
    """Loads elements at offsets from a base through descriptors."""

    target: Target

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoadOp, rewriter: PatternRewriter) -> None:
        if not _is_of_elements(op):
            return
        access = _ElementAccess(op, op.value.type)
        builder = access.builder
        whole = VectorType(access.element, access.flat_shape)
        result: SSAValue | None = None
        for piece in access.pieces(self.target):
            shape = (piece.lanes,) if piece.length == 1 else (piece.length, piece.lanes)
            load = LoadOp(
                access.descriptor(piece),
                access.mask(piece),
                VectorType(access.element, shape),
                transpose=piece.length > 1,
                hints=op.hints,
            )
            value = builder.add(load)
            if piece.length > 1:
                value = builder.add(TransposeOp(value, (1, 0)))
            elif access.chunk > 1:
                value = access.cast(value, (piece.lanes, 1))
            if value.type == whole:
                result = value
                break
            if result is None:
                result = builder.add(splat_constant(whole, 0))
            offsets = (piece.lane,) if access.chunk == 1 else (piece.lane, piece.start)
            result = builder.add(InsertStridedSliceOp(value, result, offsets))
        assert result is not None and isa(op.value.type, VectorType)
        rewriter.replace(op, [], [access.cast(result, op.value.type.get_shape())])


@dataclass(frozen=True)
class GatherStore(RewritePattern):
    """Stores elements at offsets from a base through descriptors."""

    target: Target

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: StoreOp, rewriter: PatternRewriter) -> None:
        if not _is_of_elements(op):
            return
        access = _ElementAccess(op, op.value.type)
        builder = access.builder
        value = access.cast(op.value, access.flat_shape)
        for piece in access.pieces(self.target):
            if access.chunk == 1:
                part = access.slice(value, (piece.lane,), (piece.lanes,))
            else:
                part = access.slice(value, (piece.lane, piece.start), (piece.lanes, piece.length))
                is_column = piece.length == 1
                part = access.cast(part, (piece.lanes,)) if is_column else builder.add(TransposeOp(part, (1, 0)))
            descriptor, mask = access.descriptor(piece), access.mask(piece)
            builder.insert(StoreOp(part, descriptor, mask, transpose=piece.length > 1, hints=op.hints))
        rewriter.erase(op)


def prefetched(builder: OpBuilder, op: PrefetchOp, offsets: SSAValue) -> tuple[SSAValue, Attribute]:
    """Returns the offsets of a prefetch, and the elements that they count: those of the memref, or bytes."""
    source = op.source.type
    if isa(source, MemRefType):
        return offsets, source.element_type
    assert op.offset_align_byte is not None and isa(offsets.type, VectorType)
    scale = builder.add(splat_constant(offsets.type, op.offset_align_byte.value.data))
    return builder.add(MuliOp(offsets, scale)), i8


@dataclass(frozen=True)
class GatherPrefetch(RewritePattern):
    """Prefetches elements at offsets from a base through descriptors."""

    target: Target

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PrefetchOp, rewriter: PatternRewriter) -> None:
        if op.has_descriptor or op.offsets is None or not isa(op.offsets.type, VectorType):
            return
        builder = OpBuilder(op)
        count = op.offsets.type.element_count()
        listed = builder.add(ShapeCastOp(op.offsets, VectorType(IndexType(), [count])))
        offsets, element = prefetched(builder, op, listed)
        source = op.source.type
        for piece in pieces(count, 1, element, self.target):
            lanes = offsets
            if piece.lanes != count:
                lanes = builder.add(ExtractStridedSliceOp(offsets, (piece.lane,), (piece.lanes,)))
            desc = builder.add(CreateDescOp(op.source, lanes, gather_type(source, piece.lanes, 1, element)))
            builder.insert(PrefetchOp(desc, op.hints))
        rewriter.erase(op)


class LanesFirst(RewritePattern):
    """Loads chunks as the RFC does, elements of a lane in a column, and transposes them."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoadOp, rewriter: PatternRewriter) -> None:
        if not op.has_descriptor or op.desc.get_num_dims() != 2 or op.transpose is not None:
            return
        columns = VectorType(op.desc.element_type, op.desc.get_shape()[::-1])
        load = LoadOp(op.source, op.mask, columns, transpose=True, hints=op.hints)
        rewriter.replace(op, [load, TransposeOp(load, (1, 0))])


class LanesFirstStore(RewritePattern):
    """Stores chunks as the RFC does, elements of a lane in a column."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: StoreOp, rewriter: PatternRewriter) -> None:
        if not op.has_descriptor or op.desc.get_num_dims() != 2 or op.transpose is not None:
            return
        columns = TransposeOp(op.value, (1, 0))
        rewriter.replace(op, [columns, StoreOp(columns, op.source, op.mask, transpose=True, hints=op.hints)])
