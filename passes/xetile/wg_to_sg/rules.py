"""What each operation says about the sharing of its operands and results.

A rule gets what is known so far; None means that it cannot tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from passes.xetile.wg_to_sg.sharing import Sharing, whole
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.vector import BroadcastOp, ShapeCastOp, TransposeOp, vector_type
from xegpu.dialects.xegpu import integers
from xegpu.dialects.xetile import BroadcastOp as TileBroadcastOp
from xegpu.dialects.xetile import ConvertLayoutOp, TileMMAOp, WgMapAttr
from xegpu.dialects.xetile import TransposeOp as TileTransposeOp

Known = Mapping[SSAValue, Sharing]

TRANSPOSES = (TransposeOp, TileTransposeOp)
BROADCASTS = (BroadcastOp, TileBroadcastOp)
REDUCTIONS = frozenset({"xetile.reduction", "vector.multi_reduction"})
MAP = "map"
"""The discardable attribute that says how the result of an operation is shared."""

_LEAVES = frozenset({"arith.constant", "vector.splat", "vector.create_mask", "vector.constant_mask", "vector.step"})
_SCALAR_SOURCES = frozenset({"vector.broadcast"})
_NOT_ELEMENTWISE = frozenset({"arith.constant", "arith.scaling_extf", "arith.scaling_truncf"})
_ACCESSES = frozenset({"xetile.store_tile", "xetile.load", "xetile.store", "xetile.atomic_rmw"})


def is_vector(value: SSAValue) -> bool:
    return isa(value.type, VectorType)


def is_leaf(op: Operation) -> bool:
    """Whether an operation makes a vector of nothing but scalars: each subgroup can make any part of it."""
    if op.name in _SCALAR_SOURCES:
        return not is_vector(op.operands[0])
    return op.name in _LEAVES


def is_elementwise(op: Operation) -> bool:
    """Whether each element of the results depends on the elements of operands at the same place, and on scalars."""
    if op.name in _NOT_ELEMENTWISE or not (op.name.startswith(("arith.", "math.")) or op.name == "vector.fma"):
        return False
    shapes = {vector_type(value).get_shape() for value in (*op.operands, *op.results) if is_vector(value)}
    return len(shapes) == 1 and all(is_vector(result) for result in op.results)


def sharing_of(op: Operation, name: str, wg_map: WgMapAttr, value: SSAValue) -> Sharing:
    """What the map `name` of an operation says about a value. Raises `CompileError` if it does not fit."""
    shape = vector_type(value).get_shape()
    if len(shape) not in (1, 2) or not wg_map.divides(shape):
        raise CompileError(op, f"expected sg_data of {name} to divide the shape {list(shape)}, got {list(wg_map.data)}")
    return Sharing.of(wg_map, shape)


def map_of(op: Operation) -> WgMapAttr | None:
    """The map that the user gave the result."""
    return wg_map if isinstance(wg_map := op.attributes.get(MAP), WgMapAttr) else None


def permutation_of(op: Operation) -> tuple[int, ...]:
    """The permutation of a transpose."""
    permutation = op.properties["permutation"]
    assert isa(permutation, DenseArrayBase[IntegerType])
    return integers(permutation)


def reduced_dims(op: Operation) -> tuple[int, ...]:
    """The dimensions that a reduction combines along."""
    dims = op.properties["reduction_dims"]
    assert isa(dims, DenseArrayBase[IntegerType])
    return integers(dims)


def keeps_dims(op: Operation) -> bool:
    """Whether reduced dimensions stay, with size 1."""
    return op.name == "xetile.reduction"


# From operands to results


def result_sharing(op: Operation, known: Known, *, guess: bool) -> Sharing | None:
    """How the vectors that an operation makes are shared, by its operands.

    With `guess`, also where it is better to let the users of the result decide.
    """
    if is_elementwise(op):
        return next((known[value] for value in op.operands if value in known), None)
    if isinstance(op, TileMMAOp):
        return _product(op, known, guess=guess)
    source = known.get(op.operands[0]) if op.operands else None
    if source is None:
        return None
    if op.name in REDUCTIONS:
        return _reduced(op, source)
    if isinstance(op, ShapeCastOp):
        return source.with_shape(op.result.type.get_shape())
    if guess and isinstance(op, TRANSPOSES):
        return source.permuted(permutation_of(op))
    if guess and isinstance(op, BROADCASTS):
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


def _reduced(op: Operation, source: Sharing) -> Sharing | None:
    """Along reduced dimensions every subgroup gets the result."""
    dims = reduced_dims(op)
    if keeps_dims(op):
        return Sharing(tuple(whole(1) if i in dims else dim for i, dim in enumerate(source.dims)))
    kept = tuple(dim for i, dim in enumerate(source.dims) if i not in dims)
    return Sharing(kept) if kept else None


def _repeated(op: Operation, source: Sharing) -> Sharing:
    """Dimensions that repeat are whole."""
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
    """How an operand has to be shared for an operation to work on parts; None: as it is, or this cannot be said."""
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
    if is_elementwise(op):
        return result
    if isinstance(op, TileMMAOp):
        return _factor(op, index, known, result)
    if op.name in REDUCTIONS:
        return _unreduced(op, index, known, result)
    rule = _BACKWARD.get(type(op))
    return None if rule is None else rule(op, result)


def _factor(op: TileMMAOp, index: int, known: Known, result: Sharing) -> Sharing:
    """Each subgroup needs all of K."""
    rows, columns = result.dims
    depth = whole(vector_type(op.a).get_shape()[1])
    return (Sharing((rows, depth)), Sharing((depth, columns)), result)[index]


def _unreduced(op: Operation, index: int, known: Known, result: Sharing) -> Sharing:
    """The operand as it is; one that nothing is known about follows the result."""
    operand = op.operands[index]
    if index == 1:
        return result
    if operand in known:
        return known[operand]
    dims = reduced_dims(op)
    kept = iter([dim for i, dim in enumerate(result.dims) if not keeps_dims(op) or i not in dims])
    shape = vector_type(operand).get_shape()
    return Sharing(tuple(whole(size) if i in dims else next(kept) for i, size in enumerate(shape)))


def _untransposed(op: Operation, result: Sharing) -> Sharing:
    permutation = permutation_of(op)
    return result.permuted([permutation.index(dim) for dim in range(len(permutation))])


def _unrepeated(op: Operation, result: Sharing) -> Sharing | None:
    if not is_vector(op.operands[0]):
        return None
    shape = vector_type(op.operands[0]).get_shape()
    aligned = result.dims[len(result.dims) - len(shape) :]
    return Sharing(tuple(dim if dim.size == size else whole(size) for dim, size in zip(aligned, shape, strict=True)))


def _uncast(op: Operation, result: Sharing) -> Sharing | None:
    return result.with_shape(vector_type(op.operands[0]).get_shape())


_BACKWARD: Mapping[type[Operation], Callable[[Operation, Sharing], Sharing | None]] = {
    **dict.fromkeys(TRANSPOSES, _untransposed),
    **dict.fromkeys(BROADCASTS, _unrepeated),
    ShapeCastOp: _uncast,
}
