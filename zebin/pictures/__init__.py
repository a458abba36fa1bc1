"""Pictures of ZEBINs, as text and as SVG: the file, and code and payloads of its kernels."""

from zebin.pictures.control_flow import control_flow_dot as control_flow_dot
from zebin.pictures.lifetimes import lifetime_table as lifetime_table, register_lifetimes as register_lifetimes
from zebin.pictures.memory_map import map_svg as map_svg, map_table as map_table, memory_map as memory_map
from zebin.pictures.payload import payload_of as payload_of
from zebin.pictures.payload_drawing import payload_lines as payload_lines, payload_svg as payload_svg
