"""Exchanges of values in sub-groups, for every type."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.mux import BUILTINS
from passes.frontends.mux.table import VALUES
from tests.unit.passes.frontends.mux.harness import (
    DTYPES,
    LANES,
    Array,
    KernelText,
    both_engines,
    in_memory,
    launched,
    values_of,
)

SHUFFLES = ("shuffle", "shuffle_xor", "shuffle_up", "shuffle_down")
GROUP = np.arange(LANES)


def taken(name: str, a: Array, b: Array, number: Array) -> Array:
    """Returns what the lanes of a sub-group get of the values of two operands."""
    if name == "shuffle":
        return a[number]
    if name == "shuffle_xor":
        return a[GROUP ^ number]
    place = GROUP - number if name == "shuffle_up" else GROUP + number
    if name == "shuffle_up":
        return np.where(place >= 0, b[place % LANES], a[place % LANES])
    return np.where(place < LANES, a[place % LANES], b[place % LANES])


@both_engines
@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("type", VALUES)
def test_shuffles(type: str, engine: str) -> None:
    """Numbers differ from lane to lane; the second operand is the value of a neighbour, so that it is another one."""
    count = 4 * LANES
    values = values_of(type, count)
    numbers = np.random.default_rng(2).integers(0, LANES, count).astype(np.int32)
    kernel = KernelText()
    a = kernel.load(type)
    memory = in_memory(type)
    start = kernel.op(f"getelementptr {memory}, ptr addrspace(1) %in, i64 {count}")
    place = kernel.op(f"getelementptr i32, ptr addrspace(1) {start}, i64 %number")
    number = kernel.op(f"load i32, ptr addrspace(1) {place}, align 1")
    b = kernel.call(BUILTINS[f"__mux_sub_group_shuffle_xor_{BUILTIN_TYPES[type]}"], f"{type} {a}", "i32 1")
    for name in SHUFFLES:
        row = BUILTINS[f"__mux_sub_group_{name}_{BUILTIN_TYPES[type]}"]
        operands = [f"{type} {a}", f"{type} {b}"][: len(row.parameters) - 1]
        kernel.store(type, kernel.call(row, *operands, f"i32 {number}"))
    given = np.concatenate([values.view(np.uint8).reshape(-1), numbers.view(np.uint8)])
    out = np.zeros((len(SHUFFLES), count), DTYPES[type])
    launched(kernel.text(), engine, (2,), (2 * LANES,), given, out)
    for name, found in zip(SHUFFLES, out, strict=True):
        for first in range(0, count, LANES):
            part = slice(first, first + LANES)
            mine = values[part]
            wanted = taken(name, mine, mine[GROUP ^ 1], numbers[part])
            np.testing.assert_array_equal(found[part], wanted, err_msg=name)


BUILTIN_TYPES = {type: {"half": "f16", "float": "f32", "double": "f64"}.get(type, type) for type in VALUES}
