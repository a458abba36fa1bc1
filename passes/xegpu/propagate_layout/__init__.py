"""`xegpu-propagate-layout`: gives values the layouts that stores, products and layouts in the text ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.hints import isa

from passes.kernel.target_pass import TargetPass
from passes.support.op_builder import OpBuilder
from passes.support.value_layouts.inference import ValueLayouts
from passes.support.value_layouts.kinds import layout_kinds
from passes.support.value_layouts.wants import wants
from passes.support.vectors.elementwise import vector_shape
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import (
    ConvertLayoutOp,
    DistributionAttr,
    DpasOp,
    LayoutAttr,
    LoadMatrixOp,
    LoadNdOp,
    LoadOp,
    PrefetchNdOp,
    PrefetchOp,
    SgMapAttr,
    StoreMatrixOp,
    StoreNdOp,
    StoreOp,
    TensorDescType,
    distribution_obstacle,
)
from xegpu.targets import Target

_ANCHORS = (LoadNdOp, StoreNdOp, PrefetchNdOp, LoadOp, StoreOp, PrefetchOp, LoadMatrixOp, StoreMatrixOp)


@dataclass(frozen=True)
class XegpuPropagateLayoutPass(TargetPass):
    """Spreads layouts of one level from stores, prefetches and matrix products to the values that they depend on.

    Layouts in the text stay as they are. Types of block descriptors, accesses and products get layouts, and other
    operations have them as `layout_result_0`. A value that an operation needs in another layout is converted before.
    """

    name = "xegpu-propagate-layout"

    layout_kind: str = "lane"
    """The level: `subgroup` spreads what the text has, `inst` also divides into instructions, `lane` into lanes."""

    def compile(self, scope: Operation, target: Target) -> None:
        kinds = layout_kinds(target)
        if self.layout_kind not in kinds:
            raise PassFailedException(f"expected layout-kind={'|'.join(kinds)}, got layout-kind={self.layout_kind}")
        for function in [o for o in scope.walk() if isinstance(o, FuncOp)]:
            if any(map(_is_of_lane, function.walk())):
                continue
            layouts = ValueLayouts(function, kinds[self.layout_kind])
            _convert_operands(function, layouts)
            for inner in function.walk():
                _annotate(inner, layouts)
            for inner in function.walk():
                arguments = (argument for region in inner.regions for block in region.blocks for argument in block.args)
                for value in (*inner.results, *arguments):
                    _set_type(value, layouts)


def _is_of_lane(op: Operation) -> bool:
    """Returns whether an operation has a lane's part of a block or a matrix, or an sg_map."""
    if isinstance(op, DpasOp):
        return op.is_of_lanes or op.sg_maps is not None
    if not isinstance(op, LoadNdOp | StoreNdOp):
        return False
    value, desc = op.value.type, op.desc
    is_part = isa(value, VectorType) and value.element_count() < desc.element_count() * desc.array_length
    return is_part or isinstance(desc.map, SgMapAttr)


def _convert_operands(function: FuncOp, layouts: ValueLayouts) -> None:
    for op in list(function.walk()):
        for number, layout in list(layouts.wanted(op)):
            operand = op.operands[number]
            own, shape = layouts.of(operand), vector_shape(operand) or ()
            if own is not None and (before := _fitted(own, shape)) != (after := _fitted(layout, shape)):
                op.operands[number] = OpBuilder(op).add(ConvertLayoutOp(operand, before, after))


def _annotate(op: Operation, layouts: ValueLayouts) -> None:
    if isinstance(op, ConvertLayoutOp):
        return
    if isinstance(op, DpasOp):
        asked = list(wants(op, layouts.kind, layouts.of))
        names = ("layout_a", "layout_b", "layout_cd")
        found = [asked[0][1], asked[1][1], asked[-1][1]] if asked else []
        op.properties.update({name: layout for name, layout in zip(names, found, strict=False) if layout is not None})
        return
    if isinstance(op, _ANCHORS):
        layout = _of_anchor(op, layouts)
        if layout is not None:
            op.properties["layout"] = layout
        return
    for number, result in enumerate(op.results):
        if isinstance(result.type, VectorType) and (own := layouts.of(result)) is not None:
            op.attributes[f"layout_result_{number}"] = own


def _of_anchor(op: Operation, layouts: ValueLayouts) -> DistributionAttr | None:
    if op.results:
        layout, shape = layouts.of(op.results[0]), vector_shape(op.results[0])
        return layout if layout is None or shape is None else _fitted(layout, shape)
    asked = [layout for _, layout in wants(op, layouts.kind, layouts.of)]
    return asked[0] if asked else None


def _fitted(layout: DistributionAttr, shape: Sequence[int]) -> DistributionAttr:
    """Returns a layout whose blocks are not larger than a value that it is for: all owners have such a block."""
    if not isinstance(layout, LayoutAttr) or layout.rank != len(shape):
        return layout
    fields = {
        name: tuple(map(min, shape, entries)) if name.endswith("_data") else entries
        for name, entries in layout.given.items()
    }
    return LayoutAttr(**fields)


def _set_type(value: SSAValue, layouts: ValueLayouts) -> None:
    type_, layout = value.type, layouts.of(value)
    if not isinstance(type_, TensorDescType) or type_.is_scattered or layout is None:
        return
    layout = _fitted(layout, type_.get_shape())
    if (obstacle := distribution_obstacle(layout, type_.get_shape())) is not None:
        owner = value.owner
        place = owner if isinstance(owner, Operation) else owner.parent_op()
        assert place is not None
        raise CompileError(place, f"cannot distribute {list(type_.get_shape())} using {layout}: {obstacle}")
    Rewriter.replace_value_with_new_type(value, type_.with_map(layout))
