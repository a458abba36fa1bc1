"""Compiled routines of image messages do what Python does: each message is sent twice, by an instruction in a loop."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from unittest.mock import Mock

import numpy as np
import pytest

from runtime.simulator.jit.images import callback
from tests.unit.runtime.simulator.images.bench import (
    LANES,
    LOAD,
    SAMPLE,
    STORE,
    Image,
    Options,
    Rows,
    places,
    random_image,
    send,
    tight,
)
from tests.unit.runtime.simulator.images.test_sampling import coordinates
from tests.unit.runtime.simulator.images.test_typed import FORMATS, components
from xegpu.isa.model import Addressing, Border, ChannelType, Filter, SamplerState, SurfaceType

TWICE = """
(W) mov (1|M0) r1.0:d 0:d
again:
{}
(W) add (1|M0) r1.0:d r1.0:d 1:d
(W) cmp (1|M0) (lt)f0.0 null:d r1.0:d 2:d
(W&f0.0) jmpi (1|M0) again
"""


@pytest.fixture(autouse=True)
def everything_is_frequent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callback, "FREQUENT", 1)


def assert_alike(text: str, image: Image, given: Rows, options: Options) -> None:
    """The interpreter sends the message once."""
    wanted, found = (
        send("interpreter", text, image, given, **options),
        send("jit", TWICE.format(text), image, given, **options),
    )
    np.testing.assert_array_equal(found.components, wanted.components)
    assert found.storage == wanted.storage


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Records the calls for messages that go through Python."""
    found = Mock(side_effect=callback.access_image)
    monkeypatch.setattr(callback, "access_image", found)
    return found


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize(("form", "type"), list(product(FORMATS, SurfaceType)))
def test_reads_and_writes(form: tuple[int, ChannelType], type: SurfaceType) -> None:
    layout, kind = form
    rng = np.random.default_rng(layout * 64 + kind * 8 + type)
    image = random_image(rng, type, layout, kind)
    given = places(image, rng)
    assert_alike(LOAD, image, given, {})
    for text in (STORE, STORE.replace("xyzw", "xz")):
        assert_alike(text, image, given, {"data": components(rng), "mask": int(rng.integers(1 << 32))})


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize(("type", "addressing", "filter"), list(product(SurfaceType, Addressing, Filter)))
def test_samples(type: SurfaceType, addressing: Addressing, filter: Filter) -> None:
    rng = np.random.default_rng(type * 64 + addressing * 8 + filter)
    for layout, kind in ((4, ChannelType.UNORM), (6, ChannelType.FLOAT), (3, ChannelType.SINT)):
        image = random_image(rng, type, layout, kind)
        sampler = SamplerState(addressing, filter, int(rng.integers(0, 2)), int(rng.integers(0, 4)))
        given = coordinates(rng, image.surface, normalized=bool(sampler.normalized))
        assert_alike(SAMPLE, image, given, {"sampler": sampler})


def _numbered() -> tuple[Image, Rows]:
    surface = tight(SurfaceType.IMAGE_1D, 2, ChannelType.UINT, LANES)
    given = np.zeros((4, LANES), np.uint32)
    given[0] = np.arange(LANES)
    return Image(surface, np.arange(LANES, dtype=np.uint32).tobytes()), given


def test_the_second_message_does_not_go_through_python(calls: Mock) -> None:
    image, given = _numbered()
    found = send("jit", TWICE.format(LOAD), image, given)
    assert found.components[0].tolist() == list(range(LANES))
    assert calls.call_count == 1


def test_a_state_that_has_changed_is_read_again(calls: Mock) -> None:
    """The kernel makes the surface narrower between the two messages."""
    image, given = _numbered()
    text = f"{LOAD}\n(W) mov (1|M0) r90.0:ud 4:ud\n(W) add (1|M0) r91.0:uq r2.0:uq 12:uq\n"
    text += "(W) store.ugm.d32.a64 (1|M0) flat[r91] r90"
    found = send("jit", TWICE.format(text), image, given)
    assert found.components[0].tolist() == [*range(4), *[0] * (LANES - 4)]
    assert calls.call_count == 2


def test_other_images_of_an_instruction_have_records_of_their_own(calls: Mock) -> None:
    image, given = _numbered()
    sampler = SamplerState(Addressing.CLAMP_TO_BORDER, Filter.NEAREST, 0, Border.OPAQUE_WHITE)
    wide = replace(image, surface=replace(image.surface, width=LANES // 2))
    for each in (image, wide):
        assert_alike(SAMPLE, each, given.astype(np.float32).view(np.uint32), {"sampler": sampler})
    assert calls.call_count == 2


def test_images_of_a_launch_beyond_those_that_it_records(monkeypatch: pytest.MonkeyPatch, calls: Mock) -> None:
    """They go through Python each time."""
    monkeypatch.setattr(callback, "MOST_IMAGES", 0)
    image, given = _numbered()
    assert send("jit", TWICE.format(LOAD), image, given).components[0].tolist() == list(range(LANES))
    assert calls.call_count == 2
