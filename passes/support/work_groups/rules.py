"""Rules for the sharing of operands and results of each operation.

A rule gets the sharings that are known so far and returns None if it cannot tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.vectors.elementwise import has_one_shape, is_elementwise
from passes.support.work_groups.sharing import Sharing, whole
from xegpu.dialects.upstream import BroadcastInterface, ReductionInterface, TransposeInterface
from xegpu.dialects.upstream.vector import ConstantMaskOp, CreateMaskOp, ShapeCastOp, StepOp, vector_type

Known = Mapping[SSAValue, Sharing]

_LEAVES = (ConstantOp, ConstantMaskOp, CreateMaskOp, StepOp)


def is_vector(value: SSAValue) -> bool:
    return isa(value.type, VectorType)


def is_leaf(op: Operation) -> bool:
    """Returns whether an operation makes a vector from scalars only: each subgroup can create any part of it."""
    if isinstance(op, BroadcastInterface):
        return not is_vector(op.repeated)
    return isinstance(op, _LEAVES)


def is_leaf_value(value: SSAValue) -> bool:
    """Returns whether each subgroup can create any part of the value."""
    return isinstance(value.owner, Operation) and is_leaf(value.owner)


def is_distributable_elementwise(op: Operation) -> bool:
    """Returns whether the same operation on parts of its operands gives the parts of its results."""
    return is_elementwise(op) and has_one_shape(op)


class Product(NamedTuple):
    """The operands and the result of a matrix product, whose leading dimensions are those of a batch."""

    lhs: SSAValue
    rhs: SSAValue
    acc: SSAValue | None
    result: SSAValue


class Rules:
    """The rules for operations that dialects share. Each dialect adds its own operations."""

    def is_shareable(self, value: SSAValue) -> bool:
        """Returns whether subgroups may share a value."""
        return is_vector(value)

    def product(self, op: Operation) -> Product | None:
        """Returns the matrix product that an operation is, or None."""
        return None

    def stated(self, op: Operation) -> Iterable[tuple[SSAValue, Sharing]]:
        """Yields (result, sharing that the kernel states for it)."""
        return ()

    def can_be_created(self, op: Operation) -> bool:
        """Returns whether the results of an operation can be created part by part, in any sharing."""
        return (
            is_leaf(op)
            or is_distributable_elementwise(op)
            or isinstance(op, TransposeInterface | BroadcastInterface | ReductionInterface | ShapeCastOp)
            or self.product(op) is not None
            or op.name.startswith("scf.")
        )

    def result_sharing(self, op: Operation, known: Known, *, guess: bool) -> Sharing | None:
        """Returns the sharing of the vectors that an operation defines, given those of its operands.

        With `guess`, also where the users of the result had better decide.
        """
        if is_distributable_elementwise(op):
            return next((known[value] for value in op.operands if value in known), None)
        if (product := self.product(op)) is not None:
            return _of_product(product, known, guess=guess)
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

    def settled_result(self, op: Operation, known: Known) -> Sharing | None:
        """Returns the only sharing in which an operation can create its result; None if others are possible."""
        if isinstance(op, ShapeCastOp):
            source, wanted = known.get(op.source), known.get(op.result)
            if source is None or (wanted is not None and wanted.with_shape(source.shape) is not None):
                return None
            return source.with_shape(vector_type(op.result).get_shape())
        return self.result_sharing(op, known, guess=False) if isinstance(op, ReductionInterface) else None

    def operand_sharing(self, op: Operation, index: int, known: Known) -> Sharing | None:
        """Returns the sharing with which an operation can work on parts; None if any will do, or if unknown."""
        result = known.get(op.results[0]) if op.results else None
        if result is None:
            return None
        if is_distributable_elementwise(op):
            return result
        if (product := self.product(op)) is not None:
            return _factor(product, index, result)
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


# From operands to results


def _of_product(product: Product, known: Known, *, guess: bool) -> Sharing | None:
    if product.acc is not None and product.acc in known:
        return known[product.acc]
    lhs, rhs = known.get(product.lhs), known.get(product.rhs)
    if not guess or (lhs is None and rhs is None):
        return None
    *batch, rows, columns = vector_type(product.result).get_shape()
    return Sharing(
        (
            *(map(whole, batch) if lhs is None else lhs.dims[: len(batch)]),
            whole(rows) if lhs is None else lhs.dims[len(batch)],
            whole(columns) if rhs is None else rhs.dims[len(batch) + 1],
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


def _factor(product: Product, index: int, result: Sharing) -> Sharing:
    """Returns the sharing of an operand of a product: each subgroup needs all of K."""
    *batch, rows, columns = result.dims
    depth = whole(vector_type(product.lhs).get_shape()[-1])
    if index == 0:
        return Sharing((*batch, rows, depth))
    if index == 2:
        return result
    shape = vector_type(product.rhs).get_shape()
    packed = shape[len(batch) + 2 :]
    return Sharing((*batch, whole(shape[len(batch)]), columns, *map(whole, packed)))


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
