"""The GPU generations whose native code is known."""

from __future__ import annotations

from enum import Enum


class NativePlatform(Enum):
    """A generation: its name in Intel's assembler, its register size, and the facts of the code that differ.

    `channels_per_offset` is the unit of channel offsets, `tokens` the number of scoreboard tokens, `address_bits` the
    width of the number with a sign that is added to an address register, and `untyped_unit` the bytes in which parts
    of registers without elements are counted. Only some have integers of 64 bits.
    """

    XE_HPC = ("xehpc", 64, 8, 32, 11, 2, True)
    XE_HPG = ("xehpg", 32, 4, 16, 10, 1, False)

    def __init__(
        self,
        text: str,
        grf_bytes: int,
        channels_per_offset: int,
        tokens: int,
        address_bits: int,
        untyped_unit: int,
        has_wide_integers: bool,
    ):
        self.text = text
        self.grf_bytes = grf_bytes
        self.channels_per_offset = channels_per_offset
        self.tokens = tokens
        self.address_bits = address_bits
        self.untyped_unit = untyped_unit
        self.has_wide_integers = has_wide_integers
