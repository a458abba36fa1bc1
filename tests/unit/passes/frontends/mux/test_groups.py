"""Votes, broadcasts, reductions and scans of groups, for every operation and type, against definitions in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce

import numpy as np
import pytest

from passes.frontends.mux import BUILTINS, BuiltinKind, MuxBuiltin
from passes.frontends.mux.table import SCOPES, VALUES, find, length_of
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

SHAPES = {"line": ((3,), (41,)), "box": ((2, 1, 1), (5, 3, 2)), "one": ((2,), (1,))}
Number = int | float


def truncated(value: Number, dtype: np.dtype[np.generic]) -> Number:
    """Returns a result as the type holds it: integers modulo their width, floats rounded."""
    if dtype.kind == "f":
        return float(dtype.type(value))
    if dtype.kind == "b":
        return int(value) & 1
    bits = 8 * dtype.itemsize
    wrapped = int(value) & ((1 << bits) - 1)
    return wrapped - (1 << bits) if wrapped >> (bits - 1) else wrapped


def unsigned(value: Number, dtype: np.dtype[np.generic]) -> int:
    return int(value) & ((1 << 8 * dtype.itemsize) - 1)


OPERATIONS: dict[str, Callable[[np.dtype[np.generic], Number, Number], Number]] = {
    "add": lambda d, a, b: a + b,
    "fadd": lambda d, a, b: a + b,
    "mul": lambda d, a, b: a * b,
    "fmul": lambda d, a, b: a * b,
    "smin": lambda d, a, b: min(a, b),
    "smax": lambda d, a, b: max(a, b),
    "umin": lambda d, a, b: min(unsigned(a, d), unsigned(b, d)),
    "umax": lambda d, a, b: max(unsigned(a, d), unsigned(b, d)),
    "fmin": lambda d, a, b: min(a, b),
    "fmax": lambda d, a, b: max(a, b),
    "and": lambda d, a, b: int(a) & int(b),
    "or": lambda d, a, b: int(a) | int(b),
    "xor": lambda d, a, b: int(a) ^ int(b),
    "logical_and": lambda d, a, b: int(a != 0 and b != 0),
    "logical_or": lambda d, a, b: int(a != 0 or b != 0),
    "logical_xor": lambda d, a, b: int((a != 0) != (b != 0)),
}


def identity(base: str, dtype: np.dtype[np.generic]) -> Number:
    if dtype.kind == "f":
        return {"fadd": 0.0, "fmul": 1.0, "fmin": np.inf, "fmax": -np.inf}[base]
    limits = {"smin": (1 << 8 * dtype.itemsize - 1) - 1, "smax": -(1 << 8 * dtype.itemsize - 1)}
    ones = {"umin": -1, "and": -1, "logical_and": 1, "mul": 1}
    return truncated({**limits, **ones}.get(base, 0), dtype)


def expected(row: MuxBuiltin, values: Sequence[Number], chosen: int, dtype: np.dtype[np.generic]) -> list[Number]:
    """Returns what the members of a group get; a vec-group is one group of the components of a vector."""
    if row.base in ("any", "all"):
        return [int((any if row.base == "any" else all)(values))] * len(values)
    if row.base == "broadcast":
        return [values[chosen]] * len(values)
    operation = partial(OPERATIONS[row.base], dtype)

    def together(part: Sequence[Number]) -> Number:
        if row.base.startswith("logical"):
            part = [int(value != 0) for value in part]
        return reduce(lambda a, b: truncated(operation(a, b), dtype), part, identity(row.base, dtype))

    match row.form:
        case "reduce":
            return [together(values)] * len(values)
        case "scan_inclusive":
            return [together(values[: place + 1]) for place in range(len(values))]
        case _:
            return [together(values[:place]) for place in range(len(values))]


def rows_of(scope: str, type: str) -> list[MuxBuiltin]:
    """Returns the operations of a group on values of a type."""
    place = 1 if scope == "work" else 0
    rows = (row for row in BUILTINS.values() if row.kind is BuiltinKind.GROUP and row.scope == scope)
    return [row for row in rows if row.parameters[place] == type]


def groups_of(values: Array, local: int, scope: str) -> Iterator[Array]:
    """Yields the values of each group in the order of linear ids."""
    for start in range(0, len(values), local):
        group = values[start : start + local]
        step = local if scope == "work" else LANES
        yield from (group[at : at + step] for at in range(0, len(group), step))


def bound(row: MuxBuiltin, dtype: np.dtype[np.generic], size: int) -> float:
    """Returns the relative error of sums and products of `size` floats, in any order."""
    return size * float(np.finfo(dtype).eps) if row.base in ("fadd", "fmul") else 0.0


@both_engines
@pytest.mark.sampled(every=26)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("scope", ["sub", "work"])
@pytest.mark.parametrize("type", VALUES)
def test_sub_groups_and_work_groups(type: str, scope: str, shape: str, engine: str) -> None:
    groups, local = SHAPES[shape]
    size = int(np.prod(local))
    count = size * int(np.prod(groups))
    dtype = np.dtype(DTYPES[type])
    values = values_of(type, count)
    kernel, rows = KernelText(), rows_of(scope, type)
    value = kernel.load(type)
    last = tuple(extent - 1 for extent in (*local, 1, 1)[:3])
    place = [f"i64 {each}" for each in last] if scope == "work" else ["i32 0"]
    for number, row in enumerate(rows):
        identifier = [f"i32 {number}"] if scope == "work" else []
        result = kernel.call(row, *identifier, f"{type} {value}", *(place if row.base == "broadcast" else []))
        kernel.store(row.result, result)
    out = np.zeros((len(rows), count), dtype)
    launched(kernel.text(), engine, groups, local, values, out)
    for row, found in zip(rows, out, strict=True):
        members = [group.tolist() for group in ordered(values, groups, local, scope)]
        wanted = [expected(row, group, len(group) - 1 if scope == "work" else 0, dtype) for group in members]
        magnitude = max((sum(abs(value) for value in group) for group in members), default=0)
        error = bound(row, dtype, size) * (magnitude if row.base == "fadd" else 1)
        actual = np.concatenate([*ordered(found, groups, local, scope)])
        np.testing.assert_allclose(
            actual.astype(np.float64) if dtype.kind == "f" else actual,
            np.concatenate(wanted).astype(np.float64 if dtype.kind == "f" else dtype),
            rtol=bound(row, dtype, size),
            atol=error,
            err_msg=row.name,
        )


def ordered(values: Array, groups: Sequence[int], local: Sequence[int], scope: str) -> Iterator[Array]:
    """Yields the values of each group; in memory, they stand in the order of global linear ids."""
    sizes = [(*local, 1, 1)[axis] for axis in range(3)]
    counts = [(*groups, 1, 1)[axis] for axis in range(3)]
    box = values.reshape([counts[2] * sizes[2], counts[1] * sizes[1], counts[0] * sizes[0]])
    for z in range(counts[2]):
        for y in range(counts[1]):
            for x in range(counts[0]):
                start = (z * sizes[2], y * sizes[1], x * sizes[0])
                part = box[tuple(slice(at, at + size) for at, size in zip(start, sizes[::-1], strict=True))]
                yield from groups_of(part.reshape(-1), int(np.prod(local)), scope)


LENGTHS = (1, 2, 3, 4, 5, 8, 16)


@both_engines
@pytest.mark.sampled(every=27)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("type", VALUES)
def test_vec_groups(type: str, length: int, engine: str) -> None:
    """The components of a vector are a group; a scalar is a group of one."""
    count, dtype = 24, np.dtype(DTYPES[type])
    values = values_of(type, count * length)
    operand = type if length == 1 else f"<{length} x {type}>"
    found = [vector_row(row, length) for row in rows_of("vec", type)]
    kernel = KernelText()
    memory = in_memory(operand)
    place = kernel.op(f"getelementptr [{length} x {in_memory(type)}], ptr addrspace(1) %in, i64 %number")
    value = kernel.op(f"load {memory}, ptr addrspace(1) {place}, align 1")
    if memory != operand:
        value = kernel.op(f"trunc {memory} {value} to {operand}")
    chosen = length - 1
    for row in found:
        arguments = [f"{operand} {value}", *([f"i32 {chosen}"] if row.base == "broadcast" else [])]
        result = kernel.call(row, *arguments)
        parts = [result]
        if row.result[0] == "<":
            parts = [kernel.op(f"extractelement {operand} {result}, i32 {at}") for at in range(length)]
        for part in parts:
            kernel.store(type, part)
    out = np.zeros((kernel.rows, count), dtype)
    launched(kernel.text(), engine, (1,), (count,), values, out)
    results = iter(out)
    for row in found:
        width = length_of(row.result)
        actual = np.stack([next(results) for _ in range(width)], axis=1)
        wanted = [expected(row, group, chosen, dtype)[:width] for group in values.reshape(count, length).tolist()]
        error = bound(row, dtype, length)
        np.testing.assert_allclose(
            actual.astype(np.float64) if dtype.kind == "f" else actual,
            np.array(wanted).astype(np.float64 if dtype.kind == "f" else dtype),
            rtol=error,
            atol=error * 2 * length if row.base == "fadd" else 0,
            err_msg=row.name,
        )


def vector_row(row: MuxBuiltin, length: int) -> MuxBuiltin:
    """Returns the operation of a scalar on vectors; the table lists some lengths, and others exist, too."""
    name = row.name
    if length > 1:
        base, _, suffix = name.rpartition("_")
        name = f"{base}_v{length}{suffix}"
    found = find(name)
    assert found is not None
    return found


def test_every_operation_is_tested() -> None:
    """The tables of the tests and of the package have the same operations."""
    tested = {row.name for scope in SCOPES for type in VALUES for row in rows_of(scope, type)}
    scalar = {row.name for row in BUILTINS.values() if row.kind is BuiltinKind.GROUP}
    vectors = {name for name in scalar if any(type[0] == "<" for type in BUILTINS[name].parameters)}
    assert tested == scalar - vectors
