"""Compiles MLIR text in this process and runs the kernels in the simulator, in every engine."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from passes.pipelines import xe_passes
from passes.support import apply_step
from passes.xe.select_code import NATIVE, VIRTUAL
from runtime.simulator import Dispatch, KernelDescription, Memory, Simulator
from tests.amounts import ALL
from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.dialects import register_dialects
from xegpu.dialects.xe.emit import compiled_kernels
from xegpu.isa import ArgumentKind, CompiledKernel
from xegpu.isa.model import Dim3
from xegpu.mlir import parse_module, verify
from xegpu.targets import PVC, Target

Array = NDArray[Any]
"""An array whose element type is known only when a test runs."""
Argument = Array | np.generic | int

ENGINES = tuple(os.environ.get("XEGPU_TEST_ENGINES", "interpreter,jit").split(","))
"""Engines that run every kernel and have to agree; the first one's result is what tests see."""

CODE = os.environ.get("XEGPU_TEST_CODE", VIRTUAL)
"""The code that kernels get: with `native`, tests of what they compute show that native code computes the same."""

VERIFIED_EVERY = 1 if ALL in os.environ else 8
"""The number of passes from one verification of a module to the next; verifying it takes longer than most of them."""

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
DTYPES: dict[str, np.dtype[Any]] = {
    "f16": np.dtype(np.float16),
    "bf16": BFLOAT16,
    "tf32": np.dtype(np.float32),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    **{f"{sign}{bits}": np.dtype(f"i{bits // 8}") for sign in ("i", "si") for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": np.dtype(f"u{bits // 8}") for bits in (8, 16, 32, 64)},
    "index": np.dtype(np.int64),
}
"""MLIR element type to what holds it in a numpy array."""

PRECISION = {"f16": 11, "bf16": 8, "tf32": 11, "f32": 24, "f64": 53}
"""Bits of a significand, the hidden one included."""


def lower(text: str, target: Target = PVC, grf_count: int = 0, stop: int | None = None) -> ModuleOp:
    """The module after the passes of the pipeline (the first `stop` of them).

    It is verified at the end, and after each pass with `--all`, else after some, which depend on the text.
    """
    context = Context()
    register_dialects(context)
    module = parse_module(context, SourceBuffer("kernel.mlir", text))
    verify(module)
    steps = xe_passes(target.name, grf_count, code=CODE)[:stop]
    for number, step in enumerate(steps, zlib.crc32(text.encode()) % VERIFIED_EVERY):
        apply_step(step, context, module)
        if number % VERIFIED_EVERY == 0:
            verify(module)
    verify(module)
    return module


def compile_all(text: str, target: Target = PVC, grf_count: int = 0) -> list[CompiledKernel]:
    """Every kernel in the text."""
    return compiled_kernels(lower(text, target, grf_count))


def compile_one(text: str, target: Target = PVC, grf_count: int = 0) -> CompiledKernel:
    """The only kernel in the text."""
    (kernel,) = compile_all(text, target, grf_count)
    return kernel


def refusal(text: str, target: Target = PVC, grf_count: int = 0) -> str:
    """The error that compiling the text ends with; anything but a `CompileError` fails the test that asks."""
    try:
        compile_all(text, target, grf_count)
    except CompileError as error:
        return str(error)
    raise AssertionError("the text compiles")


def kernel_text(arguments: str, body: str, attributes: str = "VectorComputeFunctionINTEL", name: str = "k") -> str:
    """A module with one kernel; `body` lacks the return. Without attributes the kernel's operations decide its mode."""
    clause = f"attributes {{{attributes}}}" if attributes else ""
    return f"gpu.module @m {{\ngpu.func @{name}({arguments}) kernel {clause} {{\n{body}\ngpu.return\n}}\n}}\n"


def run(
    kernel: CompiledKernel,
    *arguments: Argument,
    groups: Dim3 = (1, 1, 1),
    local: Dim3 | None = None,
    target: Target = PVC,
    engines: Sequence[str] = ENGINES,
    offset: Dim3 = (0, 0, 0),
) -> list[Array]:
    """The arrays among the arguments as the kernel leaves them; the caller's arrays stay as they are.

    Numbers are passed by value; for shared local memory they are its size in bytes. Global ids begin at `offset`. Fails
    unless all engines write the same bytes.
    """
    outcomes = [_run(kernel, arguments, groups, local, target, engine, offset) for engine in engines]
    for engine, outcome in zip(engines[1:], outcomes[1:], strict=True):
        for number, (first, other) in enumerate(zip(outcomes[0], outcome, strict=True)):
            same = first.tobytes() == other.tobytes()
            assert same, f"array {number} differs between {engines[0]} and {engine}:\n{first}\n{other}"
    return outcomes[0]


def _run(
    kernel: CompiledKernel,
    arguments: Sequence[Argument],
    groups: Dim3,
    local: Dim3 | None,
    target: Target,
    engine: str,
    offset: Dim3,
) -> list[Array]:
    memory = Memory()
    simulator = Simulator(target, memory, engine)
    local = local or kernel.facts.required_work_group_size or (kernel.facts.simd_size, 1, 1)
    payload = bytearray(kernel.facts.cross_thread_size)
    arrays: list[tuple[memoryview, Array]] = []
    local_bytes = 0
    for argument, value in zip(kernel.facts.arguments, arguments, strict=True):
        if argument.kind is ArgumentKind.LOCAL:
            data = struct.pack("<Q", local_bytes)
            local_bytes += -(-int(value) // 16) * 16
        elif argument.kind is ArgumentKind.POINTER:
            assert isinstance(value, np.ndarray)
            allocation = memory.allocate(max(value.nbytes, 1), 64)
            view = allocation.view()
            view[: value.nbytes] = value.tobytes()
            arrays.append((view, value))
            data = struct.pack("<Q", allocation.address)
        elif isinstance(value, int):
            data = (value % (1 << 8 * argument.size)).to_bytes(argument.size, "little")
        else:
            data = value.tobytes()
        assert len(data) == argument.size, f"argument '{argument.name}' has {argument.size} bytes, got {len(data)}"
        (slot,) = argument.slots
        payload[slot.offset : slot.offset + slot.size] = data
    supplied = {
        "enqueued_local_size": local,
        "local_size": local,
        "group_count": groups,
        "global_id_offset": offset,
    }
    for implicit in kernel.facts.implicit_arguments:
        struct.pack_into("<3I", payload, implicit.offset, *supplied[implicit.kind])
    entry = kernel.entry_offset if CODE == NATIVE else 0
    executable = simulator.load(KernelDescription(kernel.name, kernel.code, target, kernel.facts, entry=entry))
    simulator.run(executable, Dispatch(groups, local, bytes(payload), local_bytes))
    return [np.frombuffer(bytes(view[: a.nbytes]), a.dtype).reshape(a.shape) for view, a in arrays]


def random_array(rng: np.random.Generator, shape: Sequence[int] | int, element: str) -> Array:
    """Values of all kinds: floats of a normal distribution (tf32 with its 11 bits), integers over the whole range."""
    dtype = DTYPES[element]
    if element in PRECISION:
        values = rng.standard_normal(shape).astype(dtype)
        return (values.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32) if element == "tf32" else values
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, shape, dtype, endpoint=True)
