"""Loops of host programs against the same loops in C, compiled with `clang -O2`: wall-clock time, in one run.

Each loop has `--size` cubed iterations (1024). Prints the ratio of the shortest of `--repeat` times. Needs `clang`, or
the compiler that `--clang` names; both compile for this CPU.
"""

from __future__ import annotations

import argparse
import ctypes
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from passes.pipelines import read_module
from runtime import Device
from runtime.host import ProgramOutput, compile_program, load_program
from xegpu.diagnostics import SourceBuffer

Array = NDArray[np.generic]


@dataclass(frozen=True)
class Loop:
    """A loop in both languages, over three square matrices."""

    name: str
    mlir: str
    c: str


_NEST = """
func.func @NAME(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  BODY
  return
}
"""

LOOPS = (
    Loop(
        "product_by_rows",
        """scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      %x = memref.load %a[%i, %k] : memref<?x?xf32>
      scf.for %j = %c0 to %n step %c1 {
        %y = memref.load %b[%k, %j] : memref<?x?xf32>
        %z = memref.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        memref.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }""",
        "for (long i = 0; i < n; i++) for (long k = 0; k < n; k++) { float x = a[i*n+k];"
        " for (long j = 0; j < n; j++) c[i*n+j] += x * b[k*n+j]; }",
    ),
    Loop(
        "product_by_elements",
        """scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %z = memref.load %c[%i, %j] : memref<?x?xf32>
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {
        %x = memref.load %a[%i, %k] : memref<?x?xf32>
        %y = memref.load %b[%j, %k] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        scf.yield %t : f32
      }
      memref.store %r, %c[%i, %j] : memref<?x?xf32>
    }
  }""",
        "for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) { float s = c[i*n+j];"
        " for (long k = 0; k < n; k++) s += a[i*n+k] * b[j*n+k]; c[i*n+j] = s; }",
    ),
    Loop(
        "largest_sums",
        """scf.for %k = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %x = memref.load %a[%i, %j] : memref<?x?xf32>
        %y = memref.load %b[%i, %j] : memref<?x?xf32>
        %z = memref.load %c[%i, %j] : memref<?x?xf32>
        %s = arith.addf %x, %y : f32
        %p = arith.cmpf ogt, %s, %z : f32
        %m = arith.select %p, %s, %z : f32
        memref.store %m, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }""",
        "for (long k = 0; k < n; k++) for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) {"
        " float s = a[i*n+j] + b[i*n+j], z = c[i*n+j]; c[i*n+j] = s > z ? s : z; }",
    ),
)


def compiled_mlir(loop: Loop) -> Callable[[Array, Array, Array], object]:
    """The loop as a host program."""
    text = _NEST.replace("NAME", loop.name).replace("BODY", loop.mlir)
    device = Device()
    context, module = read_module(SourceBuffer(loop.name, text))
    program = compile_program(context, module, device.target)
    host = load_program(program, device, ProgramOutput(print, print), loop.name).host
    return host.run


def compiled_c(clang: str, folder: Path) -> dict[str, Callable[[Array, Array, Array], object]]:
    """All loops in C."""
    signature = "(float *a, float *b, float *c, long n)"
    source, library = folder / "loops.c", folder / "loops.so"
    source.write_text("\n".join(f"void {loop.name}{signature} {{ {loop.c} }}" for loop in LOOPS))
    subprocess.run([clang, "-O2", "-march=native", "-shared", "-fPIC", source, "-o", library], check=True)
    loaded = ctypes.CDLL(str(library))

    def calling(name: str) -> Callable[[Array, Array, Array], object]:
        def call(*arrays: Array) -> None:
            pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in arrays]
            loaded[name](*pointers, ctypes.c_long(arrays[0].shape[0]))

        return call

    return {loop.name: calling(loop.name) for loop in LOOPS}


def shortest(run: Callable[[Array, Array, Array], object], arrays: list[Array], repeat: int) -> float:
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        run(*arrays)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1024)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--clang", default=next(filter(shutil.which, ("clang", "clang-15")), "clang"))
    options = parser.parse_args()
    if shutil.which(options.clang) is None:
        print(f"there is no '{options.clang}'", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        in_c = compiled_c(options.clang, Path(folder))
        for loop in LOOPS:
            rng = np.random.default_rng(0)
            a, b = rng.random((2, options.size, options.size), np.float32)
            results = [np.zeros_like(a), np.zeros_like(a)]
            runs = (compiled_mlir(loop), in_c[loop.name])
            times = [shortest(run, [a, b, c], options.repeat) for run, c in zip(runs, results, strict=True)]
            assert np.allclose(*results, rtol=1e-4), f"{loop.name}: the results differ"
            print(f"{loop.name:20} {times[0]:7.3f} s, clang -O2 {times[1]:7.3f} s: {times[0] / times[1]:.2f} times")
    return 0


if __name__ == "__main__":
    sys.exit(main())
