"""Kernel arguments as they are written on the command line.

| Text | Value |
|---|---|
| `f32:1.5`, `index:1024`, `i1:true` | a scalar of an MLIR type |
| `zeros:256x64xbf16`, `ones:...` | an array of an MLIR shape and element type |
| `fill:1024xf32:1.5` | an array of one number |
| `arange:1024xi32[:START[:STEP]]` | numbers that rise, row-major |
| `random:256x64xbf16[:SEED]` | floats from -1 to 1, integers from -8 (or 0) to 7; the same ones for the same seed |
| `FILE.npy[:TYPE]` | an array from a file, converted to an element type |
| `local:4096`, `local:4K` | the bytes of local memory that a pointer gets |
| `image:rgba8unorm:ARRAY`, `image:r32float,1d_array:ARRAY` | an image with the texels of an array, by its type |
| `sampler:clamp_edge:linear[:normalized]` | a sampler |
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from runtime.api import DTYPES, TEXEL_FORMATS
from runtime.simulator.supervision import parse_bytes
from tools.cli import CommandError, UsageError
from tools.run.command import FORMS

Array = NDArray[np.generic]


@dataclass(frozen=True)
class ImageValue:
    """An image for a kernel, whose `texels` are those before the launch, and then those after it."""

    format: str
    type: str | None
    texels: Array


@dataclass(frozen=True)
class SamplerValue:
    """A sampler for a kernel."""

    addressing: str
    filter: str
    normalized: bool


Value = Array | int | float | ImageValue | SamplerValue

_SHAPE = re.compile(r"((?:\d{1,18}x){0,32})([A-Za-z]\w*)")
_MOST_TEXT = 4096
_ALIGNMENT = 64
_SMALL = 8
"""The bound of random integers, which keeps sums of products exact in most types."""


def parse_value(text: str, limit: int) -> Value:
    """Returns the value that `text` describes; arrays may take `limit` bytes.

    Raises `UsageError` for any other text, and `CommandError` for a file that cannot be read.
    """
    kind, _, rest = text.partition(":")
    if kind in _ARRAYS:
        shape, _, numbers = rest.partition(":")
        return _ARRAYS[kind](text, _new(text, shape, limit), numbers)
    if kind == "local":
        return _local(text, rest)
    if kind == "image" and rest:
        return _image(text, rest, limit)
    if kind == "sampler" and rest:
        return _sampler(text, rest)
    if kind in DTYPES and rest:
        return _scalar(text, kind, rest)
    if ".npy" in text:
        return _load(text, limit)
    raise UsageError(f"'{_short(text)}' is not a value: expected {FORMS}")


def _image(text: str, rest: str, limit: int) -> ImageValue:
    words, _, array = rest.partition(":")
    name, _, type = words.partition(",")
    if name not in TEXEL_FORMATS:
        known = ", ".join(TEXEL_FORMATS)
        raise UsageError(f"'{_short(text)}': '{_short(name)}' is not a format of images, expected one of {known}")
    texels = parse_value(array, limit)
    if not isinstance(texels, np.ndarray):
        raise UsageError(f"'{_short(text)}': '{_short(array)}' is not an array of texels")
    dtype = TEXEL_FORMATS[name].dtype
    if texels.dtype.itemsize == dtype.itemsize and texels.dtype.kind in "iu" and dtype.kind in "iu":
        texels = texels.view(dtype)
    return ImageValue(name, type or None, texels)


def _sampler(text: str, rest: str) -> SamplerValue:
    addressing, *others = rest.split(":")
    if len(others) > 2 or others[1:] not in ([], ["normalized"]):
        raise UsageError(f"'{_short(text)}' is not a sampler such as sampler:repeat:linear:normalized")
    return SamplerValue(addressing, others[0] if others else "nearest", len(others) > 1)


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


# Scalars -------------------------------------------------------------------------------------------------------------


def _scalar(text: str, type: str, number: str) -> int | float:
    """Returns a Python number; passing it checks that it fits the parameter."""
    kind = DTYPES[type][0].kind
    if kind == "b" and number in ("true", "false"):
        return int(number == "true")
    return _whole(text, number) if kind in "biu" else _number(text, number)


def _local(text: str, size: str) -> int:
    try:
        return parse_bytes(size[:_SHORT_NUMBER])
    except ValueError:
        raise UsageError(f"'{_short(text)}': '{_short(size)}' is not a size in bytes, e.g. 1024 or 4K") from None


def _whole(text: str, number: str) -> int:
    try:
        return int(number, 0) if len(number) <= _SHORT_NUMBER else int("")
    except ValueError:
        raise UsageError(f"'{_short(text)}': '{_short(number)}' is not an integer") from None


_SHORT_NUMBER = 80


def _number(text: str, number: str) -> float:
    try:
        return float(number)
    except ValueError:
        raise UsageError(f"'{_short(text)}': '{_short(number)}' is not a number") from None


# Arrays --------------------------------------------------------------------------------------------------------------


def _new(text: str, shape: str, limit: int) -> Array:
    """Returns an array of zeros, aligned so that kernels can use it in place."""
    match = _SHAPE.fullmatch(shape) if len(shape) <= _MOST_TEXT else None
    if match is None or match[2] not in DTYPES:
        raise UsageError(f"'{_short(text)}': '{_short(shape)}' is not a shape with element type, e.g. 256x64xbf16")
    dtype = DTYPES[match[2]][0]
    extents = tuple(int(extent) for extent in match[1].split("x")[:-1])
    size = math.prod(extents) * dtype.itemsize
    if size > limit:
        raise CommandError(f"'{_short(text)}' takes {size} bytes, the limit is {limit}")
    try:
        room = np.zeros(size + _ALIGNMENT, np.uint8)
    except (MemoryError, ValueError):
        raise CommandError(f"'{_short(text)}': out of memory for {size} bytes") from None
    start = -room.ctypes.data % _ALIGNMENT
    return np.ndarray(extents, dtype, room.data, start)


def _zeros(text: str, array: Array, numbers: str) -> Array:
    return _fill(text, array, numbers or "0")


def _ones(text: str, array: Array, numbers: str) -> Array:
    return _fill(text, array, numbers or "1")


def _fill(text: str, array: Array, numbers: str) -> Array:
    value = _element(text, array.dtype, numbers)
    if value:  # zeros are there already, in memory that the OS commits only when it is used
        array[...] = _converted(np.array(value), array.dtype)
    return array


def _arange(text: str, array: Array, numbers: str) -> Array:
    start, _, step = numbers.partition(":")
    first, distance = _element(text, array.dtype, start or "0"), _element(text, array.dtype, step or "1")
    array[...] = _converted(first + distance * np.arange(array.size).reshape(array.shape), array.dtype)
    return array


def _random(text: str, array: Array, numbers: str) -> Array:
    generator = np.random.default_rng(abs(_whole(text, numbers or "0")))
    if array.dtype.kind in "biu":
        low = -_SMALL if array.dtype.kind == "i" else 0
        array[...] = generator.integers(low, 2 if array.dtype.kind == "b" else _SMALL, array.shape)
    else:
        array[...] = _converted(generator.uniform(-1, 1, array.shape), array.dtype)
    return array


def _element(text: str, dtype: np.dtype[np.generic], number: str) -> int | float:
    """Returns a number that an array of this type can hold."""
    if dtype.kind not in "biu":
        return _number(text, number)
    value = _whole(text, number)
    bits = 1 if dtype.kind == "b" else 8 * dtype.itemsize
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if dtype.kind == "i" else (0, (1 << bits) - 1)
    if not least <= value <= most:
        raise UsageError(f"'{_short(text)}': {value} is outside of {least} to {most}")
    return value


_ARRAYS: Mapping[str, Callable[[str, Array, str], Array]] = {
    "zeros": _zeros,
    "ones": _ones,
    "fill": _fill,
    "arange": _arange,
    "random": _random,
}


def _converted(array: Array, dtype: np.dtype[np.generic]) -> Array:
    """Converts an array to a type: large floats become infinite, integers wrap."""
    with np.errstate(all="ignore"):
        return array.astype(dtype)


# Files ---------------------------------------------------------------------------------------------------------------


def _load(text: str, limit: int) -> Array:
    """Loads an array from a file. Element types unknown to numpy are stored as raw bytes and need a type here."""
    path, _, type = text.rpartition(":") if not text.endswith(".npy") else (text, "", "")
    if type and type not in DTYPES:
        raise UsageError(f"'{_short(text)}': unknown element type '{_short(type)}'")
    try:
        if Path(path).stat().st_size > limit:
            raise CommandError(f"more than {limit} bytes", path)
        with Path(path).open("rb") as file:
            array: Array = np.lib.format.read_array(file, allow_pickle=False)
    except (OSError, ValueError, EOFError, SyntaxError, MemoryError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CommandError(f"cannot be read: {reason}", path) from None
    if array.dtype.kind not in "biufV" and array.dtype not in _KNOWN:
        raise CommandError(f"has elements of type {array.dtype}: expected numbers", path)
    return array if not type else as_type(array, DTYPES[type][0], path)


def as_type(array: Array, dtype: np.dtype[np.generic], name: str) -> Array:
    """Converts an array to another element type: raw bytes are reinterpreted, numbers are rounded."""
    if array.dtype == dtype:
        return array
    if array.dtype.kind == "V":
        if array.dtype.itemsize != dtype.itemsize or array.dtype.fields is not None:
            raise CommandError(f"has elements of type {array.dtype}, which cannot be reinterpreted as {dtype}", name)
        return np.ascontiguousarray(array).view(dtype).reshape(array.shape)
    return _converted(array, dtype)


_KNOWN = frozenset(dtype for kinds in DTYPES.values() for dtype in kinds)
