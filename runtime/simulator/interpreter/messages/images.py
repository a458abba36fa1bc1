"""Messages to images: typed reads and writes at integer coordinates, and sampling."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.faults import FaultKind
from runtime.simulator.interpreter.alu.values import Bools, Bytes, lane_array
from runtime.simulator.interpreter.fault import Fault
from runtime.simulator.interpreter.messages.sampling import Indices, sample
from runtime.simulator.interpreter.messages.texels import (
    Components,
    decode_texels,
    encode_texels,
    one_of,
)
from runtime.simulator.interpreter.step import Step
from runtime.simulator.interpreter.thread import Thread
from runtime.simulator.machine.image_states import sampler_problem, surface_problem
from xegpu.isa import Instruction, Register
from xegpu.isa.formats.footprint import Span, image_spans
from xegpu.isa.model.surface_states import (
    LAYOUTS,
    SAMPLER_BYTES,
    SHAPES,
    SURFACE_BYTES,
    Border,
    SamplerState,
    SurfaceState,
    SurfaceType,
)

_COORDINATES = 4


def decode_image(instruction: Instruction, thread: Thread) -> Step:
    """The step of a message to an image."""
    image, lanes = instruction.image, instruction.exec_size
    assert image is not None
    assert instruction.surface is not None
    surface_handle = _handle(thread, instruction.surface)
    sampler_handle = None if instruction.sampler is None else _handle(thread, instruction.sampler)
    coordinates, data, returned = (
        [_words(thread, span) for span in spans] for spans in image_spans(instruction, thread.target)
    )

    def step() -> None:
        on = np.flatnonzero(lane_array(thread.enabled(instruction, lanes), lanes))
        if not len(on):
            return
        surface = SurfaceState.unpack(_record(thread, int(surface_handle[0]), SURFACE_BYTES))
        sampler = None
        if sampler_handle is not None:
            sampler = SamplerState.unpack(_record(thread, int(sampler_handle[0]), SAMPLER_BYTES))
        storage = _Storage(thread, surface, write=instruction.spec.writes)
        given = np.zeros((_COORDINATES, len(on)), np.uint32)
        for number, words in enumerate(coordinates):
            given[number] = words[on]
        if instruction.spec.writes:
            components = np.zeros((len(on), 4), np.uint32)
            components[:, 3] = one_of(surface)
            for number, words in zip(image.components, data, strict=True):
                components[:, number] = words[on]
            storage.write(storage.places(given), components)
            return
        if sampler is None:
            found = storage.read(storage.places(given))
        else:
            singles = [row.view(np.float32) for row in given]
            found = sample(singles, surface, sampler, lambda places: storage.read(places, sampler))
        for number, words in zip(image.components, returned, strict=True):
            words[on] = found[:, number]

    return step


def _handle(thread: Thread, register: Register) -> NDArray[np.uint64]:
    start = thread.byte(register)
    return thread.registers[start : start + 8].view(np.uint64)


def _words(thread: Thread, span: Span) -> NDArray[np.uint32]:
    return thread.registers[span.start : span.end].view(np.uint32)


def _record(thread: Thread, handle: int, size: int) -> bytes:
    """Bytes of a state that keeps its rules; raises `Fault` for any other."""
    is_surface = size == SURFACE_BYTES
    try:
        record = thread.memory.read(np.array([handle], np.uint64), size, size).tobytes()
    except Fault:
        record = None
    problem = (surface_problem if is_surface else sampler_problem)(handle, record)
    if record is None or problem is not None:
        raise Fault(FaultKind.BAD_SURFACE if is_surface else FaultKind.BAD_SAMPLER, problem or "")
    return record


class _Storage:
    """The texels of a surface; raises `Fault` unless one live allocation covers them."""

    def __init__(self, thread: Thread, surface: SurfaceState, *, write: bool):
        self._surface = surface
        try:
            (self._bytes,) = thread.memory.rows(surface.base, 0, 1, surface.extent, write=write)
        except Fault as fault:
            fault.lane = None  # it is not a lane's address
            raise

    def places(self, coordinates: NDArray[np.uint32]) -> list[Indices]:
        """x, y and z of texels at integer coordinates; outside of the image at another level than 0."""
        shape = SHAPES[SurfaceType(self._surface.type)]
        numbers = coordinates.view(np.int32).astype(np.int64)
        places = [np.zeros(numbers.shape[1], np.int64) if axis is None else numbers[axis].copy() for axis in shape.axes]
        places[0][numbers[3] != 0] = -1
        return places

    def read(self, places: list[Indices], sampler: SamplerState | None = None) -> Components:
        """Texels at x, y and z; outside of the image the border."""
        surface, inside = self._surface, self._inside(places)
        raw = np.zeros((len(inside), LAYOUTS[surface.layout].texel_bytes), np.uint8)
        raw[inside] = self._bytes[self._offsets(places, inside)]
        found = decode_texels(raw, surface)
        if sampler is not None and sampler.border != Border.ZERO_BITS:
            one = one_of(surface)
            colour = one if sampler.border == Border.OPAQUE_WHITE else 0
            alpha = 0 if sampler.border == Border.TRANSPARENT_BLACK else one
            found[~inside] = np.array([colour, colour, colour, alpha], np.uint32)
        return found

    def write(self, places: list[Indices], components: Components) -> None:
        """Texels inside of the image, the last one of equal places last."""
        inside = self._inside(places)
        raw: Bytes = encode_texels(components[inside], self._surface)
        self._bytes[self._offsets(places, inside)] = raw

    def _inside(self, places: list[Indices]) -> Bools:
        sizes = (self._surface.width, self._surface.height, self._surface.depth)
        tests = [(place >= 0) & (place < size) for place, size in zip(places, sizes, strict=True)]
        return np.asarray(np.logical_and.reduce(tests), np.bool_)

    def _offsets(self, places: list[Indices], inside: Bools) -> Indices:
        """Index of each byte of the texels that are inside, shape [texels, bytes]."""
        size = LAYOUTS[self._surface.layout].texel_bytes
        pitches = (size, self._surface.row_pitch, self._surface.slice_pitch)
        starts = sum(place[inside] * pitch for place, pitch in zip(places, pitches, strict=True))
        return np.asarray(starts, np.int64)[:, None] + np.arange(size)
