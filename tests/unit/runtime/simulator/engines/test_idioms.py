"""The sequences of docs/isa.md do what is said of them, in both engines."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from runtime.simulator import Memory, ThreadState
from runtime.simulator.engines import create
from tests.unit.runtime.simulator.programs.differential import ENGINES, GRF_COUNT, kernel
from xegpu.isa import assemble, decode_program
from xegpu.isa.document.idioms import IDIOMS, Idiom
from xegpu.targets import PVC

Words = NDArray[np.uint32]

R2 = np.array([0, 7, 0, -3, 5, 0, 0, 9, 1, 2, 0, 0, -4, 8, 6, 3], np.int32)
INDEX = np.array([3, 15, 0, 0, 7, 9, 1, 2, 14, 13, 8, 5, 4, 6, 10, 11], np.uint32)
MASK = 0xBF3D
HIGH = np.arange(100, 116, dtype=np.uint32)
LOW = np.array([0xFFFFFFF0 + i for i in range(16)], np.uint32)
LANES = [lane for lane in range(16) if MASK >> lane & 1]
BITS = sum(1 << lane for lane in LANES if R2[lane])


def same(file: Words, register: int, values: NDArray[np.generic], lanes: list[int] | range = range(16)) -> bool:
    return all(int(file[register].view(values.dtype)[lane]) == int(values[lane]) for lane in lanes)


def wide(low: Words, high: Words) -> list[int]:
    return [int(h) << 32 | int(w) for h, w in zip(high, low, strict=True)]


CHECKS: dict[str, Callable[[Words], bool]] = {
    "channel numbers": lambda file: file[3].view(np.int16).tolist() == list(range(32)),
    "ballot": lambda file: int(file[3, 0]) == BITS,
    "vote": lambda file: (file[3] == 1).all(),
    "first enabled channel": lambda file: int(file[3, 0]) == LANES[0],
    "shuffle": lambda file: same(file, 3, R2[INDEX], LANES),
    "broadcast": lambda file: same(file, 3, np.full(16, R2[INDEX[0]]), LANES),
    "exchange of neighbours": lambda file: same(file, 3, R2[np.arange(16) ^ 1]),
    "sum": lambda file: float(file[3].view(np.float32)[0]) == float(R2.sum()),
    "inclusive prefix sum": lambda file: same(file, 3, R2.cumsum().astype(np.int32)),
    "sum of 64-bit numbers in halves": lambda file: all(
        wide(file[3], file[7])[lane] == wide(LOW, HIGH)[lane] + wide(INDEX, HIGH)[lane] for lane in LANES
    ),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("idiom", IDIOMS, ids=lambda idiom: idiom.name)
def test_an_idiom(idiom: Idiom, engine: str) -> None:
    registers = np.full((GRF_COUNT, 16), 0xABABABAB, np.uint32)
    registers[2], registers[4], registers[5], registers[6] = R2.view(np.uint32), INDEX, HIGH, HIGH
    if idiom.name == "sum":
        registers[2] = R2.astype(np.float32).view(np.uint32)
    if "64-bit" in idiom.name:
        registers[2] = LOW
    program = decode_program(assemble(idiom.text + "eot")).instructions
    state = ThreadState(registers.tobytes(), (0xFFFFFFFF, 0, 0, 0), MASK)
    final = create(engine).prepare(kernel(program, PVC)).run_thread(state, Memory())
    assert CHECKS[idiom.name](np.frombuffer(final.registers, np.uint32).reshape(GRF_COUNT, 16))
