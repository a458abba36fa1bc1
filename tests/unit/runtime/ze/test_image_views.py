"""Views of images, media formats, and images in memory."""

from dataclasses import replace

import numpy as np
import pytest

from runtime import ze
from runtime.ze.driver.images.planes import image_planes
from tests.unit.runtime.ze.conftest import ASYNCHRONOUS, SYNCHRONOUS
from tests.unit.runtime.ze.expect import fails

TWO_D = ze.ZE_IMAGE_TYPE_2D
UINT = ze.ZE_IMAGE_FORMAT_TYPE_UINT


def format_of(name: str, type: int = UINT) -> ze.ze_image_format_t:
    return ze.ze_image_format_t(getattr(ze, f"ZE_IMAGE_FORMAT_LAYOUT_{name}"), type)


def desc(name: str, width: int, height: int, plane: int | None = None) -> ze.ze_image_desc_t:
    extension = None if plane is None else ze.ze_image_view_planar_ext_desc_t(plane)
    return ze.ze_image_desc_t(TWO_D, format_of(name), width, height, pNext=extension)


@pytest.fixture
def arc(driver):
    return ze.zeDeviceGet(driver)[1]


@pytest.fixture
def commands(context, arc):
    return ze.zeCommandListCreateImmediate(context, arc, SYNCHRONOUS)


@pytest.fixture
def image(context, arc):
    return lambda name, width, height: ze.zeImageCreate(context, arc, desc(name, width, height))


def upload(commands, image, size: int) -> np.ndarray:
    data = np.random.default_rng(size).integers(0, 256, size, np.uint8)
    ze.zeCommandListAppendImageCopyFromMemory(commands, image, data)
    return data


def download(commands, image, size: int) -> np.ndarray:
    data = np.zeros(size, np.uint8)
    ze.zeCommandListAppendImageCopyToMemory(commands, data, image)
    return data


SIZES = {
    "Y8": 1,
    "400P": 1,
    "NV12": 1.5,
    "I420": 1.5,
    "YV12": 1.5,
    "422H": 2,
    "422V": 2,
    "YUYV": 2,
    "VYUY": 2,
    "YVYU": 2,
    "UYVY": 2,
    "YUY2": 2,
    "Y16": 2,
    "444P": 3,
    "RGBP": 3,
    "BRGP": 3,
    "P010": 3,
    "P012": 3,
    "P016": 3,
    "AYUV": 4,
    "Y410": 4,
    "Y210": 4,
    "Y216": 4,
    "P216": 4,
    "Y416": 8,
}
"""Bytes of a pixel."""


class TestMedia:
    @pytest.mark.parametrize("name", SIZES)
    def test_all_planes_go_there_and_back(self, commands, image, name: str) -> None:
        """Packed, one behind the other; between images as well."""
        first, second = image(name, 34, 6), image(name, 34, 6)
        size = int(34 * 6 * SIZES[name])
        data = upload(commands, first, size)
        np.testing.assert_array_equal(download(commands, first, size), data)
        ze.zeCommandListAppendImageCopy(commands, second, first)
        np.testing.assert_array_equal(download(commands, second, size), data)

    def test_regions_are_in_pixels(self, commands, image) -> None:
        nv12 = image("NV12", 8, 4)
        data = upload(commands, nv12, 48)
        luma, chroma = data[:32].reshape(4, 8), data[32:].reshape(2, 4, 2)
        found = np.zeros(12, np.uint8)
        region = ze.ze_image_region_t(2, 2, 0, 4, 2, 1)
        ze.zeCommandListAppendImageCopyToMemory(commands, found, nv12, region)
        expected = np.concatenate([luma[2:4, 2:6].ravel(), chroma[1:2, 1:3].ravel()])
        np.testing.assert_array_equal(found, expected)
        with fails("INVALID_ARGUMENT", "cut"):
            ze.zeCommandListAppendImageCopyToMemory(commands, found, nv12, replace(region, originX=1))
        with fails("INVALID_ARGUMENT", "one plane"):
            ze.zeCommandListAppendImageCopyToMemoryExt(commands, found, nv12, region, 64, 0)

    def test_formats_do_not_mix(self, commands, image) -> None:
        with fails("INVALID_ARGUMENT"):
            ze.zeCommandListAppendImageCopy(commands, image("NV12", 8, 4), image("I420", 8, 4))

    @pytest.mark.parametrize(
        ("wrong", "result"),
        [
            (desc("NV12", 7, 4), "UNSUPPORTED_SIZE"),
            (desc("NV12", 8, 3), "UNSUPPORTED_SIZE"),
            (desc("YUYV", 7, 3), "UNSUPPORTED_SIZE"),
            (desc("P8", 8, 4), "UNSUPPORTED_IMAGE_FORMAT"),
            (replace(desc("NV12", 8, 4), type=ze.ZE_IMAGE_TYPE_3D, depth=1), "UNSUPPORTED_IMAGE_FORMAT"),
        ],
    )
    def test_what_there_is_not(self, context, arc, wrong: ze.ze_image_desc_t, result: str) -> None:
        with fails(result):
            ze.zeImageCreate(context, arc, wrong)

    @pytest.mark.parametrize(
        "wanted",
        [ze.ze_image_pitched_exp_desc_t(ptr=4096), ze.ze_image_bindless_exp_desc_t(), ze.ze_srgb_ext_desc_t(True)],
        ids=lambda wanted: type(wanted).__name__,
    )
    def test_other_kinds_of_images_there_are_not(self, context, arc, wanted) -> None:
        with fails("UNSUPPORTED_FEATURE"):
            ze.zeImageCreate(context, arc, replace(desc("8", 4, 4), pNext=wanted))

    def test_linear_colours_are_the_usual_ones(self, context, arc) -> None:
        ze.zeImageDestroy(ze.zeImageCreate(context, arc, replace(desc("8", 4, 4), pNext=ze.ze_srgb_ext_desc_t(False))))

    @pytest.mark.parametrize("name", SIZES)
    def test_type_and_swizzle_are_ignored(self, name: str) -> None:
        """Even if they are no members of their enumerations: a media format says everything about its channels."""
        layout = format_of(name).layout
        plain = image_planes(desc(name, 8, 4))
        for type, swizzle in ((ze.ZE_IMAGE_FORMAT_TYPE_FLOAT, 3), (ze.ZE_IMAGE_FORMAT_TYPE_UINT, 0), (99, 99)):
            format = ze.ze_image_format_t(layout, type, swizzle, swizzle, swizzle, swizzle)
            assert image_planes(replace(desc(name, 8, 4), format=format)) == plain

    def test_kernels_take_views(self, image) -> None:
        with fails("INVALID_ARGUMENT", "views"):
            _ = image("NV12", 8, 4).state
        assert image("Y8", 8, 4).state


class TestViews:
    def test_planes(self, context, arc, commands, image) -> None:
        """A view shows and changes the texels of its plane."""
        nv12 = image("NV12", 8, 4)
        data = upload(commands, nv12, 48)
        luma = ze.zeImageViewCreateExt(context, arc, desc("8", 8, 4, 0), nv12)
        chroma = ze.zeImageViewCreateExt(context, arc, desc("8_8", 4, 2, 1), nv12)
        np.testing.assert_array_equal(download(commands, luma, 32), data[:32])
        np.testing.assert_array_equal(download(commands, chroma, 16), data[32:])
        changed = upload(commands, chroma, 16)
        np.testing.assert_array_equal(download(commands, nv12, 48)[32:], changed)
        assert len({luma.state, chroma.state}) == 2

    def test_another_format(self, context, arc, commands, image) -> None:
        """Of texels of one size; also by the older name."""
        original = image("8_8_8_8", 5, 3)
        data = upload(commands, original, 60)
        for create, name in ((ze.zeImageViewCreateExt, "32"), (ze.zeImageViewCreateExp, "16_16")):
            view = create(context, arc, desc(name, 5, 3), original)
            np.testing.assert_array_equal(download(commands, view, 60), data)
            of_view = ze.zeImageViewCreateExt(context, arc, desc("8_8_8_8", 5, 3), view)
            np.testing.assert_array_equal(download(commands, of_view, 60), data)

    def test_they_share_memory(self, context, arc, image) -> None:
        before = arc.local_bytes
        original = image("8_8_8_8", 5, 3)
        view = ze.zeImageViewCreateExt(context, arc, desc("32", 5, 3), original)
        same = ze.zeImageGetAllocPropertiesExt(context, original)
        assert same == ze.zeImageGetAllocPropertiesExt(context, view)
        assert same.id != ze.zeImageGetAllocPropertiesExt(context, image("8", 1, 1)).id
        ze.zeImageDestroy(view)
        ze.zeImageDestroy(original)
        assert arc.local_bytes == before + 1

    def test_of_no_use_without_the_image(self, context, arc, image, commands) -> None:
        original = image("8", 4, 4)
        view = ze.zeImageViewCreateExt(context, arc, desc("8", 4, 4), original)
        ze.zeImageDestroy(original)
        with fails("INVALID_ARGUMENT", "is a view of an image that is destroyed"):
            download(commands, view, 16)
        with fails("INVALID_ARGUMENT", "is a view of an image that is destroyed"):
            ze.zeImageViewCreateExt(context, arc, desc("8", 4, 4), view)
        ze.zeImageDestroy(view)

    def test_copies_between_an_image_and_its_view(self, context, arc, image, commands) -> None:
        original = image("8", 8, 4)
        view = ze.zeImageViewCreateExt(context, arc, desc("8", 8, 4), original)
        left, right = ze.ze_image_region_t(0, 0, 0, 4, 4, 1), ze.ze_image_region_t(4, 0, 0, 4, 4, 1)
        ze.zeCommandListAppendImageCopyRegion(commands, original, view, left, right)
        with fails("OVERLAPPING_REGIONS"):
            ze.zeCommandListAppendImageCopyRegion(commands, original, view, left, left)
        with fails("OVERLAPPING_REGIONS"):
            ze.zeCommandListAppendImageCopy(commands, view, original)

    def test_what_cannot_be(self, context, arc, image) -> None:
        nv12, plain = image("NV12", 8, 4), image("8_8_8_8", 8, 4)
        cases = [
            ("UNSUPPORTED_IMAGE_FORMAT", desc("8", 8, 4), plain),
            ("UNSUPPORTED_IMAGE_FORMAT", desc("NV12", 8, 4, 0), nv12),
            ("INVALID_ARGUMENT", desc("32", 4, 4), plain),
            ("INVALID_ARGUMENT", desc("8", 8, 4), nv12),
            ("INVALID_ARGUMENT", desc("8", 8, 4, 2), nv12),
            ("INVALID_ARGUMENT", desc("8_8", 8, 4, 1), nv12),
        ]
        for result, wanted, original in cases:
            with fails(result):
                ze.zeImageViewCreateExt(context, arc, wanted, original)


def test_memory_of_an_image(image) -> None:
    """Rows begin at multiples of 64 bytes."""
    found = ze.zeImageGetMemoryPropertiesExp(image("8_8_8_8", 17, 3))
    assert (found.rowPitch, found.slicePitch) == (128, 384)
    assert found.size == 2 * 128 + 17 * 4


@pytest.mark.usefixtures("impatient")
class TestInUse:
    """Images and views that are destroyed while commands wait that use them."""

    @pytest.fixture
    def pending(self, context, arc):
        return ze.zeCommandListCreateImmediate(context, arc, ASYNCHRONOUS)

    def test_copies_of_what_is_destroyed_run(self, context, commands, pending, image, new_event) -> None:
        gate, origin = new_event(), image("8", 8, 4)
        data, found = upload(commands, origin, 32), np.zeros(32, np.uint8)
        before = context.machine.memory.live()
        ze.zeCommandListAppendImageCopyToMemory(pending, found, origin, None, None, [gate])
        ze.zeImageDestroy(origin)
        with fails("INVALID_ARGUMENT", "already destroyed"):
            ze.zeImageDestroy(origin)
        assert context.machine.memory.live() == before
        ze.zeEventHostSignal(gate)
        ze.zeCommandListHostSynchronize(pending, 10**10)
        assert np.array_equal(found, data)
        assert context.machine.wait(lambda: len(context.machine.memory.live()) == len(before) - 2, 10**10)

    def test_view_outlives_its_image(self, context, arc, commands, pending, image, new_event) -> None:
        gate, origin = new_event(), image("8", 8, 4)
        view = ze.zeImageViewCreateExt(context, arc, desc("8", 8, 4), origin)
        data, found = upload(commands, origin, 32), np.zeros(32, np.uint8)
        ze.zeCommandListAppendImageCopyToMemory(pending, found, view, None, None, [gate])
        ze.zeImageDestroy(origin)
        ze.zeImageDestroy(view)
        ze.zeEventHostSignal(gate)
        ze.zeCommandListHostSynchronize(pending, 10**10)
        assert np.array_equal(found, data)

    def test_other_images_are_not_in_use(self, context, commands, pending, image, new_event) -> None:
        gate, used, unused = new_event(), image("8", 8, 4), image("8", 8, 4)
        address = ze.zeMemAllocHost(context, ze.ze_host_mem_alloc_desc_t(), 32, 0)
        ze.zeCommandListAppendImageCopyToMemory(pending, address, used, None, None, [gate])
        assert used.pending_use
        assert not unused.pending_use
        ze.zeEventHostSignal(gate)


def test_sampler_in_use_is_reported(context, arc, new_event) -> None:
    """An asynchronous command of which nothing is known, as a copy to an array, may use any sampler."""
    sampler = ze.zeSamplerCreate(context, arc, ze.ze_sampler_desc_t(2, 0, False))
    assert not sampler.pending_use
    gate, commands = new_event(), ze.zeCommandListCreateImmediate(context, arc, ASYNCHRONOUS)
    ze.zeCommandListAppendMemoryCopy(commands, np.zeros(4, np.uint8), np.zeros(4, np.uint8), 4, None, [gate])
    assert "still pending" in sampler.pending_use
    ze.zeEventHostSignal(gate)
    ze.zeSamplerDestroy(sampler)  # waits
    with fails("INVALID_ARGUMENT", "already destroyed"):
        ze.zeSamplerDestroy(sampler)
