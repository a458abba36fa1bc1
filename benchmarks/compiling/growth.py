"""Compile time against the size of kernels: CPU time per instruction of the compiler and of the JIT, in one run.

`chain` has scalar operations, each on the results of earlier ones; `large` adds vectors of 16 KiB and more, which do
not fit the registers; `loops` and `divergent` have small loops behind each other, whose trip counts are the same or
differ between lanes; `tile` multiplies matrices with ever more blocks of 8x16 sums, and `xetile` ever larger tiles.

`--target pvc --styles chain loops --instructions 100 1000 5000 20000 --passes`. Time that grows with the n-th power of
the number of instructions has the exponent n: 1 is linear.
"""

from __future__ import annotations

import argparse
import gc
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from passes.pipelines import read_module, run_to_kernels, xe_passes
from runtime.llvm import machine_code, this_cpu
from runtime.simulator import KernelDescription, Memory, Simulator
from runtime.simulator.jit.kernel.translation import ENTRY, Variant, kernel_code
from xegpu import targets
from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.isa import CompiledKernel
from xegpu.targets import Target

_OPERATIONS = ("addi", "subi", "muli", "xori")
_MODULE = "gpu.module @m {{\ngpu.func @k({arguments}) kernel {attributes} {{\n{body}\ngpu.return\n}}\n}}\n"


def chain(count: int) -> str:
    """Returns a kernel of `count` operations on `i32`."""
    drawn = random.Random(1)
    body = ["%g = gpu.thread_id x"]
    body += [f"%x{i} = memref.load %{name}[%g] : memref<16xi32>" for i, name in enumerate("ab")]
    for i in range(2, count):
        operation, other = drawn.choice(_OPERATIONS), max(0, i - drawn.randint(1, 20))
        body.append(f"%x{i} = arith.{operation} %x{i - 1}, %x{other} : i32")
    body.append(f"memref.store %x{count - 1}, %o[%g] : memref<16xi32>")
    arguments = ", ".join(f"%{name}: memref<16xi32>" for name in "abo")
    return _MODULE.format(arguments=arguments, attributes="", body="\n".join(body))


def large(count: int) -> str:
    """Returns a kernel that adds two vectors with 8 times `count` elements, and at least as many as registers hold."""
    size = max(4096, 8 * count)
    vector, memref = f"vector<{size}xf32>", f"memref<{size}xf32>"
    body = ["%c0 = arith.constant 0 : index"]
    body += [f"%v{name} = vector.load %{name}[%c0] : {memref}, {vector}" for name in "ab"]
    body += [f"%s = arith.addf %va, %vb : {vector}", f"vector.store %s, %o[%c0] : {memref}, {vector}"]
    arguments = ", ".join(f"%{name}: {memref}" for name in "abo")
    return _MODULE.format(
        arguments=arguments, attributes="attributes {VectorComputeFunctionINTEL}", body="\n".join(body)
    )


def _loops(count: int, index: str) -> str:
    """Returns a kernel of `count` loops, which run as often as the numbers in `b` at an index say."""
    body = ["%g = gpu.thread_id x", "%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index"]
    body += ["%x0 = memref.load %a[%g] : memref<16xi32>", f"%n = memref.load %b[{index}] : memref<16xi32>"]
    for i in range(count):
        body += [
            f"%m{i} = arith.constant {15 + i} : i32",
            f"%s{i} = arith.andi %n, %m{i} : i32",
            f"%e{i} = arith.index_cast %s{i} : i32 to index",
            f"%x{i + 1} = scf.for %i{i} = %c0 to %e{i} step %c1 iter_args(%y{i} = %x{i}) -> (i32) {{",
            f"%p{i} = arith.muli %y{i}, %m{i} : i32",
            f"%r{i} = arith.andi %i{i}, %c1 : index",
            f"%v{i} = memref.load %b[%r{i}] : memref<16xi32>",
            f"%q{i} = arith.addi %p{i}, %v{i} : i32",
            f"scf.yield %q{i} : i32\n}}",
        ]
    body.append(f"memref.store %x{count}, %o[%g] : memref<16xi32>")
    arguments = ", ".join(f"%{name}: memref<16xi32>" for name in "abo")
    return _MODULE.format(arguments=arguments, attributes="", body="\n".join(body))


def tile(count: int) -> str:
    """Returns a kernel that multiplies A with 4 x `count` blocks of 8x16 by B with four of 16x16, 32 times."""
    result, a, b = (f"!xegpu.tensor_desc<{shape}>" for shape in ("8x16xf32", "8x16xbf16", "16x16xbf16"))
    rows = range(count)
    body = ["%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index", "%c32 = arith.constant 32 : index"]
    body.append("%z = arith.constant dense<0.0> : vector<8x16xf32>")
    blocks = [(i, j) for i in rows for j in range(4)]
    types = ", ".join("vector<8x16xf32>" for _ in blocks)
    starts = ", ".join(f"%s{i}_{j} = %z" for i, j in blocks)
    body.append(f"%all:{len(blocks)} = scf.for %k = %c0 to %c32 step %c1 iter_args({starts}) -> ({types}) {{")
    for j in range(4):
        body.append(f"%tb{j} = xegpu.create_nd_tdesc %b[%k, {16 * j}] : memref<512x64xbf16> -> {b}")
        body.append(f"%vb{j} = xegpu.load_nd %tb{j} <{{packed}}> : {b} -> vector<8x16x2xbf16>")
    for i in rows:
        body.append(f"%ta{i} = xegpu.create_nd_tdesc %a[{8 * i}, %k] : memref<{8 * count}x512xbf16> -> {a}")
        body.append(f"%va{i} = xegpu.load_nd %ta{i} : {a} -> vector<8x16xbf16>")
    body += [
        f"%d{i}_{j} = xegpu.dpas %va{i}, %vb{j}, %s{i}_{j} : "
        "vector<8x16xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>"
        for i, j in blocks
    ]
    body.append(f"scf.yield {', '.join(f'%d{i}_{j}' for i, j in blocks)} : {types}\n}}")
    for number, (i, j) in enumerate(blocks):
        body.append(
            f"%tc{i}_{j} = xegpu.create_nd_tdesc %o[{8 * i}, {16 * j}] : memref<{8 * count}x64xf32> -> {result}"
        )
        body.append(f"xegpu.store_nd %all#{number}, %tc{i}_{j} : vector<8x16xf32>, {result}")
    arguments = f"%a: memref<{8 * count}x512xbf16>, %b: memref<512x64xbf16>, %o: memref<{8 * count}x64xf32>"
    return _MODULE.format(
        arguments=arguments, attributes="attributes {VectorComputeFunctionINTEL}", body="\n".join(body)
    )


def xetile(count: int) -> str:
    """Returns a kernel of XeTile in which one subgroup multiplies a tile of 8 x `count` rows by one of 64 columns."""
    rows, (a, b, c) = 8 * count, (f"!xetile.tile<{shape}>" for shape in ("{0}x32xbf16", "32x64xbf16", "{0}x64xf32"))
    a, c, vectors = a.format(rows), c.format(rows), (f"vector<{rows}x32xbf16>", f"vector<{rows}x64xf32>")
    body = ["%c0 = arith.constant 0 : index", "%c32 = arith.constant 32 : index", "%end = arith.constant 512 : index"]
    body += [f"%a0 = xetile.init_tile %a[0, 0] : memref<{rows}x512xbf16> -> {a}"]
    body += [f"%b0 = xetile.init_tile %b[0, 0] : memref<512x64xbf16> -> {b}"]
    body += [f"%z = arith.constant dense<0.0> : {vectors[1]}"]
    body += [
        "%r:3 = scf.for %i = %c0 to %end step %c32 iter_args(%ta = %a0, %tb = %b0, %s = %z) "
        f"-> ({a}, {b}, {vectors[1]}) {{",
        f"%va = xetile.load_tile %ta : {a} -> {vectors[0]}",
        f"%vb = xetile.load_tile %tb : {b} -> vector<32x64xbf16>",
        f"%na = xetile.update_tile_offset %ta, [%c0, %c32] : {a}",
        f"%nb = xetile.update_tile_offset %tb, [%c32, %c0] : {b}",
        f"%d = xetile.tile_mma %va, %vb, %s : {vectors[0]}, vector<32x64xbf16>, {vectors[1]} -> {vectors[1]}",
        f"scf.yield %na, %nb, %d : {a}, {b}, {vectors[1]}\n}}",
        f"%tc = xetile.init_tile %o[0, 0] : memref<{rows}x64xf32> -> {c}",
        f"xetile.store_tile %r#2, %tc : {vectors[1]}, {c}",
    ]
    arguments = f"%a: memref<{rows}x512xbf16>, %b: memref<512x64xbf16>, %o: memref<{rows}x64xf32>"
    return _MODULE.format(
        arguments=arguments, attributes="attributes {VectorComputeFunctionINTEL}", body="\n".join(body)
    )


@dataclass(frozen=True)
class Style:
    """A kind of kernels: its text for a size, and the instructions that the size 1 adds, about."""

    text: Callable[[int], str]
    instructions: float


STYLES: Mapping[str, Style] = {
    "chain": Style(chain, 1),
    "large": Style(large, 1),
    "loops": Style(lambda count: _loops(count, "%c0"), 17),
    "divergent": Style(lambda count: _loops(count, "%g"), 20),
    "tile": Style(tile, 100),
    "xetile": Style(xetile, 100),
}


def _timed(step: ModulePass, times: dict[str, float]) -> ModulePass:
    """Returns a pass that adds the time which it takes to that of its name."""
    apply = step.apply

    def measured(context: Context, module: ModuleOp) -> None:
        start = time.process_time()
        apply(context, module)
        times[step.name] = times.get(step.name, 0) + time.process_time() - start

    object.__setattr__(step, "apply", measured)
    return step


def compiled(text: str, target: Target) -> tuple[CompiledKernel, dict[str, float]]:
    """Returns the kernel in a text, and the seconds that each pass has taken; `encode` is what follows the passes."""
    times: dict[str, float] = {}
    gc.collect()
    start = time.process_time()
    context, module = read_module(SourceBuffer("kernel.mlir", text))
    times["parse"] = time.process_time() - start
    (kernel,) = run_to_kernels(context, module, [_timed(step, times) for step in xe_passes(target.name)])
    times["encode"] = time.process_time() - start - sum(times.values())
    return kernel, times


def jit_times(kernel: CompiledKernel, target: Target) -> dict[str, float]:
    """Returns the seconds that the JIT takes to decode a kernel and write its LLVM IR, and LLVM to compile that."""
    start = time.process_time()
    executable = Simulator(target, Memory()).load(KernelDescription(kernel.name, kernel.code, target, kernel.facts))
    ir = kernel_code(executable, Variant(), this_cpu()).ir
    written = time.process_time()
    machine_code(ir, [ENTRY], this_cpu())
    return {"JIT: IR": written - start, "JIT: LLVM": time.process_time() - written}


Row = tuple[int, dict[str, float]]
"""The instructions of a kernel, and the seconds that each step takes."""


def exponent(rows: Sequence[Row], step: Callable[[dict[str, float]], float]) -> float:
    """Returns the slope of the logarithm of a step's time over that of the number of instructions, by least squares."""
    points = [(math.log(count), math.log(max(step(times), 1e-6))) for count, times in rows]
    middle_x, middle_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / spread if spread else math.nan


def show(name: str, rows: Sequence[Row], details: bool) -> None:
    """Prints the microseconds per instruction of each step in kernels of one style."""
    in_jit = [step for step in rows[-1][1] if step.startswith("JIT")]
    steps = [step for step in rows[-1][1] if step not in in_jit]
    groups: dict[str, list[str]] = {"compiler": steps, **{step: [step] for step in in_jit}}
    if details:
        groups |= {f"  {step}": [step] for step in sorted(steps, key=lambda step: -rows[-1][1][step])}
    print(f"{name:40}" + "".join(f"{count:>9}" for count, _ in rows) + "   exponent")
    for label, members in groups.items():

        def total(times: dict[str, float], members: Sequence[str] = members) -> float:
            return sum(times.get(step, 0) for step in members)

        numbers = "".join(f"{1e6 * total(times) / count:9.1f}" for count, times in rows)
        print(f"{label:40}{numbers} {exponent(rows, total):10.2f}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="pvc", choices=("pvc", "arc"))
    parser.add_argument("--styles", nargs="+", choices=STYLES, default=list(STYLES))
    parser.add_argument("--instructions", type=int, nargs="+", default=[100, 1000, 5000, 20000])
    parser.add_argument("--passes", action="store_true", help="show each pass")
    options = parser.parse_args(arguments)
    target = targets.get(options.target)
    compiled(chain(10), target)  # what is made once per process
    print("microseconds of CPU time per instruction, for kernels of so many instructions")
    for name in options.styles:
        style, rows = STYLES[name], []
        for count in options.instructions:
            size = max(1, round(count / style.instructions))
            try:
                kernel, times = compiled(style.text(size), target)
            except CompileError as error:
                print(f"{name} of {count} instructions: {error}")
                break
            rows.append((len(kernel.code) // 16, times | jit_times(kernel, target)))
        if rows:
            show(name, rows, options.passes)


if __name__ == "__main__":
    main()
