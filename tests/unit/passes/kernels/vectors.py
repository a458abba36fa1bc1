"""Kernels around a few operations on vectors and scalars: for a subgroup, or for work-items with their own values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from tests.unit.passes.kernels.harness import DTYPES, Array, compile_one, kernel_text, run
from xegpu.targets import PVC, Target

LANES = 16
WORK_ITEMS = f"spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = {LANES}>"
MODES: list[int] = [1, LANES]
"""Work-items of a subgroup that have values of their own: 1 where the subgroup works as a whole."""


@dataclass(frozen=True)
class Value:
    """A value `%name` of a kernel: a vector, or a scalar if it has no dimensions."""

    name: str
    shape: tuple[int, ...]
    element: str

    @property
    def count(self) -> int:
        return prod(self.shape)

    @property
    def type(self) -> str:
        return f"vector<{'x'.join(map(str, (*self.shape, self.element)))}>" if self.shape else self.element

    @property
    def storage(self) -> str:
        """The element type in memory."""
        return "i8" if self.element == "i1" else self.element

    @property
    def dtype(self) -> np.dtype[np.generic]:
        return DTYPES[self.storage]

    def memref(self, lanes: int) -> str:
        """Elements by number and lane."""
        return f"memref<{self.count}x{lanes}x{self.storage}>"

    def zeros(self, lanes: int) -> Array:
        return np.zeros((self.count, lanes), self.dtype)


def _loads(value: Value, lanes: int, divergent: bool) -> list[str]:
    lines: list[str] = []
    name, from_ = value.name, "%lane" if divergent else "%lane0"
    for i in range(value.count):
        lines.append(f"%{name}_i{i} = arith.constant {i} : index")
        lines.append(f"%{name}_s{i} = memref.load %m_{name}[%{name}_i{i}, {from_}] : {value.memref(lanes)}")
        cast = "arith.trunci %{0}_s{1} : i8 to i1" if value.element == "i1" else "arith.bitcast %{0}_s{1} : {2} to {2}"
        lines.append(f"%{name}_e{i} = " + cast.format(name, i, value.element))
    if not value.shape:
        return [*lines[:-1], lines[-1].replace(f"%{name}_e0 =", f"%{name} =")]
    elements = ", ".join(f"%{name}_e{i}" for i in range(value.count))
    return [*lines, f"%{name} = vector.from_elements {elements} : {value.type}"]


def _stores(value: Value, lanes: int) -> list[str]:
    lines: list[str] = []
    for i, position in enumerate(np.ndindex(*value.shape)):
        element = f"%{value.name}"
        if value.shape:
            element = f"%{value.name}_e{i}"
            place = ", ".join(map(str, position))
            lines.append(f"{element} = vector.extract %{value.name}[{place}] : {value.element} from {value.type}")
        if value.element == "i1":
            lines.append(f"%{value.name}_s{i} = arith.extui {element} : i1 to i8")
            element = f"%{value.name}_s{i}"
        lines.append(f"%{value.name}_i{i} = arith.constant {i} : index")
        lines.append(f"memref.store {element}, %m_{value.name}[%{value.name}_i{i}, %lane] : {value.memref(lanes)}")
    return lines


@dataclass(frozen=True)
class Buffer:
    """A buffer `%name` of a kernel: its type and what is in it."""

    name: str
    type: str
    data: Array


def program_text(
    inputs: Sequence[Value],
    body: str,
    outputs: Sequence[Value],
    lanes: int,
    divergent: Collection[str] = (),
    buffers: Sequence[Buffer] = (),
) -> str:
    """A kernel that loads the inputs, each as its name, and stores the outputs, which `body` makes.

    Inputs that are `divergent` differ between the work-items; they all have the others from work-item 0.
    """
    lines = ["%lane0 = arith.constant 0 : index"]
    lines.append("%lane = gpu.lane_id" if lanes > 1 else "%lane = arith.constant 0 : index")
    for value in inputs:
        lines += _loads(value, lanes, value.name in divergent)
    lines.append(body)
    for value in outputs:
        lines += _stores(value, lanes)
    arguments = [f"%m_{value.name}: {value.memref(lanes)}" for value in (*inputs, *outputs)]
    arguments += [f"%{buffer.name}: {buffer.type}" for buffer in buffers]
    attributes = WORK_ITEMS if lanes > 1 else "VectorComputeFunctionINTEL"
    return kernel_text(", ".join(arguments), "\n".join(lines), attributes)


Outcome = tuple[tuple[Array, ...], tuple[Array, ...]]
"""The inputs of a work-item, and the outputs that it computed."""


def execute(
    inputs: Sequence[tuple[Value, Array]],
    body: str,
    outputs: Sequence[Value],
    lanes: int,
    divergent: Collection[str] = (),
    buffers: Sequence[Buffer] = (),
    target: Target = PVC,
) -> tuple[list[Outcome], list[Array]]:
    """Returns the outcome of each work-item, and the buffers afterwards.

    Arrays of inputs have an axis for the elements, then one for the work-items.
    """
    text = program_text([value for value, _ in inputs], body, outputs, lanes, divergent, buffers)
    arrays = [array for _, array in inputs]
    zeros = [value.zeros(lanes) for value in outputs]
    after = run(compile_one(text, target), *arrays, *zeros, *(buffer.data for buffer in buffers), target=target)
    results = after[len(arrays) : len(arrays) + len(zeros)]
    outcomes: list[Outcome] = []
    for lane in range(lanes):
        own = tuple(a[:, lane if v.name in divergent else 0].reshape(v.shape) for v, a in inputs)
        computed = tuple(r[:, lane].reshape(v.shape) for v, r in zip(outputs, results, strict=True))
        outcomes.append((own, computed))
    return outcomes, after[len(arrays) + len(zeros) :]


def evaluate(
    inputs: Sequence[tuple[Value, Array]],
    body: str,
    outputs: Sequence[Value],
    lanes: int,
    divergent: Collection[str] = (),
) -> list[Outcome]:
    """`execute` without buffers."""
    return execute(inputs, body, outputs, lanes, divergent)[0]
