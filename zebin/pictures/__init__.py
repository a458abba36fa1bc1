"""Pictures of ZEBINs, as text and as SVG: where things stand in the file, and how a kernel's payload is laid out."""

from zebin.pictures.memory_map import Region, map_svg, map_table, memory_map
from zebin.pictures.payload import Payload, Slot, payload_of
from zebin.pictures.payload_drawing import payload_lines, payload_svg

__all__ = [
    "Payload",
    "Region",
    "Slot",
    "map_svg",
    "map_table",
    "memory_map",
    "payload_lines",
    "payload_of",
    "payload_svg",
]
