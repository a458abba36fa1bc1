"""Image messages: typed reads and writes at integer coordinates, and sampling.

Both engines call `access_image`; the JIT does so through a callback from compiled code. An image message is some
hundred times slower than a load that way, but there is a single definition of formats, filters and faults.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.fault import Fault
from runtime.simulator.machine.images.sampling import Indices, sample
from runtime.simulator.machine.images.states import read_sampler, read_surface
from runtime.simulator.machine.images.texels import Components, border_texel, decode_texels, encode_texels, one_of
from runtime.simulator.memory import RangeTable
from xegpu.isa import IllegalInstruction, Instruction
from xegpu.isa.model import LAYOUTS, SHAPES, Border, SamplerState, SurfaceState, SurfaceType

ROWS = 4
"""Coordinates (u, v, r, level of detail) and components (x, y, z, w) of a message."""

Rows = NDArray[np.uint32]
"""Bits of coordinates or components: shape [ROWS, lanes]."""


def access_image(
    instruction: Instruction, table: RangeTable, surface: int, sampler: int | None, coordinates: Rows, components: Rows
) -> None:
    """Performs an image message for the enabled lanes, of which there is at least one.

    Args:
        instruction: The message.
        table: The live allocations.
        surface: Address of the surface state.
        sampler: Address of the sampler state, None for messages without a sampler.
        coordinates: Coordinates, zero where the message has none.
        components: The components to store, or those that were read.

    Raises:
        Fault: A state breaks a rule, or no allocation covers the texels.

    """
    image, writes = instruction.image, instruction.spec.writes
    if image is None:
        raise IllegalInstruction(f"{instruction.mnemonic}: no image message")
    surface_state = read_surface(table, surface)
    sampler_state = None if sampler is None else read_sampler(table, sampler)
    texels = _Texels(table, surface_state, write=writes)
    if writes:
        stored = np.zeros((components.shape[1], ROWS), np.uint32)
        stored[:, 3] = one_of(surface_state)
        for number in image.components:
            stored[:, number] = components[number]
        texels.write(texels.positions(coordinates), stored)
        return
    if sampler_state is None:
        found = texels.read(texels.positions(coordinates))
    else:
        singles = list(coordinates.view(np.float32))
        found = sample(singles, surface_state, sampler_state, lambda at: texels.read(at, sampler_state))
    components[:] = found.T


class _Texels:
    """The texels of a surface. Raises `Fault` unless one live allocation covers all of them."""

    def __init__(self, table: RangeTable, surface: SurfaceState, *, write: bool):
        self._surface = surface
        base, extent = surface.base, surface.extent
        owner = int(np.searchsorted(table.starts, np.uint64(base), side="right")) - 1
        if owner < 0 or base + extent > table.allocations[owner].end:
            raise Fault(FaultKind.OUT_OF_BOUNDS, address=base, size=extent)
        if write and not table.writable[owner]:
            raise Fault(FaultKind.READ_ONLY, address=base, size=extent)
        allocation = table.allocations[owner]
        self._bytes = allocation.data[base - allocation.address :][:extent]

    def positions(self, coordinates: Rows) -> list[Indices]:
        """Returns x, y and z of texels at integer coordinates.

        Levels of detail other than 0 do not exist: they give positions outside of the image.
        """
        shape = SHAPES[SurfaceType(self._surface.type)]
        numbers = coordinates.view(np.int32).astype(np.int64)
        found = [np.zeros(numbers.shape[1], np.int64) if axis is None else numbers[axis].copy() for axis in shape.axes]
        found[0][numbers[3] != 0] = -1
        return found

    def read(self, positions: list[Indices], sampler: SamplerState | None = None) -> Components:
        """Returns the texels at x, y and z, and the border colour outside of the image."""
        surface, inside = self._surface, self._inside(positions)
        raw = np.zeros((len(inside), LAYOUTS[surface.layout].texel_bytes), np.uint8)
        raw[inside] = self._bytes[self._offsets(positions, inside)]
        found = decode_texels(raw, surface)
        if sampler is not None and sampler.border != Border.ZERO_BITS:
            found[~inside] = border_texel(surface, sampler)
        return found

    def write(self, positions: list[Indices], components: Components) -> None:
        """Writes the texels that are inside of the image. Of lanes with equal positions the last one wins."""
        inside = self._inside(positions)
        self._bytes[self._offsets(positions, inside)] = encode_texels(components[inside], self._surface)

    def _inside(self, positions: list[Indices]) -> NDArray[np.bool_]:
        x, y, z = positions
        surface = self._surface
        below = (x < surface.width) & (y < surface.height) & (z < surface.depth)
        return below & (x >= 0) & (y >= 0) & (z >= 0)

    def _offsets(self, positions: list[Indices], inside: NDArray[np.bool_]) -> Indices:
        """Returns the offset of each byte of the texels that are inside, shape [texels, bytes]."""
        size = LAYOUTS[self._surface.layout].texel_bytes
        x, y, z = (position[inside] for position in positions)
        starts = x * size + y * self._surface.row_pitch + z * self._surface.slice_pitch
        return np.asarray(starts[:, None] + np.arange(size), np.int64)
