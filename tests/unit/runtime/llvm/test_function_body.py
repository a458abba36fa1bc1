"""Structured control flow in functions under construction: what the functions compute when they run."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest

from runtime.llvm import IRFunction, IRModule, Value, integer, machine_code, this_cpu

X = Value("i64", "%x")


def compiled(build: Callable[[IRFunction], None]) -> Callable[[int], int]:
    """A function of one number."""
    module = IRModule(this_cpu())
    module.export("entry", "i64", "i64 %x", build)
    code = machine_code(module.text(), ["entry"], this_cpu())
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(code.addresses["entry"])

    def run(x: int) -> int:
        assert code.addresses  # keeps the code alive
        return int(call(x))

    return run


def is_less(code: IRFunction, number: int) -> Value:
    return code.compare("icmp slt", X, integer(number))


def test_a_value_of_one_of_two_cases() -> None:
    def build(code: IRFunction) -> None:
        with code.if_(is_less(code, 10)) as choice:
            twice = code.binary("add", X, X)
        with choice.else_():
            less = code.binary("sub", X, integer(1))
        code.give(choice.merged(twice, less))

    run = compiled(build)
    assert [run(x) for x in (3, 10, 11)] == [6, 9, 10]


def test_a_case_without_code() -> None:
    def build(code: IRFunction) -> None:
        with code.if_(is_less(code, 0), rare=True) as choice:
            positive = code.binary("sub", integer(0), X)
        code.give(choice.merged(positive, X))

    run = compiled(build)
    assert [run(x) for x in (-7, 7)] == [7, 7]


def test_cases_that_end_elsewhere() -> None:
    """The case that goes on determines the value behind; nested cases have blocks of their own."""

    def build(code: IRFunction) -> None:
        small = code.block("small")
        with code.if_(is_less(code, 10)) as choice:
            with code.if_(is_less(code, 5)):
                code.jump(small)
            with code.if_(is_less(code, 7)):
                code.give(integer(7))
            code.give(integer(10))
        with choice.else_():
            large = code.binary("add", X, integer(100))
        code.give(choice.merged(X, large))
        code.begin(small)
        code.give(integer(5))

    run = compiled(build)
    assert [run(x) for x in (4, 6, 9, 10)] == [5, 7, 10, 110]


def test_an_else_comes_right_after_its_if() -> None:
    def build(code: IRFunction) -> None:
        with code.if_(is_less(code, 10)) as choice:
            code.give(X)
        code.binary("add", X, X)
        with pytest.raises(AssertionError), choice.else_():
            pass
        code.give(X)

    compiled(build)


@pytest.mark.parametrize("limit", [0, 1, 10])
def test_a_loop_that_carries_values(limit: int) -> None:
    def build(code: IRFunction) -> None:
        with code.loop(integer(0), integer(1)) as loop:
            number, product = loop.values
            code.jump_unless(code.compare("icmp slt", number, X), loop.after)
            following = code.binary("add", number, integer(1))
            loop.repeat(following, code.binary("mul", product, integer(3)))
        code.give(product)

    assert compiled(build)(limit) == 3**limit


def test_a_loop_that_decides_at_its_end() -> None:
    """Collatz: iterations in the two cases hand over different values."""

    def build(code: IRFunction) -> None:
        with code.loop(X, integer(0)) as loop:
            number, steps = loop.values
            following = code.binary("add", steps, integer(1))
            with code.if_(code.cast("trunc", number, "i1")):
                odd = code.binary("add", code.binary("mul", number, integer(3)), integer(1))
                loop.repeat(odd, following)
            half = code.binary("lshr", number, integer(1))
            loop.repeat_unless(code.compare("icmp eq", half, integer(1)), half, following)
        code.give(following)

    assert compiled(build)(27) == 111


def test_counted_loops() -> None:
    def build(code: IRFunction) -> None:
        total = code.variable("i64", "total", 8)
        code.store(integer(0), total, 8)
        with code.counted(X) as row, code.counted(integer(3)) as column:
            code.store(code.binary("add", code.load("i64", total, 8), code.binary("mul", row, column)), total, 8)
        code.give(code.load("i64", total, 8))

    assert compiled(build)(5) == sum(row * column for row in range(5) for column in range(3))


def test_a_switch() -> None:
    def build(code: IRFunction) -> None:
        default, cases = code.block("default"), [code.block("case") for _ in range(3)]
        code.switch(X, default, enumerate(cases))
        for number, case in enumerate(cases):
            code.begin(case)
            code.give(integer(number * 10))
        code.begin(default)
        code.give(integer(-1))

    run = compiled(build)
    assert [run(x) for x in (0, 2, 3)] == [0, 20, -1]


def test_names_of_blocks_variables_and_parameters_differ() -> None:
    def build(code: IRFunction) -> None:
        variable, block = code.variable("i64", "x", 8), code.block("x")
        code.store(X, variable, 8)
        code.begin(block)
        code.begin(code.block("entry"))
        code.give(code.binary("add", code.load("i64", variable, 8), X))

    assert compiled(build)(21) == 42


def test_a_phi_of_branches_out_of_the_middle() -> None:
    def build(code: IRFunction) -> None:
        after = code.block("after")
        sources = [(integer(5), code.current)]
        code.jump_if(is_less(code, 5), after, rare=True)
        sources.append((integer(10), code.current))
        code.jump_if(is_less(code, 10), after)
        code.give(integer(0))
        code.begin(after)
        code.give(code.phi(*sources))

    run = compiled(build)
    assert [run(x) for x in (4, 9, 10)] == [5, 10, 0]
