"""Anchors: operations that fix the distribution of values, which are accesses of tiles and matrix products."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.fragments.ownership import MOST_ELEMENTS, Indexes, Ownership
from passes.support.matrix_operands import Shape2D, matrices, matrix_maps, matrix_step, multiplies_whole_matrices
from xegpu.diagnostics import CompileError
from xegpu.dialects.xegpu import (
    AtomicRMWOp,
    ConvertLayoutOp,
    Distribution,
    DpasOp,
    LayoutAttr,
    LoadNdOp,
    LoadOp,
    SgMapAttr,
    StoreNdOp,
    StoreOp,
    TensorDescType,
    element_bits,
    packing_factor,
)
from xegpu.targets import Target

Accesses = LoadNdOp | StoreNdOp | LoadOp | StoreOp | AtomicRMWOp
"""Operations that move a tile between memory and registers."""

_WANTS_SG_MAP = "expected an sg_map: run xegpu-convert-layout-to-sg-map first"


def accessed(op: Accesses) -> SSAValue:
    """Returns the value that an access moves."""
    return op.value


def access_ownership(op: Accesses, target: Target) -> Ownership | None:
    """Returns the distribution of the value that an access moves; None if it is whole or a fragment already.

    Raises `CompileError` for a map that does not fit the target.
    """
    desc = op.tensor_desc.type
    assert isinstance(desc, TensorDescType)
    if isinstance(desc.map, LayoutAttr):
        raise CompileError(op, f"uses a descriptor with {desc.map}, {_WANTS_SG_MAP}")
    if not isinstance(desc.map, SgMapAttr):
        return None
    _check_lanes(op, desc.map, target)
    if not is_whole(accessed(op).type, desc):
        return None
    if (count := desc.array_length * desc.element_count()) > MOST_ELEMENTS:
        raise CompileError(op, f"moves {count} elements, far more than registers hold")
    return ownership_under(op, desc)


def _check_lanes(op: Operation, sg_map: SgMapAttr, target: Target) -> None:
    lanes = sg_map.lane_map.lanes
    if lanes != target.platform.subgroup_size:
        raise CompileError(
            op, f"{sg_map} arranges {lanes} work-items, a subgroup of {target.name} has {target.platform.subgroup_size}"
        )


def conversion_ownership(op: ConvertLayoutOp, target: Target) -> tuple[Ownership, Ownership]:
    """Returns the distributions of a vector before and after a layout conversion.

    Raises `CompileError` for a map that does not fit the target.
    """
    made = []
    for sg_map in (op.input_layout, op.target_layout):
        if not isinstance(sg_map, SgMapAttr):
            raise CompileError(op, f"has {sg_map}, {_WANTS_SG_MAP}")
        _check_lanes(op, sg_map, target)
        made.append(ownership_of_vector(op.source.type, sg_map))
    return made[0], made[1]


def ownership_of_vector(type: Attribute, sg_map: SgMapAttr) -> Ownership:
    """Returns the distribution of a vector of rank 1 or 2, as a row-major tile, under a map that divides it."""
    assert isinstance(type, VectorType)
    rows, columns = (1, *type.get_shape())[-2:]
    return Ownership.of_tile(Distribution((rows, columns), sg_map.lane_map), _row_major((rows, columns))[None])


def is_whole(type: Attribute, desc: TensorDescType) -> bool:
    """Returns whether a value is all that the descriptor describes, rather than the fragment of one lane."""
    rows, columns = desc.tile
    return isinstance(type, VectorType) and type.element_count() == rows * columns * desc.array_length


def ownership_under(op: Accesses, desc: TensorDescType) -> Ownership:
    """Returns the distribution of the whole value that is moved through a descriptor of this type with a map."""
    if isinstance(op, LoadNdOp):
        distribution, order = desc.distribution(op.is_transposed), _load_order(op, desc)
    elif isinstance(op, StoreNdOp):
        rows, columns = desc.tile
        distribution = desc.distribution()
        order = np.arange(desc.array_length * rows * columns).reshape(desc.array_length, rows, columns)
    else:
        fragment, lane_map = desc.fragment_shape(), desc.lane_map
        assert fragment is not None
        assert lane_map is not None
        positions = np.arange(desc.element_count() // lane_map.lanes)
        return Ownership(positions[None, :] * lane_map.lanes + np.arange(lane_map.lanes)[:, None], fragment)
    assert distribution is not None
    return Ownership.of_tile(distribution, order)


def _load_order(op: LoadNdOp, desc: TensorDescType) -> Indexes:
    """Returns the position in the loaded vector of each element [block, row, column] of the tile."""
    rows, columns = desc.tile
    blocks: Indexes = np.arange(desc.array_length * rows * columns)
    order: Indexes = blocks
    if op.is_transposed:
        width = op.transpose_bit_width
        unit = 1 if width is None else width.value.data // element_bits(desc.element_type)
        order = blocks.reshape(desc.array_length, columns // unit, rows, unit).transpose(0, 2, 1, 3)
    elif op.is_packed:
        factor = packing_factor(desc.element_type)
        order = blocks.reshape(desc.array_length, rows // factor, columns, factor).transpose(0, 1, 3, 2)
    return order.reshape(desc.array_length, rows, columns)


# Products ------------------------------------------------------------------------------------------------------------


def is_whole_product(op: DpasOp) -> bool:
    """Returns whether the operands are those of the whole subgroup. Raises `CompileError` if there are layouts."""
    if any(layout is not None for layout in op.layouts):
        raise CompileError(op, f"has layouts, {_WANTS_SG_MAP}")
    return multiplies_whole_matrices(op)


def product_ownership(op: DpasOp, target: Target) -> tuple[Ownership, Ownership, Ownership]:
    """Returns the distributions of A, B and C that the matrix engine requires.

    Raises `CompileError` for a product that cannot be distributed.
    """
    check_product(op, target)
    (a, b, c), maps = matrices(op), matrix_maps(op, target)
    orders = (_row_major(a), _matrix_b_order(op, b), _row_major(c))
    made = [
        Ownership.of_tile(Distribution(tile, m.lane_map), order[None])
        for m, tile, order in zip(maps, (a, b, c), orders, strict=True)
    ]
    return made[0], made[1], made[2]


def check_product(op: DpasOp, target: Target) -> None:
    """Raises `CompileError` for a product that is not one instruction along K and N, and for wrong maps."""
    tiles, maps = matrices(op), matrix_maps(op, target)
    a, b, _ = tiles
    step, width = matrix_step(op, target), target.platform.matrix_engine.execution_size
    if a[1] != step or b[1] != width:
        raise CompileError(
            op,
            f"multiplies {a[0]}x{a[1]} by {b[0]}x{b[1]}: work-items of {target.name} share only products of "
            f"{step} along K and {width} along N",
        )
    if (count := max(rows * columns for rows, columns in tiles)) > MOST_ELEMENTS:
        raise CompileError(op, f"has an operand of {count} elements, far more than registers hold")
    for name, given, wanted in zip("ABC", op.sg_maps or maps, maps, strict=True):
        if given != wanted:
            raise CompileError(op, f"{target.name} needs {name} under {wanted}, got {given}")
    for sg_map, (rows, columns) in zip(maps, tiles, strict=True):
        if not sg_map.lane_map.tiles((rows, columns)):
            raise CompileError(
                op, f"cannot share a value as {rows}x{columns} under {sg_map}: the map does not divide it"
            )


def _row_major(tile: Shape2D) -> Indexes:
    return np.arange(tile[0] * tile[1]).reshape(tile)


def _matrix_b_order(op: DpasOp, tile: Shape2D) -> Indexes:
    type = op.rhs.type
    assert isinstance(type, VectorType)
    shape = type.get_shape()
    if len(shape) == 2:
        return _row_major(tile)
    return np.arange(tile[0] * tile[1]).reshape(shape).transpose(0, 2, 1).reshape(tile)
