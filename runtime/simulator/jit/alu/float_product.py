"""Products of float matrices: one dpas as fused multiply-adds on vectors of columns.

A is widened to f32 once and read one element at a time; the rows of B stay in vector registers. bf and tf32 flush
subnormals: by the CPU's mode where it detects them after rounding (the caller sets it), else by explicit selection.
"""

from __future__ import annotations

from runtime.llvm import IRFunction, Value, count_of, decode, float_splat, flushed, mangled, splat, vector, zero
from xegpu.isa import DataType

MXCSR_DEFAULT, MXCSR_FLUSH = 0x1F80, 0x9FC0
"""Values of x86's MXCSR (Intel SDM, volume 1, section 10.2.3): round to nearest even with all exceptions masked, and
the same with FTZ (bit 15) and DAZ (bit 6).
"""

_DEPTHS = {DataType.TF32: 8, DataType.BF: 16, DataType.HF: 16}
_CHAINS = {DataType.TF32: 1, DataType.BF: 2, DataType.HF: 2}


class FloatProduct:
    """A x B for one element type; see `MatrixProduct` in `dpas`."""

    rows_at_once = 4

    def __init__(self, type: DataType, columns: int, flushes_in_hardware: bool):
        self._type = type
        self._columns = columns
        self._depth = _DEPTHS[type]
        self.needs_flush_mode = type is not DataType.HF and flushes_in_hardware
        self._selects = type is not DataType.HF and not flushes_in_hardware

    @property
    def name(self) -> str:
        return self._type.text + (".select" if self._selects else "")

    @property
    def row_bytes(self) -> int:
        """The size in bytes of one prepared row of A."""
        return 4 * self._depth

    def prepare_a(self, code: IRFunction, source: Value, target: Value, rows: int) -> None:
        """Widens rows of A to f32."""
        size = self._depth * self._type.size
        for row in range(rows):
            raw = code.load(vector(self._depth, f"i{self._type.bits}"), code.offset(source, row * size), 4)
            code.store(self._significant(code, raw), code.offset(target, row * self.row_bytes), 4)

    def prepare_b(self, code: IRFunction, source: Value) -> list[Value]:
        """Returns the rows of B as f32."""
        wide = vector(self._columns, "i32")
        rows = []
        for register in range(8):
            raw = code.load(wide, code.offset(source, register * 4 * self._columns), 4 * self._columns)
            if self._type is DataType.TF32:
                rows.append(self._significant(code, raw))
                continue
            high = code.binary("lshr", raw, splat(self._columns, "i32", 16))
            halves = (code.cast("trunc", half, vector(self._columns, "i16")) for half in (raw, high))
            rows += [self._significant(code, half) for half in halves]
        return rows

    def multiply(self, code: IRFunction, a: Value, rows: int, b: list[Value], c: list[Value]) -> list[Value]:
        """Returns C + A x B for prepared rows of A at `a`, as carried values."""
        wide = vector(self._columns, "float")
        chains = [[zero(wide)] * _CHAINS[self._type] for _ in range(rows)]
        for k in range(self._depth):
            for row, sums in enumerate(chains):
                scalar = code.load("float", code.offset(a, row * self.row_bytes + 4 * k), 4)
                chain = k % len(sums)
                sums[chain] = self._step(code, code.broadcast(scalar, self._columns), b[k], sums[chain])
        results = []
        for sums, start in zip(chains, c, strict=True):
            total = sums[0] if len(sums) == 1 else self._sum(code, sums[0], sums[1])
            results.append(self._sum(code, self._settled(code, start), total))
        return results

    def _significant(self, code: IRFunction, raw: Value) -> Value:
        if self._type is DataType.TF32:
            raw = code.binary("and", raw, splat(count_of(raw.type), "i32", -(1 << 13)))
        return self._settled(code, decode(code, raw, self._type))

    def _settled(self, code: IRFunction, values: Value) -> Value:
        return flushed(code, values) if self._selects else values

    def _sum(self, code: IRFunction, a: Value, b: Value) -> Value:
        # A subnormal sum of two f32 is exact, so flushing it afterwards is the same as flushing during the addition.
        return self._settled(code, code.binary("fadd", a, b))

    def _step(self, code: IRFunction, a: Value, b: Value, sum: Value) -> Value:
        """Emits one step of a chain: a * b + sum, rounded once, and flushed if it is below the normal range."""
        if not self._selects:
            return code.call(mangled("fma", sum.type), sum.type, a, b, sum)
        # The product is exact in f64, and the sum has enough bits to be rounded again to f32.
        wide = vector(self._columns, "double")
        a, b, start = (code.cast("fpext", x, wide) for x in (a, b, sum))
        exact = code.binary("fadd", code.binary("fmul", a, b), start)
        rounded = code.cast("fptrunc", exact, sum.type)
        tiny = code.compare("fcmp olt", code.call(mangled("fabs", wide), wide, exact), _tiny(self._columns))
        bits = code.cast("bitcast", rounded, vector(self._columns, "i32"))
        signed_zero = code.binary("and", bits, splat(self._columns, "i32", -0x80000000))
        return code.cast("bitcast", code.select(tiny, signed_zero, bits), sum.type)


def _tiny(columns: int) -> Value:
    """Smaller magnitudes round, at 24 bits, below the smallest normal f32; the bound itself, a tie, rounds up."""
    return float_splat(columns, "double", 2.0**-126 - 2.0**-151)
