"""Images and samplers for kernels, and numpy arrays of their texels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runtime import ze
from runtime.api.sessions.session import NOTES, Claim, Session, note
from runtime.ze.driver import Handle, Image, Sampler
from xegpu.isa.model import ADDRESSING_WORDS, FILTER_WORDS, LAYOUTS, SHAPES, ChannelType, SurfaceType, Swizzle

H = TypeVar("H", bound=Handle)
T = TypeVar("T")

_TYPES: Mapping[str, SurfaceType] = {
    "1d": SurfaceType.IMAGE_1D,
    "1d_array": SurfaceType.IMAGE_1D_ARRAY,
    "2d": SurfaceType.IMAGE_2D,
    "2d_array": SurfaceType.IMAGE_2D_ARRAY,
    "3d": SurfaceType.IMAGE_3D,
    "buffer": SurfaceType.BUFFER,
}
_R, _G, _B, _A, _0, _1 = Swizzle.R, Swizzle.G, Swizzle.B, Swizzle.A, Swizzle.ZERO, Swizzle.ONE
_ORDERS: Mapping[str, tuple[Swizzle, Swizzle, Swizzle, Swizzle]] = {
    "r": (_R, _0, _0, _1),
    "a": (_0, _0, _0, _R),
    "rg": (_R, _G, _0, _1),
    "ra": (_R, _0, _0, _G),
    "rgba": (_R, _G, _B, _A),
    "bgra": (_B, _G, _R, _A),
    "argb": (_G, _B, _A, _R),
    "abgr": (_A, _B, _G, _R),
}
"""Orders of channels in memory, and the channel that each component comes from."""

_PACKED: Mapping[str, tuple[tuple[int, ...], str]] = {
    "rgb10a2": ((10, 10, 10, 2), "rgba"),
    "rg11b10": ((11, 11, 10), "rgba"),
    "r5g6b5": ((5, 6, 5), "rgba"),
    "r5g5b5a1": ((5, 5, 5, 1), "rgba"),
    "r4g4b4a4": ((4, 4, 4, 4), "rgba"),
}
"""Bits and order of channels that share a number."""

_KINDS = {kind.name.lower(): kind for kind in ChannelType}


@dataclass(frozen=True)
class TexelFormat:
    """A format of texels. In numpy, a texel is `channels` numbers of a `dtype`, or one that holds all channels."""

    name: str
    layout: int
    kind: ChannelType
    swizzle: tuple[Swizzle, Swizzle, Swizzle, Swizzle]
    dtype: np.dtype[np.generic]
    channels: int


def _formats() -> dict[str, TexelFormat]:
    layouts = {layout.bits: (number, layout) for number, layout in enumerate(LAYOUTS)}
    found = {}
    for word, kind in _KINDS.items():
        for order, swizzle in _ORDERS.items():
            for bits in (8, 16, 32):
                number, layout = layouts[(bits,) * len(order)]
                if kind in layout.types:
                    letter = "f" if kind is ChannelType.FLOAT else "i" if kind.name.startswith("S") else "u"
                    dtype: np.dtype[np.generic] = np.dtype(f"{letter}{bits // 8}")
                    name = f"{order}{bits}{word}"
                    found[name] = TexelFormat(name, number, kind, swizzle, dtype, len(order))
        for prefix, (parts, order) in _PACKED.items():
            number, layout = layouts[parts]
            if kind in layout.types:
                name = f"{prefix}{word}"
                dtype = np.dtype(f"u{layout.texel_bytes}")
                found[name] = TexelFormat(name, number, kind, _ORDERS[order], dtype, 1)
    return found


TEXEL_FORMATS: Mapping[str, TexelFormat] = _formats()
"""All formats by their names: `rgba8unorm`, `r32float`, `rgb10a2uint`."""


class _Owned(Generic[H]):
    """An object of Level Zero that is destroyed when nothing refers to it any more, or by `free`."""

    def __init__(self, session: Session, make: Callable[[], H]) -> None:
        NOTES.work_off()
        session.require_open()
        self.session = session
        self._claim = Claim()
        self._note = note(self, session.context, partial(self._claim.destroy, destroy=Handle.retire))
        self._handle = self._claim.create(make)

    @property
    def _is_alive(self) -> bool:
        return NOTES.is_written(self._note) and self.session.is_open

    @property
    def handle(self) -> H:
        """The object of Level Zero; raises `ValueError` if it is freed."""
        if not self._is_alive:
            raise ValueError(f"the {self._handle.noun} was freed")
        return self._handle

    def free(self) -> None:
        """Destroys the object now; commands that use it must have ended."""
        context = self.session.context
        if self._is_alive and context.is_of_this_process:
            self._claim.destroy(context, Handle.retire)
            NOTES.cancel(self._note)


class DeviceImage(_Owned[Image]):
    """Texels that kernels read, sample and write.

    `Device.image` and `Device.empty_image` create images. An image is destroyed when nothing refers to it any more, or
    by `free`. `type` is `1d`, `1d_array`, `2d`, `2d_array`, `3d` or `buffer`; `shape` and `dtype` are those of arrays
    of its texels: layers or slices, rows, texels, and channels if a texel has several.
    """

    def __init__(self, session: Session, sizes: tuple[int, ...], format: str, type: str) -> None:
        """`sizes` are layers or slices, rows and texels, as far as the type has them."""
        self.format = _known("format", format, TEXEL_FORMATS)
        self.type = type
        surface = _known("type of images", type, _TYPES)
        shape = SHAPES[surface]
        dimensions = sum(axis is not None for axis in shape.axes)
        if len(sizes) != dimensions or min(sizes) < 1:
            raise ValueError(f"sizes {sizes} of an image of type {type}: expected {dimensions} positive numbers")
        self.shape = sizes if self.format.channels == 1 else (*sizes, self.format.channels)
        self.dtype = self.format.dtype
        texels = iter(reversed(sizes))
        width, height, depth = (1 if axis is None else next(texels) for axis in shape.axes)
        x, y, z, w = map(ze.ze_image_format_swizzle_t, self.format.swizzle)
        desc = ze.ze_image_desc_t(
            ze.ze_image_type_t(surface),
            ze.ze_image_format_t(
                ze.ze_image_format_layout_t(self.format.layout),
                ze.ze_image_format_type_t(self.format.kind),
                x,
                y,
                z,
                w,
            ),
            width,
            height,
            *((0, depth) if shape.is_array else (depth, 0)),
            flags=ze.ze_image_flags_t.ZE_IMAGE_FLAG_KERNEL_WRITE,
        )
        super().__init__(session, lambda: ze.zeImageCreate(session.context, session.device, desc))

    def __repr__(self) -> str:
        state = "" if self._is_alive else ", freed"
        return f"<DeviceImage {self.type} {self.format.name}{list(self.shape)}{state}>"

    def numpy(self) -> NDArray[np.generic]:
        """Returns a copy of the texels."""
        array = np.empty(self.shape, self.dtype)
        commands, handle = self.session.commands, self.handle
        self.session.execute(
            lambda: ze.zeCommandListAppendImageCopyToMemory(commands, array.reshape(-1).view(np.uint8), handle)
        )
        return array

    def write(self, values: ArrayLike) -> None:
        """Replaces the texels; raises `ValueError` unless `values` have the shape and the dtype of the image."""
        array = np.asarray(values, order="C")
        if array.shape != self.shape or array.dtype != self.dtype:
            raise ValueError(
                f"{array.dtype} values of shape {array.shape} for {self.dtype} texels of shape {self.shape} "
                f"({self.format.name})"
            )
        commands, handle = self.session.commands, self.handle
        self.session.execute(
            lambda: ze.zeCommandListAppendImageCopyFromMemory(commands, handle, array.reshape(-1).view(np.uint8))
        )


class DeviceSampler(_Owned[Sampler]):
    """A sampler, which `Device.sampler` creates."""

    def __init__(self, session: Session, addressing: str, filter: str, *, normalized: bool) -> None:
        mode = _known("addressing mode", addressing, ADDRESSING_WORDS)
        filter_mode = _known("filter", filter, FILTER_WORDS)
        desc = ze.ze_sampler_desc_t(
            ze.ze_sampler_address_mode_t(mode), ze.ze_sampler_filter_mode_t(filter_mode), normalized
        )
        self._words = f"{addressing}, {filter}{', normalized' * normalized}"
        super().__init__(session, lambda: ze.zeSamplerCreate(session.context, session.device, desc))

    def __repr__(self) -> str:
        return f"<DeviceSampler {self._words}{'' if self._is_alive else ', freed'}>"


def _known(what: str, word: str, known: Mapping[str, T]) -> T:
    if word not in known:
        raise ValueError(f"unknown {what} {word!r}, expected one of {', '.join(known)}")
    return known[word]
