"""Sampling of images in both engines, against a model in plain Python."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tests.unit.runtime.simulator.images.bench import LANES, SAMPLE, Image, Rows, random_image, send, send_both, tight
from tests.unit.runtime.simulator.images.oracle import ImageModel, number
from tests.unit.runtime.simulator.images.test_typed import column
from tests.unit.runtime.simulator.jit.hosts import HOSTS
from xegpu.isa.model.surface_states import (
    Addressing,
    Border,
    ChannelType,
    Filter,
    SamplerState,
    SurfaceState,
    SurfaceType,
)

FORMATS = (
    (4, ChannelType.UNORM),
    (0, ChannelType.SNORM),
    (6, ChannelType.FLOAT),
    (8, ChannelType.FLOAT),
    (3, ChannelType.SINT),
)

_ODD = (0.0, -0.0, np.nan, np.inf, -np.inf, 1e-40, 3e38, -1e10, 0.5, 1.0, 2.0**30, -1e-9, 0.49999997)


def coordinates(rng: np.random.Generator, surface: SurfaceState, *, normalized: bool) -> Rows:
    """Float coordinates in and around the image, some of them at the edges of texels or no numbers."""
    scale = 1.0 if normalized else float(max(surface.width, surface.height, surface.depth))
    rows = rng.uniform(-1.5, 2.5, (4, LANES)) * scale
    edges = rng.integers(-8, 24, (4, LANES)) / (8 if normalized else 2)
    chosen = np.choose(rng.integers(0, 4, rows.shape), [rows, edges, rows, rng.choice(np.array(_ODD), rows.shape)])
    return chosen.astype(np.float32).view(np.uint32)


@pytest.mark.parametrize(("addressing", "filter"), list(product(Addressing, Filter)))
@pytest.mark.parametrize("type", SurfaceType)
def test_samples_are_those_of_the_model(type: SurfaceType, addressing: Addressing, filter: Filter) -> None:
    rng = np.random.default_rng(type * 64 + addressing * 8 + filter)
    for layout, kind in FORMATS:
        image = random_image(rng, type, layout, kind)
        sampler = SamplerState(addressing, filter, int(rng.integers(0, 2)), int(rng.integers(0, 4)))
        given = coordinates(rng, image.surface, normalized=bool(sampler.normalized))
        found = send_both(SAMPLE, image, given, sampler=sampler).components
        model = ImageModel(image.surface, image.storage)
        for lane in range(LANES):
            u, v, r = (number(int(bits)) for bits in given[:3, lane])
            assert column(found, lane) == model.sample((u, v, r), sampler), (image.surface, sampler, (u, v, r))


def _row(*values: float) -> Image:
    """An image with one row of floats."""
    surface = tight(SurfaceType.IMAGE_1D, 2, ChannelType.FLOAT, len(values))
    return Image(surface, np.array(values, np.float32).tobytes())


def _sampled(image: Image, sampler: SamplerState, *u: float, text: str = SAMPLE) -> list[float]:
    given = np.zeros((4, LANES), np.float32)
    given[0, : len(u)] = u
    found = send_both(text, image, given.view(np.uint32), sampler=sampler).components
    return [float(n) for n in found[0].view(np.float32)[: len(u)]]


def test_linear_filters_mix_neighbours() -> None:
    image = _row(1.0, 3.0, 7.0)
    clamp = SamplerState(Addressing.CLAMP, Filter.LINEAR, 0)
    assert _sampled(image, clamp, 0.0, 0.5, 1.0, 1.25, 1.5, 2.75, 9.0) == [1.0, 1.0, 2.0, 2.5, 3.0, 7.0, 7.0]
    repeat = SamplerState(Addressing.REPEAT, Filter.LINEAR, 0)
    assert _sampled(image, repeat, 0.0, 3.0, 3.5, -2.5) == [4.0, 4.0, 1.0, 1.0]
    border = SamplerState(Addressing.CLAMP_TO_BORDER, Filter.LINEAR, 0)
    assert _sampled(image, border, 0.0, 3.0, 4.0) == [0.5, 3.5, 0.0]


def test_mirrored_images_are_continued_at_their_edges() -> None:
    image, nearest = _row(1.0, 2.0, 3.0), SamplerState(Addressing.MIRROR, Filter.NEAREST, 1)
    u = [(index + 0.5) / 3 for index in range(-3, 9)]
    assert _sampled(image, nearest, *u) == [3.0, 2.0, 1.0, 1.0, 2.0, 3.0, 3.0, 2.0, 1.0, 1.0, 2.0, 3.0]


def test_the_border_is_opaque_where_images_have_no_alpha() -> None:
    sampler = SamplerState(Addressing.CLAMP_TO_BORDER, Filter.NEAREST, 0)
    outside = np.full((4, LANES), 0x42C80000, np.uint32)
    for layout, alpha in ((4, 0.0), (3, 1.0), (11, 1.0), (12, 0.0)):
        image = Image(tight(SurfaceType.IMAGE_2D, layout, ChannelType.UNORM, 1), b"\xff" * 4)
        found = send_both(SAMPLE, image, outside, sampler=sampler).components
        assert found[:, 0].view(np.float32).tolist() == [0.0, 0.0, 0.0, alpha]


@pytest.mark.parametrize("border", [Border.TRANSPARENT_BLACK, Border.OPAQUE_BLACK, Border.OPAQUE_WHITE])
def test_borders_of_integers_are_integers(border: Border) -> None:
    sampler = SamplerState(Addressing.CLAMP_TO_BORDER, Filter.NEAREST, 0, border)
    image = Image(tight(SurfaceType.IMAGE_1D, 4, ChannelType.UINT, 1), b"\xff" * 4)
    found = send_both(SAMPLE, image, np.full((4, LANES), 0x42C80000, np.uint32), sampler=sampler).components
    expected = {Border.TRANSPARENT_BLACK: [0] * 4, Border.OPAQUE_BLACK: [0, 0, 0, 1], Border.OPAQUE_WHITE: [1] * 4}
    assert found[:, 0].tolist() == expected[border]


def test_the_level_of_detail_changes_nothing() -> None:
    image, sampler = _row(1.0, 2.0), SamplerState(Addressing.CLAMP, Filter.NEAREST, 0)
    text = SAMPLE.replace("sample_lz", "sample_l").replace("uvr", "uvrl")
    given = np.full((4, LANES), 1.5, np.float32).view(np.uint32)
    assert (send_both(text, image, given, sampler=sampler).components[0].view(np.float32) == 2.0).all()


def test_texels_that_are_no_numbers_are_sampled_as_they_are_unless_they_are_mixed() -> None:
    image = _row(1.0, 2.0)
    odd = replace(image, storage=np.array([0xFFC01234, 0x3F800000], np.uint32).tobytes())
    given = np.zeros((4, LANES), np.uint32)
    nearest = send_both(SAMPLE, odd, given, sampler=SamplerState(Addressing.CLAMP, Filter.NEAREST, 0))
    assert int(nearest.components[0, 0]) == 0xFFC01234
    linear = send_both(SAMPLE, odd, given, sampler=SamplerState(Addressing.CLAMP, Filter.LINEAR, 0))
    assert int(linear.components[0, 0]) == 0x7FC00000


@pytest.mark.parametrize("host", HOSTS)
def test_other_hosts_sample_alike(host: str) -> None:
    rng = np.random.default_rng(5)
    for addressing in Addressing:
        image = random_image(rng, SurfaceType.IMAGE_3D, 6, ChannelType.FLOAT)
        sampler = SamplerState(addressing, Filter.LINEAR, 1)
        given = coordinates(rng, image.surface, normalized=True)
        one, two = (send(name, SAMPLE, image, given, sampler=sampler) for name in ("interpreter", f"jit.{host}"))
        assert (one.components == two.components).all()
