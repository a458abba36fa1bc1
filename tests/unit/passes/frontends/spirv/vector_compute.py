"""Writes kernels of vector compute in LLVM IR, and runs them on both engines."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runtime import Device
from runtime.mux import compile_source

Array = NDArray[Any]


def launched(
    binary: bytes, kernel: str, groups: tuple[int, ...], local: tuple[int, ...], *arguments: Any, target: str = "pvc"
) -> list[Array]:
    """Returns the arrays as a kernel leaves them; both engines have to leave the same bytes."""
    outcomes = []
    for engine in ("interpreter", "jit"):
        copies = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
        Device(target, engine).load(binary)[kernel][groups, local](*copies)
        outcomes.append([each for each in copies if isinstance(each, np.ndarray)])
    first, second = outcomes
    assert [each.tobytes() for each in first] == [each.tobytes() for each in second]
    return first


def vector(type: str, numbers: Any) -> str:
    """Returns a constant vector with its type."""
    numbers = [int(each) for each in numbers]
    return f"<{len(numbers)} x {type}> <{', '.join(f'{type} {each}' for each in numbers)}>"


class KernelText:
    """The text of a kernel whose parameters are pointers; values are written with their types."""

    def __init__(self, *pointers: str):
        self._declared: dict[str, str] = {}
        self._lines: list[str] = []
        self._pointers = pointers
        for name in pointers:
            self._lines.append(f"%{name}.n = ptrtoint ptr addrspace(1) %{name} to i64")

    def value(self, type: str, text: str) -> str:
        """Adds an instruction; returns its result."""
        name = f"%v{len(self._lines)}"
        self._lines.append(f"{name} = {text}")
        return f"{type} {name}"

    def call(self, type: str, name: str, *operands: str) -> str:
        """Adds a call of an intrinsic, whose name ends in the types that are overloaded; returns its result."""
        types = ", ".join(_type_of(each) for each in operands)
        ends = "".join(f".{_short(each)}" for each in (type, *map(_type_of, operands)) if "x" in each)
        symbol = f"@llvm.genx.{name}{ends}"
        self._declared[symbol] = f"declare {type} {symbol}({types})"
        text = f"call {type} {symbol}({', '.join(operands)})"
        if type != "void":
            return self.value(type, text)
        self._lines.append(text)
        return ""

    def addresses(self, pointer: str, offsets: Any) -> str:
        """Returns the addresses of bytes behind a pointer."""
        count = len(offsets)
        row = f"<{count} x i64>"
        first = self.value(row, f"insertelement {row} undef, i64 %{pointer}.n, i32 0").split(" ")[-1]
        mask = f"<{count} x i32> zeroinitializer"
        every = self.value(row, f"shufflevector {row} {first}, {row} undef, {mask}").split(" ")[-1]
        return self.value(row, f"add {row} {every}, {vector('i64', offsets).split('> ', 1)[1]}")

    def load(self, type: str, pointer: str, offset: int = 0) -> str:
        """Returns a vector of dwords."""
        place = self.value("i64", f"add i64 %{pointer}.n, {offset}")
        return self.call(type, "svm.block.ld.unaligned", place)

    def store(self, value: str, pointer: str, offset: int = 0) -> None:
        place = self.value("i64", f"add i64 %{pointer}.n, {offset}")
        self.call("void", "svm.block.st", place, value)

    @property
    def text(self) -> str:
        """The module with the kernel `k`."""
        parameters = ", ".join(f"ptr addrspace(1) %{name}" for name in self._pointers)
        return "\n".join(
            [
                'target triple = "spir64-unknown-unknown"',
                *self._declared.values(),
                f"define spir_kernel void @k({parameters}) #0 {{",
                *self._lines,
                "ret void\n}",
                'attributes #0 = { "VCFunction" "VCSLMSize"="4096" }\n',
            ]
        )

    def run(self, *arrays: Array, target: str = "pvc") -> list[Array]:
        """Returns the arrays as one thread leaves them."""
        return launched(compile_source(self.text, target, "kernel.ll"), "k", (1,), (1,), *arrays, target=target)


def _type_of(operand: str) -> str:
    found = re.match(r"<.*?>|\w+", operand)
    assert found is not None
    return found[0]


def _short(type: str) -> str:
    """Returns a type as names of intrinsics end in it."""
    short = type.replace("<", "v").replace(" x ", "").replace(">", "")
    return short.replace("float", "f32").replace("half", "f16")
