"""Tests of `arith-promote-integers`: numbers of many widths against Python's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from runtime import Device

LANES = 64


def signed(value: int, bits: int) -> int:
    """Returns the number that some bits mean with a sign."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def truncated(a: int, b: int) -> int:
    """Returns a quotient rounded to zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


Function = Callable[[int, int, int], int]
"""The bits of a result from those of two operands and the width; `b` is neither 0 nor the number -1."""
BINARY: dict[str, Function] = {
    "arith.addi": lambda a, b, n: a + b,
    "arith.subi": lambda a, b, n: a - b,
    "arith.muli": lambda a, b, n: a * b,
    "arith.andi": lambda a, b, n: a & b,
    "arith.ori": lambda a, b, n: a | b,
    "arith.xori": lambda a, b, n: a ^ b,
    "arith.divui": lambda a, b, n: a // b,
    "arith.remui": lambda a, b, n: a % b,
    "arith.divsi": lambda a, b, n: truncated(signed(a, n), signed(b, n)),
    "arith.remsi": lambda a, b, n: signed(a, n) - signed(b, n) * truncated(signed(a, n), signed(b, n)),
    "arith.maxui": lambda a, b, n: max(a, b),
    "arith.minui": lambda a, b, n: min(a, b),
    "arith.maxsi": lambda a, b, n: max(signed(a, n), signed(b, n)),
    "arith.minsi": lambda a, b, n: min(signed(a, n), signed(b, n)),
}
SHIFTS: dict[str, Function] = {
    "arith.shli": lambda a, b, n: a << b,
    "arith.shrui": lambda a, b, n: a >> b,
    "arith.shrsi": lambda a, b, n: signed(a, n) >> b,
}
UNARY: dict[str, Function] = {
    "math.ctpop": lambda a, b, n: a.bit_count(),
    "math.ctlz": lambda a, b, n: n - a.bit_length(),
    "math.cttz": lambda a, b, n: (a & -a).bit_length() - 1 if a else n,
    "math.absi": lambda a, b, n: abs(signed(a, n)),
}
COMPARED: dict[str, Function] = {
    "slt": lambda a, b, n: signed(a, n) < signed(b, n),
    "sge": lambda a, b, n: signed(a, n) >= signed(b, n),
    "ult": lambda a, b, n: a < b,
    "ugt": lambda a, b, n: a > b,
    "eq": lambda a, b, n: a == b,
}


def operations(bits: int) -> list[tuple[str, Function]]:
    """Returns lines that compute `%r` from `%a`, `%b` and the distance `%s`, and what they compute."""
    found = [(f"{name} %a, %b : i{bits}", function) for name, function in BINARY.items()]
    found += [(f"{name} %a, %s : i{bits}", lambda a, b, n, f=f: f(a, b % n, n)) for name, f in SHIFTS.items()]
    found += [(f"{name} %a : i{bits}", function) for name, function in UNARY.items()]
    return found


def kernel(bits: int, lines: list[str]) -> str:
    """Returns a kernel that stores each result twice, extended with zeros and with its sign."""
    body = []
    for number, line in enumerate(lines):
        body.append(f"%r{number} = {line}")
        for place, extension in enumerate(("extui", "extsi")):
            name = f"%r{number}_{place}"
            body += [f"{name} = arith.{extension} %r{number} : i{bits} to i64", f"%p{number}_{place} = arith.constant "]
            body[-1] += f"{2 * number + place} : index"
            body.append(f"memref.store {name}, %out[%p{number}_{place}, %i] : memref<?x{LANES}xi64>")
    text = "\n".join(body)
    return f"""gpu.module @kernels {{
  gpu.func @f(%x: memref<?xi64>, %y: memref<?xi64>, %out: memref<?x{LANES}xi64>)
      kernel attributes {{gpu.known_block_size = array<i32: {LANES}, 1, 1>}} {{
    %i = gpu.thread_id x
    %wide = memref.load %x[%i] : memref<?xi64>
    %other = memref.load %y[%i] : memref<?xi64>
    %a = arith.trunci %wide : i64 to i{bits}
    %b = arith.trunci %other : i64 to i{bits}
    %n = arith.constant {bits} : i64
    %rest = arith.remui %other, %n : i64
    %s = arith.trunci %rest : i64 to i{bits}
    {text}
    gpu.return
  }}
}}"""


PLAIN = [(7, "pvc"), (33, "pvc"), (24, "arc")]
ALL = [(n, target) for n in range(4, 64) if n not in (8, 16, 32) for target in ("pvc", "arc")]


@pytest.mark.parametrize(
    ("bits", "target"), [*PLAIN, *(pytest.param(*c, marks=pytest.mark.exhaustive) for c in ALL if c not in PLAIN)]
)
def test_operations(bits: int, target: str) -> None:
    random, mask = np.random.default_rng(bits), (1 << bits) - 1
    a = [int(v) & mask for v in random.integers(0, 1 << 63, LANES)]
    b = [max((int(v) & mask) % mask, 1) for v in random.integers(0, 1 << 63, LANES)]
    a[:3] = 0, mask, 1 << bits - 1
    noise = [int(v) << bits & (1 << 63) - 1 for v in random.integers(0, 1 << 62, LANES)]
    given = operations(bits)
    out = np.zeros((2 * len(given), LANES), np.int64)
    x, y = np.array([v | more for v, more in zip(a, noise, strict=True)]), np.array(b)
    Device(target).compile(kernel(bits, [line for line, _ in given]))["f"][1](x, y, out)
    for number, (line, function) in enumerate(given):
        exact = [function(p, q, bits) for p, q in zip(a, b, strict=True)]
        assert out[2 * number].tolist() == [v & mask for v in exact], line
        assert out[2 * number + 1].tolist() == [signed(v, bits) for v in exact], line


@pytest.mark.parametrize("bits", [5, 40])
def test_comparisons_choices_and_conversions(bits: int) -> None:
    text = kernel(bits, [])
    body = "\n".join(
        f"%c{n} = arith.cmpi {name}, %a, %b : i{bits}\n%v{n} = arith.select %c{n}, %a, %b : i{bits}\n"
        f"%f{n} = arith.{'sitofp' if name[0] == 's' else 'uitofp'} %v{n} : i{bits} to f64\n"
        f"%w{n} = arith.fptosi %f{n} : f64 to i64\n%p{n} = arith.constant {n} : index\n"
        f"memref.store %w{n}, %out[%p{n}, %i] : memref<?x{LANES}xi64>"
        for n, name in enumerate(COMPARED)
    )
    random, mask = np.random.default_rng(bits), (1 << bits) - 1
    a, b = ([int(v) & mask for v in random.integers(0, 1 << 63, LANES)] for _ in range(2))
    b[:9] = a[:9]
    out = np.zeros((len(COMPARED), LANES), np.int64)
    Device().compile(text.replace("gpu.return", f"{body}\ngpu.return"))["f"][1](np.array(a), np.array(b), out)
    for number, (name, function) in enumerate(COMPARED.items()):
        chosen = [p if function(p, q, bits) else q for p, q in zip(a, b, strict=True)]
        assert out[number].tolist() == [signed(v, bits) if name[0] == "s" else v for v in chosen], name


LLVM = """
target triple = "spir64-unknown-unknown"
define spir_kernel void @f(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %bytes = mul i64 %g, 3
  %from = getelementptr i8, ptr addrspace(1) %in, i64 %bytes
  %v = load i24, ptr addrspace(1) %from, align 1
  %r = call i24 @llvm.bitreverse.i24(i24 %v)
  %s = call i24 @llvm.fshl.i24(i24 %v, i24 %r, i24 29)
  %t = add i24 %s, %r
  %low = trunc i24 %t to i3
  %bits = bitcast i24 %r to <3 x i8>
  %top = extractelement <3 x i8> %bits, i64 2
  %wide = zext i8 %top to i24
  switch i3 %low, label %other [ i3 0, label %zero
                                 i3 -1, label %seven ]
zero:
  br label %other
seven:
  br label %other
other:
  %p = phi i24 [ %t, %0 ], [ 5, %zero ], [ -7, %seven ]
  %q = xor i24 %p, %wide
  %to = getelementptr i8, ptr addrspace(1) %out, i64 %bytes
  store i24 %q, ptr addrspace(1) %to, align 1
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
declare i24 @llvm.bitreverse.i24(i24)
declare i24 @llvm.fshl.i24(i24, i24, i24)
"""


def _expected(v: int) -> int:
    r = int(f"{v:024b}"[::-1], 2)
    s = (v << 5 | r >> 19) & 0xFFFFFF
    t = (s + r) & 0xFFFFFF
    p = {0: 5, 7: -7 & 0xFFFFFF}.get(t & 7, t)
    return p ^ r >> 16


def test_memory_and_control_flow_of_llvm() -> None:
    """Neighbors of three bytes are left alone, and so is the byte behind the last one."""
    data = np.random.default_rng(1).integers(0, 256, 3 * LANES).astype(np.uint8)
    out = np.full(3 * LANES + 1, 99, np.uint8)
    Device().compile(LLVM, language="llvm")["f"][(1,), (LANES,)](data, out)
    numbers = [int.from_bytes(data[3 * n : 3 * n + 3].tobytes(), "little") for n in range(LANES)]
    assert out.tobytes() == b"".join(_expected(v).to_bytes(3, "little") for v in numbers) + b"c"
