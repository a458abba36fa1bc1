"""Messages to images: their fields, which have names, and their payloads in registers."""

from __future__ import annotations

from xegpu.isa.model.messages import CacheControl, Unit
from xegpu.on_demand import dataclass

CHANNELS = "xyzw"
"""Components of a texel, by their bit in the channel mask."""

COORDINATES = ("u", "uv", "uvr", "uvrl")
"""Coordinates that a message may carry; `l` is the level of detail."""

ELEMENT_BYTES = 4
"""Bytes of a coordinate, and of a component, in registers."""


@dataclass(frozen=True, slots=True)
class ImageMessage:
    """The fields of an image message, besides its registers.

    `channels` is a mask of the components that are returned or stored, x in bit 0; `coordinates` is the number of them
    that the payload holds, the others are zero.
    """

    unit: Unit
    channels: int
    coordinates: int
    cache: CacheControl = CacheControl.DEFAULT

    @property
    def components(self) -> tuple[int, ...]:
        """Numbers of the components in the mask, in the order in which registers hold them."""
        return tuple(number for number in range(len(CHANNELS)) if self.channels >> number & 1)

    @property
    def shape(self) -> str:
        """Components and coordinates as they are written: `xyzw.uv`."""
        return f"{channel_text(self.channels)}.{COORDINATES[self.coordinates - 1]}"


def channel_text(channels: int) -> str:
    """Returns the components of a channel mask: `xyz` for 7."""
    return "".join(name for number, name in enumerate(CHANNELS) if channels >> number & 1)


def channel_bytes(exec_size: int, grf_bytes: int, min_lanes: int) -> int:
    """Returns the register bytes of one coordinate or component of all channels, which is whole registers.

    `min_lanes` is the number of channels that smaller payloads are padded to (`Platform.physical_simd_width`).
    """
    return -(-max(exec_size, min_lanes) * ELEMENT_BYTES // grf_bytes) * grf_bytes
