"""Atomic messages: read, modify and write of one element in memory, one lane after the other."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import numpy as np

from runtime.simulator.interpreter.threads.address_spaces import Addresses, MessageSpace
from runtime.simulator.interpreter.threads.values import Bytes
from runtime.simulator.machine.overhang import may_overhang
from xegpu.isa import DataType, Immediate, OpSpec
from xegpu.isa.model import float_bits, float_value

Update = Callable[[int, int, int], int]
"""Computes the bits of the new value from those of the old value and of two operands."""


def update(space: MessageSpace, addresses: Addresses, operands: Bytes, spec: OpSpec, size: int) -> Bytes:
    """Performs an atomic on elements of `size` bytes, lanes in order, and returns the old values: shape [lanes, size].

    `operands` has shape [operands, lanes, size]. Raises `Fault`.
    """
    if may_overhang(spec, size):
        space = space.overhung(writes=spec.writes)
    if spec.writes:
        space.check_writable(addresses, size)
    dtype = np.dtype(f"<u{size}")
    found = space.read(addresses, size, size).view(dtype)[:, 0]
    compute = _update_of(spec, spec.atomic_type(size))
    values = [[int(value) for value in operand.copy().view(dtype)[:, 0]] for operand in operands]
    values += [[0] * len(addresses)] * (2 - len(values))
    now: dict[int, int] = {}
    before, after = [], []
    for address, old, first, second in zip(addresses.tolist(), found.tolist(), *values, strict=True):
        before.append(now.get(address, old))
        now[address] = compute(before[-1], first, second)
        after.append(now[address])
    if spec.writes:
        space.write(addresses, np.array(after, dtype)[:, None].view(np.uint8), size)
    return np.array(before, dtype)[:, None].view(np.uint8)


def _update_of(spec: OpSpec, type: DataType) -> Update:
    name = spec.mnemonic.removeprefix("atomic_")
    if type.is_float:
        return _FLOATS[name](type)
    limit = (1 << type.bits) - 1
    if type.is_signed:
        choose = _SIGNED[name]
        return lambda old, a, b: choose((_signed(old, type), _signed(a, type))) & limit
    compute = _INTEGERS[name]
    return lambda old, a, b: compute(old, a, b) & limit


_INTEGERS: dict[str, Update] = {
    "iinc": lambda old, a, b: old + 1,
    "idec": lambda old, a, b: old - 1,
    "load": lambda old, a, b: old,
    "store": lambda old, a, b: a,
    "iadd": lambda old, a, b: old + a,
    "isub": lambda old, a, b: old - a,
    "umin": lambda old, a, b: min(old, a),
    "umax": lambda old, a, b: max(old, a),
    "icas": lambda old, a, b: b if old == a else old,
    "and": lambda old, a, b: old & a,
    "or": lambda old, a, b: old | a,
    "xor": lambda old, a, b: old ^ a,
}
_SIGNED: dict[str, Callable[[tuple[int, int]], int]] = {"smin": min, "smax": max}


def _signed(bits: int, type: DataType) -> int:
    return bits - (1 << type.bits) if bits >> (type.bits - 1) else bits


# Floats --------------------------------------------------------------------------------------------------------------


_DTYPES = {DataType.HF: "f2", DataType.F: "f4", DataType.DF: "f8"}


def _sum(sign: int) -> Callable[[DataType], Update]:
    def of(type: DataType) -> Update:
        dtype = _DTYPES[type]

        def compute(old: int, a: int, b: int) -> int:
            terms = np.array([float_value(old, type), sign * float_value(a, type)]).astype(dtype)
            with np.errstate(all="ignore"):
                result = float(terms[0] + terms[1])
            return Immediate.of(math.nan, type).bits if math.isnan(result) else float_bits(result, type)

        return compute

    return of


def _choice(first_wins: Callable[[float, float], bool]) -> Callable[[DataType], Update]:
    def of(type: DataType) -> Update:
        def compute(old: int, a: int, b: int) -> int:
            left, right = float_value(old, type), float_value(a, type)
            if math.isnan(left) and math.isnan(right):
                return Immediate.of(math.nan, type).bits
            if math.isnan(left) or math.isnan(right):
                return a if math.isnan(left) else old
            return old if first_wins(left, right) else a

        return compute

    return of


def _exchange(type: DataType) -> Update:
    return lambda old, a, b: b if float_value(old, type) == float_value(a, type) else old


_FLOATS: dict[str, Callable[[DataType], Update]] = {
    "fadd": _sum(1),
    "fsub": _sum(-1),
    "fmin": _choice(operator.lt),
    "fmax": _choice(operator.ge),
    "fcas": _exchange,
}
