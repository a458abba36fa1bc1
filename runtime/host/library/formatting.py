"""Numbers and memrefs as MLIR's runner utilities print them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from runtime.host.data.values import Array, offset_of


def number_text(value: object) -> str:
    """Returns a number as C++ streams print it by default: floating-point numbers with six digits."""
    if isinstance(value, float | np.floating) or (isinstance(value, np.generic) and value.dtype.kind in "fV"):
        number = float(value)
        return f"{number:g}" if number == number else ("-nan" if np.signbit(np.float64(number)) else "nan")
    return str(int(value)) if isinstance(value, int | np.integer | np.bool_) else str(value)


def _element_text(value: object) -> str:
    """Returns an element of a memref as text; one of i8 is a character."""
    if isinstance(value, np.int8):
        return chr(int(value) & 0xFF)
    return number_text(value)


def memref_text(memref: Array, *, with_data: bool = True) -> str:
    """Returns a header with address, shape and strides, and the elements in nested brackets, one row per line."""
    offset = offset_of(memref)
    address = memref.__array_interface__["data"][0] - offset * memref.itemsize
    sizes, strides = (", ".join(map(str, numbers)) for numbers in (memref.shape, _steps(memref)))
    place = f"base@ = {address:#x} rank = {memref.ndim} offset = {offset}"
    head = f"Unranked Memref {place} sizes = [{sizes}] strides = [{strides}]"
    return f"{head} data = \n{''.join(_data(memref, memref.ndim))}\n" if with_data else f"{head}\n"


def _steps(memref: Array) -> list[int]:
    return [step // memref.itemsize for step in memref.strides]


def _data(memref: Array, rank: int) -> Iterator[str]:
    """Returns the elements of a part of a memref; `rank` is that of the whole memref."""
    if memref.ndim == 0:
        yield f"[{_element_text(memref[()])}]" if rank == 0 else _element_text(memref[()])
        return
    if memref.ndim == 1:
        yield "[" + ("," + " " * (rank + 1)).join(map(_element_text, memref)) + "]"
        return
    yield "["
    for number, part in enumerate(memref):
        if number:
            yield ", \n" + " " * (rank - memref.ndim + 1)
        yield from _data(part, rank)
    yield "]"


def vector_text(value: object) -> str:
    """Returns a vector as `vector.print` shows it, in nested round brackets, or a number."""
    if isinstance(value, np.ndarray) and value.ndim:
        return "( " + ", ".join(map(vector_text, value)) + " )"
    return number_text(value[()] if isinstance(value, np.ndarray) else value)
