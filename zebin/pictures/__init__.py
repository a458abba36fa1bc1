"""Pictures of ZEBINs, as text and as SVG: the layout of the file, and the payloads of its kernels."""

from zebin.pictures.memory_map import FileRegion, map_svg, map_table, memory_map
from zebin.pictures.payload import DrawnSlot, Payload, payload_of
from zebin.pictures.payload_drawing import payload_lines, payload_svg

__all__ = [
    "DrawnSlot",
    "FileRegion",
    "Payload",
    "map_svg",
    "map_table",
    "memory_map",
    "payload_lines",
    "payload_of",
    "payload_svg",
]
