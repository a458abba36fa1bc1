"""The payload of block-2D messages, and the rules that a surface keeps."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from xegpu.isa.model import BlockShape, Message
from xegpu.targets import Block2D

_PAYLOAD = struct.Struct("<QIIIiiI")
PAYLOAD_BYTES = _PAYLOAD.size


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

    def broken_rule(self, message: Message, block: BlockShape, limits: Block2D) -> str | None:
        """The first rule that the payload breaks, for people; None when it keeps all."""
        encoded = (block.width - 1) | (block.height - 1) << 8 | (block.count - 1) << 16
        start = self.x * message.data_size.memory_bytes
        rules = (
            (self.shape == encoded, f"payload shape {self.shape:#x} is not the message's, {encoded:#x}"),
            _multiple("surface base", self.base, limits.base_alignment),
            _within("surface width", self.width, limits.min_surface_width, limits.max_surface),
            _multiple("surface width", self.width, limits.width_multiple),
            _within("surface height", self.height, 1, limits.max_surface),
            _within("surface pitch", self.pitch, max(limits.min_surface_pitch, self.width), limits.max_surface),
            _multiple("surface pitch", self.pitch, limits.pitch_multiple),
            _multiple("byte of the row where the block starts", start, limits.row_bytes_multiple),
        )
        return next((text for holds, text in rules if not holds), None)


def _multiple(what: str, value: int, factor: int) -> tuple[bool, str]:
    return value % factor == 0, f"{what} {value:#x} is no multiple of {factor}"


def _within(what: str, value: int, low: int, high: int) -> tuple[bool, str]:
    return low <= value <= high, f"{what} {value} is not from {low} to {high}"
