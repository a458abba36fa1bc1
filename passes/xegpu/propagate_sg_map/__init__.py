"""`xegpu-propagate-sg-map`: infers the maps of descriptors and matrix products."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation

from passes.kernel.target_pass import TargetPass
from passes.xegpu.propagate_sg_map.conversions import insert_conversions
from passes.xegpu.propagate_sg_map.propagation import propagate
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.targets import Target


@dataclass(frozen=True)
class XegpuPropagateSgMapPass(TargetPass):
    """Infers the `sg_map` of every descriptor that has none, and those of every `dpas`.

    Anchors are the matrix operands of `dpas`, as the target's matrix engine requires them, and descriptors with a map.
    From these, distributions propagate through elementwise operations, control flow, reductions, transposes,
    broadcasts, shape casts, slices and constants to the tiles that are loaded and stored. A tile that no anchor reaches
    is distributed by rows, or by columns if its load transposes. Descriptors of tiles that no map divides stay
    unchanged.

    If two users need a value in different distributions, each access keeps the better map, and `xegpu.convert_layout`
    converts in between, if maps can express both. Functions that work on whole subgroups (`VectorComputeFunctionINTEL`)
    stay unchanged.
    """

    name = "xegpu-propagate-sg-map"

    def compile(self, scope: Operation, target: Target) -> None:
        for function in [o for o in scope.walk() if isinstance(o, FuncOp)]:
            if "VectorComputeFunctionINTEL" not in function.attributes and function.body.blocks:
                propagate(function, target)
                insert_conversions(function, target)
