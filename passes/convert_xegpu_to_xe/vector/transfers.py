"""Lowers `vector.transfer_read` and `vector.transfer_write`: boxes of a buffer, which may extend beyond it.

Boxes are accessed with their dimensions in the order of the buffer's; transposes and broadcasts are moves in registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import VectorType, i1
from xdsl.dialects.vector import TransferReadOp, TransferWriteOp
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import MemRef, Number
from passes.convert_xegpu_to_xe.vector.boxes import Box, box_of, vector_memref
from passes.convert_xegpu_to_xe.vector.masks import TRUE, all_along, below, both
from passes.convert_xegpu_to_xe.vector.shapes import arranged
from passes.support.normal_forms import Shape, ravel, shape_of, unravel
from xegpu.dialects.upstream.vector import vector_type


@dataclass(frozen=True)
class Transfer:
    """The dimension of the buffer that each dimension of the vector follows; None where the vector repeats elements."""

    vector: VectorType[Attribute]
    dimensions: tuple[int | None, ...]

    @property
    def used(self) -> list[int]:
        """The dimensions of the buffer that the box has."""
        return sorted(d for d in self.dimensions if d is not None)

    @property
    def box(self) -> VectorType[Attribute]:
        """The type of the elements in the order of the buffer."""
        shape = self.vector.get_shape()
        return VectorType(self.vector.element_type, [shape[self.dimensions.index(d)] for d in self.used])

    def in_box(self, element: int) -> int:
        """Returns the number in the box of an element of the vector."""
        place = unravel(element, shape_of(self.vector))
        box = shape_of(self.box)
        return ravel([place[self.dimensions.index(d)] for d in self.used], box)

    def in_vector(self, element: int) -> int:
        """Returns the number in the vector of an element of the box, where no dimension is repeated."""
        place = dict(zip(self.used, unravel(element, shape_of(self.box)), strict=True))
        shape: Shape = shape_of(self.vector)
        return ravel([0 if d is None else place[d] for d in self.dimensions], shape)


def _transfer(op: TransferReadOp | TransferWriteOp, vector: SSAValue) -> Transfer:
    results = op.permutation_map.data.results
    dimensions = tuple(e.position if isinstance(e, AffineDimExpr) else None for e in results)
    return Transfer(vector_type(vector), dimensions)


def _inside(
    lowering: KernelLowering, op: TransferReadOp | TransferWriteOp, transfer: Transfer, memref: MemRef
) -> Number:
    """Returns the elements of the box that are in the mask and, unless the operation promises it, in the buffer."""
    shape, type = shape_of(transfer.box), VectorType(i1, transfer.box.get_shape())
    conditions: list[tuple[Number, int]] = []
    for promised, dimension in zip(op.in_bounds, transfer.dimensions, strict=True):
        if dimension is None or promised.value.data:
            continue
        at = transfer.used.index(dimension)
        start = lowering.number(op.indices[dimension])
        conditions.append((below(lowering, start, memref.sizes[dimension], shape[at]), at))
    mask = TRUE if op.mask is None else lowering.number(op.mask)
    return both(lowering, type, all_along(lowering, type, conditions), mask)


def _box(
    lowering: KernelLowering,
    op: TransferReadOp | TransferWriteOp,
    source: SSAValue,
    indices: Sequence[SSAValue],
    transfer: Transfer,
) -> Box:
    memref = vector_memref(lowering, op, source, transfer.vector)
    inside = _inside(lowering, op, transfer, memref)
    return box_of(lowering, op, source, indices, transfer.box, transfer.used, inside)


@lowers(TransferReadOp)
def transfer_read(lowering: KernelLowering, op: TransferReadOp) -> None:
    transfer = _transfer(op, op.result)
    box = _box(lowering, op, op.source, list(op.indices), transfer)
    padding = arranged(lowering, [(lowering.number(op.padding), op.padding.type)], transfer.box, lambda i: (0, 0))
    loaded = box.load(padding)
    lowering.values[op.result] = arranged(
        lowering, [(loaded, transfer.box)], transfer.vector, lambda i: (0, transfer.in_box(i))
    )


@lowers(TransferWriteOp)
def transfer_write(lowering: KernelLowering, op: TransferWriteOp) -> None:
    transfer = _transfer(op, op.vector)
    box = _box(lowering, op, op.source, list(op.indices), transfer)
    value = lowering.number(op.vector)
    box.store(arranged(lowering, [(value, op.vector.type)], transfer.box, lambda i: (0, transfer.in_vector(i))))
