"""`xegpu-propagate-sg-map`: gives descriptors and products the maps that suit what is done with the tiles."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from passes.support.target_option import target_of
from passes.xegpu.propagate_sg_map.conversions import insert_conversions
from passes.xegpu.propagate_sg_map.propagation import propagate
from xegpu.dialects.upstream.gpu import FuncOp


@dataclass(frozen=True)
class XegpuPropagateSgMapPass(ModulePass):
    """Infers the `sg_map` of every descriptor that has none, and those of every `dpas`.

    Anchors are the matrix operands of `dpas`, as the target's matrix engine wants them, and descriptors that have a
    map. From there sharing spreads through elementwise operations, control flow, reductions, transposes, broadcasts,
    shape casts, slices and constants to the tiles that are loaded and stored. A tile that no anchor reaches is shared
    row by row, or in columns if it is loaded transposed. Descriptors of tiles that no map divides stay as they are.

    Where a value is needed in two ways, each access keeps what suits it, and `xegpu.convert_layout` stands in between,
    if two maps can say that. Functions that ask to work on whole subgroups (`VectorComputeFunctionINTEL`) are left
    alone.
    """

    name = "xegpu-propagate-sg-map"

    target: str = "pvc"
    """The GPU whose matrix operands and subgroup size count."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op, self.target)
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            if "VectorComputeFunctionINTEL" not in function.attributes and function.body.blocks:
                propagate(function, target)
                insert_conversions(function, target)
