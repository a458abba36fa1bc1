"""Small integers: results narrower than what an instruction computes in, and places that no field can state."""

from __future__ import annotations

from dataclasses import replace

from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import VXH, Destination, Immediate, Region, RegisterFile, SourceRegister, strided
from xegpu.isa.model.types import PACKED_AS, DataType, integer
from xegpu.isa.native.emission.legalization.parts import contiguous, is_scalar, plain
from xegpu.isa.native.emission.legalization.regions import halves_of_channels
from xegpu.isa.native.emission.words.context import EmissionContext, UnsupportedEmission
from xegpu.isa.native.encoding import codes
from xegpu.isa.native.encoding.instruction import NativeInstruction

_Steps = list[Instruction | NativeInstruction]
_BYTE, _WORD = 8, 16
_STRIDES = frozenset(codes.STRIDES.values())
_HORIZONTAL = 4
"""The largest step between elements of a row."""

_THREE = 3


def pack(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns an instruction whose results lie as far apart as the numbers it computes in, and a move to their place.

    A move that drops high bits reads the low ones instead.
    """
    destination = instruction.destination
    if destination is None or instruction.spec.is_matrix_product or destination.type.is_float:
        return None
    lanes, bits = instruction.exec_size, _computed_bits(instruction)
    if lanes == 1 or destination.type.bits * destination.stride >= bits:
        return None
    if destination.register.is_null:
        return [replace(instruction, destination=replace(destination, type=integer(bits, signed=False)))]
    if instruction.mnemonic == "mov":
        (source,) = instruction.sources
        if _copies(instruction, source, destination):
            return None
        low = _low_bits(instruction, source, destination)
        if low is not None:
            return [low]
    stride = bits // destination.type.bits
    if stride not in _STRIDES:
        raise UnsupportedEmission(f"{destination.type.text} from numbers of {bits} bits")
    if lanes * bits // 8 > 2 * context.platform.grf_bytes:
        return halves_of_channels(instruction, context)
    apart = Destination(context.temporary(3), destination.type, stride)
    together = plain(instruction, "mov", destination, SourceRegister(apart.register, apart.type, strided(stride)))
    if instruction.spec.selects:
        return [replace(instruction, destination=apart), together]
    if instruction.condition is not None and instruction.predicate is not None:
        raise UnsupportedEmission("small integers with a condition under a predicate")
    compute = replace(instruction, destination=apart, predicate=None)
    return [compute, replace(together, predicate=instruction.predicate)]


def _computed_bits(instruction: Instruction) -> int:
    """Returns the bits of the numbers that an instruction computes in: those of its widest source, and 16 at least."""
    types = [PACKED_AS.get(source.type, source.type) for source in instruction.sources]
    return max(_WORD, *(type.bits for type in types))


def _copies(instruction: Instruction, source: SourceRegister | Immediate, destination: Destination) -> bool:
    """Returns whether a move copies bits, which it does wherever they lie."""
    if isinstance(source, Immediate) or source.negate or source.absolute or source.type.is_float:
        return False
    return source.type.bits == destination.type.bits and not instruction.saturate and instruction.condition is None


def _low_bits(
    instruction: Instruction, source: SourceRegister | Immediate, destination: Destination
) -> Instruction | None:
    """Returns a move of the low parts of integers in registers, which copies them."""
    if isinstance(source, Immediate) or source.type.is_float or source.negate or source.absolute:
        return None
    times, region = source.type.bits // destination.type.bits, source.region
    is_plain = region.vertical != VXH and source.register.file is not RegisterFile.INDIRECT
    if times < 2 or not is_plain or instruction.saturate or instruction.condition is not None:
        return None
    if region.width > 1 and region.horizontal * times > _HORIZONTAL:
        return None
    low = Region(region.vertical * times, region.width, region.horizontal * times)
    return replace(instruction, sources=(replace(source, type=destination.type, region=low),))


def widen_bytes(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns an instruction with words in the place of constants of a byte, which the hardware does not have."""
    sources = tuple(
        Immediate.of(source.value(), DataType.W if source.type.is_signed else DataType.UW)
        if isinstance(source, Immediate) and source.type.bits == _BYTE
        else source
        for source in instruction.sources
    )
    return [replace(instruction, sources=sources)] if sources != instruction.sources else None


def make_even(instruction: Instruction, context: EmissionContext) -> _Steps | None:
    """Returns an instruction behind copies of sources that begin at odd bytes, which only the first of two may."""
    if instruction.spec.is_matrix_product or context.encoding.untyped_unit == 1:
        return None
    steps: _Steps = []
    sources = list(instruction.sources)
    for index, source in enumerate(instruction.sources):
        if isinstance(source, Immediate) or (index == 0 and len(sources) < _THREE):
            continue
        if source.register.file is not RegisterFile.GRF or not source.register.byte % 2:
            continue
        lanes = 1 if is_scalar(source, instruction.exec_size) else instruction.exec_size
        copy = Destination(context.temporary(index), source.type)
        steps.append(plain(instruction, "mov", copy, replace(source, negate=False, absolute=False), lanes=lanes))
        even = contiguous(copy.register, copy.type, lanes)
        sources[index] = replace(even, negate=source.negate, absolute=source.absolute)
    return [*steps, replace(instruction, sources=tuple(sources))] if steps else None
