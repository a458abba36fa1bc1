"""Computes the addresses of accesses: their constant part becomes part of the message.

A pointer is a sum: of where an object starts, of indices times the bytes that they count in, and of a constant. What
all lanes share is computed once, and what pointers have in common is computed once in a block.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.dialects.llvm import AddressOfOp, AllocaOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.kernel.memories import MessageMemory, memory_of
from passes.kernel.register_types import element_type
from xegpu.dialects.upstream.llvm import (
    GEPOp,
    pointer_terms,
)
from xegpu.isa.model import DataType, Immediate, integer

_FARTHEST = (1 << 19) - 4096
"""Messages add constants of 20 bits to addresses, of which the units of an access take some."""
_LARGEST_SMALL_MEMORY = 1 << 20
"""A size that neither private nor shared local memory reach."""
_IDENTITY = {"add": 0, "mul": 1}

Terms = tuple[tuple[SSAValue, int], ...]


@dataclass(frozen=True)
class PointerSum:
    """A pointer: `base` (None: 0), indices with the bytes that they count in, and a constant distance."""

    base: SSAValue | None
    terms: Terms
    distance: int


@dataclass(frozen=True)
class SplitAddress:
    """An address, once or for each lane, and the distance that messages add to it."""

    number: Number
    distance: int


def address_of(lowering: KernelLowering, pointer: SSAValue, access: Operation, *, first: bool = False) -> SplitAddress:
    """Returns the address that a pointer holds, for an access behind it: of all lanes, or of the `first` one only.

    Distances are added to addresses of 32 bits without wrapping around, so that those must not be negative.
    """
    type, memory = element_type(pointer.type), memory_of(pointer.type)
    assert type is not None
    found = _sum(lowering, pointer, access.parent_block())
    if not found.terms and found.base is None:
        return SplitAddress(UniformConstant(type, found.distance & (1 << type.bits) - 1), 0)
    if memory is None:
        exact = False
    elif memory is MessageMemory.GLOBAL:
        exact = True
    else:
        exact = found.distance >= 0 and _is_near_start(lowering, found)
    near = exact and -_FARTHEST <= found.distance < _FARTHEST
    rest = 0 if near else found.distance
    return SplitAddress(_emitted(lowering, found.base, found.terms, rest, type, first), found.distance - rest)


def combine(lowering: KernelLowering, mnemonic: str, a: Number, b: Number) -> Number:
    """Returns the sum or product of two addresses of one type, each a constant, one for all lanes, or one a lane."""
    type = a.type
    if isinstance(a, UniformConstant) and isinstance(b, UniformConstant):
        x, y = int(a.value), int(b.value)
        return UniformConstant(type, (x + y if mnemonic == "add" else x * y) & (1 << type.bits) - 1)
    for number, other in ((a, b), (b, a)):
        if isinstance(number, UniformConstant) and number.value == _IDENTITY[mnemonic]:
            return other
    count = max(n.count for n in (a, b) if isinstance(n, Elements))
    return lowering.emit.alu(mnemonic, type, [a, b], count)


def in_bits(lowering: KernelLowering, number: Number | int, type: DataType) -> Number:
    """Returns a signed integer with the bits of an address."""
    if isinstance(number, int):
        return UniformConstant(type, number & (1 << type.bits) - 1)
    signed = integer(number.type.bits, signed=True)
    if isinstance(number, UniformConstant):
        return in_bits(lowering, int(Immediate.of(number.value, signed).value()), type)
    if number.type.bits == type.bits:
        return number.as_type(type)
    wide = integer(type.bits, signed=True)
    return lowering.emit.unary("mov", wide, number.as_type(signed), number.count).as_type(type)


def pointer_number(lowering: KernelLowering, op: GEPOp) -> Number:
    """Returns the whole address that a `llvm.getelementptr` computes."""
    type = element_type(op.result.type)
    assert type is not None
    found = _sum(lowering, op.result, op.parent_block())
    return _emitted(lowering, found.base, found.terms, found.distance, type)


def _sum(lowering: KernelLowering, pointer: SSAValue, block: Block | None) -> PointerSum:
    """Returns the terms whose sum a pointer is, as far as it is computed in a block (None: in any)."""
    terms: list[tuple[SSAValue, int]] = []
    distance = 0
    while isinstance(op := pointer.owner, GEPOp) and (block in (None, op.parent_block()) or not op.ssa_indices):
        try:
            for index, step in pointer_terms(op):
                if isinstance(index, int):
                    distance += index * step
                else:
                    terms.append((index, step))
        except VerifyException as error:
            lowering.refuse(op, str(error))
        pointer = op.ptr
    place = lowering.resources.places.get(pointer)
    if isinstance(pointer.owner, AddressOfOp) and place is not None:
        return PointerSum(None, tuple(terms), distance + place.offset)
    return PointerSum(pointer, tuple(terms), distance)


def _is_near_start(lowering: KernelLowering, pointer: PointerSum) -> bool:
    """Returns whether the sum without the distance is an address in a small memory, or not far behind it."""
    whole = pointer if pointer.base is None else _sum(lowering, pointer.base, None)
    base = whole.base
    starts = base is None or isinstance(base.owner, AllocaOp) or base in lowering.function.body.blocks[0].args
    terms = whole.terms if whole is pointer else (*whole.terms, *pointer.terms)
    facts = [(lowering.facts.of(index), step) for index, step in terms]
    if not starts or any(fact.least < 0 for fact, _ in facts):
        return False
    limit = sum(fact.most * step for fact, step in facts)
    distance = 0 if whole is pointer else whole.distance
    return distance >= 0 and limit + distance + _LARGEST_SMALL_MEMORY < 1 << 31


def _emitted(
    lowering: KernelLowering,
    base: SSAValue | None,
    terms: Terms,
    distance: int,
    type: DataType,
    first: bool = False,
) -> Number:
    """Returns a sum, which adds the terms that all lanes share first."""
    key = (base, terms, distance, type, first)
    if key not in lowering.blocks.sums:
        lowering.blocks.sums[key] = _sum_of_parts(lowering, base, terms, distance, type, first)
    return lowering.blocks.sums[key]


def _sum_of_parts(
    lowering: KernelLowering, base: SSAValue | None, terms: Terms, distance: int, type: DataType, first: bool
) -> Number:
    shared = tuple(term for term in terms if term[0] not in lowering.divergent)
    own = tuple(term for term in terms if term[0] in lowering.divergent)
    total = _terms(lowering, shared, type)
    if base is not None:
        total = combine(lowering, "add", _number(lowering, base, first), total)
    total = combine(lowering, "add", total, UniformConstant(type, distance & (1 << type.bits) - 1))
    return combine(lowering, "add", total, _terms(lowering, own, type, first))


def _number(lowering: KernelLowering, value: SSAValue, first: bool) -> Number:
    """Returns a number, or that of the first lane."""
    number = lowering.number(value)
    if first and isinstance(number, Elements) and number.lanes > 1:
        return replace(number.part(0, 1), lanes=1)
    return number


def _terms(lowering: KernelLowering, terms: Terms, type: DataType, first: bool = False) -> Number:
    """Returns the sum of indices times the bytes that they count in."""
    key = (None, terms, 0, type, first)
    if key not in lowering.blocks.sums:
        total: Number = UniformConstant(type, 0)
        for index, step in terms:
            factor = UniformConstant(type, step & (1 << type.bits) - 1)
            part = combine(lowering, "mul", in_bits(lowering, _number(lowering, index, first), type), factor)
            total = combine(lowering, "add", total, part)
        lowering.blocks.sums[key] = total
    return lowering.blocks.sums[key]
