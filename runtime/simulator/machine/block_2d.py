"""The payload of block-2D messages, and the rules that a surface keeps.

A surface begins at a multiple of 64 bytes, which may count from the first byte of its allocation: memory that a launch
borrows from the host lies where the host has it, while a device would have it at an aligned address of its own.

The rules are data. The interpreter evaluates them on numbers, and to name the one that is broken; the JIT emits them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

from xegpu.isa.model import BlockShape, Message
from xegpu.targets import Block2D

PAYLOAD_FIELDS = (
    ("base", 0, 8),
    ("width", 8, 4),
    ("height", 12, 4),
    ("pitch", 16, 4),
    ("x", 20, 4),
    ("y", 24, 4),
    ("shape", 28, 4),
)
"""Name, offset and size in bytes of the fields of a payload. Width, height and pitch are stored less one."""

_PAYLOAD = struct.Struct("<QIIIiiI")
PAYLOAD_BYTES = _PAYLOAD.size


@dataclass(frozen=True)
class SurfaceRule:
    """A number of the payload is from `low` to `high`, and a multiple of `multiple`, a power of two.

    With `at_least` it is not below that other number of the payload either.
    """

    text: str
    quantity: str
    multiple: int = 1
    low: int = 0
    high: int | None = None
    at_least: str | None = None

    def broken(self, quantities: dict[str, int]) -> str | None:
        """Returns how a payload breaks the rule, None if it keeps it."""
        value = quantities[self.quantity]
        low = self.low if self.at_least is None else max(self.low, quantities[self.at_least])
        if self.high is not None and not low <= value <= self.high:
            return f"{self.text} {value} is not from {low} to {self.high}"
        return f"{self.text} {value:#x} is no multiple of {self.multiple}" if value % self.multiple else None


def surface_rules(limits: Block2D) -> tuple[SurfaceRule, ...]:
    """Returns the rules in the order in which they are reported.

    `width`, `height` and `pitch` are the sizes themselves, not less one; `start` is x in bytes.
    """
    largest = limits.max_surface
    return (
        SurfaceRule("surface base", "base", limits.base_alignment),
        SurfaceRule("surface width", "width", limits.width_multiple, limits.min_surface_width, largest),
        SurfaceRule("surface height", "height", 1, 1, largest),
        SurfaceRule("surface pitch", "pitch", limits.pitch_multiple, limits.min_surface_pitch, largest, "width"),
        SurfaceRule("byte of the row where the block starts", "start", limits.row_bytes_multiple),
    )


def encoded_shape(block: BlockShape) -> int:
    """Returns the shape field of the payload for a message's block."""
    return (block.width - 1) | (block.height - 1) << 8 | (block.count - 1) << 16


@dataclass(frozen=True)
class BlockSurface:
    """A surface in bytes and rows, and the block's position (x in elements, y in rows)."""

    base: int
    width: int
    height: int
    pitch: int
    x: int
    y: int
    shape: int

    @staticmethod
    def unpack(payload: bytes | memoryview) -> BlockSurface:
        """Reads the first eight dwords of the payload register."""
        base, width, height, pitch, x, y, shape = _PAYLOAD.unpack_from(payload)
        return BlockSurface(base, width + 1, height + 1, pitch + 1, x, y, shape)

    def broken_rule(
        self, message: Message, block: BlockShape, limits: Block2D, origin: Callable[[int], int]
    ) -> str | None:
        """Returns the text of the first rule that the payload breaks, None if it keeps all.

        `origin` returns the first address of the allocation that an address is in; 0 if it is in none.
        """
        if self.shape != encoded_shape(block):
            return f"payload shape {self.shape:#x} is not the message's, {encoded_shape(block):#x}"
        start = self.x * message.data_size.memory_bytes
        is_placed = any((self.base - first) % limits.base_alignment == 0 for first in (0, origin(self.base)))
        quantities = {
            "base": 0 if is_placed else self.base,
            "width": self.width,
            "height": self.height,
            "pitch": self.pitch,
            "start": start,
        }
        return next((text for rule in surface_rules(limits) if (text := rule.broken(quantities))), None)
