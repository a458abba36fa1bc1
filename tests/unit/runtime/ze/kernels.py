"""Kernels for tests: ZEBINs whose code ends at once, and a simulator that does what the test says instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

import zebin
from runtime.simulator import (
    DeviceFault,
    Dispatch,
    Executable,
    FaultAccess,
    FaultKind,
    KernelDescription,
    Memory,
    Simulator,
    Statistics,
)
from runtime.simulator.launch.counts import ExecutionCounts
from xegpu.isa import ArgumentKind, CompiledKernel, ImplicitArgument, KernelArgument, KernelFacts, Variable, assemble
from xegpu.targets import PVC, Target

Behaviour = Callable[[Dispatch, Memory], None]


class ScriptedSimulator(Simulator):
    """Loads kernels as the real one does. Running `name` calls `behaviours[name]` and records the dispatch."""

    def __init__(self, target: Target, memory: Memory) -> None:
        super().__init__(target, memory, engine="interpreter")
        self.behaviours: dict[str, Behaviour] = {}
        self.dispatches: list[Dispatch] = []
        self.descriptions: list[KernelDescription] = []

    def load(self, description: KernelDescription) -> Executable:
        self.descriptions.append(description)
        return super().load(description)

    def run(self, executable: Executable, dispatch: Dispatch, *, counts: bool = False) -> Statistics:
        self.dispatches.append(dispatch)
        behaviour = self.behaviours.get(executable.description.name)
        if behaviour is not None:
            behaviour(dispatch, self.memory)
        x, y, z = dispatch.group_count
        ones = np.ones(len(executable.program.instructions), np.uint64)
        counted = ExecutionCounts(ones, ones) if counts else None
        return Statistics(instructions=7, threads=3, groups=x * y * z, seconds=0.5, counts=counted)


def fault(kernel: str) -> DeviceFault:
    """A fault of the given kernel."""
    return DeviceFault(
        FaultKind.OUT_OF_BOUNDS,
        kernel=kernel,
        group=(0, 0, 0),
        subgroup=0,
        offset=16,
        instruction="load",
        at=FaultAccess(address=64),
    )


def pointer(name: str, type_name: str, offset: int, access: str = "readwrite", space: str = "global") -> KernelArgument:
    return KernelArgument.at(offset, 8, name, type_name, ArgumentKind(space), access)


def value(name: str, type_name: str, offset: int, size: int) -> KernelArgument:
    return KernelArgument.at(offset, size, name, type_name)


def compiled(
    name: str,
    arguments: Sequence[KernelArgument] = (),
    implicit: Sequence[ImplicitArgument] = (),
    target: Target = PVC,
    simd_size: int = 1,
    required_size: tuple[int, int, int] | None = None,
    slm_size: int = 0,
    grf_count: int = 128,
    variables: Sequence[Variable] = (),
) -> CompiledKernel:
    """A kernel that ends at once."""
    return CompiledKernel(
        name=name,
        facts=KernelFacts(
            simd_size=simd_size,
            grf_count=grf_count,
            arguments=tuple(arguments),
            implicit_arguments=tuple(implicit),
            local_id_dimensions=3 if simd_size > 1 else 0,
            required_work_group_size=required_size,
            slm_size=slm_size,
        ),
        code=assemble("eot", grf_bytes=target.platform.grf_bytes),
        entry_offset=16,
        variables=tuple(variables),
    )


COPY = compiled(
    "copy",
    [
        pointer("source", "memref<16xf32>", 0, "readonly"),
        pointer("target", "memref<16xf32>", 8),
        value("count", "i32", 16, 4),
    ],
    [
        ImplicitArgument("local_size", 32, 12),
        ImplicitArgument("group_count", 44, 12),
        ImplicitArgument("global_size", 56, 12),
        ImplicitArgument("work_dimensions", 68, 4),
        ImplicitArgument("global_id_offset", 72, 12),
        ImplicitArgument("enqueued_local_size", 84, 8),
    ],
)
EMPTY = compiled("empty")
WIDE = compiled("wide", simd_size=16, grf_count=256)
SIZED = compiled("sized", simd_size=16, required_size=(16, 2, 1), slm_size=1024)
LOCAL = compiled(
    "local",
    [
        pointer("first", "memref<?xf32>", 0, space="local"),
        value("scale", "f32", 8, 4),
        pointer("second", "memref<?xf32>", 16, space="local"),
    ],
    slm_size=2048,
)


def binary(*kernels: CompiledKernel, target: Target = PVC) -> bytes:
    """A ZEBIN with the given kernels."""
    return zebin.build(target, kernels)
