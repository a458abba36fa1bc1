"""Surface and sampler states that break a rule, and storage that is not there: faults of both engines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Unpack

import numpy as np
import pytest

from runtime.simulator import DeviceFault, FaultKind
from tests.unit.runtime.simulator.images.bench import (
    ENGINES,
    LANES,
    LOAD,
    SAMPLE,
    STORE,
    Image,
    Options,
    send,
    send_both,
    tight,
)
from xegpu.isa.model.surface_states import ChannelType, SamplerState, SurfaceState, SurfaceType

ORIGIN = np.zeros((4, LANES), np.uint32)
SURFACE = tight(SurfaceType.IMAGE_2D, 4, ChannelType.UNORM, 4, 3, gap=1)
IMAGE = Image(SURFACE, bytes(SURFACE.extent))
SAMPLER = SamplerState(2, 0, 0)

BROKEN: dict[str, tuple[Callable[[SurfaceState], SurfaceState], str]] = {
    "signature": (lambda s: replace(s, signature=7), "a surface state begins with 0x46525358, not 0x7"),
    "reserved": (lambda s: replace(s, reserved=bytes(16) + b"\1"), "reserved bytes of the surface state are not zero"),
    "reserved byte": (lambda s: replace(s, reserved=b"\1" + bytes(16)), "reserved bytes of the surface state"),
    "type": (lambda s: replace(s, type=6), "surface type 6 is not from 0 to 5"),
    "layout": (lambda s: replace(s, layout=14), "no texels of layout 14 and channel type 2"),
    "channel type": (lambda s: replace(s, channel_type=4), "no texels of layout 4 and channel type 4"),
    "impossible channel type": (lambda s: replace(s, channel_type=34), "no texels of layout 4 and channel type 34"),
    "swizzle": (lambda s: replace(s, swizzle=(0, 1, 7, 3)), "swizzle 7 is not from 0 to 6"),
    "no width": (lambda s: replace(s, width=0), "surface width 0 is not from 1 to 16384"),
    "height": (lambda s: replace(s, height=16385), "surface height 16385 is not from 1 to 16384"),
    "depth": (lambda s: replace(s, depth=2), "surface depth 2 is not from 1 to 1"),
    "base": (lambda s: replace(s, base=s.base + 2), "is no multiple of 4"),
    "row pitch": (lambda s: replace(s, row_pitch=18), "row pitch 0x12 is no multiple of 4"),
    "slice pitch": (lambda s: replace(s, slice_pitch=1001), "slice pitch 0x3e9 is no multiple of 4"),
    "short rows": (lambda s: replace(s, row_pitch=12), "row pitch 12 is not from 16 to"),
    "short slices": (lambda s: replace(s, slice_pitch=56), "slice pitch 56 is not from 60 to"),
    "huge pitch": (lambda s: replace(s, row_pitch=1 << 63), "row pitch 9223372036854775808 is not from 16 to"),
}


def fault_of(engine: str, text: str, image: Image = IMAGE, **options: Unpack[Options]) -> DeviceFault:
    with pytest.raises(DeviceFault) as caught:
        send(engine, text, image, ORIGIN, **options)
    return caught.value


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", BROKEN)
def test_surface_states_that_break_a_rule(engine: str, name: str) -> None:
    change, text = BROKEN[name]
    image = replace(IMAGE, surface=change(SURFACE))
    fault = fault_of(engine, LOAD, image)
    assert (fault.kind, fault.lane, fault.address) == (FaultKind.BAD_SURFACE, None, None)
    assert text in str(fault)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("sampler", "text"),
    [
        (replace(SAMPLER, signature=1), "a sampler state begins with 0x504d5358, not 0x1"),
        (replace(SAMPLER, reserved=b"\0\0\0\0\0\0\0\1"), "reserved bytes of the sampler state are not zero"),
        (replace(SAMPLER, addressing=5), "addressing mode 5 is not from 0 to 4"),
        (replace(SAMPLER, filter=2), "filter 2 is not from 0 to 1"),
        (replace(SAMPLER, normalized=2), "normalized 2 is not from 0 to 1"),
        (replace(SAMPLER, border=4), "border 4 is not from 0 to 3"),
    ],
)
def test_sampler_states_that_break_a_rule(engine: str, sampler: SamplerState, text: str) -> None:
    fault = fault_of(engine, SAMPLE, sampler=sampler)
    assert (fault.kind, fault.lane, fault.address) == (FaultKind.BAD_SAMPLER, None, None)
    assert text in str(fault)


@pytest.mark.parametrize("engine", ENGINES)
def test_handles_that_are_none(engine: str) -> None:
    misaligned = LOAD.replace("bss[r2.0]", "bss[r3.0]")
    prepared = f"(W) mov (1|M0) r3.0<1>:uq {{}}:uq\n{misaligned}"
    assert "the address of the surface state, 0x1001, is no multiple of 64" in str(
        fault_of(engine, prepared.format(4097))
    )
    assert "no live memory holds a surface state of 64 bytes at 0x40" in str(fault_of(engine, prepared.format(64)))
    text = "(W) mov (1|M0) r3.0<1>:uq 16:uq\n" + SAMPLE.replace("sampler[r2.1]", "sampler[r3.0]")
    fault = fault_of(engine, text)
    assert fault.kind is FaultKind.BAD_SAMPLER
    assert "no live memory holds a sampler state of 16 bytes at 0x10" in str(fault)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", [LOAD, STORE])
def test_storage_that_ends_too_early(engine: str, text: str) -> None:
    image = Image(SURFACE, bytes(SURFACE.extent - 1))
    fault = fault_of(engine, text, image)
    assert (fault.kind, fault.lane) == (FaultKind.OUT_OF_BOUNDS, None)
    assert (fault.address, fault.size, fault.access) == (0, SURFACE.extent, "write" if text == STORE else "read")


@pytest.mark.parametrize("engine", ENGINES)
def test_storage_that_cannot_be_written(engine: str) -> None:
    assert fault_of(engine, STORE, writable=False).kind is FaultKind.READ_ONLY
    assert not send(engine, LOAD, IMAGE, ORIGIN, writable=False).components[:3].any()


def test_a_message_without_lanes_looks_at_nothing() -> None:
    send_both(LOAD, IMAGE, ORIGIN, state=b"\1" * 64, mask=0)


@pytest.mark.parametrize("engine", ENGINES)
def test_stores_to_the_state_in_use_do_no_harm(engine: str) -> None:
    """The image is its own state: texels lie where it said when the message began."""
    text = f"""
        (W) load.ugm.d64.a64 (1|M0) r4 flat[r2+24]
        (W) load.ugm.d64x8t.a64 (1|M0) r8 flat[r2]
        (W) store.ugm.d64x8t.a64 (1|M0) flat[r4] r8
        {STORE.replace("r2.0", "r4.0")}
    """
    surface = tight(SurfaceType.IMAGE_1D, 8, ChannelType.UINT, 4)
    places = ORIGIN.copy()
    places[0] = (np.arange(LANES) + 1) % 4
    ones = np.full((4, LANES), 0xFFFFFFFF, np.uint32)
    assert send(engine, text, Image(surface, bytes(64)), places, data=ones).storage == b"\xff" * 64
