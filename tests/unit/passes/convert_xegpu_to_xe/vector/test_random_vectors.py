"""Random chains of operations on vectors, in a subgroup and in work-items that have different values, against numpy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.unit.passes.kernels.harness import Array, random_array
from tests.unit.passes.kernels.vectors import LANES, Value, evaluate

ELEMENT = "i32"
MOST = 32
"""Elements of a vector."""
INPUTS = [Value("a", (3, 4), ELEMENT), Value("b", (4,), ELEMENT), Value("c", (), ELEMENT)]
Compute = Callable[[dict[str, Array]], Array]


@dataclass
class Program:
    """Lines of text, and what each value is as a function of the inputs, by name."""

    draw: Callable[[int], int]
    """A number below another one."""
    lines: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=lambda: list(INPUTS))
    steps: list[tuple[str, Compute]] = field(default_factory=list)

    def pick(self, accept: Callable[[Value], bool]) -> Value | None:
        fitting = [value for value in self.values if accept(value)]
        return fitting[self.draw(len(fitting))] if fitting else None

    def add(self, text: str, shape: tuple[int, ...], compute: Compute) -> None:
        value = Value(f"v{len(self.values)}", shape, ELEMENT)
        self.lines.append(f"%{value.name} = " + text.format(R=value.type))
        self.values.append(value)
        self.steps.append((value.name, compute))

    def run(self, inputs: dict[str, Array]) -> dict[str, Array]:
        """All values, from those of the inputs."""
        for name, compute in self.steps:
            inputs[name] = compute(inputs)
        return inputs


def _elementwise(p: Program) -> None:
    a = p.pick(lambda v: True)
    assert a is not None
    b = p.pick(lambda v: v.shape == a.shape)
    assert b is not None
    name, rule = [("addi", np.add), ("muli", np.multiply), ("xori", np.bitwise_xor), ("minsi", np.minimum)][p.draw(4)]
    p.add(f"arith.{name} %{a.name}, %{b.name} : {{R}}", a.shape, lambda v: np.asarray(rule(v[a.name], v[b.name])))


def _chosen(p: Program) -> None:
    a = p.pick(lambda v: True)
    assert a is not None
    b = p.pick(lambda v: v.shape == a.shape)
    assert b is not None
    mask = f"vector<{'x'.join(map(str, a.shape))}xi1>" if a.shape else "i1"
    number = len(p.lines)
    p.lines.append(f"%m{number} = arith.cmpi slt, %{a.name}, %{b.name} : {a.type}")
    p.add(
        f"arith.select %m{number}, %{b.name}, %{a.name} : {mask}, {{R}}",
        a.shape,
        lambda v: np.asarray(np.where(v[a.name] < v[b.name], v[b.name], v[a.name])),
    )


def _broadcast(p: Program) -> None:
    a = p.pick(lambda v: 2 * v.count <= MOST and len(v.shape) < 3)
    if a is not None:
        shape = (2, *a.shape)
        p.add(f"vector.broadcast %{a.name} : {a.type} to {{R}}", shape, lambda v: np.broadcast_to(v[a.name], shape))


def _transposed(p: Program) -> None:
    a = p.pick(lambda v: len(v.shape) > 1)
    if a is not None:
        order = (*range(1, len(a.shape)), 0)
        text = f"vector.transpose %{a.name}, {list(order)} : {a.type} to {{R}}"
        p.add(text, tuple(a.shape[d] for d in order), lambda v: v[a.name].transpose(order))


def _flattened(p: Program) -> None:
    a = p.pick(lambda v: len(v.shape) > 0)
    if a is not None:
        shape = (a.count // 2, 2) if a.count % 2 == 0 and p.draw(2) else (a.count,)
        p.add(f"vector.shape_cast %{a.name} : {a.type} to {{R}}", shape, lambda v: v[a.name].reshape(shape))


def _extracted(p: Program) -> None:
    a = p.pick(lambda v: len(v.shape) > 0)
    if a is not None:
        at = p.draw(a.shape[0])
        p.add(f"vector.extract %{a.name}[{at}] : {{R}} from {a.type}", a.shape[1:], lambda v: np.asarray(v[a.name][at]))


def _looked_up(p: Program) -> None:
    """At a position that is computed from a scalar."""
    a, c = p.pick(lambda v: len(v.shape) > 0), p.pick(lambda v: not v.shape)
    if a is None or c is None:
        return
    size, number = a.shape[0], len(p.lines)
    p.lines += [
        f"%s{number} = arith.constant {size} : i32",
        f"%t{number} = arith.remui %{c.name}, %s{number} : i32",
        f"%p{number} = arith.index_cast %t{number} : i32 to index",
    ]
    text = f"vector.extract %{a.name}[%p{number}] : {{R}} from {a.type}"
    p.add(text, a.shape[1:], lambda v: np.asarray(v[a.name][int(v[c.name]) % (1 << 32) % size]))


def _inserted(p: Program) -> None:
    a = p.pick(lambda v: len(v.shape) > 0)
    part = None if a is None else p.pick(lambda v: v.shape == a.shape[1:])
    if a is None or part is None:
        return
    at = p.draw(a.shape[0])

    def compute(v: dict[str, Array]) -> Array:
        result = v[a.name].copy()
        result[at] = v[part.name]
        return result

    p.add(f"vector.insert %{part.name}, %{a.name}[{at}] : {part.type} into {{R}}", a.shape, compute)


def _reduced(p: Program) -> None:
    a = p.pick(lambda v: len(v.shape) == 1)
    if a is not None:
        text = f"vector.reduction <add>, %{a.name} : {a.type} into {{R}}"
        p.add(text, (), lambda v: np.asarray(v[a.name].sum(dtype=np.int32)))


def _reduced_along(p: Program) -> None:
    a = p.pick(lambda v: len(v.shape) > 1)
    start = None if a is None else p.pick(lambda v: v.shape == a.shape[1:])
    if a is not None and start is not None:
        text = f"vector.multi_reduction <maxsi>, %{a.name}, %{start.name} [0] : {a.type} to {{R}}"
        p.add(text, a.shape[1:], lambda v: np.maximum(v[a.name].max(0), v[start.name]))


def _outer(p: Program) -> None:
    a = p.pick(lambda v: len(v.shape) == 1)
    b = None if a is None else p.pick(lambda v: len(v.shape) == 1 and v.count * a.count <= MOST)
    if a is not None and b is not None:
        text = f"vector.outerproduct %{a.name}, %{b.name} : {a.type}, {b.type}"
        p.add(text, (*a.shape, *b.shape), lambda v: np.outer(v[a.name], v[b.name]))


def _interleaved(p: Program) -> None:
    a = p.pick(lambda v: len(v.shape) > 0 and 2 * v.count <= MOST)
    b = None if a is None else p.pick(lambda v: v.shape == a.shape)
    if a is not None and b is not None:
        shape = (*a.shape[:-1], 2 * a.shape[-1])
        text = f"vector.interleave %{a.name}, %{b.name} : {a.type} -> {{R}}"
        p.add(text, shape, lambda v: np.stack([v[a.name], v[b.name]], -1).reshape(shape))


def _sliced(p: Program) -> None:
    a = p.pick(lambda v: len(v.shape) > 0 and v.shape[-1] > 1)
    if a is not None:
        offsets, sizes = [0] * len(a.shape), list(a.shape)
        offsets[-1], sizes[-1] = 1, a.shape[-1] - 1
        strides = [1] * len(a.shape)
        text = (
            f"vector.extract_strided_slice %{a.name} {{{{offsets = {offsets}, sizes = {sizes}, "
            f"strides = {strides}}}}} : {a.type} to {{R}}"
        )
        p.add(text, tuple(sizes), lambda v: v[a.name][..., 1:])


RULES = [
    _elementwise,
    _chosen,
    _broadcast,
    _transposed,
    _flattened,
    _extracted,
    _looked_up,
    _inserted,
    _reduced,
    _reduced_along,
    _outer,
    _interleaved,
    _sliced,
]


def check(numbers: list[int], lanes: int, divergent: str) -> None:
    stream = iter(numbers)
    program = Program(lambda limit: next(stream, 0) % limit)
    for _ in range(len(numbers) // 4):
        RULES[next(stream, 0) % len(RULES)](program)
    rng = np.random.default_rng(len(numbers))
    inputs = [(value, random_array(rng, (value.count, lanes), ELEMENT)) for value in INPUTS]
    outputs = program.values[len(INPUTS) :][-6:]
    with np.errstate(all="ignore"):
        for own, computed in evaluate(inputs, "\n".join(program.lines), outputs, lanes, divergent):
            expected = program.run({value.name: data for value, data in zip(INPUTS, own, strict=True)})
            for value, result in zip(outputs, computed, strict=True):
                assert (expected[value.name] == result).all(), value.name


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(("lanes", "divergent"), [(1, ""), (LANES, "abc"), (LANES, "c"), (LANES, "b")])
def test_random_programs(lanes: int, divergent: str) -> None:
    @settings(max_examples=2, deadline=None, database=None)
    @given(st.lists(st.integers(0, 1000), min_size=24, max_size=60))
    def holds(numbers: list[int]) -> None:
        check(numbers, lanes, divergent)

    holds()
