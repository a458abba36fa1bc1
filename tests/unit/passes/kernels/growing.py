"""Kernels of any length, and the work of compiling them, counted in lines of Python that run."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from tests.unit.passes.kernels.gemm import Gemm
from tests.unit.passes.kernels.harness import kernel_text

if TYPE_CHECKING:
    from _typeshed import TraceFunction

_OPERATIONS = ("addi", "subi", "muli", "xori")
_BUFFERS = "%a: memref<16xi32>, %b: memref<16xi32>, %o: memref<16xi32>"


def straight(count: int) -> str:
    """Returns a kernel of `count` operations, each on the results of earlier ones."""
    drawn = random.Random(1)
    body = ["%g = gpu.thread_id x"]
    body += [f"%x{i} = memref.load %{name}[%g] : memref<16xi32>" for i, name in enumerate("ab")]
    for i in range(2, count):
        operation, other = drawn.choice(_OPERATIONS), max(0, i - drawn.randint(1, 20))
        body.append(f"%x{i} = arith.{operation} %x{i - 1}, %x{other} : i32")
    body.append(f"memref.store %x{count - 1}, %o[%g] : memref<16xi32>")
    return kernel_text(_BUFFERS, "\n".join(body), "")


def loops(count: int, *, divergent: bool = False) -> str:
    """Returns a kernel of `count` loops behind each other, which run as often as a number read by each lane, or by all
    together.
    """
    body = ["%g = gpu.thread_id x", "%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index"]
    body += [
        "%x0 = memref.load %a[%g] : memref<16xi32>",
        f"%n = memref.load %b[%{'g' if divergent else 'c0'}] : memref<16xi32>",
    ]
    for i in range(count):
        body += [
            f"%m{i} = arith.constant {15 + i} : i32",
            f"%f{i} = arith.constant {3 + 2 * i} : i32",
            f"%s{i} = arith.andi %n, %m{i} : i32",
            f"%e{i} = arith.index_cast %s{i} : i32 to index",
            f"%x{i + 1} = scf.for %i{i} = %c0 to %e{i} step %c1 iter_args(%y{i} = %x{i}) -> (i32) {{",
            f"%p{i} = arith.muli %y{i}, %f{i} : i32",
            f"%r{i} = arith.andi %i{i}, %c1 : index",
            f"%v{i} = memref.load %b[%r{i}] : memref<16xi32>",
            f"%q{i} = arith.addi %p{i}, %v{i} : i32",
            f"scf.yield %q{i} : i32\n}}",
        ]
    body.append(f"memref.store %x{count}, %o[%g] : memref<16xi32>")
    return kernel_text(_BUFFERS, "\n".join(body), "")


def waiting_loops(count: int, items: int) -> str:
    """Returns a kernel of loops that go on while a counter is less than what is in memory, masked: i + 16 in loop i.

    Another thread could end them. Each round of loop i multiplies x by 3 + 2i and adds the counter.
    """
    type = f"memref<{items}xi32>"
    body = ["%g = gpu.thread_id x", "%none = arith.constant 0 : i32", "%one = arith.constant 1 : i32"]
    body.append(f"%x0 = memref.load %a[%g] : {type}")
    for i in range(count):
        body += [
            f"%m{i} = arith.constant {16 + i} : i32",
            f"%f{i} = arith.constant {3 + 2 * i} : i32",
            f"%e{i}, %x{i + 1} = scf.while (%i{i} = %none, %y{i} = %x{i}) : (i32, i32) -> (i32, i32) {{",
            f"%n{i} = memref.load %b[%g] : {type}",
            f"%s{i} = arith.andi %n{i}, %m{i} : i32",
            f"%t{i} = arith.cmpi slt, %i{i}, %s{i} : i32",
            f"scf.condition(%t{i}) %i{i}, %y{i} : i32, i32",
            f"}} do {{\n^bb0(%j{i}: i32, %z{i}: i32):",
            f"%p{i} = arith.muli %z{i}, %f{i} : i32",
            f"%q{i} = arith.addi %p{i}, %j{i} : i32",
            f"%k{i} = arith.addi %j{i}, %one : i32",
            f"scf.yield %k{i}, %q{i} : i32, i32\n}}",
        ]
    body.append(f"memref.store %x{count}, %o[%g] : {type}")
    return kernel_text(_BUFFERS.replace("memref<16xi32>", type), "\n".join(body), "")


def tile(count: int) -> str:
    """Returns a GEMM of a subgroup with `count` blocks of 8 x 16 elements, of which ever more have to be spilled."""
    return Gemm(8 * count, 64, 32, tiles=(count, 4)).text()


def lines_run(work: Callable[[], object]) -> int:
    """Returns the number of lines of the product that a call runs."""
    root = str(Path(__file__).parents[4])
    counted = 0

    def within(frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        nonlocal counted
        counted += event == "line"
        return within

    def entered(frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        name = frame.f_code.co_filename
        return within if name.startswith(root) and "/.venv/" not in name and "/tests/" not in name else None

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted
