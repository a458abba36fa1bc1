"""Each rule, on all facts of a set and all numbers that these admit: results are as the facts of results say."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.ir import Operation
from xdsl.parser import Parser

from passes.analysis.integers import RULES, IntegerFact
from passes.analysis.integers.comparisons import holding
from passes.analysis.integers.fact import join, widened
from tests.amounts import ALL
from tests.unit.passes.analysis.integers.concrete import BINARY, CASTS, COMPARISONS, EXTENDED, Numbers, signed
from tests.unit.passes.analysis.integers.meaning import admits, facts, instances
from xegpu.dialects import register_dialects

SIZES = [(4, 1), (6, 1), (4, 2), (4, 4), (6, 2)]
"""The bits of numbers, and the lanes."""
PAIRS = 2000 if ALL in os.environ else 150
"""The pairs of facts that a test takes unless it takes all."""


def operation(text: str) -> Operation:
    context = Context()
    register_dialects(context)
    module = Parser(context, text).parse_module()
    found = list(module.walk())[-1]
    assert found.name.startswith(("arith.", "vector."))
    return found


def arith(name: str, bits: int) -> Operation:
    mnemonic, _, flag = name.partition(" ")
    results = "%r, %s" if mnemonic in EXTENDED else "%r"
    types = {"addui_extended": f"i{bits}, i1"}.get(mnemonic, f"i{bits}")
    overflow = f"overflow<{flag}>" if flag else ""
    return operation(
        f'%a, %b = "test.op"() : () -> (i{bits}, i{bits})\n{results} = arith.{mnemonic} %a, %b {overflow} : {types}'
    )


def result(op: Operation, *operands: IntegerFact) -> IntegerFact:
    found = RULES[op.name](op, *operands)
    assert isinstance(found, IntegerFact)
    return found


def activities(lanes: int) -> list[tuple[int, ...]]:
    """Returns lanes that compute something: all, some of them, or one."""
    return [tuple(range(lanes)), *([(0, 2, 3), (1, 3), (2,)] if lanes == 4 else [])]


def pairs(bits: int, lanes: int) -> Iterator[tuple[IntegerFact, IntegerFact]]:
    """Yields pairs of facts: all of them for one lane with `--all`."""
    every = facts(bits, lanes)
    if (ALL in os.environ and lanes == 1) or len(every) ** 2 <= PAIRS:
        yield from product(every, every)
        return
    for a, b in np.random.default_rng(len(every)).integers(0, len(every), (PAIRS, 2)):
        yield every[a], every[b]


def together(a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Returns all pairs of rows, or many of them."""
    if len(a) * len(b) > 1 << 14:
        random = np.random.default_rng(len(a))
        return a[random.integers(0, len(a), 1 << 13)], b[random.integers(0, len(b), 1 << 13)]
    return np.repeat(a, len(b), 0), np.tile(b, (len(a), 1))


def check(found: IntegerFact, values: Numbers, defined: object, active: tuple[int, ...], message: object) -> None:
    rows = np.broadcast_to(np.asarray(defined), values.shape).all(1)
    assert admits(found, values[rows], active).all(), message


@pytest.mark.parametrize(("bits", "lanes"), SIZES)
@pytest.mark.parametrize("name", BINARY)
def test_operations_on_two_numbers(name: str, bits: int, lanes: int) -> None:
    op = arith(name, bits)
    for a, b in pairs(bits, lanes):
        found = result(op, a, b)
        for active in activities(lanes):
            x, y = together(instances(a, active), instances(b, active))
            values, defined = BINARY[name](x, y, bits)
            check(found, values, defined, active, (a, b, found, active))


@pytest.mark.parametrize(("bits", "lanes"), SIZES)
@pytest.mark.parametrize("name", EXTENDED)
def test_operations_with_two_results(name: str, bits: int, lanes: int) -> None:
    op = arith(name, bits)
    for a, b in pairs(bits, lanes):
        found = RULES[op.name](op, a, b)
        for active in activities(lanes):
            x, y = together(instances(a, active), instances(b, active))
            for fact, values in zip(found, EXTENDED[name](x, y, bits), strict=True):
                check(fact, values, True, active, (a, b, fact, active))


@pytest.mark.parametrize(("bits", "lanes"), SIZES)
@pytest.mark.parametrize("predicate", COMPARISONS)
def test_comparisons(predicate: str, bits: int, lanes: int) -> None:
    """The truth is as its fact says; and where it is true, each operand is as the fact of one that has passed says."""
    op = operation(f'%a, %b = "test.op"() : () -> (i{bits}, i{bits})\n%r = arith.cmpi {predicate}, %a, %b : i{bits}')
    for a, b in pairs(bits, lanes):
        found, passed = result(op, a, b), holding(predicate, a, b)
        for active in activities(lanes):
            x, y = together(instances(a, active), instances(b, active))
            truth = COMPARISONS[predicate](x, y, bits)
            check(found, truth.astype(np.int64), True, active, (a, b, found, active))
            check(passed, x, truth, active, (a, b, passed, active))


@pytest.mark.parametrize(("bits", "lanes"), SIZES)
@pytest.mark.parametrize("name", CASTS)
def test_conversions(name: str, bits: int, lanes: int) -> None:
    """To fewer and more bits, and from and to `index`, which has 64."""
    sizes = {"trunci": [1, 2, bits - 1], "bitcast": [bits], "extui": [bits + 1, 8], "extsi": [bits + 1, 8]}
    for size in sizes.get(name, [0]):
        type = f"i{size}" if size else "index"
        op = operation(f'%a = "test.op"() : () -> i{bits}\n%r = arith.{name} %a : i{bits} to {type}')
        for a in facts(bits, lanes):
            found = result(op, a)
            for active in activities(lanes):
                values = CASTS[name](instances(a, active), bits)
                check(found, values, True, active, (a, found, active))


@pytest.mark.parametrize(("bits", "lanes"), SIZES)
def test_choices(bits: int, lanes: int) -> None:
    """A selection takes what the condition says lane by lane; values that meet are the same one in all lanes."""
    op = operation(f'%c, %a, %b = "test.op"() : () -> (i1, i{bits}, i{bits})\n%r = arith.select %c, %a, %b : i{bits}')
    for a, b in pairs(bits, lanes):
        for condition in facts(1, lanes):
            found = result(op, condition, a, b)
            for active in activities(lanes):
                x, y = together(instances(a, active), instances(b, active))
                truth = instances(condition, active)
                truth = truth[np.random.default_rng(0).integers(0, len(truth), len(x))]
                check(found, np.where(truth, x, y), True, active, (condition, a, b, found, active))
        for both in (join(a, b), widened(a, join(a, b))):
            for active in activities(lanes):
                check(both, np.concatenate([instances(a, active), instances(b, active)]), True, active, (a, b, both))


@pytest.mark.parametrize(("bits", "lanes"), SIZES)
def test_statements_about_one_value(bits: int, lanes: int) -> None:
    for a in facts(bits, lanes):
        for active in activities(lanes):
            values = instances(a, active)
            for number in range(1, 13):
                if a.is_multiple_of(number):
                    assert (signed(values, bits) % number == 0).all()
            assert (values % a.power == 0).all()
            assert (values & (1 << a.fixed) - 1 == a.residue & (1 << a.fixed) - 1).all()
            same = values[(values == values[:, :1]).all(1)]
            check(a.uniform(), same, True, active, a)
            check(a.aligned(4), values, (values % 4 == 0).all(1, keepdims=True), active, a)
            others = np.random.default_rng(1).permuted(values, axis=0)
            rows = np.random.default_rng(2).integers(0, 2, values.shape)
            check(a.apart(), np.where(rows, values, others), True, active, a)
            if a.is_uniform:
                assert (values == values[:, :1]).all()
            if a.stride is not None:
                assert ((values - values[:, :1] - a.stride * (np.array(active) - active[0])) % (1 << bits) == 0).all()
            for as_signed in (False, True):
                if a.rises(as_signed=as_signed):
                    numbers = signed(values, bits) if as_signed else values
                    assert (numbers - numbers[:, :1] == a.stride * (np.array(active) - active[0])).all(), (a, as_signed)
