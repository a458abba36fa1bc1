"""Vectors of constants: the right bytes, in few instructions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import DTYPES, compile_one, kernel_text, run
from xegpu.isa import decode_program
from xegpu.targets import ARC, PVC, Target

TARGETS = pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)


def store_constant(values: list[float], element: str) -> str:
    size, literals = len(values), ", ".join(map(str, values))
    body = f"""
    %c0 = arith.constant 0 : index
    %v = arith.constant dense<[{literals}]> : vector<{size}x{element}>
    vector.store %v, %o[%c0] : memref<{size}x{element}>, vector<{size}x{element}>
    """
    return kernel_text(f"%o: memref<{size}x{element}>", body)


@pytest.mark.sampled(every=8)
@TARGETS
@pytest.mark.parametrize("element", ["i8", "i16", "i32", "i64", "f16", "bf16", "f32"])
@pytest.mark.parametrize("size", [1, 3, 8, 12, 33])
def test_every_element_has_its_value(element, size, target):
    numbers = np.random.default_rng(size).integers(-4, 4, size).tolist()
    values = numbers if element.startswith("i") else [float(number) for number in numbers]
    kernel = compile_one(store_constant(values, element), target)
    (result,) = run(kernel, np.zeros(size, DTYPES[element]), target=target, local=(1, 1, 1), engines=("interpreter",))
    assert result.tolist() == values


def moves(values: list[float], element: str, target: Target) -> int:
    """Moves in a kernel that stores the vector."""
    instructions = decode_program(compile_one(store_constant(values, element), target).code).instructions
    return sum(instruction.spec.mnemonic == "mov" for instruction in instructions)


@pytest.mark.parametrize(
    ("values", "element", "count"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8], "i8", 1),
        ([1, 2, 3, 4, 5, 6, 7, 8], "i32", 4),
        ([0] * 30 + [1, 2], "i32", 2),
        ([1.0] * 8 + [2.0] * 8, "f32", 2),
    ],
)
def test_neighbours_are_written_together(values, element, count):
    assert moves(values, element, PVC) - moves([values[0]] * len(values), element, PVC) <= count
