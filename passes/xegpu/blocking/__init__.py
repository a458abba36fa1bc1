"""`xegpu-blocking`: cuts the values of a subgroup into the blocks of single instructions."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation

from passes.kernel.target_pass import TargetPass
from passes.support.value_layouts.inference import ValueLayouts
from passes.support.value_layouts.kinds import layout_kinds
from passes.xegpu.blocking.cutting import Cutting
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import LayoutAttr, SliceAttr, TensorDescType
from xegpu.targets import Target


@dataclass(frozen=True)
class XegpuBlockingPass(TargetPass):
    """Cuts values into blocks of the shapes that `inst_data` of their layouts gives.

    Accesses, matrix products, constants and elementwise operations are executed block by block, and loops carry blocks.
    Other operations take whole values, which `vector.insert_strided_slice` and `vector.extract_strided_slice` join and
    cut. Kernels without `inst_data` stay as they are.
    """

    name = "xegpu-blocking"

    def compile(self, scope: Operation, target: Target) -> None:
        kind = layout_kinds(target)["inst"]
        for function in [o for o in scope.walk() if isinstance(o, FuncOp)]:
            if any(map(_has_blocks, function.walk())):
                Cutting(ValueLayouts(function, kind)).run(function.body)


def _has_blocks(op: Operation) -> bool:
    attributes = [*op.properties.values(), *op.attributes.values()]
    attributes += [value.type.map for value in op.results if isinstance(value.type, TensorDescType)]
    roots = [a.root if isinstance(a, SliceAttr) else a for a in attributes]
    return any(isinstance(root, LayoutAttr) and "inst_data" in root.given for root in roots)
