"""Kernels in LLVM IR that apply builtins of ComputeMux to a value of each work-item, and their runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from passes.frontends.mux import BUILTINS, MuxBuiltin
from passes.frontends.mux.table import element_of, length_of
from runtime import Device

LANES = 16
"""The sub-group size of kernels that do not ask for one."""
DTYPES: dict[str, type[np.generic]] = {
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "half": np.float16,
    "float": np.float32,
    "double": np.float64,
}
Array = NDArray[np.generic]
both_engines = pytest.mark.parametrize("engine", ["jit", "interpreter"])


@dataclass
class KernelText:
    """A kernel `k(in, out)` that is being written: `out` has a row of all work-items for each builtin."""

    lines: list[str] = field(default_factory=list)
    declared: set[str] = field(default_factory=set)
    rows: int = 0

    def call(self, row: MuxBuiltin, *arguments: str) -> str:
        """Calls a builtin; arguments come with their types. Returns the result."""
        self.declared.add(row.declaration)
        called = f"call {row.result} @{row.name}({', '.join(arguments)})"
        if row.result == "void":
            self.lines.append(f"  {called}")
            return ""
        return self.op(called)

    def op(self, text: str) -> str:
        """Adds a computation. Returns its result."""
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def load(self, type: str) -> str:
        """Returns the value of the work-item."""
        memory = in_memory(type)
        place = self.op(f"getelementptr {memory}, ptr addrspace(1) %in, i64 %number")
        value = self.op(f"load {memory}, ptr addrspace(1) {place}, align 1")
        return value if memory == type else self.op(f"trunc {memory} {value} to {type}")

    def store(self, type: str, value: str) -> None:
        """Stores a result of the work-item in the next row."""
        memory = in_memory(type)
        if memory != type:
            value = self.op(f"zext {type} {value} to {memory}")
        row = self.op(f"mul i64 %count, {self.rows}")
        index = self.op(f"add i64 {row}, %number")
        place = self.op(f"getelementptr {memory}, ptr addrspace(1) %out, i64 {index}")
        self.lines.append(f"  store {memory} {value}, ptr addrspace(1) {place}, align 1")
        self.rows += 1

    def text(self, head: str = "", attributes: str = "", metadata: str = "") -> str:
        """Returns the module."""
        first = ["get_global_linear_id", *(f"get_global_size {dimension}" for dimension in range(3))]
        declared = self.declared | {BUILTINS[f"__mux_{name.split()[0]}"].declaration for name in first}
        return "\n".join(
            [
                head,
                *sorted(declared),
                f"define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {metadata} {{",
                "  %number = call i64 @__mux_get_global_linear_id()",
                *(f"  %size{each} = call i64 @__mux_get_global_size(i32 {each})" for each in range(3)),
                "  %plane = mul i64 %size0, %size1",
                "  %count = mul i64 %plane, %size2",
                *self.lines,
                "  ret void",
                "}",
                f'attributes #0 = {{ "mux-kernel"="entry-point" {attributes} }}',
                "",
            ]
        )


def in_memory(type: str) -> str:
    """Returns the type of a value in memory, where truth values take a byte."""
    if element_of(type) != "i1":
        return type
    return f"<{length_of(type)} x i8>" if type[0] == "<" else "i8"


def values_of(type: str, count: int, seed: int = 1) -> Array:
    """Returns values of a type: integers of all sizes with some small ones, floats of size 1/2 to 2."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(DTYPES[type])
    if type == "i1":
        return random.integers(0, 2, count).astype(np.bool_)
    if dtype.kind == "f":
        return (random.uniform(0.5, 2, count) * random.choice([-1, 1], count)).astype(dtype)
    limits = np.iinfo(dtype)
    wide = random.integers(limits.min, limits.max, count, dtype=dtype, endpoint=True)
    return np.where(random.random(count) < 0.3, random.integers(-2, 3, count).astype(dtype), wide)


def launched(
    text: str, engine: str, groups: Sequence[int], local: Sequence[int], *arrays: Array, target: str = "pvc"
) -> None:
    """Runs a kernel `k`; arrays hold what it writes."""
    kernel = Device(target, engine=engine).compile(text, language="llvm")["k"]
    kernel[tuple(groups), tuple(local)](*(each.view(np.uint8) if each.dtype == np.bool_ else each for each in arrays))
