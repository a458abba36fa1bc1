"""Arithmetic on indexes and distances that are the same in all lanes."""

from __future__ import annotations

from collections.abc import Callable

from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.values import Number, UniformConstant, near
from xegpu.isa.model import DataType


class UniformArithmetic:
    """Emits sums and products of 64-bit scalars, and folds those of constants."""

    def __init__(self, emit: XeEmitter):
        self._emit = emit

    def add(self, a: Number, b: Number) -> Number:
        """Returns a + b."""
        return self._result("add", a, b, lambda x, y: x + y, identity=0)

    def multiply(self, a: Number, b: Number) -> Number:
        """Returns a * b."""
        return self._result("mul", a, b, lambda x, y: x * y, identity=1)

    def _result(self, mnemonic: str, a: Number, b: Number, fold: Callable[[int, int], int], identity: int) -> Number:
        if isinstance(a, UniformConstant) and isinstance(b, UniformConstant):
            return UniformConstant(a.type, fold(int(a.value), int(b.value)))
        if isinstance(b, UniformConstant) and b.value == identity:
            return a
        if isinstance(a, UniformConstant) and a.value == identity:
            return b
        return self._emit.alu(mnemonic, DataType.UQ, [a, b], 1)

    def distance(self, distance: Number, address: DataType) -> Number:
        """Returns a distance in bytes, of 64 bits, for adding to addresses of a type.

        To addresses of 32 bits, which shared local and scratch memory have, it is clamped: these memories are small, so
        that an address that is far outside of them stays outside, and does not wrap around into them.
        """
        if isinstance(distance, UniformConstant):
            return UniformConstant(address, int(distance.value) if address.bits == 64 else near(int(distance.value)))
        if address.bits == 64 or distance.type.bits <= 32:
            return distance
        return self._emit.alu("mov", DataType.D, [distance.as_type(DataType.Q)], distance.count, saturate=True)
