"""The staging area of image messages: the coordinates of all lanes, then their components."""

from __future__ import annotations

from runtime.simulator.machine.images.access import ROWS

LANES = 32
ROW_BYTES = 4 * LANES
"""Bytes of a coordinate or a component of all lanes."""

DATA = ROWS * ROW_BYTES
"""The offset of the components, in bytes."""
