"""`memref` operations that state a fact about a buffer and return the buffer."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from passes.support.normal_forms.rewriting import Add, Expansions


def _operands(op: Operation, add: Add) -> Sequence[SSAValue]:
    return op.operands[: len(op.results)]


EXPANSIONS: Expansions = {"memref.assume_alignment": _operands, "memref.distinct_objects": _operands}
