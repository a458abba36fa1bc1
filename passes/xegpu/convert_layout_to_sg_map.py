"""`xegpu-convert-layout-to-sg-map`: converts the `#xegpu.layout` of newer XeGPU versions to `#xegpu.sg_map`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from passes.kernel.scope import kernel_operations
from passes.support.attribute_conversion import AttributeConversion, rename_properties
from xegpu.dialects.xegpu import DpasOp, LayoutAttr
from xegpu.dialects.xegpu.ops import LAYOUTS, SG_MAPS


def _sg_map(attribute: Attribute) -> Attribute | None:
    return attribute.as_sg_map() if isinstance(attribute, LayoutAttr) else None


@dataclass(frozen=True)
class XegpuConvertLayoutToSgMapPass(ModulePass):
    """Replaces every layout in the kernels of a module by the equivalent sg_map.

    Types of values and functions, attributes and the maps of `dpas` change. A layout without an equivalent is an error
    that names the field in the way. `xegpu-convert-sg-map-to-layout` is the inverse, except for a row-major `order`,
    which it omits.
    """

    name = "xegpu-convert-layout-to-sg-map"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operations = list(kernel_operations(op))
        AttributeConversion(_sg_map).convert_operations(operations)
        for inner in operations:
            if isinstance(inner, DpasOp):
                rename_properties(inner, tuple(zip(LAYOUTS, SG_MAPS, strict=True)))
