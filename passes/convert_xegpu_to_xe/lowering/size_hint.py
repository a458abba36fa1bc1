"""Says in messages about values that differ between lanes what the size of work-groups has to do with it."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from xegpu.dialects.upstream.gpu import FuncOp, GlobalIdOp, ThreadIdOp


def missing_size_hint(value: SSAValue, function: FuncOp, lanes: int) -> str:
    """Returns the end of a message about a value that differs between lanes: the effect of a known work-group size.

    It is empty for a value that no id of a work-item determines, and for kernels that state their size.
    """
    seen: set[SSAValue] = set()
    pending = [value]
    while pending:
        if (found := pending.pop()) in seen or not isinstance(owner := found.owner, Operation):
            continue
        seen.add(found)
        if isinstance(owner, ThreadIdOp | GlobalIdOp):
            if (size := function.block_size) is None:
                return (
                    f": {owner.name} divided by {lanes} is, if known_block_size or the constant sizes of all launches "
                    "in the module tell that work-groups fill subgroups"
                )
            if size[0] % lanes != 0:
                return f": work-groups have {size[0]} work-items along x, which do not fill subgroups of {lanes}"
        pending.extend(owner.operands)
    return ""
