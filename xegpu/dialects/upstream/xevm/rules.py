"""Checks XeVM's requirements on the blocks of 2-D messages, in tables and in upstream's words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import AnyFloat, FixedBitwidthType, FloatTF32Type, IntegerAttr, IntegerType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

ELEMENT_BITS = (8, 16, 32)
MESSAGE_LANES = 16
"""The lanes that share a message: a rule of the dialect, whatever subgroups a GPU has."""


@dataclass(frozen=True)
class Limits:
    """The sizes that the blocks of a message may have, for one size of elements."""

    heights: Collection[int]
    widths: Collection[int]
    blocks: Collection[int] = (1,)
    row: int | None = None
    """The most elements of a row of all blocks."""

    def check(self, height: int, width: int, blocks: int, bits: int) -> None:
        """Raises `VerifyException` unless blocks of `height` rows and `width` columns are within the limits."""
        _check("tile_height", height, self.heights)
        _check("tile_width", width, self.widths)
        _check("v_blocks", blocks, self.blocks)
        if self.row is not None and width * blocks > self.row:
            raise VerifyException(
                f"tile_width * v_blocks should be less than or equal to {self.row} for {bits} bit elements, "
                f"got {width} * {blocks}"
            )


def _check(name: str, size: int, allowed: Collection[int]) -> None:
    if size in allowed:
        return
    if isinstance(allowed, range):
        expected = f"between {allowed[0]} and {allowed[-1]}"
    else:
        expected = " or ".join(map(str, allowed)) if len(allowed) < 3 else _listed(allowed)
    raise VerifyException(f"expecting {name} to be {expected}, got {size}")


def _listed(sizes: Collection[int]) -> str:
    *first, last = sizes
    return f"{', '.join(map(str, first))}, or {last}"


_POWERS = (1, 2, 4, 8, 16, 32)
LOADS: Mapping[int, Limits] = {
    8: Limits(_POWERS, range(4, 65), (1, 2, 4), 64),
    16: Limits(_POWERS, range(2, 33), (1, 2, 4), 32),
    32: Limits(_POWERS, range(1, 17), (1, 2), 16),
}
PACKED_LOADS: Mapping[int, Limits] = {
    8: Limits(_POWERS[2:], (16,), (1, 2, 4)),
    16: Limits(_POWERS[1:], (16,), (1, 2)),
}
TRANSPOSED_LOADS: Mapping[int, Limits] = {32: Limits(_POWERS, range(1, 9))}
STORES: Mapping[int, Limits] = {
    8: Limits(_POWERS[:4], (16, 32)),
    16: Limits(_POWERS[:4], (16,)),
    32: Limits(_POWERS[:4], (16,)),
}
PREFETCHES: Mapping[int, Limits] = {
    8: Limits(_POWERS, (16, 32), (1, 2, 4, 8)),
    16: Limits(_POWERS, (16,), (1, 2, 4, 8)),
    32: Limits(_POWERS, (8, 16), (1, 2, 4, 8)),
}


def check_plane(width: SSAValue, pitch: SSAValue) -> None:
    """Raises `VerifyException` if rows are known to be longer than the distance between them."""
    known = [number.owner.value for number in (width, pitch) if isinstance(number.owner, ConstantOp)]
    sizes = [value.value.data for value in known if isa(value, IntegerAttr)]
    if len(sizes) == 2 and sizes[1] < sizes[0]:
        raise VerifyException(
            f"4th operand (base pitch) should be >= 2nd operand (base width), got {sizes[1]} and {sizes[0]}"
        )


def check_size(what: str, bits: int, expected: int) -> None:
    """Raises `VerifyException` unless a lane's part has as many bits as the message gives it."""
    if bits != expected:
        raise VerifyException(f"{what} size of {bits} bits does not match the expected size of {expected} bits")


def check_vector(type: VectorType, *, is_of_bytes: bool) -> None:
    """Raises `VerifyException` unless a message of a line has the number of elements for a lane."""
    sizes, elements = ((2, 4, 8, 16), "8-bit element type") if is_of_bytes else ((2, 4, 8), "element type > 8 bits")
    if type.element_count() not in sizes:
        *first, last = sizes
        listed = f"{', '.join(map(str, first))} or {last}"
        raise VerifyException(f"vector size must be {listed} for {elements}, got {type}")


def element_bits(element: Attribute) -> int:
    """Returns the size of an element of a block. Raises `VerifyException` unless it is a number of 8, 16 or 32 bits."""
    if isinstance(element, FloatTF32Type):
        return 32
    is_number = isinstance(element, IntegerType | AnyFloat)
    if is_number and isinstance(element, FixedBitwidthType) and element.bitwidth in ELEMENT_BITS:
        return element.bitwidth
    raise VerifyException(f"expecting elements to be integers or floats of 8, 16, or 32 bits, got {element}")
