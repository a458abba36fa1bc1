"""Every operation that has a lowering, on scalars and vectors, in both kernel modes, against numpy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.amounts import examples
from tests.unit.passes.kernels import operations as ops
from tests.unit.passes.kernels.harness import DTYPES, PRECISION, Array, compile_one, kernel_text, run
from tests.unit.passes.kernels.operations import FLOATS, INTEGERS, Inputs, Operation
from xegpu.isa import CompiledKernel

MODES = ["vector", "scalar", "work-item"]
"""A subgroup on vectors, a subgroup an element, and a work-item an element."""
OPERANDS = "xyzds"


def storage(element: str) -> str:
    """Returns the type that stores an element in memory."""
    return {"i1": "i8", "index": "i64"}.get(element, element)


def operations_for(element: str) -> list[Operation]:
    if element == "index":
        return list(ops.index_operations())
    arithmetic = ops.float_operations(element) if element in FLOATS else ops.integer_operations(element)
    return [*arithmetic, *ops.selections(element), *ops.conversions(element)]


def text(element: str, operations: Iterable[Operation], mode: str, count: int) -> str:
    """A kernel that reads `count` elements of each operand and writes the results of all operations."""
    operations = list(operations)
    lines: list[str] = []

    def type_of(name: str) -> str:
        return f"vector<{count}x{name}>" if mode == "vector" else name

    def cast(target: str, value: str, origin: str, to: str) -> str:
        name = "arith.index_cast" if "index" in (origin, to) else "arith.extui" if origin == "i1" else "arith.trunci"
        return f"{target} = {name} {value} : {type_of(origin)} to {type_of(to)}"

    def access(name: str, kind: str, value: str) -> None:
        memref, desc = f"memref<{count}x{kind}>", f"!xegpu.tensor_desc<{count}x{kind}>"
        if mode == "vector":
            lines.append(f"%t_{name} = xegpu.create_nd_tdesc %{name}[0] : {memref} -> {desc}")
        if name in OPERANDS:
            load = f"xegpu.load_nd %t_{name} : {desc} -> {type_of(kind)}"
            lines.append(f"{value} = " + (load if mode == "vector" else f"memref.load %{name}[%i] : {memref}"))
        elif mode == "vector":
            lines.append(f"xegpu.store_nd {value}, %t_{name} : {type_of(kind)}, {desc}")
        else:
            lines.append(f"memref.store {value}, %{name}[%i] : {memref}")

    if mode != "vector":
        lines.append("%i = gpu.block_id x" if mode == "scalar" else "%i = gpu.global_id x")
    for name in OPERANDS:
        kind = storage(element)
        access(name, kind, f"%{name}_0")
        lines.append(cast(f"%{name}_1", f"%{name}_0", kind, element) if kind != element else "")
    values = {name: f"%{name}_{int(storage(element) != element)}" for name in OPERANDS}
    for number, operation in enumerate(operations):
        result, kind = f"%r{number}", storage(operation.result)
        body = operation.text.format(
            **values, T=type_of(element), R=type_of(operation.result), P=type_of("i1"), r=result
        )
        target = f"{result}_p" if "\n" in body else result
        target += f":{operation.results}" if operation.results > 1 else ""
        lines.append(f"{target} = {body}")
        if kind != operation.result:
            lines.append(cast(f"{result}_s", result, operation.result, kind))
            result = f"{result}_s"
        access(f"o{number}", kind, result)
    arguments = [f"%{name}: memref<{count}x{storage(element)}>" for name in OPERANDS]
    arguments += [f"%o{n}: memref<{count}x{storage(o.result)}>" for n, o in enumerate(operations)]
    attributes = "" if mode == "work-item" else "VectorComputeFunctionINTEL"
    return kernel_text(", ".join(arguments), "\n".join(lines), attributes)


def check(kernel: CompiledKernel, operations: Iterable[Operation], v: Inputs, mode: str) -> None:
    operations = list(operations)
    count = len(v.x)
    outputs = [np.zeros(count, DTYPES[storage(o.result)]) for o in operations]
    groups = (count, 1, 1) if mode == "scalar" else (1, 1, 1)
    local = (count, 1, 1) if mode == "work-item" else (1, 1, 1)
    after = run(kernel, v.x, v.y, v.z, v.d, v.s, *outputs, groups=groups, local=local)
    for operation, result in zip(operations, after[len(OPERANDS) :], strict=True):
        with np.errstate(all="ignore"):
            expected = operation.expected(v)
            wrong = differing(expected, result, operation.exact_zeros)
        places = [(v.x[i], v.y[i], result[i], expected[i]) for i in wrong[:4]]
        assert not places, f"{operation.text}: (x, y, got, expected) {places}"


def differing(expected: Array, result: Array, exact_zeros: bool) -> list[int]:
    """Returns the indices at which two arrays differ; any NaN equals any other."""
    assert expected.dtype == result.dtype
    bits = f"u{result.dtype.itemsize}"
    same = expected.view(bits) == result.view(bits)
    if result.dtype.kind == "f" or result.dtype.name == "bfloat16":
        same |= np.isnan(expected) & np.isnan(result)
        if not exact_zeros:
            same |= (expected == 0) & (result == 0)
    return [int(i) for i in np.flatnonzero(~same)]


@cache
def kernel_for(element: str, mode: str, count: int) -> CompiledKernel:
    return compile_one(text(element, operations_for(element), mode, count))


def interesting(element: str) -> Array:
    """Extremes and neighbours of special values."""
    dtype = DTYPES[element]
    if element not in PRECISION:
        info = np.iinfo(dtype)
        return np.array([0, 1, -1, 2, 7, -8, 100, info.min, info.min + 1, info.max, info.max - 1], dtype)
    finfo = {"f16": (2.0**-24, 65504.0), "bf16": (2.0**-133, 3.3895e38), "f32": (2.0**-149, 3.4028234e38)}
    tiny, largest = finfo.get(element, (5e-324, 1.7976931348623157e308))
    values = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.3, -100.7, tiny, -tiny, largest, -largest]
    with np.errstate(all="ignore"):
        return np.array([*values, np.inf, -np.inf, np.nan]).astype(dtype)


@pytest.mark.sampled(every=18)
@pytest.mark.parametrize(
    ("element", "mode"),
    # index.* operations take scalars
    [(e, m) for e in (*INTEGERS, *FLOATS, "index") for m in MODES if (e, m) != ("index", "vector")],
)
def test_extremes(element: str, mode: str) -> None:
    v = ops.inputs(element, interesting(storage(element)))
    # The first operand of a bfloat16 array keeps its type through numpy's repeat and roll.
    assert v.x.dtype == v.z.dtype == DTYPES[storage(element)]
    check(kernel_for(element, mode, len(v.x)), operations_for(element), v, mode)


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("element", FLOATS)
def test_remainders_of_floats(element: str) -> None:
    """Exact, for operands of any size."""
    rng = np.random.default_rng(3)
    scales = 2.0 ** rng.integers(-14, 14, 7) if element == "f16" else 2.0 ** rng.integers(-120, 120, 7)
    random = (rng.standard_normal(7) * scales).astype(DTYPES[element])
    v = ops.inputs(element, np.concatenate([interesting(element), random]))
    operations = [ops.remainder(element)]
    check(compile_one(text(element, operations, "work-item", len(v.x))), operations, v, "work-item")


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("element", [*INTEGERS, *FLOATS])
def test_random_values(element: str) -> None:
    kernel, count = kernel_for(element, "vector", 16), 4
    size = DTYPES[element].itemsize
    patterns = st.lists(st.integers(0, (1 << 8 * size) - 1), min_size=count, max_size=count)

    @settings(max_examples=examples(10), deadline=None, database=None)
    @given(patterns)
    def holds(bits: list[int]) -> None:
        values = np.array(bits, np.uint64).astype(f"u{size}").view(DTYPES[element])
        check(kernel, operations_for(element), ops.inputs(element, values), "vector")

    holds()


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("element", FLOATS)
def test_conversion_to_integers(element: str, mode: str) -> None:
    """Values out of range have no defined result; fractions go toward zero."""
    x = np.array([0.0, -0.0, 1.0, -1.0, 1.99, -1.99, 126.0, -127.5, 0.25, -0.75, 64.0]).astype(DTYPES[element])
    v = Inputs(x, np.abs(x), x, x, x)
    operations = list(ops.to_integers(element))
    check(compile_one(text(element, operations, mode, len(x))), operations, v, mode)


@pytest.mark.parametrize("mode", MODES)
def test_one_bit_integers(mode: str) -> None:
    x, y = (np.array(v, np.int8) for v in ([0, 0, 1, 1], [0, 1, 0, 1]))

    def always(value: Array) -> Callable[[Inputs], Array]:
        return lambda v: value

    names = {"addi": x ^ y, "subi": x ^ y, "muli": x & y, "andi": x & y, "ori": x | y, "xori": x ^ y}
    names |= {"maxui": x | y, "minui": x & y, "maxsi": x & y, "minsi": x | y, "divui": x, "divsi": x, "ceildivui": x}
    second = {"divui": "{d}", "divsi": "{d}", "ceildivui": "{d}"}
    operations = [
        Operation(f"arith.{name} {{x}}, {second.get(name, '{y}')} : {{T}}", "i1", always(value))
        for name, value in names.items()
    ]
    orders = {"slt": x > y, "ult": x < y, "sge": x <= y, "eq": x == y}
    operations += [
        Operation(f"arith.cmpi {name}, {{x}}, {{y}} : {{T}}", "i1", always(value.astype(np.int8)))
        for name, value in orders.items()
    ]
    for name, halves in {"addui": (x ^ y, x & y), "mulsi": (x & y, x & 0), "mului": (x & y, x & 0)}.items():
        types = "{T}, {P}" if name == "addui" else "{T}"
        operations += [
            Operation(
                f"arith.{name}_extended {{x}}, {{y}} : {types}\n{{r}} = arith.ori {{r}}_p#{n}, {{r}}_p#{n} : {{T}}",
                "i1",
                always(half),
                results=2,
            )
            for n, half in enumerate(halves)
        ]
    operations += [
        Operation("arith.extsi {x} : {T} to {R}", "i32", always(-x.astype(np.int32))),
        Operation("arith.extui {x} : {T} to {R}", "i32", always(x.astype(np.int32))),
        Operation("arith.sitofp {x} : {T} to {R}", "f32", always(0.0 - x.astype(np.float32))),
        Operation("arith.uitofp {x} : {T} to {R}", "f32", always(x.astype(np.float32))),
    ]
    ones = np.ones(4, np.int8)
    check(compile_one(text("i1", operations, mode, 4)), operations, Inputs(x, y, x, ones, x), mode)
