"""A scalar model of dpas in exact fractions, element by element and bit by bit; shares no code with engines."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from tests.unit.runtime.simulator.oracles.alu import decode, encode
from xegpu.isa import DataType, Instruction, SourceRegister
from xegpu.targets import Target

_SMALLEST_NORMAL = Fraction(2) ** -126


def _bits(registers: bytes, start: int, count: int) -> int:
    """`count` bits from bit `start` of the register file on."""
    first, last = start // 8, (start + count - 1) // 8
    return int.from_bytes(registers[first : last + 1], "little") >> (start % 8) & ((1 << count) - 1)


def _float(bits: int, type: DataType, flush: bool) -> float:
    if type is DataType.TF32:
        bits &= 0xFFFFE000
    value = float(decode(bits, type))
    return math.copysign(0.0, value) if flush and abs(value) < _SMALLEST_NORMAL else value


def _step(a: float, b: float, flush: bool) -> float:
    """The sum of two numbers, rounded to f32 once; flushed if it is tiny after rounding to 24 bits."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return a + b
    exact = Fraction(a) + Fraction(b)
    if not exact:
        return a + b
    if flush:
        exponent = math.floor(math.log2(abs(exact)))
        rounded = round(abs(exact) / Fraction(2) ** (exponent - 23)) * Fraction(2) ** (exponent - 23)
        if rounded < _SMALLEST_NORMAL:
            return math.copysign(0.0, exact)
    return float(decode(encode(exact, DataType.F), DataType.F))


def _float_element(a: list[float], b: list[float], c: float, chains: int, flush: bool) -> float:
    sums = [0.0] * chains
    for k, (x, y) in enumerate(zip(a, b, strict=True)):
        sums[k % chains] = _step(x * y, sums[k % chains], flush)  # the product is exact in a Python float
    total = sums[0] if chains == 1 else _step(sums[0], sums[1], flush)
    return _step(c, total, flush)


def execute(instruction: Instruction, registers: bytes, mask: int, target: Target) -> bytes:
    """The register file behind a dpas."""
    destination, (c, b, a) = instruction.destination, instruction.sources
    assert destination is not None
    assert isinstance(a, SourceRegister)
    assert isinstance(b, SourceRegister)
    assert isinstance(c, SourceRegister)
    columns, rows = instruction.exec_size, instruction.repeat
    operations = {32: 1, 16: 2, 8: 4}.get(max(a.type.bits, b.type.bits), 8)
    depth = 8 * operations
    per_dword = 32 // (operations * b.type.bits)

    def start(operand: SourceRegister) -> int:
        return 8 * (operand.register.number * target.platform.grf_bytes + operand.register.byte)

    def a_bits(m: int, k: int) -> int:
        return _bits(registers, start(a) + (m * depth + k) * a.type.bits, a.type.bits)

    def b_bits(k: int, n: int) -> int:
        d, j = k // operations, k % operations
        place = (d // per_dword * columns + n) * 32 + (d % per_dword * operations + j) * b.type.bits
        return _bits(registers, start(b) + place, b.type.bits)

    def c_bits(m: int, n: int) -> int:
        return _bits(registers, start(c) + (m * columns + n) * c.type.bits, c.type.bits)

    element: Callable[[int, int], int]
    if a.type.is_float:
        flush, chains = a.type in (DataType.BF, DataType.TF32), 1 if a.type is DataType.TF32 else 2

        def element(m: int, n: int) -> int:
            row = [_float(a_bits(m, k), a.type, flush) for k in range(depth)]
            column = [_float(b_bits(k, n), b.type, flush) for k in range(depth)]
            accumulator = 0.0 if c.register.is_null else _float(c_bits(m, n), c.type, flush)
            return encode(_float_element(row, column, accumulator, chains, flush), destination.type)
    else:

        def element(m: int, n: int) -> int:
            accumulator = 0 if c.register.is_null else c_bits(m, n)
            products = (decode(a_bits(m, k), a.type) * decode(b_bits(k, n), b.type) for k in range(depth))
            return int(accumulator + sum(products)) & 0xFFFFFFFF

    after = bytearray(registers)
    first = destination.register.number * target.platform.grf_bytes + destination.register.byte
    size = destination.type.size
    for m in range(rows):
        for n in range(columns):
            if instruction.no_mask or mask >> n & 1:
                place = first + (m * columns + n) * size
                after[place : place + size] = element(m, n).to_bytes(size, "little")
    return bytes(after)
