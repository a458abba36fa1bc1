"""`memref` operations that state a fact about a buffer and return the buffer."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.memref import AssumeAlignmentOp
from xdsl.ir import Operation, SSAValue

from passes.support.normal_forms.rewriting import Add, expands
from xegpu.dialects.upstream.memref import DistinctObjectsOp


@expands(AssumeAlignmentOp, DistinctObjectsOp)
def _operands(add: Add, op: Operation) -> Sequence[SSAValue]:
    return op.operands[: len(op.results)]
