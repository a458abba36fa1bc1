"""Undefined bits in logic operations: a result bit is defined if one operand alone determines it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from runtime.simulator.checks.definedness.origins import Numbers, origins_of, undefined_bits, with_undefined_bits
from runtime.simulator.interpreter.threads.values import Array
from xegpu.isa import Instruction, SourceRegister
from xegpu.isa.model import PACKED_IMMEDIATES

_OPERATIONS = frozenset({"and", "or", "xor", "not"})


def is_bitwise(instruction: Instruction) -> bool:
    """Returns whether each bit of the result depends only on the source bits at the same position."""
    destination = instruction.destination
    return (
        instruction.mnemonic in _OPERATIONS
        and destination is not None
        and all(
            source.type not in PACKED_IMMEDIATES and source.type.size == destination.type.size
            for source in instruction.sources
        )
    )


def bitwise(instruction: Instruction, sources: Sequence[Numbers], values: Sequence[Array]) -> Numbers:
    """Returns the origin numbers of the result's bytes, from those of the sources, shape [channels or 1, bytes], and
    their values.
    """
    if not any(numbers.any() for numbers in sources):
        return sources[0]
    undefined = [undefined_bits(numbers) for numbers in sources]
    operands = zip(instruction.sources, sources, values, strict=True)
    decides = [_bytes(value, numbers, source) for source, numbers, value in operands]
    found = reduce(np.bitwise_or, undefined)
    match instruction.mnemonic:
        case "and":  # 0 determines the result
            for bits, value in zip(undefined, decides, strict=True):
                found = found & (bits | value)
        case "or":  # 1 determines the result
            for bits, value in zip(undefined, decides, strict=True):
                found = found & (bits | ~value)
    return with_undefined_bits(reduce(np.maximum, map(origins_of, sources)), found)


def _bytes(value: Array, numbers: Numbers, source: object) -> Numbers:
    """Returns the bytes of a source, complemented if the operand is."""
    found = value.reshape(-1, 1).view(np.uint8).astype(np.int32)
    return ~found if isinstance(source, SourceRegister) and source.negate else found
