"""xegpu-opt on 2,000 XeGPU ops of all kinds against xdsl-opt on 2,000 arith and memref ops: user CPU time, in one run.

Each tool reads, verifies and prints its module in a process of its own. `--ops 2000 --repeat 5`; prints the ratio of
the shortest times.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import chain, islice, repeat
from pathlib import Path

BLOCK, POINTS = "!xegpu.tensor_desc<8x16xf16>", "!xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>"
B_BLOCK, C_BLOCK = "!xegpu.tensor_desc<16x16xf16>", "!xegpu.tensor_desc<8x16xf32>"

XEGPU_OPS = (
    f"%a = xegpu.create_nd_tdesc %m[%i, 16] : memref<96x80xf16> -> {BLOCK}",
    f"%b = xegpu.create_nd_tdesc %m[0, %i] : memref<96x80xf16> -> {B_BLOCK}",
    f"%c = xegpu.create_nd_tdesc %p[%i, 0], [%i, 64], [64, 1] : ui64 -> {C_BLOCK}",
    f"%d = xegpu.update_nd_offset %a, [%i, 32] : {BLOCK}",
    f"xegpu.prefetch_nd %d <{{l1_hint = #xegpu.cache_hint<cached>}}> : {BLOCK}",
    f"%va = xegpu.load_nd %a <{{l1_hint = #xegpu.cache_hint<cached>}}> : {BLOCK} -> vector<8x16xf16>",
    f"%vb = xegpu.load_nd %b <{{packed}}> : {B_BLOCK} -> vector<8x16x2xf16>",
    "%vc = xegpu.dpas %va, %vb : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>",
    f"xegpu.store_nd %vc, %c : vector<8x16xf32>, {C_BLOCK}",
    f"%s = xegpu.create_tdesc %p, %off : ui64, vector<16xindex> -> {POINTS}",
    f"%t = xegpu.update_offset %s, %off : {POINTS}, vector<16xindex>",
    f"xegpu.prefetch %t : {POINTS}",
    f"%g = xegpu.load %t, %mask : {POINTS}, vector<16xi1> -> vector<16xf32>",
    f"%old = xegpu.atomic_rmw addf %s, %mask, %g : {POINTS}, vector<16xi1>, vector<16xf32> -> vector<16xf32>",
    f"xegpu.store %old, %t, %mask : vector<16xf32>, {POINTS}, vector<16xi1>",
    "%nb = xegpu.init_nbarrier %id, %id : i8, i8 -> !xegpu.nbarrier",
    "xegpu.nbarrier_arrive %nb : !xegpu.nbarrier",
    "xegpu.nbarrier_wait %nb : !xegpu.nbarrier",
    "xegpu.fence memory_kind = slm, fence_scope = workgroup",
)
XEGPU_ARGUMENTS = "%m: memref<96x80xf16>, %p: ui64, %i: index, %off: vector<16xindex>, %mask: vector<16xi1>, %id: i8"

PLAIN_OPS = (
    "%a = memref.load %m[%i, %i] : memref<64x64xf32>",
    "%b = arith.addf %a, %a : f32",
    "%c = arith.mulf %b, %a : f32",
    "memref.store %c, %m[%i, %i] : memref<64x64xf32>",
    "%d = arith.constant 16 : index",
    "%e = arith.addi %d, %i : index",
    "%f = arith.cmpi slt, %e, %i : index",
    "%g = arith.select %f, %b, %c : f32",
)
PLAIN_ARGUMENTS = "%m: memref<64x64xf32>, %i: index"


def module(arguments: str, ops: Sequence[str], count: int) -> str:
    """Functions that hold `ops`, one after another, until there are `count` ops."""
    lines = list(islice(chain.from_iterable(repeat(ops)), count))
    functions = [lines[start : start + len(ops)] for start in range(0, count, len(ops))]
    return "\n".join(
        f"func.func @f{number}({arguments}) {{\n{chr(10).join(body)}\nfunc.return\n}}"
        for number, body in enumerate(functions)
    )


def user_seconds(command: Sequence[str]) -> float:
    before = os.times().children_user
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return os.times().children_user - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ops", type=int, default=2000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    modules = {
        "xegpu-opt": module(XEGPU_ARGUMENTS, XEGPU_OPS, options.ops),
        "xdsl-opt": module(PLAIN_ARGUMENTS, PLAIN_OPS, options.ops),
    }
    times: dict[str, list[float]] = {tool: [] for tool in modules}
    with tempfile.TemporaryDirectory() as folder:
        for tool, text in modules.items():
            (Path(folder) / f"{tool}.mlir").write_text(text)
        for _ in range(options.repeat):
            for tool in modules:  # in turns, so that a busy machine slows both
                command = [str(Path(sys.executable).with_name(tool)), f"{folder}/{tool}.mlir"]
                times[tool].append(user_seconds(command))
    best = {tool: min(seconds) for tool, seconds in times.items()}
    for tool, seconds in best.items():
        print(f"{tool}: {seconds:.2f} s of user time for {options.ops} ops")
    print(f"ratio: {best['xegpu-opt'] / best['xdsl-opt']:.2f}")


if __name__ == "__main__":
    main()
