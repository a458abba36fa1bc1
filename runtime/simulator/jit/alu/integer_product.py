"""Products of integer matrices, exact modulo 2^32.

Elements of four and two bits are widened to bytes first. Four bytes of a row of A then meet four rows of B at a time:
with AVX-512 by an instruction for an unsigned and a signed factor, where an offset of 128 turns one into the other;
else by plain arithmetic.
"""

from __future__ import annotations

from runtime.llvm import IRFunction, Value, count_of, splat, vector, zero
from xegpu.isa import DataType

_BYTE_DOT = {16: "llvm.x86.avx512.vpdpbusd.512", 8: "llvm.x86.avx512.vpdpbusd.256"}
"""The intrinsic that adds four products of unsigned and signed bytes to each i32, by number of columns."""

_SPREAD = {4: ((8, 0x00FF00FF), (4, 0x0F0F0F0F)), 2: ((12, 0x000F000F), (6, 0x03030303))}
"""Shifts and masks that move the low elements of a dword to its four bytes, by element size in bits."""


class IntegerProduct:
    """A x B for two element types; see `MatrixProduct` in `dpas`."""

    rows_at_once = 8
    needs_flush_mode = False

    def __init__(self, a: DataType, b: DataType, depth: int, columns: int, byte_dot: bool):
        self._a = a
        self._b = b
        self._depth = depth
        self._columns = columns
        self._byte_dot = byte_dot
        # The instruction multiplies unsigned by signed: A gets the signedness that B does not have.
        self._bias_a = byte_dot and a.is_signed == b.is_signed

    @property
    def name(self) -> str:
        return f"{self._a.text}.{self._b.text}" + (".dot" if self._byte_dot else "")

    @property
    def row_bytes(self) -> int:
        """The size in bytes of one prepared row of A."""
        return self._depth

    def prepare_a(self, code: IRFunction, source: Value, target: Value, rows: int) -> None:
        """Widens rows of A to bytes."""
        size = self._depth * self._a.bits // 8
        dwords = size // 4
        spread = 8 // self._a.bits
        for row in range(rows):
            raw = code.load(vector(dwords, "i32"), code.offset(source, row * size), 4)
            parts = self._bytes(code, raw, self._a)
            order = [part * dwords + dword for dword in range(dwords) for part in range(spread)]
            joined = parts[0]
            for part in parts[1:]:
                joined = code.concatenate(joined, part)
            whole = code.shuffle(joined, None, order) if spread > 1 else joined
            if self._bias_a:
                whole = code.binary("xor", whole, splat(self._depth // 4, "i32", -0x7F7F7F80))
            code.store(whole, code.offset(target, row * self.row_bytes), 4)

    def prepare_b(self, code: IRFunction, source: Value) -> list[Value]:
        """Returns B with four rows in each dword; if A is biased, followed by the corrections of the sums."""
        registers = self._depth * self._b.bits // 32
        wide = vector(self._columns, "i32")
        rows: list[Value] = []
        for register in range(registers):
            raw = code.load(wide, code.offset(source, register * 4 * self._columns), 4 * self._columns)
            rows += self._bytes(code, raw, self._b)
        if not self._bias_a:
            return rows
        total = zero(wide)
        ones = splat(self._columns, "i32", 0x01010101)
        for row in rows:
            total = self._dot(code, total, ones, row) if self._b.is_signed else self._dot(code, total, row, ones)
        op = "sub" if self._b.is_signed else "add"
        scaled = code.binary("shl", total, splat(self._columns, "i32", 7))
        return [*rows, code.binary(op, zero(wide), scaled)]

    def multiply(self, code: IRFunction, a: Value, rows: int, b: list[Value], c: list[Value]) -> list[Value]:
        """Returns C + A x B for prepared rows of A at `a`."""
        dwords = self._depth // 4
        sums = [code.binary("add", start, b[dwords]) for start in c] if self._bias_a else list(c)
        for k in range(dwords):
            for row in range(rows):
                scalar = code.load("i32", code.offset(a, row * self.row_bytes + 4 * k), 4)
                sums[row] = self._products(code, sums[row], code.broadcast(scalar, self._columns), b[k])
        return sums

    def _bytes(self, code: IRFunction, raw: Value, type: DataType) -> list[Value]:
        """Unpacks dwords of elements to dwords of four bytes: vectors of the first, second, ... dword of each."""
        if type.bits == 8:
            return [raw]
        count = count_of(raw.type)
        sign = (1 << type.bits - 1) * 0x01010101
        parts = []
        for part in range(8 // type.bits):
            values = raw
            if part:
                values = code.binary("lshr", values, splat(count, "i32", 4 * type.bits * part))
            values = code.binary("and", values, splat(count, "i32", (1 << 4 * type.bits) - 1))
            for shift, mask in _SPREAD[type.bits]:
                moved = code.binary("shl", values, splat(count, "i32", shift))
                values = code.binary("and", code.binary("or", values, moved), splat(count, "i32", mask))
            if type.is_signed:
                as_bytes = vector(4 * count, "i8")
                flipped = code.binary("xor", values, splat(count, "i32", sign))
                extended = code.binary(
                    "sub", code.cast("bitcast", flipped, as_bytes), splat(4 * count, "i8", 1 << type.bits - 1)
                )
                values = code.cast("bitcast", extended, raw.type)
            parts.append(values)
        return parts

    def _products(self, code: IRFunction, sum: Value, a: Value, b: Value) -> Value:
        if self._byte_dot:
            unsigned_a = self._a.is_signed if self._bias_a else not self._a.is_signed
            return self._dot(code, sum, a, b) if unsigned_a else self._dot(code, sum, b, a)
        for byte in range(4):
            product = code.binary("mul", self._byte(code, a, byte, self._a), self._byte(code, b, byte, self._b))
            sum = code.binary("add", sum, product)
        return sum

    def _byte(self, code: IRFunction, values: Value, byte: int, type: DataType) -> Value:
        """Returns one byte of each dword, extended."""
        up = code.binary("shl", values, splat(self._columns, "i32", 24 - 8 * byte))
        return code.binary("ashr" if type.is_signed else "lshr", up, splat(self._columns, "i32", 24))

    def _dot(self, code: IRFunction, sum: Value, unsigned: Value, signed: Value) -> Value:
        as_bytes = vector(4 * self._columns, "i8")
        factors = [code.cast("bitcast", x, as_bytes) for x in (unsigned, signed)]
        return code.call(_BYTE_DOT[self._columns], sum.type, sum, *factors)
