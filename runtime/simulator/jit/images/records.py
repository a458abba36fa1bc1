"""The memory that image messages in compiled code share with Python: the staging area, and the images of a launch."""

from __future__ import annotations

import ctypes

from runtime.simulator.machine.images.access import ROWS
from xegpu.isa.model import SAMPLER_BYTES, SURFACE_BYTES

LANES = 32
ROW_BYTES = 4 * LANES
"""Bytes of a coordinate or a component of all lanes in the staging area."""

DATA = ROWS * ROW_BYTES
"""The offset of the components in the staging area, in bytes; the coordinates of all lanes are before them."""


class ImageRecord(ctypes.Structure):
    """An image as an instruction uses it, and the routine for that: `void routine(image, mask, staging)`.

    Attributes:
        surface, sampler: The addresses of the states, by which the instruction names them; 0 without a sampler.
        surface_state, sampler_state: Where the states are in memory. Kernels may overwrite them.
        surface_copy, sampler_copy: The states that this record is about.
        texels: Where the first texel is in memory.
        index: The number of the instruction.
    """

    _fields_ = [
        ("routine", ctypes.c_void_p),
        ("surface", ctypes.c_uint64),
        ("sampler", ctypes.c_uint64),
        ("surface_state", ctypes.c_void_p),
        ("sampler_state", ctypes.c_void_p),
        ("texels", ctypes.c_void_p),
        ("width", ctypes.c_uint64),
        ("height", ctypes.c_uint64),
        ("depth", ctypes.c_uint64),
        ("row_pitch", ctypes.c_uint64),
        ("slice_pitch", ctypes.c_uint64),
        ("surface_copy", ctypes.c_uint8 * SURFACE_BYTES),
        ("sampler_copy", ctypes.c_uint8 * SAMPLER_BYTES),
        ("index", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]


MOST_IMAGES = 64
"""The records of a launch, which are searched one after the other; other images go through Python."""

NO_INDEX = 0xFFFFFFFF
"""The index of a record that is not complete."""
