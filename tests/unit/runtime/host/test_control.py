"""Control flow and calls of host code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from runtime.host.data.binding import ArgumentError
from runtime.host.data.failures import ProgramError
from runtime.host.emission.emitter import MAX_CALLS
from tests.amounts import examples
from tests.unit.runtime.host.support import Program, function

COUNT = """
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n, %s = scf.for %i = %a0 to %a1 step %a2 iter_args(%c = %zero, %t = %zero) -> (i64, i64) : TYPE {
    %d = arith.addi %c, %one : i64
    %w = CAST %i : TYPE to i64
    %u = arith.addi %t, %w : i64
    scf.yield %d, %u : i64, i64
  }
"""
LOOPS = {
    type: function(COUNT.replace("CAST", cast).replace("TYPE", type), [type] * 3, ["i64", "i64"], "%n, %s")
    for type, cast in (("i8", "arith.extsi"), ("i32", "arith.extsi"), ("index", "arith.index_cast"))
}


@settings(max_examples=examples(60), derandomize=True, deadline=None)
@given(
    st.sampled_from(sorted(LOOPS)),
    st.integers(-128, 127),
    st.integers(-128, 127),
    st.integers(1, 127),
)
def test_loops_count_as_python_does(type: str, start: int, end: int, step: int) -> None:
    """Also where the number would overflow behind the last one."""
    numbers = range(start, end, step)
    assert LOOPS[type](start, end, step) == (len(numbers), sum(numbers))


def test_loops_at_the_end_of_the_numbers() -> None:
    last = 2**63 - 1
    assert LOOPS["index"](last - 5, last, 3) == (2, 2 * last - 7 - 2**64)
    assert LOOPS["index"](-(2**63), last, last) == (3, -(2**63) + -1 + (last - 1))


@pytest.mark.parametrize("step", [0, -1])
def test_steps_that_go_nowhere(step: int) -> None:
    message = rf"t\.mlir:5:12: error: 'scf.for' op has the step {step}, expected a positive one"
    with pytest.raises(ProgramError, match=message):
        LOOPS["index"](0, 3, step)


def test_while() -> None:
    """The number of steps that Collatz's sequence takes, and its peak."""
    program = function(
        """
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %n, %steps, %most = scf.while (%x = %a0, %k = %zero, %m = %a0) : (i64, i64, i64) -> (i64, i64, i64) {
    %more = arith.cmpi ne, %x, %one : i64
    scf.condition(%more) %x, %k, %m : i64, i64, i64
  } do {
  ^bb0(%x: i64, %k: i64, %m: i64):
    %r = arith.remui %x, %two : i64
    %odd = arith.cmpi eq, %r, %one : i64
    %y = scf.if %odd -> (i64) {
      %t = arith.muli %x, %three : i64
      %u = arith.addi %t, %one : i64
      scf.yield %u : i64
    } else {
      %h = arith.divui %x, %two : i64
      scf.yield %h : i64
    }
    %l = arith.addi %k, %one : i64
    %p = arith.maxsi %m, %y : i64
    scf.yield %y, %l, %p : i64, i64, i64
  }""",
        ["i64"],
        ["i64", "i64"],
        "%steps, %most",
    )
    assert program(27) == (111, 9232)
    assert program(1) == (0, 1)


def test_values_that_change_places() -> None:
    """All that a loop carries on is known before any of it is set."""
    program = function(
        """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x, %y = scf.for %i = %c0 to %a2 step %c1 iter_args(%p = %a0, %q = %a1) -> (i32, i32) {
    scf.yield %q, %p : i32, i32
  }""",
        ["i32", "i32", "index"],
        ["i32", "i32"],
        "%x, %y",
    )
    assert program(1, 2, 3) == (2, 1)
    assert program(1, 2, 4) == (1, 2)


def test_parallel_loops_reduce() -> None:
    program = function(
        """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 100 : i64
  %r = scf.parallel (%i, %j) = (%c0, %c1) to (%a0, %a1) step (%c1, %c2) init (%zero) -> i64 {
    %k = arith.muli %i, %j : index
    %v = arith.index_cast %k : index to i64
    scf.reduce(%v : i64) {
    ^bb0(%x: i64, %y: i64):
      %s = arith.addi %x, %y : i64
      scf.reduce.return %s : i64
    }
  }""",
        ["index", "index"],
        ["i64"],
        "%r",
    )
    assert program(4, 6) == 100 + sum(i * j for i in range(4) for j in range(1, 6, 2))
    assert program(0, 6) == 100


def test_switches_and_regions() -> None:
    program = function(
        """
  %r = scf.index_switch %a0 -> i32
  case 2 {
    %v = arith.constant 20 : i32
    scf.yield %v : i32
  }
  case -5 {
    %v = arith.constant 50 : i32
    scf.yield %v : i32
  }
  default {
    %v = arith.constant 7 : i32
    scf.yield %v : i32
  }
  %s = scf.execute_region -> i32 {
    %p = arith.index_cast %a0 : index to i1
    cf.cond_br %p, ^odd(%r : i32), ^even
  ^even:
    %z = arith.constant 0 : i32
    scf.yield %z : i32
  ^odd(%x: i32):
    scf.yield %x : i32
  }""",
        ["index"],
        ["i32", "i32"],
        "%r, %s",
    )
    assert [program(n) for n in (2, -5, 3)] == [(20, 0), (50, 50), (7, 7)]


BRANCHES = """
func.func @f(%n: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero, %one : i32, i32)
^exit(%r: i32):
  cf.switch %r : i32, [
    default: ^done(%r : i32),
    55: ^done(%one : i32),
    3: ^done(%zero : i32)
  ]
^head(%a: i32, %b: i32):
  %more = arith.cmpi slt, %a, %n : i32
  cf.cond_br %more, ^body, ^exit(%a : i32)
^body:
  %c = arith.addi %a, %b : i32
  cf.br ^head(%b, %c : i32, i32)
^done(%s: i32):
  return %s, %n : i32, i32
}
"""


def test_branches() -> None:
    """Blocks stand in another order than they are executed in."""
    program = Program(BRANCHES)
    assert [program(n) for n in (0, 4, 50, 3)] == [(0, 0), (5, 4), (1, 50), (0, 3)]


def test_assertions() -> None:
    program = function('cf.assert %a0, "it is {not} true"', ["i1"])
    assert program(1) is None
    with pytest.raises(ProgramError, match=r"t\.mlir:2:1: error: 'cf.assert' op failed: it is \{not\} true$"):
        program(0)


CALLS = """
func.func private @even(%n: i32) -> i1 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.cmpi eq, %n, %zero : i32
  %r = scf.if %end -> (i1) {
    %t = arith.constant true
    scf.yield %t : i1
  } else {
    %m = arith.subi %n, %one : i32
    %o = func.call @odd(%m) : (i32) -> i1
    scf.yield %o : i1
  }
  return %r : i1
}
func.func private @odd(%n: i32) -> i1 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.cmpi eq, %n, %zero : i32
  %r = scf.if %end -> (i1) {
    %f = arith.constant false
    scf.yield %f : i1
  } else {
    %m = arith.subi %n, %one : i32
    %e = func.call @even(%m) : (i32) -> i1
    scf.yield %e : i1
  }
  return %r : i1
}
func.func @f(%n: i32) -> (i1, f16, vector<2xf32>) {
  %e = call @even(%n) : (i32) -> i1
  %h, %v = call @several(%n) : (i32) -> (f16, vector<2xf32>)
  return %e, %h, %v : i1, f16, vector<2xf32>
}
func.func @several(%n: i32) -> (f16, vector<2xf32>) {
  %h = arith.sitofp %n : i32 to f16
  %w = arith.extf %h : f16 to f32
  %v = vector.broadcast %w : f32 to vector<2xf32>
  return %h, %v : f16, vector<2xf32>
}
"""


def test_calls() -> None:
    program = Program(CALLS)
    for n in (0, 7, 10):
        results = program(n)
        assert isinstance(results, tuple)
        assert results[:2] == (int(n % 2 == 0), float(n))
        assert np.array_equal(np.asarray(results[2]), [n, n])


def test_calls_without_end() -> None:
    """Functions that call each other, and a program that can be run again after that."""
    program = Program(CALLS)
    with pytest.raises(ProgramError, match=rf"'func.func' op calls itself more than {MAX_CALLS} times"):
        program(MAX_CALLS + 5)
    assert program(4)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((), r"function 'f' takes 1 arguments \(n: i32\), 0 given"),
        ((1, 2), r"function 'f' takes 1 arguments \(n: i32\), 2 given"),
        ((2**32,), "argument 'n': expected i32, got 4294967296"),
        ((1.5,), r"argument 'n': expected i32, got 1\.5"),
    ],
)
def test_wrong_arguments(values: tuple[float, ...], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Program(BRANCHES)(*values)


@pytest.mark.parametrize(("sign", "first", "last"), [("", -128, 127), ("unsigned", 0, 255)])
def test_counters_end_where_their_type_ends(sign: str, first: int, last: int) -> None:
    body = f"""
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = scf.for {sign} %i = %a0 to %a1 step %a2 iter_args(%x = %zero) -> (i32) : i8 {{
    %y = arith.addi %x, %one : i32
    scf.yield %y : i32
  }}"""
    program = function(body, ["i8", "i8", "i8"], ["i32"], "%n")
    for numbers in ((first, last, 100), (last - 5, last, 3), (first, last, 1), (last, first, 1)):
        wrapped = [(number + 128) % 256 - 128 for number in numbers]
        assert program(*wrapped) == len(range(*numbers))


def test_while_without_operands() -> None:
    program = function(
        """
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i32
  %m = memref.alloca() : memref<1xi32>
  memref.store %two, %m[%c0] : memref<1xi32>
  %r = scf.while : () -> i32 {
    %v = memref.load %m[%c0] : memref<1xi32>
    %more = arith.cmpi slt, %v, %a0 : i32
    scf.condition(%more) %v : i32
  } do {
  ^bb0(%v: i32):
    %w = arith.muli %v, %v : i32
    memref.store %w, %m[%c0] : memref<1xi32>
    scf.yield
  }""",
        ["i32"],
        ["i32"],
        "%r",
    )
    assert program(100) == 256


def test_affine_choices() -> None:
    program = function(
        """
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %m = affine.max affine_map<(d0) -> (d0, 5)>(%a0)
  %r = affine.if affine_set<(d0, d1) : (d0 mod 2 == 0, d1 - 6 >= 0)>(%a0, %m) -> i32 {
    affine.yield %one : i32
  } else {
    affine.yield %two : i32
  }""",
        ["index"],
        ["i32"],
        "%r",
    )
    assert [program(n) for n in (4, 6, 7, 8)] == [2, 1, 2, 1]


def test_linear_indices() -> None:
    program = function(
        """
  %q:3 = affine.delinearize_index %a0 into (4, 5) : index, index, index
  %l = affine.linearize_index [%q#2, %q#1, %q#0] by (%a1, 100) : index""",
        ["index", "index"],
        ["index", "index"],
        "%l, %q#0",
    )
    assert program(33, 10) == (3 * 1000 + 2 * 100 + 1, 1)
    assert program(-1, 10) == (4 * 1000 + 3 * 100 - 1, -1)
