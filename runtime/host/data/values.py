"""Values of host programs in Python: numbers, and memrefs as numpy arrays over the same memory."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType, UnrankedMemRefType, VectorType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute

from runtime.api import DTYPES
from runtime.host.data.callbacks import Slots
from runtime.host.data.types import parts_of
from runtime.simulator import is_unwritten

Array = NDArray[np.generic]
Value = int | float | bool | Array

_RANK, _POINTER = 0, 8
_ALIGNED, _OFFSET, _SIZES = 8, 16, 24
"""Byte offsets in a descriptor in memory."""


def dtype_of(type: Attribute) -> np.dtype[np.generic]:
    """Returns the numpy type of elements in memory; i1 is a bool, integers are signed."""
    if isinstance(type, IntegerType):
        return np.dtype(bool) if type.width.data == 1 else np.dtype(f"i{max(type.width.data // 8, 1)}")
    return DTYPES[type.name][0]


def _word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


def _words(address: int, count: int) -> tuple[int, ...]:
    return tuple((ctypes.c_int64 * count).from_address(address))


def array_at(element: Attribute, aligned: int, offset: int, sizes: Sequence[int], strides: Sequence[int]) -> Array:
    """Returns the elements of a memref, in place, as an array whose memory starts at the aligned pointer."""
    dtype = dtype_of(element)
    reach = [(size - 1) * stride for size, stride in zip(sizes, strides, strict=True)]
    if 0 in sizes:
        return np.empty(tuple(sizes), dtype)
    first, last = sum(r for r in reach if r < 0), sum(r for r in reach if r > 0)
    start, end = min(0, offset + first), offset + last + 1
    memory = (ctypes.c_char * ((end - start) * dtype.itemsize)).from_address(aligned + start * dtype.itemsize)
    return np.ndarray(
        tuple(sizes),
        dtype,
        memoryview(memory),
        (offset - start) * dtype.itemsize,
        tuple(stride * dtype.itemsize for stride in strides),
    )


def offset_of(memref: Array) -> int:
    """Returns the offset in elements at which an array from `array_at` begins in its memory; 0 for other arrays."""
    if not isinstance(memref.base, ctypes.Array):
        return 0
    return (memref.__array_interface__["data"][0] - ctypes.addressof(memref.base)) // memref.itemsize


def first_unwritten(memref: Array) -> tuple[int, ...] | None:
    """Returns the position of the first element that nothing has written, in row-major order; None if there is none."""
    if memref.size == 0:
        return None
    low, high = np.lib.array_utils.byte_bounds(memref)
    offsets = np.array(memref.__array_interface__["data"][0] - low, np.int64)
    for size, stride in zip(memref.shape, memref.strides, strict=True):
        offsets = offsets[..., None] + np.arange(size) * stride
    memory = np.ndarray(high - low, np.uint8, memoryview((ctypes.c_uint8 * (high - low)).from_address(low)))
    missing = np.argwhere(is_unwritten(memory, offsets))
    return tuple(map(int, missing[0])) if len(missing) else None


def descriptor_at(address: int, rank: int) -> tuple[int, int, tuple[int, ...], tuple[int, ...]]:
    """Returns the aligned pointer, offset, sizes and strides of a memref's descriptor in memory."""
    sizes = _words(address + _SIZES, rank)
    strides = _words(address + _SIZES + 8 * rank, rank)
    return _word(address + _ALIGNED), _word(address + _OFFSET), sizes, strides


def read_values(types: Sequence[Attribute], address: int) -> list[Value]:
    """Returns the values in slots."""
    parts = [parts_of(type) for type in types]
    places = iter(Slots([part for group in parts for part in group]).places)
    values = []
    for type, group in zip(types, parts, strict=True):
        offsets = [next(places)[1] for _ in group]
        values.append(_read(type, address + offsets[0]) if group else 0)
    return values


def _read(type: Attribute, address: int) -> Value:
    match type:
        case MemRefType():
            return array_at(type.element_type, *descriptor_at(address, type.get_num_dims()))
        case UnrankedMemRefType():
            rank, pointer = _word(address + _RANK), _word(address + _POINTER)
            return array_at(type.element_type, *descriptor_at(pointer, rank))
        case VectorType():
            return _read_vector(type, address)
    if isinstance(type, IntegerType | IndexType | LLVMPointerType):
        bits = type.width.data if isinstance(type, IntegerType) else 64
        return _integer(ctypes.string_at(address, -(-bits // 64) * 8), bits)
    return float(np.frombuffer(ctypes.string_at(address, 8), dtype_of(type), 1)[0])


def _integer(data: bytes, bits: int) -> int:
    """Returns the integer in some bytes: signed, except for i1."""
    value = int.from_bytes(data, "little") & ((1 << bits) - 1)
    return value if bits == 1 or value < 1 << (bits - 1) else value - (1 << bits)


def _read_vector(type: VectorType[Attribute], address: int) -> Array:
    dtype = dtype_of(type.get_element_type())
    count = int(np.prod(type.get_shape(), dtype=np.int64))
    data = ctypes.string_at(address, count * dtype.itemsize)
    return np.frombuffer(data, dtype).reshape(type.get_shape())


def write_values(types: Sequence[Attribute], values: Sequence[Value], address: int) -> None:
    """Writes values to slots: arrays for memrefs, which must live as long as they are used, and numbers."""
    parts = [parts_of(type) for type in types]
    places = iter(Slots([part for group in parts for part in group]).places)
    for type, group, value in zip(types, parts, values, strict=True):
        offsets = [next(places)[1] for _ in group]
        if isinstance(type, MemRefType):
            assert isinstance(value, np.ndarray)
            pointer = value.__array_interface__["data"][0]
            words = (pointer, pointer, 0, *value.shape, *(step // value.itemsize for step in value.strides))
            ctypes.memmove(address + offsets[0], struct.pack(f"<{len(words)}q", *words), 8 * len(words))
        else:
            assert not isinstance(value, np.ndarray)
            data = _bytes(type, value)
            ctypes.memmove(address + offsets[0], data, len(data))


def _bytes(type: Attribute, value: float) -> bytes:
    if isinstance(type, IntegerType | IndexType | LLVMPointerType):
        bits = type.width.data if isinstance(type, IntegerType) else 64
        return (int(value) & ((1 << bits) - 1)).to_bytes(-(-bits // 64) * 8, "little")
    return np.array(value).astype(dtype_of(type)).tobytes().ljust(8, b"\0")
