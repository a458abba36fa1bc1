"""A GEMM written by hand for the virtual ISA, in the JIT, against numpy's float32 matmul in the same process.

Measures the simulator alone, without compiler and Level Zero: each thread computes a 32x64 tile of C in 256 registers.
`--type bf --sizes 256,512,1024 --threads 1 --repeat 5`; set OPENBLAS_NUM_THREADS to the number of threads.
"""

from __future__ import annotations

import argparse
import resource
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass

import ml_dtypes
import numpy as np
from numpy.typing import DTypeLike

from runtime.simulator import Dispatch, Executable, KernelDescription, Memory, Simulator
from xegpu.isa.model import KernelArgument, KernelFacts
from xegpu.isa.text.assembler import assemble
from xegpu.targets import PVC

TILE = (32, 64)
"""Rows and columns of C that one thread computes."""

_FIRST_A, _FIRST_B, _FIRST_C = 8, 40, 104


@dataclass(frozen=True)
class Kind:
    """An input type: its numpy type, its name in dpas, that of the result, and how a block of B is loaded.

    `load` is the data size of the message, with VNNI or without, `blocks` how many blocks of 16 columns it loads.
    """

    dtype: DTypeLike
    name: str
    result: str
    load: str
    blocks: int

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return np.dtype(self.dtype).itemsize

    @property
    def depth(self) -> int:
        """K of one dpas."""
        return 32 // self.size


KINDS = {
    "bf": Kind(ml_dtypes.bfloat16, "bf", "f", "d16v", 2),
    "hf": Kind(np.float16, "hf", "f", "d16v", 2),
    "tf32": Kind(np.float32, "tf32", "f", "d32", 1),
    "s8": Kind(np.int8, "b", "d", "d8v", 2),
    "u8": Kind(np.uint8, "ub", "d", "d8v", 2),
}


def _scalar(op: str, destination: str, *sources: str) -> str:
    operands = [source if ":" in source else f"{source}<0;1,0>:ud" for source in sources]
    return f"(W) {op} (1|M0) {destination}<1>:ud {' '.join(operands)}"


def kernel_text(kind: Kind) -> str:
    """The kernel; arguments are pointers to A, B and C and the edge of the square matrices."""
    depth, messages = kind.depth, 4 // kind.blocks
    a_shape, b_shape, c_shape = (
        f"{columns - 1 | rows - 1 << 8 | count - 1 << 16:#x}:ud"
        for columns, rows, count in ((depth, 32, 1), (16, depth, kind.blocks), (16, 8, 1))
    )
    # Surfaces: r2 of A, r3 of C, r4 and following of the parts of a tile of B. r7 holds pitches, tile origin and k.
    lines = [
        _scalar("mul", "r7.0", "r1.6", f"{kind.size}:ud"),
        _scalar("mul", "r7.1", "r1.6", "4:ud"),
        _scalar("mul", "r7.2", "r0.1", f"{TILE[1]}:ud"),
        _scalar("mul", "r7.3", "r0.6", f"{TILE[0]}:ud"),
        _scalar("mov", "r7.4", "0:ud"),
    ]
    b_surfaces = range(_FIRST_B - 4 - messages, _FIRST_B - 4)
    surfaces = [(2, 0, "r7.0", a_shape), (3, 2, "r7.1", c_shape), *((r, 1, "r7.0", b_shape) for r in b_surfaces)]
    for register, pointer, pitch, shape in surfaces:
        lines += [
            f"(W) mov (1|M0) r{register}.0<1>:uq r1.{pointer}<0;1,0>:uq",
            _scalar("add", f"r{register}.2", pitch, "0xffffffff:ud"),
            _scalar("add", f"r{register}.3", "r1.6", "0xffffffff:ud"),
            _scalar("add", f"r{register}.4", pitch, "0xffffffff:ud"),
            _scalar("mov", f"r{register}.5", "0:ud"),
            _scalar("mov", f"r{register}.6", "0:ud"),
            _scalar("mov", f"r{register}.7", shape),
        ]
    lines.append(_scalar("mov", "r2.6", "r7.3"))
    lines += [_scalar("add", f"r{r}.5", "r7.2", f"{16 * kind.blocks * i}:ud") for i, r in enumerate(b_surfaces)]
    zero = "0.0:f" if kind.result == "f" else "0:d"
    lines += [f"(W) mov (16|M0) r{_FIRST_C + i}.0<1>:{kind.result} {zero}" for i in range(128)]
    lines.append("loop:")
    lines.append(f"(W) load_block2d.ugm.d{8 * kind.size}.a64 (1|M0) r{_FIRST_A}:16 flat[r2]:1 {depth}x32x1")
    for i, register in enumerate(b_surfaces):
        first, used = _FIRST_B + 8 * kind.blocks * i, 8 * kind.blocks
        shape = f"16x{depth}x{kind.blocks}"
        lines.append(f"(W) load_block2d.ugm.{kind.load}.a64 (1|M0) r{first}:{used} flat[r{register}]:1 {shape}")
    for n in range(4):
        for m in range(4):
            a, b, c = _FIRST_A + 4 * m, _FIRST_B + 8 * n, _FIRST_C + 32 * m + 8 * n
            c_text = f"r{c}.0:{kind.result}"
            lines.append(f"(W) dpas.8x8 (16|M0) {c_text} {c_text} r{b}.0:{kind.name} r{a}.0:{kind.name}")
    lines.append(_scalar("add", "r2.5", "r2.5", f"{depth}:ud"))
    lines += [_scalar("add", f"r{register}.6", f"r{register}.6", f"{depth}:ud") for register in b_surfaces]
    lines += [
        _scalar("add", "r7.4", "r7.4", f"{depth}:ud"),
        "(W) cmp (1|M0) (lt)f0.0 null<1>:ud r7.4<0;1,0>:ud r1.6<0;1,0>:ud",
        "(W&f0.0) jmpi (1|M0) loop",
    ]
    for m in range(4):
        for n in range(4):
            lines += [
                _scalar("add", "r3.5", "r7.2", f"{16 * n}:ud"),
                _scalar("add", "r3.6", "r7.3", f"{8 * m}:ud"),
                f"(W) store_block2d.ugm.d32.a64 (1|M0) flat[r3]:1 r{_FIRST_C + 32 * m + 8 * n}:8 16x8x1",
            ]
    return "\n".join([*lines, "(W) eot (1|M0)", ""])


def load(simulator: Simulator, kind: Kind) -> Executable:
    """The kernel, decoded and checked."""
    facts = KernelFacts(1, (KernelArgument.at(0, 32, "matrices", "bytes"),), grf_count=256)
    return simulator.load(KernelDescription("gemm", assemble(kernel_text(kind)), PVC, facts))


def best_of(repeat: int, action: Callable[[], object]) -> float:
    """Shortest time in seconds."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def measure(kind: Kind, size: int, threads: int, repeat: int) -> None:
    """Runs one size and prints a line."""
    random = np.random.default_rng(0)
    scale = 30 if kind.result == "d" else 1
    a, b = ((scale * random.standard_normal((size, size))).astype(kind.dtype) for _ in range(2))
    memory = Memory()
    buffers = [memory.allocate(4 * size * size) for _ in range(3)]
    for buffer, values in zip(buffers, (a, b), strict=False):
        buffer.view()[: values.nbytes] = values.tobytes()
    simulator = Simulator(PVC, memory, "jit", threads)
    executable = load(simulator, kind)
    arguments = struct.pack("<QQQII", *(buffer.address for buffer in buffers), size, 0)
    dispatch = Dispatch((-(-size // TILE[1]), -(-size // TILE[0]), 1), (1, 1, 1), arguments)
    start = time.perf_counter()
    statistics = simulator.run(executable, dispatch)
    first = time.perf_counter() - start
    beside = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10) - sum(
        buffer.size for buffer in buffers
    ) // 2**20
    wide_a, wide_b = a.astype(np.float32), b.astype(np.float32)
    expected = wide_a @ wide_b
    result = np.frombuffer(buffers[2].view(), np.float32 if kind.result == "f" else np.int32).reshape(size, size)
    tolerance = {"tf32": 1e-3}.get(kind.name, 2e-5)
    if not np.allclose(result, expected, rtol=0, atol=tolerance * np.abs(expected).max()):
        raise SystemExit(f"the result for {size} is wrong")
    simulated = best_of(repeat, lambda: simulator.run(executable, dispatch))
    peer = best_of(repeat, lambda: wide_a @ wide_b)
    work = 2 * size**3 / 1e9
    print(
        f"{kind.name:>4} {size:>5} {work / simulated:>7.1f} GFLOP/s  numpy {work / peer:>6.1f} GFLOP/s  "
        f"ratio {peer / simulated:.2f}  first launch {1e3 * first:.0f} ms  {statistics.instructions} instructions  "
        f"peak memory {beside} MB beside the buffers"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--type", default="bf", choices=KINDS, help="of A and B")
    parser.add_argument("--sizes", default="256,512,1024", help="comma-separated edges of the matrices")
    parser.add_argument("--threads", type=int, default=1, help="host threads")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each, of which the fastest counts")
    options = parser.parse_args()
    for size in map(int, options.sizes.split(",")):
        measure(KINDS[options.type], size, options.threads, options.repeat)


if __name__ == "__main__":
    main()
