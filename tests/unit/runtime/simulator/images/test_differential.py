"""Random programs that mix image messages with arithmetic, in both engines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings, strategies as st

from tests.amounts import examples
from tests.unit.runtime.simulator.images.bench import tight
from tests.unit.runtime.simulator.programs.differential import ARENA_BYTES, Case, assert_engines_agree, random_bytes
from tests.unit.xegpu.isa.programs import images, programs
from xegpu.isa import BY_MNEMONIC, Instruction, InstructionFormat, assemble_program
from xegpu.isa.model.operands import grf
from xegpu.isa.model.surface_states import LAYOUTS, SHAPES, SamplerState, SurfaceType
from xegpu.isa.model.table import TABLE
from xegpu.targets import ARC

_SPECS = [spec for spec in TABLE if spec.format is InstructionFormat.IMAGE]

_GRFS = 128
_HANDLES = 100
"""The register with the addresses of surface and sampler state; random operands lie below it."""

_PROLOGUE = "(W) store.ugm.d64.a64 (1|M0) flat[r102] r101\n"
"""Puts the address of the texels, which only the run knows, to the surface state."""

_SAMPLER, _TEXELS = 64, 512
"""The offsets of the sampler state and the texels in the arena, which starts with the surface state."""


@st.composite
def image_cases(draw: st.DrawFn, max_messages: int = 3) -> Case:
    """Programs with a few messages to a small image, some of whose states break a rule."""
    body: list[Instruction] = list(assemble_program(_PROLOGUE, grf_bytes=ARC.platform.grf_bytes).instructions)
    for _ in range(draw(st.integers(1, max_messages))):
        body += draw(programs(ARC, max_size=2))[:-1]
        message = draw(images(ARC, draw(st.sampled_from(_SPECS))))
        sampler = grf(_HANDLES, 8) if message.spec.sampler else None
        body.append(replace(message, surface=grf(_HANDLES), sampler=sampler))
    body.append(Instruction(BY_MNEMONIC["eot"]))
    rng = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    registers = random_bytes(_GRFS * ARC.platform.grf_bytes, int(rng.integers(1 << 32)))
    flags = tuple(int(n) for n in rng.integers(0, 1 << 32, ARC.platform.flag_registers))
    mask = draw(st.sampled_from([0xFFFFFFFF, 0xFFFF, 0]) | st.integers(0, 0xFFFFFFFF))
    start = _HANDLES * ARC.platform.grf_bytes
    addresses = ((start, 0), (start + 8, _SAMPLER), (start + 32, _TEXELS), (start + 64, 24))
    return Case(ARC, tuple(body), registers, flags, mask, _arena(rng), addresses)


def _arena(rng: np.random.Generator) -> bytes:
    """Both states, then texels."""
    type = SurfaceType(int(rng.integers(len(SurfaceType))))
    layout = int(rng.integers(len(LAYOUTS)))
    kind = rng.choice(sorted(LAYOUTS[layout].types))
    width, height, depth = (1 if axis is None else int(rng.integers(1, 9)) for axis in SHAPES[type].axes)
    x, y, z, w = (int(n) for n in rng.integers(0, 7, 4))
    surface = replace(tight(type, layout, int(kind), width, height, depth), swizzle=(x, y, z, w))
    numbers = (int(rng.integers(5)), int(rng.integers(2)), int(rng.integers(2)), int(rng.integers(4)))
    states = bytearray(surface.pack() + SamplerState(*numbers).pack())
    if rng.random() < 0.1:
        states[int(rng.integers(len(states)))] ^= 1 << int(rng.integers(8))
    return bytes(states).ljust(_TEXELS, b"\0") + random_bytes(ARENA_BYTES - _TEXELS, int(rng.integers(1 << 32)))


@settings(max_examples=examples(25))
@given(image_cases())
def test_engines_agree(case: Case) -> None:
    assert_engines_agree(case)
