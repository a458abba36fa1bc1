"""Arguments of kernels as objects of OpenCL, for a process that has chosen its driver."""

from __future__ import annotations

import numpy as np
import pyopencl

from runtime.api import TEXEL_FORMATS
from tests.peer.opencl.cases import Argument, Array, SamplerWords, Texels
from xegpu.isa.model import ChannelType

_FLAGS = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
_ORIGIN = (0, 0, 0)
_ADDRESSING = {
    "none": pyopencl.addressing_mode.NONE,
    "clamp_edge": pyopencl.addressing_mode.CLAMP_TO_EDGE,
    "clamp_border": pyopencl.addressing_mode.CLAMP,
    "repeat": pyopencl.addressing_mode.REPEAT,
    "mirror": pyopencl.addressing_mode.MIRRORED_REPEAT,
}
_FILTERS = {"nearest": pyopencl.filter_mode.NEAREST, "linear": pyopencl.filter_mode.LINEAR}
_KINDS = {
    ChannelType.UINT: "UNSIGNED_INT{}",
    ChannelType.SINT: "SIGNED_INT{}",
    ChannelType.UNORM: "UNORM_INT{}",
    ChannelType.SNORM: "SNORM_INT{}",
}
_FLOATS = {2: "HALF_FLOAT", 4: "FLOAT"}
_DEPTH = 0x10BD
_ORDERS = {"ABGR": 0x10C3, "ARGB": 0x10B7}
"""Channel orders that pyopencl has no names for."""


def made(context: pyopencl.Context, value: Argument) -> object:
    """Returns an argument of OpenCL's kernels."""
    if isinstance(value, Texels):
        return _image(context, value)
    if isinstance(value, SamplerWords):
        addressing, filter_mode = _ADDRESSING[value.addressing], _FILTERS[value.filter]
        return pyopencl.Sampler(context, value.normalized, addressing, filter_mode)
    if isinstance(value, np.ndarray):
        return pyopencl.Buffer(context, _FLAGS, hostbuf=value)
    return pyopencl.LocalMemory(value) if isinstance(value, int) else value


def _format(value: Texels) -> pyopencl.ImageFormat:
    form = TEXEL_FORMATS[value.format]
    order = "".join(letter for letter in value.format.split(str(8 * form.dtype.itemsize))[0]).upper()
    number = _ORDERS.get(order) or getattr(pyopencl.channel_order, order)
    size = form.dtype.itemsize
    word = _FLOATS[size] if form.dtype.kind == "f" else _KINDS[form.kind].format(8 * size)
    if value.type.endswith("_depth"):
        number = _DEPTH
    return pyopencl.ImageFormat(number, getattr(pyopencl.channel_type, word))


def _sizes(value: Texels) -> tuple[int, ...]:
    """Returns width, height and depth or layers, as far as there are any."""
    channels = TEXEL_FORMATS[value.format].channels
    shape = value.values.shape if channels == 1 else value.values.shape[:-1]
    return shape[::-1]


def _image(context: pyopencl.Context, value: Texels) -> pyopencl.Image:
    sizes = _sizes(value)
    if value.type == "1d_buffer":
        memory = pyopencl.Buffer(context, _FLAGS, hostbuf=value.values)
        return pyopencl.create_image(context, pyopencl.mem_flags.READ_WRITE, _format(value), sizes, buffer=memory)
    kind = value.type.removesuffix("_depth").upper()
    is_array = kind.endswith("_ARRAY")
    shape = sizes[:-1] if is_array else sizes
    description = pyopencl.ImageDescriptor()
    description.image_type = getattr(pyopencl.mem_object_type, f"IMAGE{kind}")
    description.shape = (*shape, *[0] * (3 - len(shape)))
    description.array_size = sizes[-1] if is_array else 0
    description.pitches = (0, 0)
    description.num_mip_levels = description.num_samples = 0
    description.buffer = None
    return pyopencl.Image(context, _FLAGS, _format(value), desc=description, hostbuf=value.values)


def _region(value: Texels) -> tuple[int, ...]:
    sizes = _sizes(value)
    return (*sizes, *[1] * (3 - len(sizes)))


def content(queue: pyopencl.CommandQueue, value: Argument, object: object) -> Array:
    """Returns what a kernel has written."""
    array = np.empty_like(value.values if isinstance(value, Texels) else value)
    if isinstance(value, Texels):
        # What pyopencl exports knows no lines.
        pyopencl._cl._enqueue_read_image(queue, object, _ORIGIN, _region(value), array, is_blocking=True)
    else:
        pyopencl.enqueue_copy(queue, array, object)
    return array
