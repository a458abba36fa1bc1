"""Typed reads and writes of images in both engines, against a model in plain Python."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.runtime.simulator.images.bench import (
    LANES,
    LOAD,
    STORE,
    Image,
    Rows,
    places,
    random_image,
    send,
    send_both,
    tight,
)
from tests.unit.runtime.simulator.images.oracle import ImageModel, Texel, encode, from_channel
from tests.unit.runtime.simulator.jit.hosts import HOSTS
from xegpu.isa.model.surface_states import LAYOUTS, ChannelType, SurfaceType

FORMATS = [(number, kind) for number, layout in enumerate(LAYOUTS) for kind in sorted(layout.types)]
NAMES = [f"{LAYOUTS[number].text}-{kind.name.lower()}" for number, kind in FORMATS]

_SPECIAL = (
    0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFFC01234,
    0x7FFFFFFF, 0x80000001, 0x00000001, 0x387FFFFF, 0x38800000, 0x3F000000, 0x477FFFFF, 0x477FE000, 0x4B000000,
)  # fmt: skip


def components(rng: np.random.Generator) -> Rows:
    """Dwords that are numbers around and in the ranges of all channel types."""
    rows = rng.integers(0, 1 << 32, (4, LANES), np.uint32)
    unit = rng.uniform(-1.2, 1.2, rows.shape).astype(np.float32).view(np.uint32)
    wide = (
        (rng.uniform(-1, 1, rows.shape) * 2.0 ** rng.integers(-26, 18, rows.shape)).astype(np.float32).view(np.uint32)
    )
    small = rng.integers(-70000, 70000, rows.shape).astype(np.int32).view(np.uint32)
    special = rng.choice(np.array(_SPECIAL, np.uint32), rows.shape)
    return np.choose(rng.integers(0, 5, rows.shape), [rows, unit, wide, small, special])


def column(rows: Rows, lane: int) -> tuple[int, int, int, int]:
    a, b, c, d = (int(n) for n in rows[:, lane])
    return a, b, c, d


def signed_column(rows: Rows, lane: int) -> tuple[int, int, int, int]:
    return column(rows.view(np.int32), lane)


@pytest.mark.parametrize(("layout", "kind"), FORMATS, ids=NAMES)
def test_reads_are_those_of_the_model(layout: int, kind: ChannelType) -> None:
    rng = np.random.default_rng(layout * 8 + kind)
    for type in SurfaceType:
        image = random_image(rng, type, layout, kind)
        coordinates = places(image, rng)
        found = send_both(LOAD, image, coordinates).components
        model = ImageModel(image.surface, image.storage)
        for lane in range(LANES):
            place = signed_column(coordinates, lane)
            assert column(found, lane) == model.read(place), (image.surface, place)


@pytest.mark.parametrize(("layout", "kind"), FORMATS, ids=NAMES)
def test_writes_are_those_of_the_model(layout: int, kind: ChannelType) -> None:
    rng = np.random.default_rng(layout * 8 + kind)
    for type in SurfaceType:
        image = random_image(rng, type, layout, kind)
        coordinates, data = places(image, rng), components(rng)
        found = send_both(STORE, image, coordinates, data=data).storage
        model = ImageModel(image.surface, image.storage)
        for lane in range(LANES):
            model.write(signed_column(coordinates, lane), column(data, lane))
        assert found == bytes(model.data), image.surface


@pytest.mark.parametrize(
    ("layout", "kind", "width", "step"),
    [
        (0, ChannelType.UNORM, 8, 1),
        (0, ChannelType.SNORM, 8, 1),
        (1, ChannelType.UNORM, 16, 63),
        (1, ChannelType.FLOAT, 16, 31),
    ],
)
def test_numbers_of_a_channel_are_read_exactly(layout: int, kind: ChannelType, width: int, step: int) -> None:
    values = np.arange(0, 1 << width, step)
    surface = tight(SurfaceType.IMAGE_1D, layout, kind, len(values))
    image = Image(surface, values.astype(f"<u{width // 8}").tobytes())
    for first in range(0, len(values), LANES):
        coordinates = np.zeros((4, LANES), np.uint32)
        coordinates[0] = np.arange(first, first + LANES)
        found = send_both(LOAD, image, coordinates).components[0]
        for lane, value in enumerate(values[first : first + LANES]):
            assert int(found[lane]) == from_channel(int(value), width, kind)


@pytest.mark.parametrize("host", HOSTS)
def test_other_hosts_convert_alike(host: str) -> None:
    for layout, kind in (
        (1, ChannelType.FLOAT),
        (5, ChannelType.SNORM),
        (10, ChannelType.FLOAT),
        (9, ChannelType.UNORM),
    ):
        rng = np.random.default_rng(layout)
        image = random_image(rng, SurfaceType.IMAGE_1D, layout, kind)
        coordinates, data = places(image, rng), components(rng)
        for text in (LOAD, STORE):
            found = [send(name, text, image, coordinates, data=data) for name in ("interpreter", f"jit.{host}")]
            assert (found[0].components == found[1].components).all()
            assert found[0].storage == found[1].storage


@pytest.mark.parametrize("mask", range(1, 16))
def test_components_that_are_left_out(mask: int) -> None:
    names = "".join(name for bit, name in enumerate("xyzw") if mask >> bit & 1)
    rng = np.random.default_rng(mask)
    image = Image(tight(SurfaceType.IMAGE_1D, 4, ChannelType.UINT, LANES), rng.bytes(4 * LANES))
    coordinates = np.zeros((4, LANES), np.uint32)
    coordinates[0] = np.arange(LANES)
    texels = np.frombuffer(image.storage, np.uint8).reshape(LANES, 4)
    kept = [bit for bit in range(4) if mask >> bit & 1]
    found = send_both(LOAD.replace("xyzw", names), image, coordinates).components
    assert (found[: len(kept)] == texels[:, kept].T).all()
    assert not found[len(kept) :].any()
    stored = send_both(STORE.replace("xyzw", names), image, coordinates, data=found + np.uint32(1)).storage
    expected = np.zeros((LANES, 4), np.uint8)
    expected[:, 3] = 1
    expected[:, kept] = np.minimum(texels[:, kept].astype(np.uint32) + 1, 255)
    assert stored == expected.tobytes()


def test_lanes_that_are_off_do_nothing() -> None:
    image = Image(tight(SurfaceType.IMAGE_1D, 2, ChannelType.UINT, LANES), bytes(4 * LANES))
    coordinates = np.zeros((4, LANES), np.uint32)
    coordinates[0] = np.arange(LANES)
    data = np.full((4, LANES), 7, np.uint32)
    found = send_both(STORE, image, coordinates, data=data, mask=0x0000A005)
    assert np.flatnonzero(np.frombuffer(found.storage, np.uint32)).tolist() == [0, 2, 13, 15]
    loaded = send_both(LOAD, image, coordinates, data=data, mask=0x0000A005).components
    assert np.flatnonzero(loaded[0] == 0).tolist() == [0, 2, 13, 15]
    assert (loaded[0][loaded[0] != 0] == 7).all()


def test_the_highest_of_lanes_that_meet_wins() -> None:
    image = Image(tight(SurfaceType.BUFFER, 2, ChannelType.SINT, 2), bytes(8))
    coordinates = np.zeros((4, LANES), np.uint32)
    data = np.zeros((4, LANES), np.uint32)
    data[0] = np.arange(100, 100 + LANES)
    found = send_both(STORE, image, coordinates, data=data).storage
    assert np.frombuffer(found, np.int32).tolist() == [100 + LANES - 1, 0]


def test_swizzled_writes_undo_swizzled_reads() -> None:
    bgra = (2, 1, 0, 3)
    surface = replace(tight(SurfaceType.IMAGE_1D, 4, ChannelType.UNORM, 1), swizzle=bgra)
    texel: Texel = (0x3F800000, 0x3F000000, 0, 0x3F800000)
    assert encode(texel, surface) == bytes([0, 128, 255, 255])
    data = np.repeat(np.array(texel, np.uint32)[:, None], LANES, 1)
    found = send_both(STORE, Image(surface, bytes(4)), np.zeros((4, LANES), np.uint32), data=data)
    assert found.storage == bytes([0, 128, 255, 255])
