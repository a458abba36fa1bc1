"""`scf-loop-pipelining`: issues the loads of later iterations while the current one computes."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from passes.kernel.mode import kernel_lanes
from passes.kernel.target_pass import TargetPass
from passes.scf.loop_pipelining.rewrite import pipeline
from passes.scf.loop_pipelining.stages import find_stages
from passes.support.block_loads import is_one_message
from passes.support.loops.counted import innermost_loops, known_trip_count
from passes.support.loops.unrolling import NO_UNROLL, unroll
from passes.support.memory_order import movable_loads
from passes.support.register_estimate import peak_bytes, value_bytes
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import LoadNdOp
from xegpu.targets import Target

_RESERVE = 16
"""The number of registers reserved for addresses and for gaps between values."""

_MAX_STAGES = 8
"""The maximum number of stages."""


@dataclass(frozen=True)
class ScfLoopPipeliningPass(TargetPass):
    """Pipelines the innermost `scf.for` loops of kernels: loads execute iterations ahead of their use.

    With two stages, an iteration issues the loads of the next one before it computes; with three, those of the one
    after next. The first loads move in front of the loop, and the last iterations behind it, so that the same loads
    execute in the same order. A load qualifies if neither its address nor its memory depends on the rest of the loop,
    and a loop if enough registers are left for the loaded values; otherwise it gets fewer stages, or stays unchanged.

    Pipelined loops are unrolled, so that loaded values need no copies between iterations, unless they have the
    attribute `no_unroll`.
    """

    name = "scf-loop-pipelining"

    stages: int = 2
    """The number of iterations in flight at a time."""
    unroll_factor: int = 1
    """The minimum number of iterations to merge into one; the stages may require more."""

    def compile(self, scope: Operation, target: Target) -> None:
        if not 1 <= self.stages <= _MAX_STAGES:
            raise CompileError(scope, f"expected from 1 to {_MAX_STAGES} stages, got {self.stages}")
        if self.unroll_factor < 1:
            raise CompileError(scope, f"expected an unroll-factor of at least 1, got {self.unroll_factor}")
        for function in [o for o in scope.walk() if isinstance(o, FuncOp)]:
            self._pipeline_in(function, target)

    def _pipeline_in(self, function: FuncOp, target: Target) -> None:
        lanes = kernel_lanes(function, target)
        room = (max(target.platform.grf_counts) - _RESERVE) * target.platform.grf_bytes
        for loop in innermost_loops(function):
            stages = find_stages(loop, movable_loads(loop))
            if stages is None or not stages.loaded:
                continue
            peak = max(peak_bytes(block, lanes, target.platform.grf_bytes) for block in function.body.blocks)
            size = sum(value_bytes(value.type, lanes, target.platform.grf_bytes) for value in stages.loaded)
            put_together = max(_put_together(value, target, lanes) for value in stages.loaded)
            distance = min(self.stages - 1, (room - peak - put_together) // size)
            if (count := known_trip_count(loop)) is not None:
                distance = min(distance, count - 1)
            if distance < 1:
                continue
            pipelined = pipeline(loop, stages, distance)
            if pipelined is not None and NO_UNROLL not in pipelined.attributes:
                period = distance + 1
                unroll(pipelined, -(-self.unroll_factor // period) * period)


def _put_together(value: SSAValue, target: Target, lanes: int) -> int:
    """Returns the bytes of a value that takes several messages, whose results are copied together; 0 for others."""
    load = value.owner
    if (
        isinstance(load, LoadNdOp)
        and target.platform.block2d
        and is_one_message(load, load.desc.array_length, target.platform.block2d)
    ):
        return 0
    return value_bytes(value.type, lanes, target.platform.grf_bytes)
