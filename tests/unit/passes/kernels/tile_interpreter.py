"""Runs kernels of XeTile operations in numpy: what they mean, whatever the sizes of their tiles and vectors.

Floats of all types are numbers of 64 bits: nothing is rounded that is small and whole, in whatever order it is added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from xdsl.dialects.builtin import AnyFloat, DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, VectorType, i1
from xdsl.dialects.scf import ForOp, IfOp, WhileOp
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from tests.unit.passes.kernels.harness import Array
from xegpu.dialects.upstream.gpu.kernel import FuncOp
from xegpu.dialects.upstream.memref.views import TransposeOp as TransposedViewOp
from xegpu.dialects.upstream.vector.elements import SplatOp
from xegpu.dialects.upstream.vector.masks import CreateMaskOp
from xegpu.dialects.upstream.vector.reductions import MultiDimReductionOp
from xegpu.dialects.upstream.vector.shapes import (
    BroadcastOp as VectorBroadcastOp,
    ShapeCastOp,
    TransposeOp as VectorTransposeOp,
)
from xegpu.dialects.upstream.vector.slices import ExtractStridedSliceOp, InsertStridedSliceOp
from xegpu.dialects.xegpu.syntax import integers
from xegpu.dialects.xetile import (
    AtomicRMWOp,
    BroadcastOp,
    InitTileOp,
    LoadOp,
    LoadTileOp,
    PrefetchTileOp,
    ReductionOp,
    StoreOp,
    StoreTileOp,
    TileMMAOp,
    TransposeOp,
    UpdateTileOffsetOp,
)

_BINARY: Mapping[str, Callable[[Array, Array], Array]] = {
    "arith.addf": np.add,
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.mulf": np.multiply,
    "arith.muli": np.multiply,
    "arith.maximumf": np.maximum,
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
}
_COMBINING = {
    CombiningKindFlag.ADD: np.add,
    CombiningKindFlag.MAXIMUMF: np.maximum,
    CombiningKindFlag.MINSI: np.minimum,
}
_LESS = 2
"""The predicate `slt`."""


@dataclass(frozen=True)
class Tile:
    """A block of `memory` at `origin`, or (scattered) its elements at `indices`."""

    memory: Array
    shape: tuple[int, ...]
    origin: tuple[int, ...] = ()
    indices: Array | None = None

    def places(self) -> tuple[tuple[Array, ...], Array]:
        """Indices of each element, and whether it lies inside; those outside have the index 0."""
        if self.indices is not None:
            return (self.indices,), np.ones(self.indices.shape, bool)
        rows, columns = (first + np.arange(size) for first, size in zip(self.origin, self.shape, strict=True))
        height, width = self.memory.shape
        inside = ((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width))[None, :]
        return (np.where(inside, rows[:, None], 0), np.where(inside, columns[None, :], 0)), inside

    def load(self, mask: Array | None = None) -> Array:
        places, inside = self.places()
        read = inside if mask is None else inside & mask
        return np.where(read, self.memory[places], np.zeros((), self.memory.dtype))

    def store(self, value: Array, mask: Array | None = None) -> None:
        places, inside = self.places()
        written = inside if mask is None else inside & mask
        self.memory[tuple(place[written] for place in places)] = value[written]


Value = Array | Tile
"""The value of an operand; a number is an array without dimensions."""


EXACT = 1 << 10
"""Numbers up to this one, and sums of as many of them as tests have, are exact in every type but f16."""


class TileInterpreter:
    """Runs one kernel over memory that numpy arrays hold.

    `is_exact` tells whether all numbers were so small that the types of the machine hold them, too.
    """

    def __init__(self, function: FuncOp, arguments: Sequence[Array]):
        self._values: dict[SSAValue, Value] = {}
        self.is_exact = True
        block = function.body.blocks[0]
        self._bind(block.args, arguments)
        self._run(block)

    def _bind(self, values: Sequence[SSAValue], contents: Sequence[Value]) -> None:
        self._values.update(zip(values, contents, strict=True))
        for held in contents:
            if isinstance(held, np.ndarray) and held.size:
                self.is_exact &= bool((np.abs(held) <= EXACT).all())

    def _array(self, value: SSAValue) -> Array:
        held = self._values[value]
        assert isinstance(held, np.ndarray)
        return held

    def _tile(self, value: SSAValue) -> Tile:
        held = self._values[value]
        assert isinstance(held, Tile)
        return held

    def _run(self, block: Block) -> list[Value]:
        """Runs a block; what its terminator passes on."""
        *ops, terminator = block.ops
        for op in ops:
            self._bind(op.results, self._results(op))
        return [self._values[operand] for operand in terminator.operands]

    def _results(self, op: Operation) -> Sequence[Value]:
        match op:
            case ForOp():
                return self._for(op)
            case WhileOp():
                return self._while(op)
            case IfOp():
                region = op.true_region if self._array(op.cond) else op.false_region
                return self._run(region.block) if region.blocks else []
            case StoreTileOp():
                self._tile(op.tile).store(self._array(op.value))
                return []
            case StoreOp():
                self._tile(op.tile).store(self._array(op.value), self._array(op.mask))
                return []
            case PrefetchTileOp():
                return []
            case AtomicRMWOp():
                tile = self._tile(op.tile)
                old = tile.load()
                tile.store(old + self._array(op.value))
                return [old]
            case InitTileOp() | UpdateTileOffsetOp():
                return [self._moved(op)]
            case TransposedViewOp():
                return [self._array(op.source).T]
            case _:
                result = self._value(op)
                assert result.shape == _shape(op.results[0].type), op
                return [result]

    # Control

    def _for(self, op: ForOp) -> list[Value]:
        carried = [self._values[value] for value in op.iter_args]
        bounds = (int(self._array(value)) for value in (op.lb, op.ub, op.step))
        for number in range(*bounds):
            self._bind(op.body.block.args, [np.asarray(number), *carried])
            carried = self._run(op.body.block)
        return carried

    def _while(self, op: WhileOp) -> list[Value]:
        carried = [self._values[value] for value in op.arguments]
        while True:
            self._bind(op.before_region.block.args, carried)
            condition, *carried = self._run(op.before_region.block)
            if not condition:
                return carried
            self._bind(op.after_region.block.args, carried)
            carried = self._run(op.after_region.block)

    # Tiles

    def _moved(self, op: InitTileOp | UpdateTileOffsetOp) -> Tile:
        if isinstance(op, UpdateTileOffsetOp):
            tile = self._tile(op.tile)
            if tile.indices is not None:
                return replace(tile, indices=tile.indices + self._array(op.moves[0]))
            moves = [int(self._array(move)) for move in op.moves]
            return replace(tile, origin=tuple(a + b for a, b in zip(tile.origin, moves, strict=True)))
        memory, shape = self._array(op.source), op.tile.type.get_shape()
        if op.indices is not None:
            return Tile(memory, shape, indices=self._array(op.indices))
        start = [entry if isinstance(entry, int) else int(self._array(entry)) for entry in op.start]
        return Tile(memory, shape, tuple(start))

    # Vectors

    def _value(self, op: Operation) -> Array:
        operands = [held for value in op.operands if isinstance(held := self._values[value], np.ndarray)]
        result = op.results[0].type
        match op:
            case LoadTileOp() | LoadOp():
                return self._tile(op.operands[0]).load(*operands)
            case TileMMAOp():
                product = operands[0].astype(_dtype(result)) @ operands[1].astype(_dtype(result))
                return product if op.c is None else product + operands[2]
            case TransposeOp() | VectorTransposeOp():
                return operands[0].transpose(integers(op.permutation))
            case BroadcastOp() | VectorBroadcastOp() | SplatOp():
                return np.broadcast_to(operands[0], _shape(result))
            case ReductionOp():
                return _reduced(op.kind.data, operands[0], integers(op.reduction_dims)).reshape(_shape(result))
            case MultiDimReductionOp():
                reduced = _reduced(op.kind.data, operands[0], integers(op.reduction_dims))
                return _reduced(op.kind.data, np.stack([reduced, operands[1]]), (0,))
            case ShapeCastOp():
                return operands[0].reshape(_shape(result))
            case ExtractStridedSliceOp() | InsertStridedSliceOp():
                return _boxed(op, operands)
            case CreateMaskOp():
                inside = [np.arange(size) < bound for size, bound in zip(_shape(result), operands, strict=True)]
                return np.asarray(reduce(np.logical_and.outer, inside))
            case _:
                return _computed(op, operands, result)


def _reduced(kind: CombiningKindFlag, value: Array, dims: tuple[int, ...]) -> Array:
    return np.asarray(_COMBINING[kind].reduce(value, axis=dims, dtype=value.dtype))


def _computed(op: Operation, operands: Sequence[Array], result: Attribute) -> Array:
    """The operations of each element."""
    match op.name:
        case "arith.constant":
            return _constant(op.properties["value"], result)
        case "arith.extf" | "arith.truncf" | "arith.extsi" | "arith.trunci" | "arith.sitofp" | "arith.fptosi":
            return operands[0].astype(_dtype(result))
        case "arith.cmpi":
            assert isa(predicate := op.properties["predicate"], IntegerAttr) and predicate.value.data == _LESS
            return np.asarray(operands[0] < operands[1])
        case "arith.select":
            return np.where(*operands)
        case name:
            return np.asarray(_BINARY[name](*operands))


def _constant(value: Attribute, type: Attribute) -> Array:
    if isa(value, DenseIntOrFPElementsAttr):
        return np.array(value.get_values()).astype(_dtype(type)).reshape(_shape(type))
    assert isa(value, IntegerAttr | FloatAttr)
    return np.asarray(value.value.data).astype(_dtype(type))


def _boxed(op: ExtractStridedSliceOp | InsertStridedSliceOp, operands: Sequence[Array]) -> Array:
    starts = [entry.value.data for entry in op.offsets]
    shape = operands[0].shape if isinstance(op, InsertStridedSliceOp) else _shape(op.result.type)
    box = tuple(slice(start, start + size) for start, size in zip(starts, shape, strict=True))
    if isinstance(op, ExtractStridedSliceOp):
        return operands[0][box]
    whole = operands[1].copy()
    whole[box] = operands[0]
    return whole


def _dtype(type: Attribute) -> np.dtype[np.generic]:
    element = type.element_type if isinstance(type, VectorType) else type
    if isa(element, AnyFloat):
        return np.dtype(np.float64)
    return np.dtype(bool if element == i1 else np.int64)


def _shape(type: Attribute) -> tuple[int, ...]:
    return tuple(type.get_shape()) if isinstance(type, VectorType) else ()
