"""A bf16 GEMM written by hand for the virtual ISA, in the JIT, against numpy's float32 matmul in the same process.

Measures the simulator alone, without compiler and Level Zero: each thread computes a 32x64 tile of C in 256 registers.
`--sizes 256,512,1024 --step 16 --threads 1 --repeat 5`; set OPENBLAS_NUM_THREADS to the number of threads.
"""

from __future__ import annotations

import argparse
import struct
import time
from collections.abc import Callable

import ml_dtypes
import numpy as np

from runtime.simulator import Dispatch, Executable, KernelDescription, Memory, Simulator
from xegpu.isa.assembler import assemble
from xegpu.targets import PVC

TILE = (32, 64)
"""Rows and columns of C that one thread computes."""

_FIRST_A, _FIRST_B, _FIRST_C = 8, 40, 104


def kernel_text(step: int) -> str:
    """The kernel; arguments are pointers to A, B and C and the edge of the square matrices. `step` is K per loop."""
    depth = step // 16
    a_shape, b_shape, c_shape = ((15 | rows - 1 << 8 | count - 1 << 16) for rows, count in ((32, depth), (step, 2), (8, 1)))
    lines = [
        ".reg args = r1",
        # Surfaces: r2 of A, r3 and r4 of the two halves of a tile of B, r5 of C.
        "(W) shl (1|M0) r6.0<1>:ud r1.6<0;1,0>:ud 1:ud",
        "(W) shl (1|M0) r6.1<1>:ud r1.6<0;1,0>:ud 2:ud",
        f"(W) mul (1|M0) r6.2<1>:ud r0.1<0;1,0>:ud {TILE[1]}:ud",
        f"(W) mul (1|M0) r6.3<1>:ud r0.6<0;1,0>:ud {TILE[0]}:ud",
    ]
    for register, pointer, pitch, shape in ((2, 0, 0, a_shape), (3, 1, 0, b_shape), (4, 1, 0, b_shape), (5, 2, 1, c_shape)):
        lines += [
            f"(W) mov (1|M0) r{register}.0<1>:uq r1.{pointer}<0;1,0>:uq",
            f"(W) add (1|M0) r{register}.2<1>:ud r6.{pitch}<0;1,0>:ud 0xffffffff:ud",
            f"(W) add (1|M0) r{register}.3<1>:ud r1.6<0;1,0>:ud 0xffffffff:ud",
            f"(W) add (1|M0) r{register}.4<1>:ud r6.{pitch}<0;1,0>:ud 0xffffffff:ud",
            f"(W) mov (2|M0) r{register}.5<1>:ud 0:ud",
            f"(W) mov (1|M0) r{register}.7<1>:ud {shape:#x}:ud",
        ]
    lines += [
        "(W) mov (1|M0) r2.6<1>:ud r6.3<0;1,0>:ud",
        "(W) mov (1|M0) r3.5<1>:ud r6.2<0;1,0>:ud",
        "(W) add (1|M0) r4.5<1>:ud r6.2<0;1,0>:ud 32:ud",
        "(W) mov (1|M0) r6.4<1>:ud 0:ud",
    ]
    lines += [f"(W) mov (16|M0) r{_FIRST_C + i}.0<1>:f 0:f" for i in range(128)]
    lines += ["loop:", f"(W) load_block2d.ugm.d16.a64 (1|M0) r{_FIRST_A}:{16 * depth} flat[r2]:1 16x32x{depth}"]
    for half in range(2):
        first = _FIRST_B + 16 * depth * half
        lines.append(f"(W) load_block2d.ugm.d16v.a64 (1|M0) r{first}:{16 * depth} flat[r{3 + half}]:1 16x{step}x2")
    for k in range(depth):
        for n in range(4):
            # Blocks of 16 columns lie one behind the other, each with all its rows of K.
            b = _FIRST_B + 8 * depth * n + 8 * k
            for m in range(4):
                a, c = _FIRST_A + 16 * k + 4 * m, _FIRST_C + 32 * m + 8 * n
                lines.append(f"(W) dpas.8x8 (16|M0) r{c}.0:f r{c}.0:f r{b}.0:bf r{a}.0:bf")
    lines += [
        f"(W) add (1|M0) r2.5<1>:ud r2.5<0;1,0>:ud {step}:ud",
        f"(W) add (1|M0) r3.6<1>:ud r3.6<0;1,0>:ud {step}:ud",
        f"(W) add (1|M0) r4.6<1>:ud r4.6<0;1,0>:ud {step}:ud",
        f"(W) add (1|M0) r6.4<1>:ud r6.4<0;1,0>:ud {step}:ud",
        "(W) cmp (1|M0) (lt)f0.0 null<1>:ud r6.4<0;1,0>:ud r1.6<0;1,0>:ud",
        "(W&f0.0) jmpi (1|M0) loop",
    ]
    for m in range(4):
        for n in range(4):
            lines += [
                f"(W) add (1|M0) r5.5<1>:ud r6.2<0;1,0>:ud {16 * n}:ud",
                f"(W) add (1|M0) r5.6<1>:ud r6.3<0;1,0>:ud {8 * m}:ud",
                f"(W) store_block2d.ugm.d32.a64 (1|M0) flat[r5]:1 r{_FIRST_C + 32 * m + 8 * n}:8 16x8x1",
            ]
    return "\n".join([*lines, "(W) eot (1|M0)", ""])


def load(simulator: Simulator, step: int) -> Executable:
    """The kernel, decoded and checked."""
    code = assemble(kernel_text(step))
    return simulator.load(KernelDescription("gemm", code, PVC, 1, 256, cross_thread_size=32))


def best_of(repeat: int, action: Callable[[], object]) -> float:
    """Shortest time in seconds."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def measure(size: int, step: int, threads: int, repeat: int) -> None:
    """Runs one size and prints a line."""
    random = np.random.default_rng(0)
    a, b = (random.standard_normal((size, size)).astype(ml_dtypes.bfloat16) for _ in range(2))
    memory = Memory()
    buffers = [memory.allocate(4 * size * size) for _ in range(3)]
    for buffer, values in zip(buffers, (a, b), strict=False):
        buffer.view()[: values.nbytes] = values.tobytes()
    simulator = Simulator(PVC, memory, "jit", threads)
    executable = load(simulator, step)
    arguments = struct.pack("<QQQII", *(buffer.address for buffer in buffers), size, 0)
    dispatch = Dispatch((-(-size // TILE[1]), -(-size // TILE[0]), 1), (1, 1, 1), arguments)
    start = time.perf_counter()
    statistics = simulator.run(executable, dispatch)
    first = time.perf_counter() - start
    wide_a, wide_b = a.astype(np.float32), b.astype(np.float32)
    expected = wide_a @ wide_b
    result = np.frombuffer(buffers[2].view(), np.float32).reshape(size, size)
    if not np.allclose(result, expected, rtol=0, atol=2e-5 * np.abs(expected).max()):
        raise SystemExit(f"the result for {size} is wrong")
    simulated = best_of(repeat, lambda: simulator.run(executable, dispatch))
    peer = best_of(repeat, lambda: wide_a @ wide_b)
    work = 2 * size**3 / 1e9
    print(
        f"{size:>5} {work / simulated:>8.1f} GFLOP/s  numpy {work / peer:>6.1f} GFLOP/s  ratio {peer / simulated:.2f}  "
        f"compile {1e3 * (first - simulated):.0f} ms  {statistics.instructions} instructions"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="256,512,1024", help="comma-separated edges of the matrices")
    parser.add_argument("--step", type=int, default=16, choices=(16, 32), help="K per iteration")
    parser.add_argument("--threads", type=int, default=1, help="host threads")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each, of which the fastest counts")
    options = parser.parse_args()
    for size in map(int, options.sizes.split(",")):
        measure(size, options.step, options.threads, options.repeat)


if __name__ == "__main__":
    main()
