"""Runs single image messages in both engines: 32 lanes, coordinates and components as arrays of [4, 32] dwords."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from runtime.simulator import DeviceFault, Memory, Simulator, ThreadState
from runtime.simulator.engines import create
from runtime.simulator.execution.engine import PreparedKernel
from runtime.simulator.jit.engine import JitEngine
from tests.unit.runtime.simulator.described import described
from tests.unit.runtime.simulator.jit.hosts import HOSTS
from xegpu.isa.model.surface_states import (
    LAYOUTS,
    SAMPLER_BYTES,
    SHAPES,
    SURFACE_BYTES,
    SamplerState,
    SurfaceState,
    SurfaceType,
)
from xegpu.isa.text.assembler import assemble
from xegpu.targets import ARC

LANES = 32
ENGINES = ("interpreter", "jit")
EVERY_LANE = 0xFFFFFFFF

_HANDLES, _COORDINATES, _DATA = 2, 16, 32
_BLOCK = LANES * 4 // ARC.platform.grf_bytes
_GRFS = 128

Rows = NDArray[np.uint32]

LOAD = "load_quad.tgm.d32.xyzw.uvrl (32|M0) r32 bss[r2.0][r16]"
STORE = "store_quad.tgm.d32.xyzw.uvrl (32|M0) bss[r2.0][r16] r32"
SAMPLE = "sample_lz.smpl.d32.xyzw.uvr (32|M0) r32 bss[r2.0][r16] sampler[r2.1]"


@dataclass(frozen=True)
class Image:
    """A surface and the bytes of its storage; the surface's base counts from the storage's start."""

    surface: SurfaceState
    storage: bytes


def tight(
    type: SurfaceType, layout: int, channel_type: int, width: int, height: int = 1, depth: int = 1, gap: int = 0
) -> SurfaceState:
    """A surface with `gap` texels between rows, and as many rows between slices; its base is 0."""
    texel = LAYOUTS[layout].texel_bytes
    row = (width + gap) * texel
    return SurfaceState(type, layout, channel_type, width, height, depth, 0, row, (height + gap) * row)


def random_image(rng: np.random.Generator, type: SurfaceType, layout: int, channel_type: int) -> Image:
    """A small image with random texels."""
    shape = SHAPES[type]
    width, height, depth = (1 if axis is None else int(rng.integers(1, 8)) for axis in shape.axes)
    surface = tight(type, layout, channel_type, width, height, depth, int(rng.integers(0, 3)))
    if rng.random() < 0.5:
        x, y, z, w = (int(n) for n in rng.integers(0, 7, 4))
        surface = replace(surface, swizzle=(x, y, z, w))
    return Image(surface, rng.bytes(surface.extent))


@lru_cache(maxsize=64)
def _prepared(text: str, engine: str) -> PreparedKernel:
    """A kernel in an engine; `jit.NAME` compiles for one of the hosts of that name."""
    code = assemble(f"{text}\neot", grf_bytes=ARC.platform.grf_bytes)
    description = described("image", code, ARC, LANES, _GRFS)
    name, _, host = engine.partition(".")
    made = JitEngine(HOSTS[host]) if host else create(name)
    return made.prepare(Simulator(ARC, Memory(), "interpreter").load(description))


@dataclass(frozen=True)
class Outcome:
    """Components, and the storage behind the message."""

    components: Rows
    storage: bytes


class Options(TypedDict, total=False):
    """The optional parts of a message beside its coordinates; `state` replaces the surface's record."""

    sampler: SamplerState
    data: Rows
    state: bytes
    mask: int
    writable: bool


def send(engine: str, text: str, image: Image, coordinates: Rows, **options: Unpack[Options]) -> Outcome:
    """One message. Raises `DeviceFault`; its address counts from the storage."""
    memory = Memory()
    storage = memory.allocate(max(len(image.storage), 1), label="texels")
    states = memory.allocate(SURFACE_BYTES + SAMPLER_BYTES, label="states")
    storage.view()[:] = image.storage or b"\0"
    if not options.get("writable", True):
        backing = storage
        memory.free(backing)
        storage = memory.register(backing.address, backing.size, "device", "texels", writable=False)
    surface = replace(image.surface, base=image.surface.base + storage.address)
    states.view()[:SURFACE_BYTES] = options.get("state", surface.pack())
    if "sampler" in options:
        states.view()[SURFACE_BYTES:] = options["sampler"].pack()
    file = np.zeros((_GRFS, ARC.platform.grf_bytes // 4), np.uint32)
    file[_HANDLES, :4] = np.array([states.address, states.address + SURFACE_BYTES], np.uint64).view(np.uint32)
    file[_COORDINATES : _COORDINATES + 4 * _BLOCK] = coordinates.reshape(-1, file.shape[1])
    start = options.get("data", np.zeros((4, LANES), np.uint32))
    file[_DATA : _DATA + 4 * _BLOCK] = start.reshape(-1, file.shape[1])
    mask = options.get("mask", EVERY_LANE)
    try:
        final = _prepared(text, engine).run_thread(
            ThreadState(file.tobytes(), (0,) * ARC.platform.flag_registers, mask), memory
        )
    except DeviceFault as fault:
        if fault.address is not None:
            fault.address -= storage.address
        raise
    registers = np.frombuffer(final.registers, np.uint32).reshape(file.shape)
    found = registers[_DATA : _DATA + 4 * _BLOCK].reshape(4, LANES)
    return Outcome(found.copy(), bytes(storage.view()))


def send_both(text: str, image: Image, coordinates: Rows, **options: Unpack[Options]) -> Outcome:
    """The same in both engines, which must agree."""
    first, second = (send(engine, text, image, coordinates, **options) for engine in ENGINES)
    assert (first.components == second.components).all(), _first_difference(first.components, second.components)
    assert first.storage == second.storage
    return first


def _first_difference(one: Rows, two: Rows) -> str:
    component, lane = (int(n[0]) for n in np.nonzero(one != two))
    return f"component {component} of lane {lane}: {one[component, lane]:#x} and {two[component, lane]:#x}"


def places(image: Image, rng: np.random.Generator) -> Rows:
    """Integer coordinates, most of them inside of the image; a few lanes name another level."""
    surface = image.surface
    shape = SHAPES[SurfaceType(surface.type)]
    rows = rng.integers(-2, 10, (4, LANES)).astype(np.int64)
    for axis, size in zip(shape.axes, (surface.width, surface.height, surface.depth), strict=True):
        if axis is not None:
            rows[axis] = rng.integers(-1, size + 1, LANES)
    rows[3] = rng.random(LANES) < 0.1
    return rows.astype(np.int32).view(np.uint32)
