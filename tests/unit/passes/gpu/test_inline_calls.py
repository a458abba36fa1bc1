"""Functions that kernels call."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import Array, compile_one, refusal, run

LANES = 16


def module(functions: str, body: str, arguments: str = f"%m: memref<{LANES}xi32>") -> str:
    return f"gpu.module @m {{\n{functions}\ngpu.func @k({arguments}) kernel {{\n{body}\ngpu.return\n}}\n}}\n"


def each_lane(functions: str, call: str) -> Array:
    """Returns the `%r` that each work-item computes from its number, the i32 `%x`."""
    body = (
        "%lane = gpu.lane_id\n%x = arith.index_cast %lane : index to i32\n"
        f"{call}\nmemref.store %r, %m[%lane] : memref<{LANES}xi32>"
    )
    return run(compile_one(module(functions, body)), np.zeros(LANES, np.int32))[0]


TWICE = "func.func private @twice(%v: i32) -> i32 {\n%w = arith.addi %v, %v : i32\nfunc.return %w : i32\n}\n"


def test_a_function_of_one_block() -> None:
    result = each_lane(TWICE, "%y = func.call @twice(%x) : (i32) -> i32\n%r = func.call @twice(%y) : (i32) -> i32")
    assert result.tolist() == [4 * lane for lane in range(LANES)]


def test_functions_that_call_functions_in_loops() -> None:
    functions = (
        f"{TWICE}func.func @power(%v: i32, %n: index) -> (i32, i32) {{\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
        "%p = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> (i32) {\n"
        "%b = func.call @twice(%a) : (i32) -> i32\nscf.yield %b : i32\n}\nfunc.return %p, %v : i32, i32\n}"
    )
    call = "%p:2 = func.call @power(%x, %lane) : (i32, index) -> (i32, i32)\n%r = arith.addi %p#0, %p#1 : i32"
    assert each_lane(functions, call).tolist() == [(lane << lane) + lane for lane in range(LANES)]


def test_a_function_of_several_blocks() -> None:
    """The condition is the same in all work-items."""
    functions = (
        "func.func @choose(%c: i1, %v: i32) -> i32 {\ncf.cond_br %c, ^a, ^b\n"
        "^a:\n%one = arith.constant 1 : i32\n%w = arith.addi %v, %one : i32\nfunc.return %w : i32\n"
        "^b:\n%two = arith.constant 2 : i32\nfunc.return %two : i32\n}"
    )
    body = (
        "%lane = gpu.lane_id\n%x = arith.index_cast %lane : index to i32\n"
        "%y = func.call @choose(%c, %x) : (i1, i32) -> i32\n"
        f"memref.store %y, %m[%lane] : memref<{LANES}xi32>"
    )
    kernel = compile_one(module(functions, body, f"%m: memref<{LANES}xi32>, %c: i1"))
    zeros = np.zeros(LANES, np.int32)
    assert run(kernel, zeros, 1)[0].tolist() == [lane + 1 for lane in range(LANES)]
    assert run(kernel, zeros, 0)[0].tolist() == [2] * LANES


def test_buffers_and_no_results() -> None:
    functions = (
        f"func.func @put(%b: memref<{LANES}xi32>, %i: index) attributes {{no_inline}} {{\n"
        f"%v = arith.constant 7 : i32\nmemref.store %v, %b[%i] : memref<{LANES}xi32>\nfunc.return\n}}"
    )
    body = f"%lane = gpu.lane_id\nfunc.call @put(%m, %lane) : (memref<{LANES}xi32>, index) -> ()"
    assert run(compile_one(module(functions, body)), np.zeros(LANES, np.int32))[0].tolist() == [7] * LANES


RECURSIVE = (
    "func.func @even(%v: i32) -> i32 {\n%w = func.call @odd(%v) : (i32) -> i32\nfunc.return %w : i32\n}\n"
    "func.func @odd(%v: i32) -> i32 {\n%w = func.call @even(%v) : (i32) -> i32\nfunc.return %w : i32\n}"
)
DOUBLING = "\n".join(
    f"func.func @f{n}() {{\nfunc.call @f{n + 1}() : () -> ()\nfunc.call @f{n + 1}() : () -> ()\nfunc.return\n}}"
    for n in range(40)
)


@pytest.mark.parametrize(
    ("functions", "call", "message"),
    [
        (
            RECURSIVE,
            "%r = func.call @even(%x) : (i32) -> i32",
            "kernel.mlir:7:6: error: 'func.call' op calls @even from within @even: recursion is not supported",
        ),
        (
            "func.func private @far(i32) -> i32",
            "%r = func.call @far(%x) : (i32) -> i32",
            "'func.call' op calls @far, which has no body in this module",
        ),
        (
            f"{DOUBLING}\nfunc.func @f40() {{\nfunc.return\n}}",
            "%r = arith.constant 1 : i32\nfunc.call @f0() : () -> ()",
            "'gpu.func' op expands to more than 20000 operations",
        ),
    ],
)
def test_refusals(functions: str, call: str, message: str) -> None:
    body = (
        f"%x = arith.constant 3 : i32\n%o = arith.constant 0 : index\n{call}\nmemref.store %r, %m[%o] : memref<16xi32>"
    )
    assert message in refusal(module(functions, body))
