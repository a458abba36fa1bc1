"""`xegpu-optimize-transpose`: loads that transpose, in place of transposes of what is loaded."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from passes.support.block_loads.plain import is_plain
from passes.support.op_builder import OpBuilder
from xegpu.dialects.upstream.vector import TransposeOp, vector_type
from xegpu.dialects.xegpu import LoadNdOp, element_bits

_UNITS = (32, 64)
"""Bits of the elements that messages can transpose."""


@dataclass(frozen=True)
class XegpuOptimizeTransposePass(ModulePass):
    """Lets a load transpose a block of 32- or 64-bit elements that nothing but transposes reads."""

    name = "xegpu-optimize-transpose"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for load in [o for o in op.walk() if isinstance(o, LoadNdOp)]:
            _fold(load)


def _fold(load: LoadNdOp) -> None:
    users = [use.operation for use in load.value.uses]
    transposes = [user for user in users if isinstance(user, TransposeOp)]
    if not transposes or len(transposes) < len(users) or not is_plain(load):
        return
    if element_bits(load.desc.element_type) not in _UNITS:
        return
    transposed = LoadNdOp(load.tensor_desc, vector_type(transposes[0].result), transpose=(1, 0), hints=load.hints)
    transposed.attributes.update(load.attributes)
    value = OpBuilder(load).add(transposed)
    value.name_hint = load.value.name_hint
    for transpose in transposes:
        transpose.result.replace_all_uses_with(value)
    for unused in (*transposes, load):
        assert unused.parent is not None
        unused.parent.erase_op(unused)
