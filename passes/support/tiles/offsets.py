"""Location of block tiles in memory: the buffer, and arithmetic on offsets in it.

Dimensions are in memory order: a column-major tile is seen transposed, so that its rows are contiguous.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.arith import AddiOp, AndIOp, ConstantOp
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    IndexType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    VectorType,
    i1,
)
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.op_builder import Index, OpBuilder, known
from passes.support.tiles.webs import TileWeb
from xegpu.diagnostics import CompileError, definition_of, note
from xegpu.dialects.upstream.arith import CmpiOp
from xegpu.dialects.upstream.memref import ReinterpretCastOp, memref_strides
from xegpu.dialects.upstream.vector import BroadcastOp, ShapeCastOp
from xegpu.dialects.xegpu import Shape2D, static_strides
from xegpu.dialects.xetile import InitTileOp, TileType


@dataclass(frozen=True)
class Placement:
    """A buffer, and the plane of it that tiles lie in; sizes and strides of all dimensions, outermost first.

    With `transposed`, rows of the plane are columns of the tiles.
    """

    source: SSAValue
    outer: tuple[Index, ...]
    sizes: tuple[Index, ...]
    strides: tuple[Index, ...]
    transposed: bool
    explicit: bool
    """The type of the source does not imply these sizes and strides."""

    @classmethod
    def of(cls, init: InitTileOp) -> Placement:
        """Returns the placement of the tile that an operation creates, which must not be scattered."""
        offsets, source = init.mixed_offsets, init.source.type
        assert offsets is not None
        sizes, strides = init.mixed_sizes, init.mixed_strides
        explicit = sizes is not None and strides is not None
        if sizes is None or strides is None:
            assert isa(source, MemRefType)
            layout = memref_strides(source)
            static = [] if layout is None else [stride for stride in layout[0] if stride is not None]
            sizes, strides = list(source.get_shape()), list(static)
            explicit = tuple(static) != static_strides(source)
        transposed = init.tile.type.is_column_major
        if transposed:
            sizes[-2:], strides[-2:] = sizes[:-3:-1], strides[:-3:-1]
        return cls(
            init.source,
            tuple(known(index) for index in offsets[:-2]),
            tuple(known(index) for index in sizes),
            tuple(known(index) for index in strides),
            transposed,
            explicit or transposed,
        )

    @property
    def pitch(self) -> Index:
        """The distance between rows in elements."""
        return self.strides[-2]

    @property
    def plane(self) -> tuple[Index, Index]:
        """The shape [rows, columns] of the plane."""
        return self.sizes[-2], self.sizes[-1]

    def in_memory_order(self, pair: Sequence[Index]) -> tuple[Index, Index]:
        """Returns (row, column) in the plane for (row, column) of a tile."""
        first, second = pair
        return (second, first) if self.transposed else (first, second)

    def shape(self, tile: TileType) -> Shape2D:
        """Returns the shape of a tile in the plane."""
        rows, columns = tile.get_shape()
        return (columns, rows) if self.transposed else (rows, columns)

    # Addresses

    def linear(self, builder: OpBuilder, row: Index, column: Index) -> Index:
        """Returns the offset of an element of the plane from the first element of the buffer, in elements."""
        return builder.dot((*self.outer, row, column), self.strides)

    def flat_memref(self, builder: OpBuilder) -> SSAValue:
        """Returns the buffer as a memref of rank 1, or its address."""
        source = self.source.type
        if not isa(source, MemRefType):
            return self.source
        last = builder.plus(builder.dot([builder.plus(size, -1) for size in self.sizes], self.strides), 1)
        static = last if isinstance(last, int) else DYNAMIC_INDEX
        strided = memref_strides(source)
        offset = None if strided is None else strided[1]
        if offset is None:
            raise CompileError(
                builder.anchor, f"reaches {source} element by element, whose offset is not known at compile time"
            )
        layout = StridedLayoutAttr([1], offset) if offset else NoneAttr()
        result = MemRefType(source.element_type, [static], layout, source.memory_space)
        return builder.add(ReinterpretCastOp(self.source, offset, [last], [1], result))


@dataclass(frozen=True)
class PlaneBlock:
    """A block of a plane, given by its first row and column and its shape."""

    placement: Placement
    row: Index
    column: Index
    shape: Shape2D

    def mask(self, builder: OpBuilder) -> SSAValue | None:
        """Returns a mask of the elements inside the plane; None if all are known to be inside."""
        masks: list[SSAValue] = []
        starts = (self.row, self.column)
        for dimension, (start, size, extent) in enumerate(zip(starts, self.placement.plane, self.shape, strict=True)):
            if isinstance(start := known(start), int) and isinstance(size, int) and 0 <= start <= size - extent:
                continue
            inside = _below(builder, start, size, extent)
            if dimension == 0:
                inside = builder.add(ShapeCastOp(inside, VectorType(i1, [extent, 1])))
            masks.append(builder.add(BroadcastOp(inside, VectorType(i1, self.shape))))
        match masks:
            case []:
                return None
            case [mask]:
                return mask
            case _:
                rows, columns = masks
                return builder.add(AndIOp(rows, columns))


def _below(builder: OpBuilder, start: Index, size: Index, extent: int) -> SSAValue:
    """Returns a mask: which of the `extent` numbers from `start` on are in the range from 0 to below `size`."""
    steps = builder.add(ConstantOp(indices(range(extent))))
    numbers = builder.add(AddiOp(splat(builder, start, extent), steps))
    return builder.add(CmpiOp(numbers, splat(builder, size, extent), "ult"))


def indices(values: Sequence[int]) -> DenseIntOrFPElementsAttr[IndexType]:
    """Returns a constant vector of indices."""
    return DenseIntOrFPElementsAttr.from_list(VectorType(IndexType(), [len(values)]), list(values))


def splat(builder: OpBuilder, index: Index, extent: int) -> SSAValue:
    """Returns a vector that repeats an index."""
    if isinstance(index, int):
        return builder.add(ConstantOp(indices([index] * extent)))
    return builder.add(BroadcastOp(index, VectorType(IndexType(), [extent])))


def common_placement(web: TileWeb, access: Operation) -> Placement:
    """Returns the placement of all tiles of a web. Raises `CompileError` at `access` if they differ."""
    first, *others = placements = [Placement.of(init) for init in web.inits]
    for init, other in zip(web.inits[1:], others, strict=True):
        if other != first:
            where = [note(definition_of(init.tile), "another location")]
            raise CompileError(
                access, "accesses a tile that may have several locations in memory, which is not supported", where
            )
    values = [
        value for value in (first.source, *first.outer, *first.sizes, *first.strides) if isinstance(value, SSAValue)
    ]
    for value in values:
        if not _is_visible(value, access):
            raise CompileError(
                access,
                f"accesses a tile that depends on a value of type {value.type}, which is not visible here",
                [note(definition_of(value), "the value is defined here")],
            )
    return placements[0]


def _is_visible(value: SSAValue, op: Operation) -> bool:
    """Returns whether a value that dominates the creation of a tile is defined in a region around `op`."""
    block = value.block if isinstance(value, BlockArgument) else value.owner.parent
    region = None if block is None else block.parent
    return region is not None and region.is_ancestor(op)
