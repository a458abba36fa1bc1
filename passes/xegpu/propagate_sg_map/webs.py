"""Webs of descriptors that get a map together, because they must have one type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from passes.support.fragments.anchors import Accesses
from passes.support.webs.descriptors import descriptor_webs
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import SgMapAttr, TensorDescType


@dataclass(eq=False)
class MappedWeb:
    """Descriptors that flow into one another, and the accesses through them."""

    type: TensorDescType
    values: Sequence[SSAValue]
    accesses: Sequence[Accesses]

    def set_map(self, sg_map: SgMapAttr) -> None:
        """Sets the map of all descriptors."""
        self.type = self.type.with_map(sg_map)
        self.values = [Rewriter.replace_value_with_new_type(value, self.type) for value in self.values]


def mapped_webs(function: FuncOp) -> list[MappedWeb]:
    """Returns the webs of a function, in program order."""
    found = []
    for web in descriptor_webs(function):
        type = web.values[0].type
        assert isinstance(type, TensorDescType)
        accesses = [op for op in web.users if isinstance(op, Accesses) and op.tensor_desc in web.values]
        found.append(MappedWeb(type, web.values, accesses))
    return found
