"""Rules for the sharing of operands and results of each operation.

A rule gets the sharings that are known so far and returns None if it cannot tell.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.vectors.elementwise import has_one_shape, is_elementwise
from passes.xetile.wg_to_sg.sharing import Sharing, whole
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream import BroadcastInterface, ReductionInterface, TransposeInterface
from xegpu.dialects.upstream.vector import ConstantMaskOp, CreateMaskOp, ShapeCastOp, StepOp, vector_type
from xegpu.dialects.xetile import ConvertLayoutOp, TileMMAOp, WgMapAttr

Known = Mapping[SSAValue, Sharing]

MAP = "map"
"""The discardable attribute that states how the result of an operation is shared."""

_LEAVES = (ConstantOp, ConstantMaskOp, CreateMaskOp, StepOp)
_ACCESSES = frozenset({"xetile.store_tile", "xetile.load", "xetile.store", "xetile.atomic_rmw"})


def is_vector(value: SSAValue) -> bool:
    return isa(value.type, VectorType)


def is_leaf(op: Operation) -> bool:
    """Returns whether an operation makes a vector from scalars only: each subgroup can create any part of it."""
    if isinstance(op, BroadcastInterface):
        return not is_vector(op.repeated)
    return isinstance(op, _LEAVES)


def is_distributable_elementwise(op: Operation) -> bool:
    """Returns whether the same operation on parts of its operands gives the parts of its results."""
    return is_elementwise(op) and has_one_shape(op)


def sharing_of(op: Operation, name: str, wg_map: WgMapAttr, value: SSAValue) -> Sharing:
    """Returns the sharing that the map `name` of an operation states. Raises `CompileError` if it does not fit."""
    shape = vector_type(value).get_shape()
    if len(shape) not in (1, 2) or not wg_map.divides(shape):
        raise CompileError(op, f"expected sg_data of {name} to divide the shape {list(shape)}, got {list(wg_map.data)}")
    return Sharing.of(wg_map, shape)


def map_of(op: Operation) -> WgMapAttr | None:
    """Returns the map that the user gave the result."""
    return wg_map if isinstance(wg_map := op.attributes.get(MAP), WgMapAttr) else None


# From operands to results


def result_sharing(op: Operation, known: Known, *, guess: bool) -> Sharing | None:
    """Returns the sharing of the vectors that an operation defines, given those of its operands.

    With `guess`, also where the users of the result had better decide.
    """
    if is_distributable_elementwise(op):
        return next((known[value] for value in op.operands if value in known), None)
    if isinstance(op, TileMMAOp):
        return _product(op, known, guess=guess)
    source = known.get(op.operands[0]) if op.operands else None
    if source is None:
        return None
    if isinstance(op, ReductionInterface):
        return _reduced(op, source)
    if isinstance(op, ShapeCastOp):
        return source.with_shape(op.result.type.get_shape())
    if guess and isinstance(op, TransposeInterface):
        return source.permuted(op.permuted_dims)
    if guess and isinstance(op, BroadcastInterface):
        return _repeated(op, source)
    return None


def _product(op: TileMMAOp, known: Known, *, guess: bool) -> Sharing | None:
    if op.c is not None and op.c in known:
        return known[op.c]
    if not guess or (op.a not in known and op.b not in known):
        return None
    (rows, columns) = vector_type(op.output).get_shape()
    return Sharing(
        (
            known[op.a].dims[0] if op.a in known else whole(rows),
            known[op.b].dims[1] if op.b in known else whole(columns),
        )
    )


def _reduced(op: ReductionInterface, source: Sharing) -> Sharing | None:
    """Returns the sharing of a reduction's result, which every subgroup gets along reduced dimensions."""
    dims = op.reduced_dims
    if op.KEEPS_DIMS:
        return Sharing(tuple(whole(1) if i in dims else dim for i, dim in enumerate(source.dims)))
    kept = tuple(dim for i, dim in enumerate(source.dims) if i not in dims)
    return Sharing(kept) if kept else None


def _repeated(op: Operation, source: Sharing) -> Sharing:
    """Returns the sharing of a broadcast's result, whose repeated dimensions are whole."""
    shape = vector_type(op.results[0]).get_shape()
    missing = len(shape) - len(source.dims)
    given = (None,) * missing + source.dims
    return Sharing(
        tuple(
            dim if dim is not None and dim.size == size else whole(size) for dim, size in zip(given, shape, strict=True)
        )
    )


# From results to operands


def operand_sharing(op: Operation, index: int, known: Known) -> Sharing | None:
    """Returns the sharing with which an operation can work on parts; None if any will do, or if unknown."""
    operand = op.operands[index]
    result = known.get(op.results[0]) if op.results else None
    if op.name in _ACCESSES:
        return next((known[tile] for tile in op.operands if tile in known and not is_vector(tile)), None)
    if op.name in ("xetile.init_tile", "xetile.update_tile_offset"):
        return result
    if isinstance(op, ConvertLayoutOp):
        return known.get(operand, result)
    if result is None:
        return None
    if is_distributable_elementwise(op):
        return result
    if isinstance(op, TileMMAOp):
        return _factor(op, index, known, result)
    match op:
        case ReductionInterface():
            return _unreduced(op, index, known, result)
        case TransposeInterface():
            permutation = op.permuted_dims
            return result.permuted([permutation.index(dim) for dim in range(len(permutation))])
        case BroadcastInterface():
            return _unrepeated(op, result)
        case ShapeCastOp():
            return result.with_shape(vector_type(op.source).get_shape())
        case _:
            return None


def _factor(op: TileMMAOp, index: int, known: Known, result: Sharing) -> Sharing:
    """Returns the sharing of an operand of a product: each subgroup needs all of K."""
    rows, columns = result.dims
    depth = whole(vector_type(op.a).get_shape()[1])
    return (Sharing((rows, depth)), Sharing((depth, columns)), result)[index]


def _unreduced(op: ReductionInterface, index: int, known: Known, result: Sharing) -> Sharing:
    """Returns the sharing of a reduction's operand: its own, or else one that follows from the result."""
    operand = op.operands[index]
    if index == 1:
        return result
    if operand in known:
        return known[operand]
    dims = op.reduced_dims
    kept = iter([dim for i, dim in enumerate(result.dims) if not op.KEEPS_DIMS or i not in dims])
    shape = vector_type(operand).get_shape()
    return Sharing(tuple(whole(size) if i in dims else next(kept) for i, size in enumerate(shape)))


def _unrepeated(op: BroadcastInterface, result: Sharing) -> Sharing | None:
    if not is_vector(op.repeated):
        return None
    shape = vector_type(op.repeated).get_shape()
    aligned = result.dims[len(result.dims) - len(shape) :]
    return Sharing(tuple(dim if dim.size == size else whole(size) for dim, size in zip(aligned, shape, strict=True)))
