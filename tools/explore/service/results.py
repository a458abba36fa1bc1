"""Pictures of what a run has computed: arrays as heat maps, images in their colours."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from runtime.api import TEXEL_FORMATS
from tools.explore.protocol import Json
from tools.run.values import Array, ImageValue, Value

MOST_CELLS = 128
"""The rows and the columns of the largest picture; larger arrays are shown by the means of blocks."""

_COLOURS = 3
"""The channels from which on texels are colours; fewer are numbers."""


def pictures(name: str, value: Value) -> Iterator[Json]:
    """Yields the pictures of an argument after a run: none of a number."""
    if isinstance(value, ImageValue):
        yield from _image(name, value)
    elif isinstance(value, np.ndarray):
        yield _heat_map(name, "x".join(map(str, (*value.shape, value.dtype))), value)


def _heat_map(name: str, type: str, array: Array) -> Json:
    """Returns an array as a heat map: its rows are all axes but the last; large ones are means of blocks."""
    numbers = array.astype(np.float64).reshape(-1, array.shape[-1] if array.ndim and array.size else 1)
    rows, columns = numbers.shape
    step = _step(rows), _step(columns)
    finite = np.isfinite(numbers)
    blocks: list[Json] = [
        [_mean(numbers[row : row + step[0], column : column + step[1]]) for column in range(0, columns, step[1])]
        for row in range(0, rows, step[0])
    ]
    return {
        "name": name,
        "type": type,
        "rows": rows,
        "columns": columns,
        "block": list(step),
        "cells": blocks,
        "least": float(numbers[finite].min()) if finite.any() else None,
        "most": float(numbers[finite].max()) if finite.any() else None,
        "not_finite": int(numbers.size - np.count_nonzero(finite)),
    }


def _image(name: str, image: ImageValue) -> Iterator[Json]:
    """Yields an image in its colours, or a heat map of each channel if it has fewer; layers are below each other."""
    format = TEXEL_FORMATS[image.format]
    channels = format.channels
    texels = image.texels.astype(np.float64).reshape(-1, image.texels.shape[-1 if channels == 1 else -2], channels)
    rows, columns = texels.shape[:2]
    type = "x".join(map(str, image.texels.shape[: image.texels.ndim - (channels > 1)]))
    if channels < _COLOURS:
        for number in range(channels):
            channel = "" if channels == 1 else f", channel {number}"
            yield _heat_map(f"{name}{channel}", f"{type} texels of {image.format}", texels[..., number])
        return
    step = _step(rows), _step(columns)
    sources = [int(component) for component in format.swizzle]
    colours: list[Json] = []
    for row in range(0, rows, step[0]):
        blocks = [texels[row : row + step[0], column : column + step[1]] for column in range(0, columns, step[1])]
        means = [[_mean(block[..., source]) if source < channels else 1.0 for source in sources] for block in blocks]
        colours.append([list[Json](mean) for mean in means])
    yield {
        "name": name,
        "type": f"{type} texels of {image.format}",
        "rows": rows,
        "columns": columns,
        "block": list(step),
        "colours": colours,
        "white": _white(format.dtype) if format.dtype.kind in "iu" else 1.0,
    }


def _white(dtype: np.dtype[np.generic]) -> float:
    """Returns the number of a channel of full brightness: the largest of its type."""
    return float((1 << 8 * dtype.itemsize - (dtype.kind == "i")) - 1)


def _step(count: int) -> int:
    return max(1, -(-count // MOST_CELLS))


def _mean(block: NDArray[np.float64]) -> float | None:
    """Returns the mean of a block; None if it has elements that are no numbers."""
    mean = float(block.mean())
    return mean if isfinite(mean) else None
