"""Simulated bf16 GEMM against numpy's float32 matmul, in one run, on one core and on all.

Prints ratios; numpy's threads are limited to the same number of cores. `--sizes 256,512,1024 --repeat 5`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
TILE = (32, 64)
"""Rows and columns of C that one subgroup computes."""


def kernel_text(size: int) -> str:
    """A GEMM of size x size x size: each subgroup takes a 32x64 tile of C, K in steps of 16."""
    rows, columns = TILE[0] // 8, TILE[1] // 16
    memref, result = f"memref<{size}x{size}xbf16>", f"memref<{size}x{size}xf32>"
    a_desc, b_desc = f"!xegpu.tensor_desc<{TILE[0]}x16xbf16>", "!xegpu.tensor_desc<16x16xbf16>"
    c_desc, c_vector = "!xegpu.tensor_desc<8x16xf32>", "vector<8x16xf32>"
    lines = [
        "gpu.module @kernels {",
        f"gpu.func @gemm(%a: {memref}, %b: {memref}, %c: {result}) kernel attributes {{VectorComputeFunctionINTEL}} {{",
        "%c0 = arith.constant 0 : index",
        "%c16 = arith.constant 16 : index",
        f"%size = arith.constant {size} : index",
        f"%rows = arith.constant {TILE[0]} : index",
        f"%columns = arith.constant {TILE[1]} : index",
        "%bx = gpu.block_id x",
        "%by = gpu.block_id y",
        "%m = arith.muli %bx, %rows : index",
        "%n = arith.muli %by, %columns : index",
        f"%zero = arith.constant dense<0.0> : {c_vector}",
        f"%ta = xegpu.create_nd_tdesc %a[%m, %c0] : {memref} -> {a_desc}",
    ]
    carried = [("%da", "%ta", a_desc)]
    for j in range(columns):
        lines += [f"%cj{j} = arith.constant {16 * j} : index", f"%n{j} = arith.addi %n, %cj{j} : index"]
        lines.append(f"%tb{j} = xegpu.create_nd_tdesc %b[%c0, %n{j}] : {memref} -> {b_desc}")
        carried.append((f"%db{j}", f"%tb{j}", b_desc))
    carried += [(f"%acc{i}_{j}", "%zero", c_vector) for i in range(rows) for j in range(columns)]
    types = ", ".join(type for _, _, type in carried)
    starts = ", ".join(f"{name} = {start}" for name, start, _ in carried)
    lines.append(f"%r:{len(carried)} = scf.for %k = %c0 to %size step %c16 iter_args({starts}) -> ({types}) {{")
    lines.append(f"%va = xegpu.load_nd %da : {a_desc} -> vector<{TILE[0]}x16xbf16>")
    for i in range(rows):
        lines.append(
            f"%a{i} = vector.extract_strided_slice %va {{offsets = [{8 * i}, 0], sizes = [8, 16], strides = [1, 1]}} "
            f": vector<{TILE[0]}x16xbf16> to vector<8x16xbf16>"
        )
    for j in range(columns):
        lines.append(f"%b{j} = xegpu.load_nd %db{j} <{{packed}}> : {b_desc} -> vector<8x16x2xbf16>")
    lines.append(f"%na = xegpu.update_nd_offset %da, [0, 16] : {a_desc}")
    lines += [f"%nb{j} = xegpu.update_nd_offset %db{j}, [16, 0] : {b_desc}" for j in range(columns)]
    types_of_dpas = f"vector<8x16xbf16>, vector<8x16x2xbf16>, {c_vector} -> {c_vector}"
    for j in range(columns):
        lines += [f"%s{i}_{j} = xegpu.dpas %a{i}, %b{j}, %acc{i}_{j} : {types_of_dpas}" for i in range(rows)]
    products = [f"%s{i}_{j}" for i in range(rows) for j in range(columns)]
    lines.append(f"scf.yield {', '.join(['%na', *(f'%nb{j}' for j in range(columns)), *products])} : {types}")
    lines.append("}")
    for i in range(rows):
        lines += [f"%ci{i} = arith.constant {8 * i} : index", f"%m{i} = arith.addi %m, %ci{i} : index"]
        for j in range(columns):
            lines.append(f"%tc{i}_{j} = xegpu.create_nd_tdesc %c[%m{i}, %n{j}] : {result} -> {c_desc}")
            lines.append(f"xegpu.store_nd %r#{1 + columns + i * columns + j}, %tc{i}_{j} : {c_vector}, {c_desc}")
    return "\n".join([*lines, "gpu.return", "}", "}"])


def best_of(repeat: int, action: Callable[[], object], clock: Callable[[], float]) -> float:
    """Shortest time in seconds."""
    times = []
    for _ in range(repeat):
        start = clock()
        action()
        times.append(clock() - start)
    return min(times)


def measure(sizes: list[int], repeat: int, threads: int, cpu: bool) -> list[dict[str, float]]:
    """Times both on this process's cores; numpy was told its number of threads by the environment."""
    clock = time.process_time if cpu else time.perf_counter
    import ml_dtypes
    import numpy as np

    from runtime import Device

    devices = [Device("pvc", threads=count) for count in dict.fromkeys((threads, 1))]
    random = np.random.default_rng(0)
    rows = []
    for size in sizes:
        a = random.standard_normal((size, size)).astype(ml_dtypes.bfloat16)
        b = random.standard_normal((size, size)).astype(ml_dtypes.bfloat16)
        launches = []
        for device in devices:
            buffers = device.array(a), device.array(b), device.array(np.zeros((size, size), np.float32))
            start = time.perf_counter()
            kernel = device.compile(kernel_text(size))["gemm"]
            compiled = time.perf_counter() - start
            launches.append(partial(kernel[(-(-size // TILE[0]), -(-size // TILE[1]))], *buffers))
            start = time.perf_counter()
            launches[-1]()
            first = time.perf_counter() - start
        wide_a, wide_b = a.astype(np.float32), b.astype(np.float32)
        expected = wide_a @ wide_b
        scale = np.abs(expected).max()
        if not np.allclose(buffers[2].numpy(), expected, rtol=0, atol=2e-5 * scale):
            raise SystemExit(f"the result for {size} is wrong")
        time.sleep(0.5)  # OpenBLAS's threads spin for a while after a product
        seconds = [float("inf")] * len(launches)
        for _ in range(repeat):  # in turns: what else the machine does meets both
            seconds = [min(before, best_of(1, launch, clock)) for before, launch in zip(seconds, launches, strict=True)]
        simulated, *alone = seconds
        peer = best_of(repeat, lambda x=wide_a, y=wide_b: x @ y, clock)
        work = 2 * size**3 / 1e9
        rows.append(
            {
                "size": size,
                "simulated": work / simulated,
                "numpy": work / peer,
                "ratio": peer / simulated,
                "second_core": alone[0] / simulated if alone else 1.0,
                "compile": compiled,
                "first": first - simulated,
            }
        )
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="256,512,1024", help="comma-separated edges of the matrices")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each, of which the fastest counts")
    parser.add_argument("--threads", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--cpu", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.threads:
        sizes = [int(size) for size in arguments.sizes.split(",")]
        print(json.dumps(measure(sizes, arguments.repeat, arguments.threads, arguments.cpu)))
        return 0
    print(
        f"{'cores':>5} {'size':>5} {'simulated bf16':>15} {'numpy f32':>12} {'ratio':>6} {'MLIR->ZEBIN':>12} {'JIT':>8}"
    )
    for threads in dict.fromkeys((1, os.cpu_count() or 1)):
        environment = os.environ | dict.fromkeys(THREAD_VARIABLES, str(threads))
        command = [sys.executable, __file__, "--sizes", arguments.sizes, "--repeat", str(arguments.repeat)]
        answer = subprocess.run(
            [*command, "--threads", str(threads)], env=environment, check=True, capture_output=True, text=True
        )
        for row in json.loads(answer.stdout):
            print(
                f"{threads:>5} {row['size']:>5.0f} {row['simulated']:>8.1f} GFLOP/s {row['numpy']:>4.0f} GFLOP/s "
                f"{row['ratio']:>6.2f} {row['compile']:>10.2f} s {row['first']:>6.2f} s"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
