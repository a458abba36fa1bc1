"""Layouts of kernels whose values are whole."""

from __future__ import annotations

from xdsl.ir import Attribute, Operation
from xdsl.rewriter import Rewriter

from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import ConvertLayoutOp, LayoutAttr, SliceAttr, TensorDescType


def drop_layouts(function: FuncOp) -> None:
    """Removes the layouts of all values. Raises `CompileError` for one that distributes over subgroups."""
    for op in list(function.walk()):
        for attributes in (op.properties, op.attributes):
            if isinstance(op, ConvertLayoutOp):
                for attribute in attributes.values():
                    _check(op, attribute)
                continue
            for name, attribute in list(attributes.items()):
                if isinstance(attribute, LayoutAttr | SliceAttr):
                    _check(op, attribute)
                    del attributes[name]
        arguments = (argument for region in op.regions for block in region.blocks for argument in block.args)
        for value in (*op.results, *arguments):
            if isinstance(value.type, TensorDescType) and isinstance(layout := value.type.map, LayoutAttr | SliceAttr):
                _check(op, layout)
                Rewriter.replace_value_with_new_type(value, value.type.with_map(None))
        if isinstance(op, ConvertLayoutOp):
            op.result.replace_all_uses_with(op.source)
            Rewriter.erase_op(op)


def _check(op: Operation, attribute: Attribute) -> None:
    root = attribute.root if isinstance(attribute, SliceAttr) else attribute
    if isinstance(root, LayoutAttr) and "sg_layout" in root.given:
        raise CompileError(
            op, f"has {attribute}, which distributes over subgroups: run xegpu-wg-to-sg-distribute before"
        )
