"""Images and samplers of the Python API: numpy arrays in every format, and kernels that take them."""

from __future__ import annotations

import gc
import re

import numpy as np
import pytest

from runtime import Device, DeviceImage, LaunchError, ZeError
from runtime.api import TEXEL_FORMATS

COPY = """
kernel void copy(read_only image2d_t in, sampler_t s, write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, p, read_imagef(in, s, p));
}
"""


@pytest.fixture(scope="module")
def device() -> Device:
    return Device("arc")


@pytest.mark.parametrize("name", TEXEL_FORMATS)
def test_texels_of_every_format_come_back(device: Device, name: str) -> None:
    form = TEXEL_FORMATS[name]
    channels = () if form.channels == 1 else (form.channels,)
    bits = np.frombuffer(np.random.default_rng(0).bytes(15 * 16), np.uint8)
    texels = bits[: 15 * form.dtype.itemsize * form.channels].view(form.dtype).reshape(3, 5, *channels)
    image = device.image(texels, name)
    assert (image.shape, image.dtype) == (texels.shape, texels.dtype)
    assert image.numpy().tobytes() == texels.tobytes()


@pytest.mark.parametrize(
    ("type", "sizes"),
    [("1d", (7,)), ("1d_array", (3, 7)), ("2d_array", (2, 3, 7)), ("3d", (4, 3, 7)), ("buffer", (70,))],
)
def test_texels_of_every_type_come_back(device: Device, type: str, sizes: tuple[int, ...]) -> None:
    texels = np.random.default_rng(0).integers(0, 256, (*sizes, 2), np.uint8)
    image = device.image(texels, "rg8unorm", type)
    assert (image.numpy() == texels).all()
    image.write(texels[::-1])
    assert (image.numpy() == texels[::-1]).all()


def test_fresh_images_are_zero(device: Device) -> None:
    assert not device.empty_image(9, "rgba16float").numpy().any()
    assert device.empty_image((2, 3), "r8uint").type == "2d"


def test_a_kernel_takes_images_and_samplers(device: Device) -> None:
    texels = np.random.default_rng(0).integers(0, 256, (3, 16, 4), np.uint8)
    image, target = device.image(texels, "rgba8unorm"), device.empty_image((3, 16), "bgra8unorm")
    device.compile(COPY, "copy.cl")["copy"][(1, 3, 1), (16, 1, 1)](image, device.sampler(), target)
    assert (target.numpy() == texels[..., [2, 1, 0, 3]]).all()


def test_what_a_kernel_does_not_take(device: Device) -> None:
    kernel = device.compile(COPY, "copy.cl")["copy"]
    image, sampler = device.empty_image((3, 16), "rgba8unorm"), device.sampler()
    other, freed = Device("arc").empty_image((3, 16), "rgba8unorm"), device.empty_image((3, 16), "rgba8unorm")
    freed.free()
    for arguments, why in (
        ((np.zeros((3, 16, 4)), sampler, image), "argument 0 ('in'): expected an image that Device.image makes"),
        ((image, image, image), "argument 1 ('s'): expected a sampler that Device.sampler makes"),
        ((image, sampler, other), "argument 2 ('out'): expected an image that Device.image makes, got <DeviceImage 2d"),
        ((image, sampler, freed), "got the image was freed"),
    ):
        with pytest.raises(LaunchError, match=re.escape(why)):
            kernel[(1, 3, 1), (16, 1, 1)](*arguments)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda device: device.empty_image(3, "rgb8unorm"), "unknown format 'rgb8unorm', expected one of r8uint, "),
        (lambda device: device.empty_image(3, "r8uint", "cube"), "unknown type of images 'cube', expected one of 1d, "),
        (lambda device: device.empty_image((3, 3), "r8uint", "3d"), r"expected 3 positive numbers"),
        (lambda device: device.empty_image(0, "r8uint"), "expected 1 positive numbers"),
        (lambda device: device.image(np.zeros((2, 3, 4)), "rgba8unorm"), "float64 values of shape .* for uint8 texels"),
        (lambda device: device.image(np.zeros((2, 3), np.uint8), "rg8unorm"), r"for uint8 texels of shape \(2, 2\)"),
        (lambda device: device.sampler("wrap"), "unknown addressing mode 'wrap', expected one of none, "),
        (lambda device: device.sampler(filter="cubic"), "unknown filter 'cubic', expected one of nearest, linear"),
    ],
)
def test_refusals(device: Device, make, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        make(device)


def test_a_device_without_images_refuses_them() -> None:
    device = Device("pvc")
    for make in (lambda: device.empty_image(3, "r8uint"), device.sampler):
        with pytest.raises(ZeError, match="UNSUPPORTED_FEATURE"):
            make()


def test_images_are_destroyed_with_their_last_reference() -> None:
    device = Device("arc")
    before = len(device.session.context.children)
    image, sampler = device.empty_image(3, "r8uint"), device.sampler()
    assert len(device.session.context.children) == before + 2
    image.free()
    assert "freed" in repr(image)
    image.free()
    with pytest.raises(ValueError, match="the image was freed"):
        image.numpy()
    del image, sampler
    gc.collect()
    device.empty_image(3, "r8uint").free()
    assert len(device.session.context.children) == before


def test_a_closed_device_makes_no_images() -> None:
    device = Device("arc")
    image = device.empty_image(3, "r8uint")
    device.close()
    with pytest.raises(ValueError, match="freed"):
        image.numpy()
    with pytest.raises(ZeError, match="the device is closed"):
        device.empty_image(3, "r8uint")
    assert isinstance(image, DeviceImage)
