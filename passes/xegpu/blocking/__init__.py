"""`xegpu-blocking`: cuts the values of a subgroup into the blocks of single instructions."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from passes.support.target_option import target_of
from passes.support.value_layouts.inference import ValueLayouts
from passes.support.value_layouts.kinds import layout_kinds
from passes.xegpu.blocking.cutting import Cutting
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import LayoutAttr, SliceAttr, TensorDescType


@dataclass(frozen=True)
class XegpuBlockingPass(ModulePass):
    """Cuts values into blocks of the shapes that `inst_data` of their layouts gives.

    Accesses, matrix products, constants and elementwise operations are executed block by block, and loops carry blocks.
    Other operations take whole values, which `vector.insert_strided_slice` and `vector.extract_strided_slice` join and
    cut. Kernels without `inst_data` stay as they are.
    """

    name = "xegpu-blocking"

    target: str = "pvc"
    """The GPU whose instructions determine the blocks of values without a layout."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kind = layout_kinds(target_of(op, self.target))["inst"]
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            if any(map(_has_blocks, function.walk())):
                Cutting(ValueLayouts(function, kind)).run(function.body)


def _has_blocks(op: Operation) -> bool:
    attributes = [*op.properties.values(), *op.attributes.values()]
    attributes += [value.type.map for value in op.results if isinstance(value.type, TensorDescType)]
    roots = [a.root if isinstance(a, SliceAttr) else a for a in attributes]
    return any(isinstance(root, LayoutAttr) and "inst_data" in root.given for root in roots)
