"""Compile time against the size of kernels: CPU time per operation and per instruction, in one run.

`chain` has scalar operations, each on the results of earlier ones; `large` adds vectors of 16 KiB and more, which do
not fit the registers. `--target pvc --operations 100 1000 5000 10000 20000`. The time per instruction should not grow.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence

from passes.pipelines import compile_to_kernels
from xegpu import targets
from xegpu.isa import decode_program
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


def measure(name: str, text: str, count: int, target: Target) -> None:
    """Compiles a kernel and prints a row."""
    start = time.process_time()
    (kernel,) = compile_to_kernels(text, target)
    seconds = time.process_time() - start
    instructions = len(decode_program(kernel.code).instructions)
    print(
        f"{name:6} {count:7} {instructions:12} {seconds:8.2f} s {1000 * seconds / instructions:8.2f} ms per instruction"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="pvc", choices=("pvc", "arc"))
    parser.add_argument("--operations", type=int, nargs="+", default=[100, 1000, 5000, 10000, 20000])
    options = parser.parse_args(arguments)
    target = targets.get(options.target)
    compile_to_kernels(chain(10), target)  # what is made once per process
    print("kernel   size instructions")
    for count in options.operations:
        measure("chain", chain(count), count, target)
    for count in options.operations:
        if 2 * 8 * 4 * count <= target.max_scratch_bytes:
            measure("large", large(count), count, target)


if __name__ == "__main__":
    main()
