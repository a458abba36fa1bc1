"""Work-items that go different ways: each computes what it would compute alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.amounts import examples
from tests.unit.passes.kernels.harness import Array, compile_one, kernel_text, refusal, run
from tests.unit.passes.kernels.simt import DTYPES, SLOTS, STORED, Environment, Program, programs
from tests.unit.passes.pipelines.test_random_programs import QUIET, SEEDS
from xegpu.isa import CompiledKernel
from xegpu.targets import ARC, PVC, Target

PROGRAMS = examples(8)
"""Random programs to run; more on demand."""
ITEMS = 21
"""Work-items: the last subgroup is not full."""


def values(rng: np.random.Generator, type: str, count: int) -> Array:
    """Small numbers, so that comparisons go both ways."""
    return rng.integers(0, 6, count).astype(DTYPES[type])


def execute(program: Program, kernel: CompiledKernel, seed: int) -> None:
    """Runs a program in all engines and compares with each work-item alone."""
    rng = np.random.default_rng(seed)
    inputs = {type: values(rng, type, ITEMS) for type in STORED}
    same = {type: values(rng, type, 1)[0] for type in STORED}
    untouched = {type: np.full((SLOTS, ITEMS), 77, DTYPES[type]) for type in STORED}
    arguments: list[Array | np.generic | int] = []
    for type in STORED:
        arguments += [inputs[type], ITEMS, same[type], untouched[type], ITEMS]
    outputs = run(kernel, *arguments, local=(ITEMS, 1, 1))
    expected = {type: array.copy() for type, array in untouched.items()}
    for item in range(ITEMS):
        own: Environment = {f"x_{type}": inputs[type][item] for type in STORED}
        own |= {f"u_{type}": same[type] for type in STORED}
        for (type, slot), value in program.execute(own).items():
            expected[type][slot, item] = value
    for type, output in zip(STORED, outputs[1::2], strict=True):
        np.testing.assert_array_equal(output, expected[type], f"{type} in\n{program.text(kernel.facts.simd_size)}")


@settings(QUIET, max_examples=PROGRAMS)
@given(programs(), SEEDS, st.sampled_from([16, 32]))
def test_random_programs(program: Program, seed: int, subgroup_size: int) -> None:
    execute(program, compile_one(program.text(subgroup_size)), seed)


def item_kernel(arguments: str, body: str, subgroup_size: int = 16) -> str:
    """A kernel of work-items; `%i` is the number of each."""
    abi = f"spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = {subgroup_size}>"
    return kernel_text(arguments, f"%i = gpu.global_id x\n{body}", abi)


SIZES = [pytest.param(t, size, id=f"{t.name}-{size}") for t in (PVC, ARC) for size in t.platform.subgroup_sizes]


@pytest.mark.parametrize(("target", "size"), SIZES)
def test_collatz(target: Target, size: int) -> None:
    """A choice in a loop that work-items leave at different times; divisions only where they are wanted."""
    text = item_kernel(
        "%m: memref<40xi64>",
        "%k1 = arith.constant 1 : i64\n%k2 = arith.constant 2 : i64\n%k3 = arith.constant 3 : i64\n"
        "%start = memref.load %m[%i] : memref<40xi64>\n%zero = arith.constant 0 : i64\n"
        "%r:2 = scf.while (%x = %start, %n = %zero) : (i64, i64) -> (i64, i64) {\n"
        "%more = arith.cmpi sgt, %x, %k1 : i64\nscf.condition(%more) %x, %n : i64, i64\n} do {\n"
        "^bb0(%x: i64, %n: i64):\n%bit = arith.remui %x, %k2 : i64\n%odd = arith.cmpi eq, %bit, %k1 : i64\n"
        "%y = scf.if %odd -> (i64) {\n%t = arith.muli %x, %k3 : i64\n%u = arith.addi %t, %k1 : i64\n"
        "scf.yield %u : i64\n} else {\n%h = arith.divui %x, %k2 : i64\nscf.yield %h : i64\n}\n"
        "%next = arith.addi %n, %k1 : i64\nscf.yield %y, %next : i64, i64\n}\n"
        "memref.store %r#1, %m[%i] : memref<40xi64>",
        size,
    )

    def steps(x: int) -> int:
        count = 0
        while x > 1:
            x, count = 3 * x + 1 if x % 2 else x // 2, count + 1
        return count

    starts = np.arange(40)
    result = run(compile_one(text, target), starts, local=(40, 1, 1), target=target)[0]
    assert result.tolist() == [steps(int(x)) for x in starts]


def test_mandelbrot() -> None:
    """The example, with a group size that fills no subgroup."""
    width, height, limit = 37, 23, 50
    left, top, step = np.float32(-2.0), np.float32(-1.0), np.float32(0.0625)
    kernel = compile_one(Path("examples/mandelbrot.mlir").read_text())
    counts = np.full((height, width), -1, np.int32)
    result = run(kernel, counts, height, width, left, top, step, limit, groups=(3, 5, 1), local=(13, 5, 1))[0]
    cx = left + np.arange(width, dtype=np.float32) * step
    cy = (top + np.arange(height, dtype=np.float32) * step)[:, None]
    x, y, expected = np.zeros((3, height, width), np.float32)
    for _ in range(limit):
        near = x * x + y * y <= np.float32(4)
        x, y = (
            np.where(near, x * x - y * y + cx, x).astype(np.float32),
            np.where(near, x * y + x * y + cy, y).astype(np.float32),
        )
        expected += near
    np.testing.assert_array_equal(result, expected)


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("type", ["f64", "bf16", "i8"])
@pytest.mark.parametrize("shape", [(3,), (2, 1), (2, 2), (1, 3), (2, 8)], ids=str)
def test_vectors_of_work_items(shape: tuple[int, ...], type: str) -> None:
    check_vectors_of_work_items(shape, type, PVC)


def test_rows_of_a_register_in_each_work_item() -> None:
    """Too large for a masked move of four lanes."""
    check_vectors_of_work_items((2, 8), "f32", ARC)


def check_vectors_of_work_items(shape: tuple[int, ...], type: str, target: Target) -> None:
    """A choice between vectors of each work-item, for all ways in which these lie in registers."""
    count = int(np.prod(shape))
    vector, memref = f"vector<{'x'.join(map(str, shape))}x{type}>", f"memref<{count}x20x{type}>"
    kind = "f" if "f" in type else "i"
    body = "".join(f"%c{k} = arith.constant {k} : index\n" for k in range(count))
    body += "".join(f"%e{k} = memref.load %m[%c{k}, %i] : {memref}\n" for k in range(count))
    body += f"%v = vector.from_elements {', '.join(f'%e{k}' for k in range(count))} : {vector}\n"
    body += (
        "%five = arith.constant 5 : index\n%odd = arith.andi %i, %five : index\n%p = arith.cmpi eq, %odd, %c1 : index\n"
    )
    body += f"%w = scf.if %p -> ({vector}) {{\n%s = arith.add{kind} %v, %v : {vector}\nscf.yield %s : {vector}\n"
    body += f"}} else {{\nmemref.store %e0, %m[%c0, %i] : {memref}\n"
    body += f"%one = arith.constant dense<1{'.0' if kind == 'f' else ''}> : {vector}\n"
    body += f"%t = arith.sub{kind} %v, %one : {vector}\nscf.yield %t : {vector}\n}}\n"
    for k, place in enumerate(np.ndindex(shape)):
        body += f"%r{k} = vector.extract %w[{', '.join(map(str, place))}] : {type} from {vector}\n"
        body += f"memref.store %r{k}, %m[%c{k}, %i] : {memref}\n"
    start = np.arange(count * 20).reshape(count, 20).astype(DTYPES[type])
    kernel = compile_one(item_kernel(f"%m: {memref}", body, target.platform.subgroup_sizes[0]), target)
    result = run(kernel, start, local=(20, 1, 1), target=target)[0]
    chosen = np.arange(20) & 5 == 1
    np.testing.assert_array_equal(
        result.view(start.dtype), np.where(chosen, start + start, start - start.dtype.type(1))
    )


def test_uniform_loop_in_a_choice() -> None:
    """Uniform jumps where some work-items wait; the loop is left out where nobody wants it."""
    text = item_kernel(
        "%m: memref<32xi32>, %n: index",
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c20 = arith.constant 20 : index\n"
        "%p = arith.cmpi ult, %c20, %i : index\n%zero = arith.constant 0 : i32\n"
        "scf.if %p {\n%s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (i32) {\n"
        "%x = memref.load %m[%k] : memref<32xi32>\n%b = arith.addi %a, %x : i32\nscf.yield %b : i32\n}\n"
        "memref.store %s, %m[%i] : memref<32xi32>\n}",
    )
    result = run(compile_one(text), np.arange(32, dtype=np.int32), 5, local=(32, 1, 1))[0]
    assert result.tolist() == [*range(21), *[10] * 11]


def test_stores_of_the_same_value() -> None:
    """A branch that no work-item takes stores nothing; one that any work-item takes stores its value."""
    text = item_kernel(
        "%m: memref<2xi32>, %n: index, %v: i32",
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%p = arith.cmpi eq, %i, %n : index\n"
        "scf.if %p {\nmemref.store %v, %m[%c0] : memref<2xi32>\n} else {\nmemref.store %v, %m[%c1] : memref<2xi32>\n}",
    )
    kernel, zeros = compile_one(text), np.zeros(2, np.int32)
    assert run(kernel, zeros, 3, 9, local=(16, 1, 1))[0].tolist() == [9, 9]
    assert run(kernel, zeros, 3, 9, local=(3, 1, 1))[0].tolist() == [0, 9]
    assert run(kernel, zeros, 0, 9, local=(1, 1, 1))[0].tolist() == [9, 0]


@pytest.mark.parametrize("otherwise", ["%start", "%zero", "%run"])
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
def test_choice_of_the_initial_value_in_a_loop(target: Target, otherwise: str) -> None:
    """A carried value that some work-items change and others set back to a value that is still needed."""
    text = item_kernel(
        "%m: memref<16x16xi32>, %n: memref<16xi32>",
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c16 = arith.constant 16 : index\n"
        "%zero = arith.constant 0 : i32\n%start = memref.load %n[%i] : memref<16xi32>\n"
        "%last = scf.for %j = %c0 to %c16 step %c1 iter_args(%run = %start) -> (i32) {\n"
        "%v = memref.load %m[%i, %j] : memref<16x16xi32>\n%p = arith.cmpi sgt, %v, %zero : i32\n"
        "%next = scf.if %p -> (i32) {\n%more = arith.addi %run, %v : i32\nscf.yield %more : i32\n"
        f"}} else {{\nscf.yield {otherwise} : i32\n}}\nscf.yield %next : i32\n}}\n"
        "memref.store %last, %n[%i] : memref<16xi32>",
        target.platform.subgroup_sizes[0],
    )
    rng = np.random.default_rng(3)
    matrix, starts = rng.integers(-3, 9, (16, 16), np.int32), rng.integers(0, 99, 16, np.int32)
    expected = []
    for row, start in zip(matrix, starts, strict=True):
        run_length = start
        for v in row:
            run_length = run_length + v if v > 0 else {"%start": start, "%zero": 0, "%run": run_length}[otherwise]
        expected.append(run_length)
    result = run(compile_one(text, target), matrix, starts, local=(16, 1, 1), target=target)[1]
    np.testing.assert_array_equal(result, expected)


WIDE = 33
"""f64 of 32 work-items: four registers each."""


@pytest.mark.exhaustive
def test_spilling() -> None:
    """Values that more than fill the register file, changed in a loop that work-items leave at different times."""
    names = [f"%x{k}" for k in range(WIDE)]
    types = ", ".join(["f64"] * WIDE)
    body = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%one = arith.constant 1.0 : f64\n"
    body += "".join(
        f"%k{k} = arith.constant {k} : index\n{name} = memref.load %m[%k{k}, %i] : memref<{WIDE}x32xf64>\n"
        for k, name in enumerate(names)
    )
    starts = ", ".join(f"%a{k} = {name}" for k, name in enumerate(names))
    body += f"%r:{WIDE} = scf.for %t = %c0 to %i step %c1 iter_args({starts}) -> ({types}) {{\n"
    body += "".join(f"%b{k} = arith.addf %a{k}, %a{(k + 1) % WIDE} : f64\n" for k in range(WIDE))
    body += f"scf.yield {', '.join(f'%b{k}' for k in range(WIDE))} : {types}\n}}\n"
    body += "".join(f"memref.store %r#{k}, %m[%k{k}, %i] : memref<{WIDE}x32xf64>\n" for k in range(WIDE))
    kernel = compile_one(item_kernel(f"%m: memref<{WIDE}x32xf64>", body, 32), grf_count=128)
    assert kernel.facts.spill_size > 0
    start = np.random.default_rng(1).integers(0, 9, (WIDE, 32)).astype(np.float64)
    expected = start.copy()
    for item in range(32):
        for _ in range(item):
            expected[:, item] += np.roll(expected[:, item], -1)
    np.testing.assert_array_equal(run(kernel, start, local=(32, 1, 1))[0], expected)


OUTSIDE = "%c3 = arith.constant 3 : index\n%p = arith.cmpi ult, %i, %c3 : index\n"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            f"{OUTSIDE}%x = scf.if %p -> (memref<4xf32>) {{\nscf.yield %m : memref<4xf32>\n}} else {{\n"
            "scf.yield %n : memref<4xf32>\n}\n%v = memref.load %x[%i] : memref<4xf32>\n"
            "memref.store %v, %m[%i] : memref<4xf32>",
            "6:6: error: 'scf.if' op gives a value of type memref<4xf32> by a condition that differs",
        ),
        (
            "%c3 = arith.constant 3 : index\n%f = arith.constant 1.0 : f32\n%r = scf.index_switch %i -> index\n"
            + "".join(f"case {k} {{\nscf.yield %i : index\n}}\n" for k in range(130))
            + "default {\nscf.yield %c3 : index\n}\nmemref.store %f, %m[%r] : memref<4xf32>",
            "6:6: error: 'scf.index_switch' op has 130 cases: up to 128 are supported in a kernel",
        ),
    ],
)
def test_refusals(body: str, message: str) -> None:
    assert message in refusal(item_kernel("%m: memref<4xf32>, %n: memref<4xf32>", body))


DEPTH = 36


def test_spilled_results_of_nested_choices() -> None:
    """The lanes of every choice wait in registers, or in scratch, until those of all inner ones are there."""
    body = "%one = arith.constant 1.0 : f64\n%x = memref.load %m[%i] : memref<64xf64>\n"
    body += "".join(f"%n{k} = arith.constant {k} : index\n%k{k} = arith.constant {k}.5 : f64\n" for k in range(DEPTH))
    for k in range(DEPTH):
        body += f"%p{k} = arith.cmpi eq, %i, %n{k} : index\n%r{k} = scf.if %p{k} -> (f64) {{\n"
        body += f"scf.yield %k{k} : f64\n}} else {{\n"
    inner = "%x"
    for k in reversed(range(DEPTH)):
        body += f"%s{k} = arith.addf {inner}, %one : f64\nscf.yield %s{k} : f64\n}}\n"
        inner = f"%r{k}"
    kernel = compile_one(
        item_kernel("%m: memref<64xf64>", f"{body}memref.store %r0, %m[%i] : memref<64xf64>", 32), grf_count=128
    )
    assert kernel.facts.spill_size > 0
    start = np.arange(64, dtype=np.float64)
    expected = [item + 0.5 + item if item < DEPTH else item + DEPTH for item in range(64)]
    assert run(kernel, start, local=(64, 1, 1))[0].tolist() == expected
