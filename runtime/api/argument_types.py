"""Array types that kernels take, parsed from the type names of their arguments: `memref<?x8xf32>`, `bf16`, `index`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import ml_dtypes
import numpy as np

from xegpu.isa import ELEMENT_TYPES

_MAX_TEXT = 4096

DTYPES: Mapping[str, tuple[np.dtype[np.generic], ...]] = {
    element.name: tuple(np.dtype(getattr(ml_dtypes, name, name)) for name in element.dtypes)
    for element in ELEMENT_TYPES.values()
}
"""The numpy types that hold MLIR element types, the usual one first. Signless integers take both."""
OF_OPENCL: Mapping[str, str] = {
    **{f"{sign}{name}": f"i{bits}" for sign in ("", "u") for name, bits in (("char", 8), ("short", 16), ("int", 32))},
    "long": "i64",
    "ulong": "i64",
    "half": "f16",
    "float": "f32",
    "double": "f64",
}
"""The element types of MLIR for scalars of OpenCL C. Signs are no part of them, as clients pass either."""
_SMALL_TYPES = frozenset(dtype for kinds in DTYPES.values() for dtype in kinds if dtype.type.__module__ == "ml_dtypes")

_POINTEES: Mapping[str, tuple[np.dtype[np.generic], ...]] = {
    **dict.fromkeys(("short", "ushort"), tuple(map(np.dtype, ("i2", "u2")))),
    **dict.fromkeys(("int", "uint"), tuple(map(np.dtype, ("i4", "u4")))),
    **dict.fromkeys(("long", "ulong", "size_t", "ptrdiff_t"), tuple(map(np.dtype, ("i8", "u8")))),
    "half": (np.dtype("f2"),),
    "float": (np.dtype("f4"),),
    "double": (np.dtype("f8"),),
}
"""The numpy types that hold the scalar types of OpenCL C. Pointers to `char` and `uchar` are to any bytes, as in C."""

_POINTER = re.compile(r"(?:const )?([a-z_]+?)(2|3|4|8|16)?\s*\*")
_MEMREF = re.compile(r"memref<((?:(?:\?|\d{1,18})x){0,32})(\w+)\s*(,.*)?>", re.DOTALL)
_UNRANKED = re.compile(r"memref<\*x(\w+)\s*(?:,.*)?>", re.DOTALL)
_STRIDED = re.compile(r"strided<\[([^\]]*)\](?:,\s*offset:\s*(\?|-?\d{1,18}))?>")
_EXTENT = re.compile(r"\?|-?\d{1,18}")


@dataclass(frozen=True)
class MemRefType:
    """A memref type; None stands for dynamic sizes, strides and offsets. Strides count elements; without any it is
    row-major.
    """

    text: str
    shape: tuple[int | None, ...]
    element: str
    strides: tuple[int | None, ...] | None = None
    offset: int | None = 0

    def __str__(self) -> str:
        return self.text

    def hidden(self, shape: Sequence[int], strides: Sequence[int]) -> list[int]:
        """Returns the values of the arguments that follow the pointer: dynamic sizes, dynamic strides, a dynamic offset
        (zero).
        """
        sizes = [size for size, extent in zip(shape, self.shape, strict=True) if extent is None]
        steps = [step for step, extent in zip(strides, self.strides or (), strict=False) if extent is None]
        return [*sizes, *steps, *([0] if self.offset is None else [])]

    @property
    def hidden_count(self) -> int:
        """The number of arguments that follow the pointer."""
        return [*self.shape, *(self.strides or ()), self.offset].count(None)

    def mismatch(self, dtype: np.dtype[np.generic], shape: Sequence[int], strides: Sequence[int]) -> str:
        """Returns why an array with these properties cannot be passed, or an empty string; strides count elements."""
        return self.shape_mismatch(dtype, shape) or self.stride_mismatch(shape, strides)

    def shape_mismatch(self, dtype: np.dtype[np.generic], shape: Sequence[int]) -> str:
        """Returns why no array of this type and shape can be passed, or an empty string."""
        if dtype not in DTYPES[self.element]:
            expected = " or ".join(str(kind) for kind in DTYPES[self.element])
            return f"element type {dtype}, expected {expected}"
        if len(shape) != len(self.shape):
            return f"{len(shape)} dimensions, expected {len(self.shape)}"
        for axis, (size, extent) in enumerate(zip(shape, self.shape, strict=True)):
            if extent is not None and size != extent:
                return f"size {size} in dimension {axis}, expected {extent}"
        return ""

    def stride_mismatch(self, shape: Sequence[int], strides: Sequence[int]) -> str:
        """Returns why an array of the right shape cannot be passed in place, or an empty string."""
        for axis, (step, wanted) in enumerate(zip(strides, self.layout(shape, strides), strict=True)):
            # The stride of a dimension that has no second element is never used.
            if step != wanted and shape[axis] > 1 and 0 not in shape:
                return f"stride {step} (elements) in dimension {axis}, expected {wanted}"
        return ""

    def layout(self, shape: Sequence[int], strides: Sequence[int]) -> tuple[int, ...]:
        """Returns the strides that a kernel expects, in elements: those of an array where the type leaves them open."""
        wanted = self.strides or row_major(shape)
        return tuple(own if step is None else step for own, step in zip(strides, wanted, strict=True))

    def takes_copy(self, shape: Sequence[int], strides: Sequence[int]) -> bool:
        """Returns whether an array with the strides that a kernel expects has each element at an address of its own."""
        steps = sorted((step, size) for step, size in zip(self.layout(shape, strides), shape, strict=True) if size > 1)
        end = 1
        for step, size in steps:
            if step < end:
                return False
            end += (size - 1) * step
        return True


@dataclass(frozen=True)
class Pointee:
    """The elements of `dtypes` that a pointer of OpenCL C points to, or vectors of `width` of them."""

    dtypes: tuple[np.dtype[np.generic], ...]
    width: int = 1

    def __str__(self) -> str:
        return " or ".join(map(str, self.dtypes))

    def holds(self, dtype: np.dtype[np.generic]) -> bool:
        """Returns whether a kernel reads such elements of an array as what they are.

        Integers stand for small floats that OpenCL C has no type for. Complex and structured elements are vectors.
        """
        (first, *_) = self.dtypes
        if dtype in self.dtypes:
            return True
        if dtype in _SMALL_TYPES:
            return first.kind in "iu" and dtype.itemsize == first.itemsize
        room = 4 if self.width == 3 else self.width
        if dtype.kind == "c":
            return self.width == 2 and first.kind == "f" and dtype.itemsize == 2 * first.itemsize
        return dtype.kind == "V" and self.width > 1 and dtype.itemsize == room * first.itemsize


def parse_pointer(text: str) -> Pointee | None:
    """Returns the elements that a pointer of OpenCL C has by its type; None for bytes, structures, other names."""
    match = _POINTER.fullmatch(text) if len(text) <= _MAX_TEXT else None
    if match is None or (dtypes := _POINTEES.get(match[1])) is None:
        return None
    return Pointee(dtypes, int(match[2] or 1))


def row_major(shape: Sequence[int]) -> tuple[int, ...]:
    """Returns the strides of a row-major array, in elements."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def _extent(text: str) -> int | None:
    return None if text == "?" else int(text)


def parse_unranked(text: str) -> str | None:
    """Returns the element type of the unranked memref type that `text` names; None for other types."""
    match = _UNRANKED.fullmatch(text) if len(text) <= _MAX_TEXT else None
    return match[1] if match is not None and match[1] in DTYPES else None


def parse_memref(text: str) -> MemRefType | None:
    """Returns the memref type that `text` names; None for other types, and for elements or layout maps that arrays
    lack.
    """
    match = _MEMREF.fullmatch(text) if len(text) <= _MAX_TEXT else None
    if match is None or match[2] not in DTYPES:
        return None
    shape = tuple(_extent(size) for size in match[1].split("x")[:-1])
    rest = match[3] or ""
    if "affine_map" in rest:
        return None
    layout = _STRIDED.search(rest)
    if layout is None:
        return None if "strided" in rest else MemRefType(text, shape, match[2])
    parts = [part.strip() for part in layout[1].split(",")] if layout[1].strip() else []
    if len(parts) != len(shape) or not all(map(_EXTENT.fullmatch, parts)):
        return None
    return MemRefType(text, shape, match[2], tuple(map(_extent, parts)), _extent(layout[2] or "0"))
