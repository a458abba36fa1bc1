"""Operations of xDSL's classes become those of ours that replace them."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation
from xdsl.rewriter import Rewriter


def adopt(context: Context, module: ModuleOp) -> None:
    """Rebuilds each operation of a module whose class is not the one that the context has for its name.

    xDSL's passes and the patterns of its dialects make operations of its own classes, which rules do not know where
    ours replace them.
    """
    for op in list(module.walk()):
        if type(op).__module__.startswith("xdsl.") and not isinstance(op, UnregisteredOp):
            kind = context.get_optional_op(op.name)
            if kind is not None and kind is not type(op) and issubclass(kind, IRDLOperation):
                Rewriter.replace_op(op, _rebuilt(op, kind))


def _rebuilt(op: Operation, kind: type[IRDLOperation]) -> Operation:
    new = kind.create(
        operands=op.operands,
        result_types=op.result_types,
        properties=op.properties,
        attributes=op.attributes,
        successors=op.successors,
        regions=[op.detach_region(region) for region in tuple(op.regions)],
    )
    new.location = op.location
    return new
