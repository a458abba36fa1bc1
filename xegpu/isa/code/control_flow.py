"""Rules about where the instructions of a program lead."""

from __future__ import annotations

from xegpu.isa.code.program import Program
from xegpu.isa.model.instruction import MAX_CHANNELS


def broken_flow_rule(program: Program, index: int, simd_size: int) -> str | None:
    """Returns the rule that a goto or join breaks in a kernel with so many channels a thread; None if it keeps all."""
    instruction = program.instructions[index]
    flow = instruction.spec.flow
    if not flow.parks:
        return None
    channels = MAX_CHANNELS if simd_size == 1 else simd_size
    if instruction.exec_size != channels:
        return f"execution size {instruction.exec_size}, the threads have {channels} channels"
    join, target = program.join_target(index), program.branch_target(index)
    if join is None or join <= index:
        return "the join distance must be positive"
    if flow.is_join or target is None:
        return None
    if (target <= index) != flow.repeats:
        return "goto leads down, goto.b up"
    if not program.instructions[join if flow.repeats else target].spec.flow.is_join:
        return "channels can only wait at a join"
    return None
