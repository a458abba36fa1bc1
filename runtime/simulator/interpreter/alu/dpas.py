"""The matrix engine: D = C + A x B, with one definition of every rounding.

bf and hf: two chains of fused multiply-adds start from +0 and take the products of even and odd k in ascending order;
then even + odd; then C + that sum. tf32: one ascending chain, then C + it. Every step rounds to f32, nearest even.
bf and tf32 flush: subnormal inputs count as zeros of their sign, and a step's result that is below the normal range
after rounding to 24 bits becomes a zero of its sign. hf keeps subnormals. Integers are exact modulo 2^32.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.interpreter.alu import rounding
from runtime.simulator.interpreter.alu.conversions import conversion
from runtime.simulator.interpreter.threads.step import Step
from runtime.simulator.interpreter.threads.thread import Thread
from runtime.simulator.interpreter.threads.values import (
    DTYPES,
    Array,
    Bytes,
    Doubles,
    bits_dtype,
    canonical_nans,
    lane_array,
    number,
)
from xegpu.isa import DataType, Instruction, SourceRegister
from xegpu.isa.formats import dpas_operand_bytes, operations_per_channel

Singles = NDArray[np.float32]

_TINY = rounding.SMALLEST_NORMAL * (1 - 2.0**-25)
"""Smaller magnitudes round, at 24 bits, below the smallest normal f32; the bound itself, a tie, rounds up."""


def decode_dpas(instruction: Instruction, thread: Thread) -> Step:
    """Returns the step of a dpas. The execution mask selects columns."""
    destination = instruction.destination
    c, b, a = (source for source in instruction.sources if isinstance(source, SourceRegister))
    assert destination is not None
    rows, columns = instruction.repeat, instruction.exec_size
    depth = thread.target.platform.matrix_engine.depth * operations_per_channel(b.type, a.type)
    result_bytes, c_bytes, b_bytes, a_bytes = (used for used, _ in dpas_operand_bytes(instruction, thread.target))
    a_data, b_data = _bytes(thread, a, a_bytes), _bytes(thread, b, b_bytes)
    c_data = None if c.register.is_null else _bytes(thread, c, c_bytes)
    first, dtype = thread.byte(destination.register), bits_dtype(destination.type)
    result = thread.registers[first : first + result_bytes].view(dtype).reshape(rows, columns)
    product = _float_product if a.type.is_float else _integer_product
    every = (1 << columns) - 1

    def step() -> None:
        on = thread.base_channels(instruction, columns)
        left = _unpack(a_data, a.type).reshape(rows, depth)
        # Each dword of B holds consecutive k of one column.
        right = _unpack(b_data, b.type).reshape(-1, columns, 32 // b.type.bits).swapaxes(1, 2).reshape(depth, columns)
        start = None if c_data is None else c_data.view(DTYPES[c.type]).reshape(rows, columns)
        values = product(left, right, start, a.type, c.type, destination.type)
        np.copyto(result, values.view(dtype), where=on == every or lane_array(on, columns))

    return step


def _bytes(thread: Thread, source: SourceRegister, size: int) -> Bytes:
    first = thread.byte(source.register)
    return thread.registers[first : first + size]


def _unpack(data: Bytes, type: DataType) -> Array:
    """Unpacks the elements of packed data: integers as int64, floats as values of their type."""
    if type.is_float:
        return data.view(DTYPES[type])
    if type.bits == 8:
        return data.view(DTYPES[type]).astype(np.int64)
    shifts = np.arange(0, 8, type.bits, dtype=np.uint8)
    elements = ((data[:, None] >> shifts) & np.uint8((1 << type.bits) - 1)).ravel().astype(np.int64)
    sign = 1 << (type.bits - 1)
    return (elements ^ sign) - sign if type.is_signed else elements


def _integer_product(a: Array, b: Array, c: Array | None, type: DataType, c_type: DataType, result: DataType) -> Array:
    total = a @ b
    return (total if c is None else total + c).astype(np.uint32)


def _float_product(a: Array, b: Array, c: Array | None, type: DataType, c_type: DataType, result: DataType) -> Array:
    settle, chains = (_flushed, 2) if type is DataType.BF else (_flushed, 1) if type is DataType.TF32 else (_kept, 2)
    a, b = settle(_significant(a, type)), settle(_significant(b, type))
    # Products of 11-bit fractions are exact in f64. Shape [steps, chains, rows, columns].
    # Their sum with an f32 is exact too, unless one term is below 2^-28 of the other: then the larger one is the
    # result, and
    # the f64 sum is too close to it to round elsewhere. Rounding to f64 on the way to f32 therefore changes nothing.
    products = a.T.astype(np.float64)[:, :, None] * b.astype(np.float64)[:, None, :]
    products = products.reshape(-1, chains, *products.shape[1:])
    accumulators = np.zeros(products.shape[1:], np.float32)
    for product in products:
        accumulators = _round(product + accumulators.astype(np.float64), settle)
    total = accumulators[0] if chains == 1 else settle(accumulators[0] + accumulators[1])
    start = np.zeros_like(total) if c is None else settle(conversion(c_type, DataType.F)(c))
    total = settle(start + total)
    return canonical_nans(conversion(DataType.F, result)(total), result)


def _significant(values: Array, type: DataType) -> Singles:
    """Converts inputs to f32, exactly; the low 13 bits of tf32 are not significant."""
    if type is DataType.TF32:
        return (values.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    return number(values, type).astype(np.float32)


def _flushed(values: Singles) -> Singles:
    return rounding.flush_subnormals(values)


def _kept(values: Singles) -> Singles:
    return values


def _round(values: Doubles, settle: Callable[[Singles], Singles]) -> Singles:
    """Rounds the result of one step to f32."""
    singles = values.astype(np.float32)
    if settle is _kept:
        return singles
    tiny = np.abs(values) < _TINY
    return np.where(tiny, np.copysign(np.float32(0), singles), singles)
