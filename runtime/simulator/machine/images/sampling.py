"""Sampling: coordinates to texels and the weights between them, and filtered texels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.machine.images.texels import Components
from xegpu.isa.model import SHAPES, Addressing, ChannelType, Filter, SamplerState, SurfaceState, SurfaceType

Indices = NDArray[np.int64]
Singles = NDArray[np.float32]
Fetch = Callable[[list[Indices]], Components]
"""Texels at x, y and z."""

LARGEST_COORDINATE = 2.0**30
"""Coordinates are clamped to this, far outside of every image, so that indices fit an i64 and i32 arithmetic."""


@dataclass(frozen=True)
class _Axis:
    """Indices along an axis: of the one texel, or of two texels and the weight of the second."""

    first: Indices
    second: Indices | None = None
    weight: Singles | None = None


def sample(coordinates: list[Singles], surface: SurfaceState, sampler: SamplerState, fetch: Fetch) -> Components:
    """Returns the components at coordinates u, v and r of each lane, shape [lanes, 4].

    `fetch` returns the texels at x, y and z, the border colour for indices outside of the image.
    """
    shape = SHAPES[SurfaceType(surface.type)]
    linear = sampler.filter == Filter.LINEAR and not ChannelType(surface.channel_type).is_integer
    axes = []
    for rank, (axis, size) in enumerate(zip(shape.axes, (surface.width, surface.height, surface.depth), strict=True)):
        if axis is None:
            axes.append(_Axis(np.zeros(len(coordinates[0]), np.int64)))
        elif rank < shape.filtered:
            axes.append(_axis(coordinates[axis], size, sampler, linear=linear))
        else:
            axes.append(_Axis(_layer(coordinates[axis], size)))
    return _mixed(axes, fetch)


def _mixed(axes: list[_Axis], fetch: Fetch) -> Components:
    """Interpolates along x, then y, then z between the texels around each lane's place, which are fetched at once."""
    xs, ys, zs = ((axis.first,) if axis.second is None else (axis.first, axis.second) for axis in axes)
    corners = [(x, y, z) for z in zs for y in ys for x in xs]
    if len(corners) == 1:
        return fetch(list(corners[0]))
    places = [np.concatenate(numbers) for numbers in zip(*corners, strict=True)]
    texels = np.split(fetch(places), len(corners))
    for axis in axes:
        if axis.weight is not None:
            pairs = zip(texels[::2], texels[1::2], strict=True)
            texels = [_between(first, second, axis.weight) for first, second in pairs]
    return texels[0]


def _between(first: Components, second: Components, weight: Singles) -> Components:
    p, q = first.view(np.float32), second.view(np.float32)
    with np.errstate(all="ignore"):
        mixed = p + weight[:, None] * (q - p)
    return np.where(np.isnan(mixed), np.float32(np.nan), mixed).view(np.uint32)


def _axis(coordinates: Singles, size: int, sampler: SamplerState, *, linear: bool) -> _Axis:
    with np.errstate(all="ignore"):
        u = _texels(coordinates, size, sampler)
        if not linear:
            return _Axis(_wrapped(np.floor(u).astype(np.int64), size, sampler))
        shifted = u - np.float32(0.5)
        below = np.floor(shifted)
    index = below.astype(np.int64)
    return _Axis(_wrapped(index, size, sampler), _wrapped(index + 1, size, sampler), shifted - below)


def _texels(s: Singles, size: int, sampler: SamplerState) -> Singles:
    """Converts coordinates to units of texels."""
    two, half = np.float32(2), np.float32(0.5)
    u = s
    if sampler.normalized:
        if sampler.addressing == Addressing.REPEAT:
            u = u - np.floor(u)
        elif sampler.addressing == Addressing.MIRROR:
            u = u - two * np.floor(u * half)
        u = u * np.float32(size)
    numbers: Singles = np.where(np.isnan(u), np.float32(0), u)
    limit = np.float32(LARGEST_COORDINATE)
    return np.minimum(np.maximum(numbers, -limit), limit)


def _wrapped(index: Indices, size: int, sampler: SamplerState) -> Indices:
    """Applies the addressing mode to indices of texels; those left outside of the image stand for the border."""
    match sampler.addressing:
        case Addressing.REPEAT:
            return index % size
        case Addressing.MIRROR:
            folded = index % (2 * size)
            return np.where(folded < size, folded, 2 * size - 1 - folded)
        case Addressing.CLAMP:
            return np.clip(index, 0, size - 1)
    return index


def _layer(coordinates: Singles, layers: int) -> Indices:
    numbers = np.where(np.isnan(coordinates), np.float32(0), coordinates)
    return np.clip(np.rint(numbers), 0, layers - 1).astype(np.int64)
