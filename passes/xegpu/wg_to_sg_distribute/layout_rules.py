"""Rules for the sharing of data that the operations of XeGPU access and compute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.control_flow import CARRIERS
from passes.support.work_groups.rules import Known, Product, Rules, is_distributable_elementwise, is_leaf, is_vector
from passes.support.work_groups.sharing import Sharing, share, whole
from passes.xegpu.wg_to_sg_distribute.layouts import over_subgroups, sharing_by, subgroups_at
from xegpu.dialects.upstream import BroadcastInterface, ReductionInterface, TransposeInterface
from xegpu.dialects.upstream.vector import ShapeCastOp, vector_type
from xegpu.dialects.xegpu import (
    LLVM22_LANES,
    AtomicRMWOp,
    ConvertLayoutOp,
    CreateDescOp,
    DistributionAttr,
    DpasOp,
    LoadMatrixOp,
    LoadNdOp,
    LoadOp,
    PrefetchNdOp,
    PrefetchOp,
    StoreMatrixOp,
    StoreNdOp,
    StoreOp,
    TensorDescType,
    UpdateOffsetOp,
)

_DIVIDED = (
    *(LoadNdOp, StoreNdOp, PrefetchNdOp),
    *(LoadMatrixOp, StoreMatrixOp),
    *(LoadOp, StoreOp, PrefetchOp, AtomicRMWOp, CreateDescOp, UpdateOffsetOp),
    *(DpasOp, ConvertLayoutOp, ShapeCastOp),
    *(TransposeInterface, BroadcastInterface, ReductionInterface),
)
"""The operations of which each subgroup executes a part, beside elementwise ones and those that create vectors."""

ElementAccess = LoadOp | StoreOp | PrefetchOp | AtomicRMWOp


class LayoutRules(Rules):
    """The rules for XeGPU: any operation without a rule works on whole values, which every subgroup has."""

    def __init__(self, count: int):
        """Takes the number of subgroups of the work-group."""
        self._count = count

    def is_shareable(self, value: SSAValue) -> bool:
        return super().is_shareable(value) or lanes_of(value) is not None

    def product(self, op: Operation) -> Product | None:
        return Product(op.lhs, op.rhs, op.acc, op.result) if isinstance(op, DpasOp) else None

    def can_be_created(self, op: Operation) -> bool:
        return isinstance(op, LoadNdOp | LoadOp | LoadMatrixOp | CreateDescOp | UpdateOffsetOp) or (
            super().can_be_created(op)
        )

    # What the kernel states

    def stated(self, op: Operation) -> Iterable[tuple[SSAValue, Sharing]]:
        for number, result in enumerate(op.results):
            layout = over_subgroups(op.attributes.get(f"layout_result_{number}"))
            if isinstance(op, LoadNdOp | LoadOp | LoadMatrixOp | AtomicRMWOp):
                layout = _layout_of_access(op) or layout
            elif isinstance(op, DpasOp):
                layout = over_subgroups(op.layout_cd) or layout
            elif isinstance(op, ConvertLayoutOp):
                layout = over_subgroups(op.target_layout) or layout
            elif isinstance(result.type, TensorDescType):
                layout = over_subgroups(result.type.map)
            elif isinstance(op, TransposeInterface | BroadcastInterface | ReductionInterface | ShapeCastOp):
                layout = None  # It follows from that of the operand or the users.
            shape = lanes_of(result) or (vector_type(result).get_shape() if is_vector(result) else None)
            if layout is not None and shape is not None:
                yield result, sharing_by(op, layout, shape)

    def accessed(self, op: Operation) -> Sharing | None:
        """Returns the sharing that the kernel states for the data of a store or prefetch."""
        value = _without_result(op)
        layout = _layout_of_access(op)
        if layout is None or value is None:
            return None
        return sharing_by(op, layout, value)

    def default(self, op: Operation, shape: tuple[int, ...]) -> Sharing:
        """Returns a sharing for data that no layout reaches: blocks of the two last dimensions, as square as can be.

        Rows that fill the lanes of a subgroup, as matrix instructions need them, go on doing so.
        """
        among = subgroups_at(op, self._count)
        counts = [1] * len(shape)
        units = [1] * (len(shape) - 1) + [LLVM22_LANES if shape[-1] % LLVM22_LANES == 0 else 1]
        for factor in _prime_factors(len(among)):
            fitting = [d for d in range(len(shape))[-2:] if shape[d] % (counts[d] * factor * units[d]) == 0]
            if fitting:
                counts[max(fitting, key=lambda d: shape[d] // counts[d])] *= factor
        shares, stride = [], 1
        for size, count in zip(reversed(shape), reversed(counts), strict=True):
            shares.append(share(size, size // count, count, stride, among.start))
            stride *= count
        return Sharing(tuple(reversed(shares)))

    # From operands to results

    def result_sharing(self, op: Operation, known: Known, *, guess: bool) -> Sharing | None:
        match op:
            case LoadOp() if op.has_descriptor:
                return _of_elements(known.get(op.source), op.value)
            case LoadOp():
                return _of_elements(_first_known((op.offsets, op.mask), known), op.value)
            case AtomicRMWOp():
                return _of_elements(known.get(op.tensor_desc), op.result)
            case CreateDescOp():
                return known.get(op.offsets)
            case UpdateOffsetOp():
                return known.get(op.tensor_desc)
            case ConvertLayoutOp():
                return known.get(op.source)
            case _:
                found = super().result_sharing(op, known, guess=guess)
                return (
                    found if found is not None or isinstance(op, ReductionInterface) else self.settled_result(op, known)
                )

    def settled_result(self, op: Operation, known: Known) -> Sharing | None:
        if isinstance(op, ShapeCastOp) and (source := known.get(op.source)) is not None:
            shape, wanted = vector_type(op.result).get_shape(), known.get(op.result)
            if source.with_shape(shape) is None and (wanted is None or wanted.with_shape(source.shape) is None):
                return Sharing.replicated(shape)
        if _needs_whole_values(op):
            vectors = [result for result in op.results if is_vector(result)]
            return Sharing.replicated(vector_type(vectors[0]).get_shape()) if len(vectors) == 1 else None
        return super().settled_result(op, known)

    # From results to operands

    def operand_sharing(self, op: Operation, index: int, known: Known) -> Sharing | None:
        operand = op.operands[index]
        match op:
            case StoreNdOp() | StoreMatrixOp():
                return self.accessed(op) or known.get(operand)
            case LoadOp() | StoreOp() | PrefetchOp() | AtomicRMWOp():
                return _of_elements(self.elements(op, known), operand)
            case CreateDescOp() | UpdateOffsetOp():
                return known.get(op.results[0])
            case ConvertLayoutOp():
                layout = over_subgroups(op.input_layout)
                own = None if layout is None else sharing_by(op, layout, vector_type(op.source).get_shape())
                return known.get(operand) or own or known.get(op.result)
            case ShapeCastOp() if (target := known.get(op.result)) is not None:
                shape = vector_type(op.source).get_shape()
                return target.with_shape(shape) or (Sharing.replicated(shape) if target.is_whole else None)
            case _ if _needs_whole_values(op):
                return Sharing.replicated(vector_type(operand).get_shape()) if is_vector(operand) else None
            case _:
                return super().operand_sharing(op, index, known)

    def elements(self, op: ElementAccess, known: Known) -> Sharing | None:
        """Returns the sharing of the elements that an access with an address for each of them accesses."""
        if isinstance(op, AtomicRMWOp):
            return known.get(op.tensor_desc) or _of_elements(_first_known((op.result, op.value), known), op.tensor_desc)
        if isinstance(op, LoadOp):
            return known.get(op.value)
        source = known.get(op.source) or self.accessed(op)
        candidates = (op.value, op.offsets, op.mask) if isinstance(op, StoreOp) else (op.offsets,)
        found = source or _first_known(candidates, known)
        return _of_elements(found, op.value) if isinstance(op, StoreOp) else found


def lanes_of(value: SSAValue) -> tuple[int, ...] | None:
    """Returns the shape of the addresses of a descriptor that has some; None for other values."""
    if not isinstance(value.type, TensorDescType) or not value.type.is_scattered:
        return None
    return tuple(value.type.get_shape()[:1])


def _first_known(values: Iterable[SSAValue | None], known: Known) -> Sharing | None:
    return next((known[value] for value in values if value is not None and value in known), None)


def _needs_whole_values(op: Operation) -> bool:
    """Returns whether there is no rule that divides the values of an operation."""
    return not (type(op) in CARRIERS or is_leaf(op) or is_distributable_elementwise(op) or isinstance(op, _DIVIDED))


def _of_elements(sharing: Sharing | None, value: SSAValue) -> Sharing | None:
    """Returns the sharing of one of the values of an access: addresses lack the dimension of chunks."""
    shape = lanes_of(value) or (vector_type(value).get_shape() if is_vector(value) else None)
    if sharing is None or shape is None:
        return None
    if len(shape) < len(sharing.dims):
        return Sharing(sharing.dims[: len(shape)])
    return Sharing((*sharing.dims, *map(whole, shape[len(sharing.dims) :])))


def _layout_of_access(op: Operation) -> DistributionAttr | None:
    """Returns the layout over subgroups of an access: its own, its descriptor's, or one that a pass left behind."""
    return next((layout for layout in map(over_subgroups, _layouts_of_access(op)) if layout is not None), None)


def _layouts_of_access(op: Operation) -> Iterator[Attribute | None]:
    yield op.properties.get("layout")
    yield from (v.type.map for v in op.operands if isinstance(v.type, TensorDescType))
    yield from (op.attributes.get(name) for name in ("layout", "layout_result_0", "layout_operand_0"))


def _without_result(op: Operation) -> tuple[int, ...] | None:
    """Returns the shape of the data that a store or a prefetch accesses."""
    match op:
        case StoreNdOp() | StoreMatrixOp() | StoreOp():
            return vector_type(op.value).get_shape() if is_vector(op.value) else None
        case PrefetchNdOp():
            return op.desc.get_shape()
        case PrefetchOp() if op.offsets is not None and is_vector(op.offsets):
            return vector_type(op.offsets).get_shape()
        case _:
            return None


def _prime_factors(number: int) -> Iterator[int]:
    factor = 2
    while number > 1:
        if number % factor == 0:
            yield factor
            number //= factor
        else:
            factor += 1
