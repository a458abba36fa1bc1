"""`xegpu-convert-sg-map-to-layout`: converts `#xegpu.sg_map` to the `#xegpu.layout` of newer XeGPU versions."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from passes.kernel.scope import kernel_operations
from passes.support.attribute_conversion import AttributeConversion, rename_properties
from xegpu.diagnostics import CompileError
from xegpu.dialects.xegpu import ConvertLayoutOp, DpasOp, SgMapAttr, TensorDescType
from xegpu.dialects.xegpu.ops import LAYOUTS, SG_MAPS


def _layout(attribute: Attribute) -> Attribute | None:
    if isinstance(attribute, SgMapAttr):
        return attribute.as_layout()
    if isinstance(attribute, TensorDescType) and isinstance(attribute.map, SgMapAttr):
        # Only the descriptor determines the rank of a layout.
        return attribute.with_map(attribute.map.as_layout(attribute.get_num_dims()))
    return None


def _convert_maps(op: ConvertLayoutOp) -> None:
    """Converts the maps of a layout conversion, whose rank only the converted vector tells."""
    assert isinstance(op.source.type, VectorType)
    for name in ("input_layout", "target_layout"):
        if isinstance(sg_map := op.properties[name], SgMapAttr):
            try:
                op.properties[name] = sg_map.as_layout(op.source.type.get_num_dims())
            except VerifyException as error:
                raise CompileError(op, str(error)) from None


@dataclass(frozen=True)
class XegpuConvertSgMapToLayoutPass(ModulePass):
    """Replaces every sg_map in the kernels of a module by the equivalent layout.

    The layout of a 1-D descriptor has one entry per field, all others two. `xegpu-convert-layout-to-sg-map` is the
    inverse. Upstream tools accept only layouts of whole-subgroup values, so kernels must not be distributed yet.
    """

    name = "xegpu-convert-sg-map-to-layout"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        operations = list(kernel_operations(op))
        for inner in operations:
            if isinstance(inner, ConvertLayoutOp):
                _convert_maps(inner)
        AttributeConversion(_layout).convert_operations(operations)
        for inner in operations:
            if isinstance(inner, DpasOp):
                rename_properties(inner, tuple(zip(SG_MAPS, LAYOUTS, strict=True)))
