"""Rules of the `llvm` dialect: the fact of a pointer is that of the sum of numbers that its address is."""

from __future__ import annotations

from xdsl.dialects.llvm import IntToPtrOp, PtrToIntOp
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from passes.analysis.integers.arithmetic import extended, product_of, resized, sum_of, truncated
from passes.analysis.integers.fact import IntegerFact, anything, constant, signed
from passes.analysis.integers.table import bits_of, rule
from passes.kernel.memories import memory_of
from xegpu.dialects.upstream.llvm import (
    AddrSpaceCastOp,
    GEPOp,
    no_wrap_flags,
    pointer_terms,
)

_OBJECT_BITS = 34
"""The bits that count the bytes of an object. Allocations have at most 4 GiB, unless they ask for more."""


@rule(GEPOp)
def _element_pointer(op: GEPOp, base: IntegerFact, *indices: IntegerFact) -> IntegerFact:
    found = dict(zip(op.ssa_indices, indices, strict=True))
    total, moves = base, 0
    try:
        terms = list(pointer_terms(op))
    except VerifyException:
        return anything(base.bits, base.lanes)
    moves = sum(isinstance(index, SSAValue) for index, _ in terms)
    for index, size in terms:
        if isinstance(index, int):
            term = constant(index * size, base.bits, base.lanes)
        else:
            wide = resized(found[index], base.bits, as_signed=True)
            term = product_of(wide, constant(size, base.bits, base.lanes))
            if no_wrap_flags(op) & 1 and base.is_uniform and moves == 1:
                term = _in_one_object(term)
        total = sum_of(total, term)
    return total


def _in_one_object(distance: IntegerFact) -> IntegerFact:
    """Returns the fact of distances from one place of which all lanes stay in the same object.

    What lanes before and after a wrap-around in a narrow type are apart is more than any object has.
    """
    if not _OBJECT_BITS <= distance.alike < distance.bits:
        return distance
    step = signed(distance.step, distance.alike)
    if abs(step) * (distance.lanes - 1) >= 1 << distance.alike - 1:
        return distance
    return distance._replace(alike=distance.bits, step=step & (1 << distance.bits) - 1)


@rule(AddrSpaceCastOp)
def _cast_pointer(op: AddrSpaceCastOp, pointer: IntegerFact) -> IntegerFact:
    return pointer


@rule(PtrToIntOp)
def _number_of_pointer(op: PtrToIntOp, pointer: IntegerFact) -> IntegerFact:
    memory = memory_of(op.input.type)
    if memory is not None:  # Small memories have narrow addresses, whose sums wrap around earlier.
        pointer = extended(truncated(pointer, memory.address_type.bits), pointer.bits, as_signed=False)
    return resized(pointer, bits_of(op.output.type), as_signed=False)


@rule(IntToPtrOp)
def _pointer_of_number(op: IntToPtrOp, number: IntegerFact) -> IntegerFact:
    return resized(number, bits_of(op.output.type), as_signed=False)
