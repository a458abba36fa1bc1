"""Structures that kernels take by value become values, wherever their memory is not indexed."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.ir import LaunchConstants, specialise
from passes.frontends.opencl import find_compiler
from passes.frontends.optimisation import optimise
from passes.frontends.parameters import kernel_texts, take_values
from runtime import Device
from xegpu.diagnostics import CompileError

KERNEL = """
%struct.P = type {{ float, i32, [4 x i32] }}
define spir_kernel void @"a kernel"(ptr addrspace(1) {out}, ptr noundef byval(%struct.P) align 4 captures(none) {p},
                                    i32 {i}, ptr byval({{ i8, <4 x i16> }}) align 8 {other}) {{
  %n = getelementptr i8, ptr {p}, i64 4
  %x = load i32, ptr %n
  %v = getelementptr i8, ptr {other}, i64 8
  %y = load <4 x i16>, ptr %v
  %z = extractelement <4 x i16> %y, i32 2
  %w = zext i16 %z to i32
  {more}
  %sum = add i32 %x, %w
  store i32 %sum, ptr addrspace(1) {out}
  ret void
}}
"""
INDEXED = """
  %a = getelementptr %struct.P, ptr {p}, i64 0, i32 2, i32 {i}
  %b = load i32, ptr %a
  %second = getelementptr i32, ptr addrspace(1) {out}, i32 1
  store i32 %b, ptr addrspace(1) %second
"""
NAMES = {"out": "%out", "p": '%"p, (x"', "i": "%i", "other": "%other.1"}
NUMBERS = {"out": "%0", "p": "%1", "i": "%2", "other": "%3"}


def kernel(names: dict[str, str], more: str = "") -> str:
    text = KERNEL.format(**names, more=more.format(**names))
    return text.replace(",\n                                    ", ", ")


@pytest.mark.parametrize("names", [NAMES, NUMBERS, dict.fromkeys(NUMBERS, "")], ids=["named", "numbered", "unnamed"])
def test_parameters_of_a_kernel(names: dict[str, str]) -> None:
    (found,) = kernel_texts(kernel(names))
    assert found.name == '@"a kernel"'
    assert [p.name for p in found.parameters] == [names[n] or NUMBERS[n] for n in names]
    assert [p.type for p in found.parameters] == ["ptr", "ptr", "i32", "ptr"]
    assert [p.by_value for p in found.parameters] == [None, "%struct.P", None, "{ i8, <4 x i16> }"]


@pytest.mark.parametrize("names", [NAMES, NUMBERS], ids=["named", "numbered"])
@pytest.mark.parametrize("more", ["", INDEXED], ids=["", "indexed"])
def test_structures_become_values(names: dict[str, str], more: str) -> None:
    """Arrays that are indexed stay in memory, of which a part is read."""
    text = kernel(names, more)
    optimised = optimise(text)
    assert "byval" not in optimised
    assert ("alloca" in optimised) == bool(more)
    p = np.array([(1.5, 7, [10, 20, 30, 40])], [("f", np.float32), ("n", np.int32), ("a", np.int32, 4)])
    other = np.array([(1, [2, 3, 4, 5])], np.dtype({"names": ["c", "v"], "formats": ["i1", "4i2"], "offsets": [0, 8]}))
    out = np.zeros(2, np.int32)
    Device("pvc").compile(text, language="llvm")["a kernel"][1, (1,)](out, p, np.int32(2), other)
    assert out.tolist() == [11, 30 if more else 0]


def test_values_of_a_launch() -> None:
    """The bytes of a structure become constants."""
    data = np.array([7, 9], np.int32).tobytes()
    text = optimise(
        "define spir_kernel void @k(ptr addrspace(1) %out, ptr byval({ i32, i32 }) %p) {\n"
        "  %n = getelementptr i32, ptr %p, i64 1\n  %x = load i32, ptr %n\n"
        "  store i32 %x, ptr addrspace(1) %out\n  ret void\n}\n"
    )
    assert "store i32 9, " in specialise(text, "k", LaunchConstants((1, 1, 1)), {1: data})


def test_a_kernel_that_is_called() -> None:
    """Its caller passes a pointer, so the kernel takes one."""
    text = (
        "define spir_kernel void @k(ptr byval(i32) %p) {\n  ret void\n}\n"
        "define spir_kernel void @l(ptr byval(i32) %p) {\n"
        "  call spir_kernel void @k(ptr byval(i32) %p)\n  ret void\n}\n"
    )
    assert "@k(ptr byval(i32) %p) {" in take_values(text)
    assert "@l(i32 %p) {" in take_values(text)


PLAIN = "kernel void k(float a, uint n, global const float *x, global float *y)"
BY_VALUE = "typedef struct { float a; uint n; } P;\nkernel void k(P p, global const float *x, global float *y)"
SAXPY = "{ size_t i = get_global_id(0); if (i < N) y[i] = A * x[i] + y[i]; }"


@pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")
def test_a_structure_costs_nothing() -> None:
    """A kernel takes as many instructions with its numbers in a structure as with plain ones."""
    device, x, structure = Device("pvc"), np.ones(16, np.float32), np.array([(2, 12)], [("a", "f4"), ("n", "u4")])
    counts = []
    for head, a, n, values in (
        (PLAIN, "a", "n", (np.float32(2), np.uint32(12))),
        (BY_VALUE, "p.a", "p.n", (structure,)),
    ):
        y = np.ones(16, np.float32)
        kernel = device.compile(f"{head} {SAXPY.replace('A', a).replace('N', n)}", language="opencl")["k"]
        counts.append(kernel[1, (16,)](*values, x, y).instructions)
        assert y.tolist() == [3] * 12 + [1] * 4
    assert counts[0] == counts[1]


PACKED = {"i8": "i1", "float": "f4", "<2 x i16>": "2i2", "ptr addrspace(1)": "u8", "<3 x i8>": "3i1", "i64": "i8"}


def test_a_packed_structure() -> None:
    """Its fields are put together of the bytes that are passed; a vector of three takes the room of four."""
    structure = f"<{{ {', '.join(PACKED)} }}>"
    text = f"define spir_kernel void @k(ptr addrspace(1) %out, {structure} %s) {{\n"
    for n, type in enumerate(PACKED):
        text += f"  %x{n} = extractvalue {structure} %s, {n}\n"
        text += f"  %p{n} = getelementptr i8, ptr addrspace(1) %out, i64 {8 * n}\n"
        text += f"  store {type} %x{n}, ptr addrspace(1) %p{n}\n"
    values, out = np.random.default_rng(1).bytes(29), np.zeros(48, np.uint8)
    Device("pvc").compile(f"{text}  ret void\n}}\n", language="llvm")["k"][1, (1,)](out, values)
    start = 0
    for n, (type, numpy) in enumerate(PACKED.items()):
        size = np.dtype(numpy).itemsize
        assert out[8 * n :][:size].tobytes() == values[start : start + size], type
        start += 4 if size == 3 else size


def test_a_packed_structure_of_bits() -> None:
    text = "define spir_kernel void @k(<{ i8, i1 }> %s) {\n  ret void\n}\n"
    with pytest.raises(CompileError, match="takes type i1 in a packed structure, which is not supported"):
        Device("pvc").compile(text, language="llvm")
