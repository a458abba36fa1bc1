"""Random kernels of every level compute what their evaluation says; what fails is found, and shrinks."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from tests.unit.passes.kernels.fuzzing import Finding, Level, Outcome, Program, check, draw, shrink
from tests.unit.passes.kernels.fuzzing.program import Body, Loop, Operation, Store, constant
from tests.unit.passes.kernels.fuzzing.shrinking import without_unused
from tests.unit.passes.kernels.fuzzing.values import Type, Variable
from xegpu.targets import ARC, PVC, Target


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
def test_random_kernels(target: Target, level: Level) -> None:
    check(draw(2, target, level, size=4, depth=2))


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)
def test_larger_random_kernels(target: Target, level: Level) -> None:
    for seed in range(100, 105):
        check(draw(seed, target, level))


def store_of(value: Variable) -> Store:
    return Store(value, "out", f"memref.store {value}, %out[%gid] : memref<16xi32>")


def test_a_wrong_result_is_found() -> None:
    """The evaluation takes a difference for a sum."""
    a, b = constant(Variable("a", Type("i32")), 5), constant(Variable("b", Type("i32")), 3)
    result = Variable("r", Type("i32"))
    source = "%r = arith.subi %a, %b : i32"
    right, wrong = (
        Operation(result, source, (a.result, b.result), compute)
        for compute in (lambda _, v: v[0] - v[1], lambda _, v: v[0] + v[1])
    )
    program = Program(Level.ITEM, PVC, 16, 16, Body((a, b, right, store_of(result))))
    assert check(program) is Outcome.RIGHT
    with pytest.raises(Finding, match="wrong result"):
        check(replace(program, body=Body((a, b, wrong, store_of(result)))))


def test_what_does_not_compile_is_found() -> None:
    value = constant(Variable("a", Type("i32")), 5)
    unknown = Operation(Variable("r", Type("i32")), '%r = "test.nothing"() : () -> i32', (), lambda _, v: v[0])
    program = Program(Level.ITEM, PVC, 16, 16, Body((value, unknown, store_of(unknown.result))))
    with pytest.raises(Finding, match=r"test\.nothing"):
        check(program)


@pytest.mark.parametrize("first_seed", [0, 200, 230])
def test_kernels_shrink_to_what_matters(first_seed: int) -> None:
    """To a difference in a loop, and what stores a value that depends on it."""

    def fails(program: Program) -> bool:
        loops = [s for s in program.body.walk() if isinstance(s, Loop)]
        return any("arith.sub" in s.text() for loop in loops for s in loop.body.walk())

    candidates = (without_unused(draw(s, PVC, size=6, depth=3)) for s in itertools.count(first_seed))
    program = next(p for p in candidates if fails(p) and len(list(p.body.walk())) > 50)
    small = shrink(program, fails)
    assert fails(small)
    assert len(list(small.body.walk())) < 25
